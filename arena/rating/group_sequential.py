"""Looking at results while they come in, without being fooled by it.

An interval that holds in 95 of 100 cases when it is looked at once holds in far fewer when it is looked at
again and again until it says something. So where to look is fixed beforehand, and each interval is made
wider, all by the same factor, until in 95 of 100 cases none of them misses: then it does not matter which
of them was the last.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from arena.rating.elo import Fit
from arena.rating.intervals import CONFIDENCE, normal_cdf
from arena.rating.pair_counts import FloatArray
from arena.rating.sprt import BURN_IN_BLOCKS

WIDEST = 8.0  # standard errors; more than any number of looks needs
NODES = 64  # of the quadrature: as many as the narrowest step between looks asks for, and more


def plan_checkpoints(first: int, last: int, growth: float) -> tuple[int, ...]:
    """Numbers of blocks after which to look: `first`, each time `growth` times as many, and `last`."""
    looks = []
    blocks = first
    while blocks < last:
        looks.append(blocks)
        blocks = max(blocks + 1, math.floor(blocks * growth))
    return (*looks, last)


def adjust_confidence(looks: Sequence[int]) -> float:
    """The confidence of each interval at which those of all looks hold together in 95 of 100 cases.

    `looks` are numbers of blocks, ascending.
    Source: S. J. Pocock, Group sequential methods in the design and analysis of clinical trials, Biometrika
    64, 1977; C. Jennison, B. W. Turnbull, Interim analyses: the repeated confidence interval approach,
    J. R. Statist. Soc. B 51, 1989.
    """
    times = [blocks / looks[-1] for blocks in looks]
    low, high = 1.0, WIDEST
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if _chance_within(middle, times) > CONFIDENCE else (middle, high)
    return 2 * normal_cdf(high) - 1


def is_separated(fit: Fit, bot: int, other: int, confidence: float) -> bool:
    """Whether the interval of that confidence about the difference of two ratings leaves nought.

    Where one of two bots lost every point there is no interval; then it takes 32 blocks of both, and 32 in
    which it did so. Two that never met, directly or over others, are not separated by anything.
    """
    los = fit.los(bot, other)
    if los is not None:
        return max(los, 1 - los) > (1 + confidence) / 2
    played = min(fit.blocks[bot], fit.blocks[other])
    return played >= BURN_IN_BLOCKS and fit.is_one_sided(bot, other, BURN_IN_BLOCKS)


def _chance_within(bound: float, times: Sequence[float]) -> float:
    """Chance that Brownian motion is never beyond `bound` standard deviations at any of these times.

    Source: P. Armitage, C. K. McPherson, B. C. Rowe, Repeated significance tests on accumulating data,
    J. R. Statist. Soc. A 132, 1969: the density of what is still within, carried from look to look.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    place, mass = np.zeros(1), np.ones(1)
    for before, time in pairwise([0.0, *times]):
        reach = bound * math.sqrt(time)
        at = nodes * reach
        mass = _normal_density(at[:, None] - place, time - before) @ mass * weights * reach
        place = at
    return float(mass.sum())


def _normal_density(difference: FloatArray, variance: float) -> FloatArray:
    density: FloatArray = np.exp(-(difference**2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
    return density
