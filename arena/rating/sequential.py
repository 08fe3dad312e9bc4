"""Group-sequential tests: looks at results fixed in advance, and estimates after a test that stopped."""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from operator import neg
from typing import Final, NamedTuple

import numpy as np

from arena.rating.elo_fit import Fit
from arena.rating.pair_counts import FloatArray
from arena.rating.student_t import CONFIDENCE, normal_cdf, normal_quantile, t_half_width, t_quantile
from arena.rating.two_bots import (
    BURN_IN_BLOCKS,
    VIRTUAL_SQUARES,
    HeadToHead,
    SprtStatus,
    elo_from_score,
    expected_score,
)

# --- looks fixed in advance ---
# An interval that holds in 95 of 100 cases when it is examined once holds in far fewer when it is examined
# again and again until it excludes 0. So the numbers of blocks at which to look are fixed in advance, and all
# intervals are widened by one factor, until in 95 of 100 cases none of them misses: then it does not matter
# which look was the last.

MAX_BOUND: Final = 8.0  # standard errors; more than any number of looks needs
QUADRATURE_NODES: Final = 64  # more than the narrowest step between looks needs


def plan_checkpoints(first: int, last: int, growth: float) -> tuple[int, ...]:
    """Return the numbers of blocks at which to look: `first`, each time `growth` times as many, and `last`.

    Example:
        >>> plan_checkpoints(32, 100, 1.5)
        (32, 48, 72, 100)
    """
    looks = []
    blocks = first
    while blocks < last:
        looks.append(blocks)
        blocks = max(blocks + 1, math.floor(blocks * growth))
    return (*looks, last)


def adjust_confidence(looks: Sequence[int], confidence: float = CONFIDENCE) -> float:
    """Return the confidence that each interval needs so that those of all looks hold together.

    Args:
        looks: Numbers of blocks, ascending.
        confidence: The probability, 0 to 1, with which all of them hold.

    Source: S. J. Pocock, Group sequential methods in the design and analysis of clinical trials, Biometrika
    64, 1977; C. Jennison, B. W. Turnbull, Interim analyses: the repeated confidence interval approach,
    J. R. Statist. Soc. B 51, 1989.

    Example:
        >>> round(adjust_confidence([100]), 3), round(adjust_confidence([50, 100]), 3)
        (0.95, 0.971)
    """
    return confidence if len(looks) == 1 else _adjust_confidence(tuple(looks), confidence)


@lru_cache(maxsize=64)
def _adjust_confidence(looks: tuple[int, ...], confidence: float) -> float:
    times = [blocks / looks[-1] for blocks in looks]
    low, high = 1.0, MAX_BOUND
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if _probability_within(middle, times) > confidence else (middle, high)
    return 2 * normal_cdf(high) - 1


def is_separated(fit: Fit, bot: int, other: int, confidence: float) -> bool:
    """Return whether the interval of the difference of two ratings excludes 0.

    Where one of two bots lost every point there is no interval; then both need 32 blocks, 32 of them with
    points that went that way. Two that never met, directly or through others, are never separated.
    """
    los = fit.los(bot, other)
    if los is not None:
        return max(los, 1 - los) > (1 + confidence) / 2
    played = min(fit.blocks[bot], fit.blocks[other])
    return played >= BURN_IN_BLOCKS and fit.is_one_sided(bot, other, BURN_IN_BLOCKS)


def _probability_within(bound: float, times: Sequence[float]) -> float:
    """Return the probability that Brownian motion is within `bound` standard deviations at all these times.

    Source: P. Armitage, C. K. McPherson, B. C. Rowe, Repeated significance tests on accumulating data,
    J. R. Statist. Soc. A 132, 1969: the density of what is still within, carried from look to look.
    """
    nodes, weights = _legendre_nodes()
    place, mass = np.zeros(1), np.ones(1)
    for before, time in pairwise([0.0, *times]):
        reach = bound * math.sqrt(time)
        at = nodes * reach
        mass = _normal_density(at[:, None] - place, time - before) @ mass * weights * reach
        place = at
    return float(mass.sum())


@cache
def _legendre_nodes() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of Gauss-Legendre quadrature from -1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    return nodes, weights


def _normal_density(difference: FloatArray, variance: float) -> FloatArray:
    """Return the density of a centred normal variable with a variance."""
    density: FloatArray = np.exp(-(difference**2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
    return density


# --- estimate after a stop ---
# A test that stops when it is clear tends to stop on a score that is too high, so the mean score at the stop
# overstates the difference. The outcomes of the test are put in an order: a stop above is higher than any
# later one, the earlier the higher; a stop below is lower, the earlier the lower; at the same look the higher
# score is the higher. The estimate is the difference under which an outcome as high as the one observed has a
# probability of one half, and the ends of the interval are those under which it has one of 2.5 % and of
# 97.5 %. Under the true difference the estimate is too high in half of all tests, and the interval excludes
# zero where the test found a difference.
#
# Source: C. Jennison, B. W. Turnbull, Group Sequential Methods, 2000, chapter 8 (stagewise ordering); the
# score is taken as Brownian motion with drift, as in P. Armitage, C. K. McPherson, B. C. Rowe, J. R.
# Statist. Soc. A 132, 1969.

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
    return _invert_test(result, [Boundary(*look) for look in zip(earlier, map(neg, ends), ends, strict=True)])


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
    return _invert_test(result, boundaries)


def _invert_test(result: HeadToHead, boundaries: Sequence[Boundary]) -> SequentialEstimate:
    """Return the estimate of a test from its result and the boundaries of all looks before its last."""
    assert result.score is not None
    assert result.deviation is not None
    blocks, deviation = result.blocks, result.deviation
    if not boundaries:  # one look: the score and its interval
        half = t_half_width(deviation / math.sqrt(blocks), blocks)
        ends = (result.score, result.score - half, result.score + half)
        return SequentialEstimate(result.score, *map(elo_from_score, ends))
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

    centre, reach = total / blocks, MAX_DISTANCE / math.sqrt(boundaries[0].blocks)
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
        nodes, weights = _legendre_nodes()
        reach = MAX_DISTANCE * math.sqrt(look.blocks)
        middle = drift * look.blocks
        low, high = (min(max(end, middle - reach), middle + reach) for end in (look.lower, look.upper))
        half = (high - low) / 2
        place = (high + low) / 2 + nodes * half
        mass = _normal_density(place[:, None] - centre, step) @ mass * weights * half
        before = look.blocks
    step = blocks - before
    return probability + _mass_above(total, place + drift * step, step, mass)


def _mass_above(bound: float, centre: FloatArray, variance: float, mass: FloatArray) -> float:
    from scipy.special import ndtr

    return float(ndtr((centre - bound) / math.sqrt(variance)) @ mass)
