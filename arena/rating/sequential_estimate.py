"""Estimate a difference after a test that stopped when it was clear.

Such a test tends to stop on a score that is too high, so the mean score at the stop overstates the
difference. The outcomes of the test are put in an order: a stop above is higher than any later one, the
earlier the higher; a stop below is lower, the earlier the lower; at the same look the higher score is the
higher. The estimate is the difference under which an outcome as high as the one observed has a
probability of one half, and the ends of the interval are those under which it has one of 2.5 % and of
97.5 %. Under the true difference the estimate is too high in half of all tests, and the interval excludes
zero where the test found a difference.

Source: C. Jennison, B. W. Turnbull, Group Sequential Methods, 2000, chapter 8 (stagewise ordering); the
score is taken as Brownian motion with drift, as in P. Armitage, C. K. McPherson, B. C. Rowe, J. R.
Statist. Soc. A 132, 1969.
"""

import math
from collections.abc import Sequence
from operator import neg
from typing import Final, NamedTuple

import numpy as np

from arena.rating.group_sequential import legendre_nodes, normal_density
from arena.rating.pair_counts import FloatArray
from arena.rating.student_t import CONFIDENCE, normal_cdf, normal_quantile, t_quantile
from arena.rating.two_bots import VIRTUAL_SQUARES, HeadToHead, SprtStatus, elo_from_score, expected_score

MAX_DISTANCE: Final = 8.0
"""Standard deviations beyond which nothing has a probability that matters."""
EVEN: Final = 0.5
"""Score of two equals."""


class SequentialEstimate(NamedTuple):
    """Estimate of the score from a stopped test, without the bias of its stop.

    Attributes:
        score: Median-unbiased estimate of the expected score.
        elo: Elo difference it means; None for a score outside 0 to 1.
        low: Lower end of the 95 % interval in Elo; None if unbounded.
        high: Upper end of the interval in Elo; None if unbounded.
    """

    score: float
    elo: float | None
    low: float | None
    high: float | None


class Boundary(NamedTuple):
    """Values between which a test goes on at a look.

    Attributes:
        blocks: Number of blocks of the look.
        lower: In standard deviations of a block: sum of the scores above one half at which it stops below.
        upper: The same above.
    """

    blocks: int
    lower: float
    upper: float


def estimate_after_stop(
    result: HeadToHead, looks: Sequence[int], confidence: float
) -> SequentialEstimate | None:
    """Return the estimate from a comparison that ended at one of its looks.

    Args:
        result: Its result; the number of blocks is that of a look.
        looks: All numbers of blocks at which it looks, ascending.
        confidence: Confidence of the interval of each look, 0 to 1.

    Returns:
        None if the result has no interval.
    """
    if result.deviation is None:
        return None
    bound = normal_quantile((1 + confidence) / 2)
    earlier = looks[: looks.index(result.blocks)]
    ends = [bound * math.sqrt(blocks) for blocks in earlier]
    return invert_test(result, [Boundary(*look) for look in zip(earlier, map(neg, ends), ends, strict=True)])


def estimate_after_sprt(
    result: HeadToHead, looks: Sequence[int], status: SprtStatus, elos: tuple[float, float]
) -> SequentialEstimate | None:
    """Return the estimate from a sequential probability ratio test that ended at one of its looks.

    Args:
        result: The comparison of all scores, without virtual squares.
        looks: All numbers of blocks at which it looks, ascending.
        status: State of the test at its end; its bounds are taken for those of all looks.
        elos: Elo differences of the two hypotheses.

    Returns:
        None if the result has no interval.
    """
    if result.deviation is None:
        return None
    low, high = map(expected_score, elos)
    boundaries = []
    for blocks in looks[: looks.index(result.blocks)]:
        variance = result.deviation**2 + VIRTUAL_SQUARES / (blocks - 1)
        middle = blocks * ((low + high) / 2 - EVEN)
        ends = (middle + bound * variance / (high - low) for bound in (status.lower, status.upper))
        boundaries.append(Boundary(blocks, *(end / result.deviation for end in ends)))
    return invert_test(result, boundaries)


def invert_test(result: HeadToHead, boundaries: Sequence[Boundary]) -> SequentialEstimate:
    """Return the estimate of a test from its result and the boundaries of all looks before its last."""
    assert result.score is not None
    assert result.deviation is not None
    blocks, deviation = result.blocks, result.deviation
    total = (result.score - EVEN) / deviation * blocks
    tail = normal_cdf(t_quantile((1 - CONFIDENCE) / 2, blocks - 1))
    low, middle, high = (
        EVEN + deviation * _find_drift(probability, total, blocks, boundaries)
        for probability in (tail, 0.5, 1 - tail)
    )
    return SequentialEstimate(middle, *(elo_from_score(score) for score in (middle, low, high)))


def _find_drift(probability: float, total: float, blocks: int, boundaries: Sequence[Boundary]) -> float:
    """Return the drift at which an outcome as high as the one observed has a probability."""
    from scipy.optimize import brentq

    def excess(drift: float) -> float:
        return probability_as_high(drift, total, blocks, boundaries) - probability

    first = boundaries[0].blocks if boundaries else blocks
    centre, reach = total / blocks, MAX_DISTANCE / math.sqrt(first)
    return float(brentq(excess, min(centre, 0) - reach, max(centre, 0) + reach, xtol=1e-6 * reach))


def probability_as_high(drift: float, total: float, blocks: int, boundaries: Sequence[Boundary]) -> float:
    """Return the probability of an outcome as high as a stop at a sum of scores.

    Args:
        drift: Expected score above one half, in standard deviations of a block.
        total: Sum of the scores above one half at the stop, in the same unit.
        blocks: Number of blocks at the stop.
        boundaries: Those of all earlier looks.
    """
    place, mass, before = np.zeros(1), np.ones(1), 0
    probability = 0.0
    for look in boundaries:
        step = look.blocks - before
        centre = place + drift * step
        probability += _mass_above(look.upper, centre, step, mass)
        nodes, weights = legendre_nodes()
        reach = MAX_DISTANCE * math.sqrt(look.blocks)
        middle = drift * look.blocks
        low, high = (min(max(end, middle - reach), middle + reach) for end in (look.lower, look.upper))
        half = (high - low) / 2
        place = (high + low) / 2 + nodes * half
        mass = normal_density(place[:, None] - centre, step) @ mass * weights * half
        before = look.blocks
    step = blocks - before
    return probability + _mass_above(total, place + drift * step, step, mass)


def _mass_above(bound: float, centre: FloatArray, variance: float, mass: FloatArray) -> float:
    from scipy.special import ndtr

    return float(ndtr((centre - bound) / math.sqrt(variance)) @ mass)
