"""Errors of ratings that hold at all looks, whatever decides when to stop, and their virtual blocks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np

from arena.rating.bradley_terry import win_probability
from arena.rating.covariance import ScoreTest, compute_virtual_variance
from arena.rating.elo_fit import (
    MIN_FREEDOM,
    MIN_STANDARD_ERROR,
    Fit,
    compute_variances_about_center,
    find_weights,
    fit_elo,
    half_width,
    set_bounds,
)
from arena.rating.pair_counts import FloatArray, Groups, IntArray, PairCounts
from arena.rating.student_t import CONFIDENCE, t_quantile
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO, VIRTUAL_SQUARES

# --- virtual blocks ---
# A covariance knows nothing of events to come: where small gains are frequent and large losses rare, early
# looks often come before the first loss. So one virtual block that a bot wins as a whole, and one that it
# loses, are added to the variance of what is tested repeatedly.

MAX_WEIGHT: Final = 0.5
"""Largest weight of a bot in the centre of its group that is counted: that of one of two."""


class VirtualBlocks:
    """Addition of virtual blocks to the variances of ratings."""

    def __init__(self, counts: PairCounts, fit: Fit) -> None:
        """Take the information on strengths from the results so far, and their ratings."""
        self._fit = fit
        self._inverse = _invert_information(counts, fit)

    def pair_variance(self, bot: int, other: int) -> float:
        """Return what a block won from each other adds to the variance of a difference, in Elo².

        A block won as a whole is half its matches more than expected of equals; it moves the difference by
        that times the resistance between the two in the network of all games.
        """
        own, others = self._inverse[bot, bot], self._inverse[other, other]
        resistance = float(own + others - 2 * self._inverse[bot, other])
        blocks = min(self._fit.blocks[bot], self._fit.blocks[other])
        return self._variance(resistance, max(map(self._block_matches, (bot, other))), blocks)

    def pair_variances(self, bots: Sequence[int]) -> FloatArray:
        """Return the matrix of `pair_variance` of some bots that played; 0 on its diagonal."""
        inverse = self._inverse[np.ix_(bots, bots)]
        own = inverse.diagonal()
        blocks = np.array(self._fit.blocks)[bots]
        matches = np.array(self._fit.matches)[bots] / blocks
        fewer = np.maximum(np.minimum.outer(blocks, blocks), 2)
        moved = np.maximum.outer(matches, matches) * (own[:, None] + own - 2 * inverse) * ELO_PER_UNIT
        variances: FloatArray = VIRTUAL_SQUARES * moved**2 * fewer / (fewer - 1)
        return variances

    def variances_about_center(self, groups: Groups) -> FloatArray:
        """Return what a block won from all others and one lost to them add to each bot's variance, in Elo².

        The variance is that of the distance from the centre of the bot's group, in which the others count by
        their weights. It is NaN for a bot that met nobody.
        """
        weights = find_weights(np.array(self._fit.elo), groups)
        resistance = compute_variances_about_center(self._inverse, groups, weights)
        added = np.full(len(resistance), np.nan)
        for bot in (bot for group in groups if len(group) > 1 for bot in group):
            moved = float(resistance[bot]) / (1 - min(float(weights[bot]), MAX_WEIGHT))
            added[bot] = self._variance(moved, self._block_matches(bot), self._fit.blocks[bot])
        return added

    def _block_matches(self, bot: int) -> float:
        return self._fit.matches[bot] / self._fit.blocks[bot]

    @staticmethod
    def _variance(moved: float, matches: float, blocks: int) -> float:
        """Return the variance if a point more moves a rating by a number of units of strength."""
        fewer = max(blocks, 2)
        return VIRTUAL_SQUARES * (matches * moved * ELO_PER_UNIT) ** 2 * fewer / (fewer - 1)


def _invert_information(counts: PairCounts, fit: Fit) -> FloatArray:
    """Return the pseudoinverse of the information on strengths in all games."""
    strength = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT
    chance = win_probability(strength[:, None] - strength)
    points = counts.points() * counts.weight
    variance = (points + points.T) * chance * chance.T
    laplacian = np.diag(variance.sum(axis=1)) - variance
    return np.asarray(np.linalg.pinv(laplacian, hermitian=True), np.float64)


# --- confidence sequence ---
# A 95 % interval excludes the truth at some look in far more than one of twenty runs if blocks are added
# until it does. The intervals of a confidence sequence hold at all numbers of blocks together. The sequence
# here is asymptotic: it assumes only that blocks are independent and that their mean is nearly normal. As
# that is not so before the first rare event, virtual blocks are added.
#
# Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, Time-uniform central limit theory
# and asymptotic confidence sequences, Ann. Statist. 52, 2024, theorem 2.2 and appendix B.2.

NARROWEST_BLOCKS: Final = 100
"""Number of blocks at which the sequence is narrowest; fixed in advance, as it must not depend on results."""


def anytime_factor(blocks: int, freedom: int) -> float:
    """Return how many times as wide as a 95 % interval by Student's t an anytime-valid one is.

    Args:
        blocks: Number of blocks so far; two or more.
        freedom: Degrees of freedom of Student's t, at least one.

    Example:
        >>> [round(anytime_factor(blocks, blocks - 1), 2) for blocks in (20, 100, 1000, 10_000)]
        [1.91, 1.57, 1.66, 1.82]
    """
    return float(_anytime_factors(np.array(blocks), np.array(freedom)))


def _anytime_factors(blocks: IntArray, freedom: IntArray) -> FloatArray:
    """Return `anytime_factor` of arrays; both are at least one."""
    from scipy.special import ndtr, stdtrit

    error_rate = 1 - CONFIDENCE
    spread = -2 * math.log(error_rate) + math.log(1 - 2 * math.log(error_rate))
    time = spread * blocks / NARROWEST_BLOCKS  # tρ² of the source
    reach = np.sqrt(2 * (time + 1) / time * np.log(np.sqrt(time + 1) / error_rate))
    factors: FloatArray = stdtrit(freedom, ndtr(-reach)) / stdtrit(freedom, error_rate / 2)
    return factors


@dataclass(frozen=True, eq=False)
class AnytimeFit(Fit):
    """Ratings whose errors hold at all numbers of blocks together.

    Intervals and LOS that are made from its standard errors as from others are anytime-valid.

    Attributes:
        virtual: What virtual blocks add to the variances.
    """

    virtual: VirtualBlocks

    def pair_standard_error(self, bot: int, other: int) -> float | None:
        """Return the standard error of a difference, widened for all looks; None where unknown."""
        seen = super().pair_standard_error(bot, other)
        if seen is None:
            return None
        blocks = min(self.blocks[bot], self.blocks[other])
        widening = anytime_factor(blocks, self.pair_freedom(bot, other))
        return widening * math.sqrt(seen**2 + self.virtual.pair_variance(bot, other))

    def _score_variance(self, test: ScoreTest) -> float:
        blocks = min(self.blocks[test.bot], self.blocks[test.other])
        widening = anytime_factor(blocks, self.pair_block_freedom(test.bot, test.other))
        return widening**2 * (test.variance + self._virtual_variance(test))

    def score_half_width(self, bot: int) -> float | None:
        """Return the half width of the interval of the mean score, widened for all looks."""
        seen, blocks = super().score_half_width(bot), self.blocks[bot]
        if seen is None:
            return None
        virtual = compute_virtual_variance(self.matches[bot] / blocks, blocks) / self.matches[bot] ** 2
        factor = anytime_factor(blocks, self.freedom[bot]) * t_quantile(
            (1 + CONFIDENCE) / 2, self.freedom[bot]
        )
        return factor * math.sqrt(self.score_error[bot] ** 2 + virtual)

    def pair_variances(self, bots: Sequence[int]) -> FloatArray:
        """Return the matrix of the variances of differences, widened for all looks; 0 where unknown."""
        seen = super().pair_variances(bots)
        played, own = np.array(self.blocks), np.array(self.cluster_freedom)
        freedom = self.upsets.limit_pairs(np.minimum.outer(own, own))[np.ix_(bots, bots)]
        is_known = (seen >= MIN_STANDARD_ERROR**2) & (freedom >= 1)
        is_known &= np.minimum.outer(own[bots], own[bots]) >= MIN_FREEDOM
        widening = _anytime_factors(np.minimum.outer(played[bots], played[bots]), np.maximum(freedom, 1))
        widened = widening**2 * (seen + self.virtual.pair_variances(bots))
        variances: FloatArray = np.where(is_known, widened, 0.0)
        return variances


def fit_anytime(counts: PairCounts, *, are_tables_drawn: bool = False) -> AnytimeFit:
    """Return the ratings of the model with errors and bounds that hold at all numbers of blocks together."""
    fit = fit_elo(counts, are_tables_drawn=are_tables_drawn)
    values: dict[str, Any] = {field.name: getattr(fit, field.name) for field in fields(fit)}
    widened = AnytimeFit(**values, virtual=VirtualBlocks(counts, fit))
    anytime = set_bounds(widened, counts.points())
    errors = _widen(anytime)
    return replace(anytime, standard_error=errors, error=tuple(map(half_width, errors, fit.freedom)))


def _widen(fit: AnytimeFit) -> tuple[float | None, ...]:
    """Return the standard errors, with virtual blocks and widened for all looks."""
    added = fit.virtual.variances_about_center(fit.connected_groups).tolist()
    return tuple(
        None if seen is None else round(anytime_factor(blocks, freedom) * math.sqrt(seen**2 + variance), 6)
        for seen, variance, blocks, freedom in zip(
            fit.standard_error, added, fit.blocks, fit.freedom, strict=True
        )
    )
