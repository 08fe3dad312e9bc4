"""Test results repeatedly while they come in (group-sequential test).

An interval that holds in 95 of 100 cases when it is examined once holds in far fewer when it is examined
again and again until it excludes 0. So the numbers of blocks at which to look are fixed in advance, and all
intervals are widened by one factor, until in 95 of 100 cases none of them misses: then it does not matter
which look was the last.
"""

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from arena.rating.elo_fit import Fit
from arena.rating.pair_counts import FloatArray
from arena.rating.student_t import CONFIDENCE, normal_cdf
from arena.rating.two_bots import BURN_IN_BLOCKS

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
    return _adjust_confidence(tuple(looks), confidence)


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
    nodes, weights = legendre_nodes()
    place, mass = np.zeros(1), np.ones(1)
    for before, time in pairwise([0.0, *times]):
        reach = bound * math.sqrt(time)
        at = nodes * reach
        mass = normal_density(at[:, None] - place, time - before) @ mass * weights * reach
        place = at
    return float(mass.sum())


@cache
def legendre_nodes() -> tuple[FloatArray, FloatArray]:
    """Return nodes and weights of Gauss-Legendre quadrature from -1 to 1."""
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_NODES)
    return nodes, weights


def normal_density(difference: FloatArray, variance: float) -> FloatArray:
    """Return the density of a centred normal variable with a variance."""
    density: FloatArray = np.exp(-(difference**2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
    return density
