"""Student's t distribution of one value at a time, and the mean of one value per block, in Python alone.

Importing scipy takes longer than most fits, and a browser has neither that nor numpy. The functions agree
with scipy's to ten digits or more, in the tails relatively; a test compares them. `mean_intervals` uses
scipy for large arrays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final, NamedTuple

STANDARD_NORMAL: Final = NormalDist()
CONFIDENCE: Final = 0.95
MIN_BLOCKS: Final = 6
"""Smallest number of blocks for which an error is given: fewer show too little of how much blocks vary."""
LARGE_SHAPE: Final = 50.0
"""Above it the series of the ratio of gamma functions is exact to the last digits."""
MAX_FREEDOM: Final = 1e8
"""Degrees of freedom from which the distribution is normal to eight digits."""
TINY: Final = 1e-300
TOLERANCE: Final = 1e-15
MAX_TERMS: Final = 100_000
MAX_STEPS: Final = 200
MAX_REMEMBERED: Final = 4096
"""Quantiles kept: a fit asks for that of each bot several times, and many bots have equally many blocks."""


def t_cdf(value: float, freedom: float) -> float:
    """Return the probability that Student's t with `freedom` degrees of freedom stays below `value`.

    Source: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, formula 26.7.1.
    """
    if math.isnan(value) or not freedom > 0:
        return math.nan
    if math.isinf(value):
        return float(value > 0)
    tail = _tail(abs(value), min(freedom, MAX_FREEDOM))
    return tail if value < 0 else 1.0 - tail


@lru_cache(maxsize=MAX_REMEMBERED)
def t_quantile(probability: float, freedom: float) -> float:
    """Return the value that Student's t with `freedom` degrees of freedom stays below with `probability`."""
    if not (0 <= probability <= 1 and freedom > 0):
        return math.nan
    if probability > 0.5:
        return -t_quantile(1 - probability, freedom)
    if probability in (0, 0.5):
        return -math.inf if probability == 0 else 0.0
    return -_find_tail_start(probability, min(freedom, MAX_FREEDOM))


def _find_tail_start(probability: float, freedom: float) -> float:
    """Return the value that is exceeded with a probability below a half: Newton's method within bounds.

    The logarithm of the tail is close to a line there, on which few steps suffice.
    """
    low, high = 0.0, 1.0
    while _tail(high, freedom) > probability:
        low, high = high, 2 * high
    value = min(max(-STANDARD_NORMAL.inv_cdf(probability), low), high)
    for _ in range(MAX_STEPS):
        tail = _tail(value, freedom)
        low, high = (value, high) if tail > probability else (low, value)
        step = math.log(tail / probability) * tail / _density(value, freedom)
        closer = value + step
        if not low <= closer <= high:
            closer = (low + high) / 2
        if abs(closer - value) <= TOLERANCE * closer:
            break
        value = closer
    return closer


def _density(value: float, freedom: float) -> float:
    half = freedom / 2
    power = -(half + 0.5) * math.log1p(value * value / freedom)
    return math.exp(power + _log_gamma_ratio(half) - 0.5 * math.log(freedom * math.pi))


def _tail(value: float, freedom: float) -> float:
    """Return the probability of more than a value from 0 on: half an incomplete beta function."""
    half, square = freedom / 2, value * value
    x, y = freedom / (freedom + square), square / (freedom + square)
    if y == 0:
        return 0.5
    front = math.exp(
        -half * math.log1p(square / freedom) + 0.5 * math.log(y / math.pi) + _log_gamma_ratio(half)
    )
    if x < (half + 1) / (half + 2.5):
        return front * _beta_fraction(half, 0.5, x) / half / 2
    return 0.5 - front * _beta_fraction(0.5, half, y)


def _log_gamma_ratio(shape: float) -> float:
    """Return log(Γ(shape + 1/2) / Γ(shape)), of large shapes without the difference of large numbers.

    Source: F. Tricomi, A. Erdélyi, The asymptotic expansion of a ratio of gamma functions, 1951.
    """
    if shape < LARGE_SHAPE:
        return math.lgamma(shape + 0.5) - math.lgamma(shape)
    inverse = 1 / shape
    square = inverse * inverse
    series = 1 / 8 - square * (1 / 192 - square * (1 / 640 - square * 17 / 14336))
    return 0.5 * math.log(shape) - inverse * series


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of the incomplete beta function, by Lentz's method.

    Source: W. Press et al., Numerical Recipes, 2007, section 6.4.
    """
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for term in range(1, MAX_TERMS):
        twice = a + 2 * term
        for numerator in (
            term * (b - term) * x / ((twice - 1) * twice),
            -(a + term) * (a + b + term) * x / (twice * (twice + 1)),
        ):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            fraction *= c * d
        if abs(c * d - 1) < TOLERANCE:
            break
    return fraction


def _away_from_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def normal_quantile(probability: float) -> float:
    """Return the value that a standard normal variable stays below with `probability`."""
    if probability in (0, 1):
        return math.copysign(math.inf, probability - 0.5)
    return STANDARD_NORMAL.inv_cdf(probability)


def normal_cdf(value: float) -> float:
    """Return the probability that a standard normal variable stays below `value`."""
    return math.erfc(-value / math.sqrt(2)) / 2


def t_half_width(standard_error: float, blocks: int, confidence: float = CONFIDENCE) -> float:
    """Return the half width of a Student's t interval with `blocks - 1` degrees of freedom."""
    return t_quantile((1 + confidence) / 2, blocks - 1) * standard_error


class MeanEstimate(NamedTuple):
    """A mean and its 95 % interval.

    Attributes:
        value: The mean, None without values.
        error: Half width of the interval; None for fewer than 6 blocks, or where blocks do not differ.
        blocks: Number of blocks.
    """

    value: float | None
    error: float | None
    blocks: int


def estimate_mean(values: Sequence[float], confidence: float = CONFIDENCE) -> MeanEstimate:
    """Return the mean of one value per block, with Student's t interval.

    Example:
        >>> estimate_mean([1.0, 2.0, 3.0])
        MeanEstimate(value=2.0, error=None, blocks=3)
    """
    blocks = len(values)
    if not blocks:
        return MeanEstimate(None, None, 0)
    value = math.fsum(values) / blocks
    if blocks < MIN_BLOCKS or min(values) == max(values):
        return MeanEstimate(value, None, blocks)
    squares = math.fsum((one - value) ** 2 for one in values)
    standard_error = math.sqrt(squares / (blocks - 1) / blocks)
    return MeanEstimate(value, t_half_width(standard_error, blocks, confidence), blocks)
