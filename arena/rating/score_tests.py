"""Tests of the order of two bots by their points, where their distance in Elo is hardly known.

A bot that takes few points from the others has an Elo with an error of hundreds, and the error grows faster
than the distance: distance / error tends to 0 the more hopeless the bot is (Hauck and Donner 1977). The score
test needs no distance. With θ̃ the strengths that best explain the results if the two were equal, g is what
one took beyond expectation, and the other fell short of it. Its variance is aᵀ M a, where M is the covariance
of points clustered as for the errors of ratings, and a, 1 for the one and 0 for the other, less its
projection on what moves the common strengths. Where all tables are played equally often, g is half the
difference of the points of the two, and a is ± 1/2.
Source: W. W. Hauck, A. Donner, Wald's test as applied to hypotheses in logit analysis, J. Amer. Statist.
Assoc. 72, 1977; D. D. Boos, On generalized score tests, Amer. Statistician 46, 1992.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import StrengthEstimate, compute_derivatives, fit_strengths
from arena.rating.pair_counts import FloatArray
from arena.rating.two_bots import VIRTUAL_SQUARES

MAX_WORK: Final = 1e8
"""Number of pairs, times the cube of the number of bots, above which no pair is tested: about 2 s."""
MIN_VARIANCE: Final = 1e-9
"""Squared points; a smaller variance is what rounding leaves of 0."""


class ScoreTest(NamedTuple):
    """Points that two bots took beyond what is expected if they are equally strong.

    Attributes:
        bot: The one.
        other: The other.
        excess: Weighted points of `bot` beyond expectation; `other` has as many less.
        variance: Its variance.
    """

    bot: int
    other: int
    excess: float
    variance: float


class ScoreTests:
    """Score tests of some pairs, computed when first asked for."""

    def __init__(
        self, estimate: StrengthEstimate, covariance: FloatArray, pairs: Sequence[tuple[int, int]]
    ) -> None:
        """Take the results.

        Args:
            estimate: The fitted strengths.
            covariance: Covariance of the weighted points of all bots.
            pairs: Pairs of bots that met, directly or through others.
        """
        is_too_much = len(pairs) * len(covariance) ** 3 > MAX_WORK
        self._pairs = () if is_too_much else tuple(pairs)
        self._input: tuple[StrengthEstimate, FloatArray] | None = None
        if self._pairs:  # else a large field keeps its matrices for nothing
            self._input = estimate, covariance

    @cached_property
    def results(self) -> tuple[ScoreTest, ...]:
        """The tests of the pairs; none where there are too many in a large field."""
        return tuple(self._compute())

    def _compute(self) -> Iterator[ScoreTest]:
        if self._input is None:
            return
        estimate, covariance = self._input
        for bot, other in self._pairs:
            group = next(own for own in estimate.groups if bot in own)
            within = np.ix_(group, group)
            start, at = estimate.strength[list(group)], (group.index(bot), group.index(other))
            excess, direction = _test_equal(estimate.points[within], start, *at)
            variance = float(direction @ covariance[within] @ direction)
            yield ScoreTest(bot, other, excess, max(variance, 0.0))


def compute_virtual_variance(matches: float, blocks: int) -> float:
    """Return what a block won and one lost add to the variance of a bot's points, in squared points.

    Each moves its points by half the matches of a block.

    Args:
        matches: Matches of a block.
        blocks: Blocks of the bot, two or more.
    """
    return VIRTUAL_SQUARES * matches**2 * blocks / (blocks - 1)


def _test_equal(points: FloatArray, start: FloatArray, bot: int, other: int) -> tuple[float, FloatArray]:
    """Return the excess of a bot over another of equal strength, and how it changes with the points of all.

    Args:
        points: Square matrix of the weighted points that row took from column.
        start: Fitted strengths.
        bot: The one.
        other: The other.
    """
    size = len(points)
    kept = np.delete(np.arange(size), other)
    merged = np.zeros((size, size - 1))
    merged[kept, np.arange(size - 1)] = 1
    merged[other, np.searchsorted(kept, bot)] = 1
    common = merged.T @ points @ merged
    np.fill_diagonal(common, 0)
    strength = merged @ fit_strengths(common, start[kept])
    slope, information = compute_derivatives(points, strength)
    across = merged.T @ (information[bot] - 1 / size)
    direction = -merged @ np.linalg.solve(merged.T @ information @ merged, across)
    direction[bot] += 1
    return float(slope[bot]), direction
