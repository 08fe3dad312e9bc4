"""Student's t and the normal distribution, and means that take a block as one observation.

scipy is imported for large arrays only, so that the runs of small fields end without waiting for it.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from arena.rating.pair_counts import FloatArray, IntArray
from arena.rating.student_t import STANDARD_NORMAL, t_cdf, t_quantile

__all__ = [
    "CONFIDENCE",
    "MIN_BLOCKS",
    "ClusteredMeans",
    "MeanEstimate",
    "estimate_mean",
    "normal_cdf",
    "normal_quantile",
    "t_cdf",
    "t_cdfs",
    "t_half_width",
    "t_quantile",
    "t_quantiles",
]

CONFIDENCE: Final = 0.95
MIN_BLOCKS: Final = 6
"""Smallest number of blocks for which an error is given: fewer show too little of how much blocks vary."""
MAX_SINGLE_VALUES: Final = 400
"""Quantiles or probabilities up to which computing each on its own takes less time than importing scipy."""
MAX_BINS_PER_VALUE: Final = 8
"""Above it, values are grouped by sorting instead of by direct indexing, where most bins would be empty."""


def t_quantiles(probability: float, freedom: FloatArray | IntArray) -> FloatArray:
    """Return `t_quantile` of an array of degrees of freedom; of whole ones each value is computed once."""
    if np.issubdtype(freedom.dtype, np.integer):
        needed, place = np.unique(freedom, return_inverse=True)
    else:
        needed, place = freedom.ravel(), np.arange(freedom.size)
    if len(needed) > MAX_SINGLE_VALUES:
        from scipy.special import stdtrit

        quantiles = np.asarray(stdtrit(needed.astype(np.float64), probability), np.float64)
    else:
        quantiles = np.array([t_quantile(probability, df) for df in needed.tolist()], np.float64)
    return quantiles[place].reshape(freedom.shape)


def t_cdfs(values: FloatArray, freedom: IntArray) -> FloatArray:
    """Return `t_cdf` of an array of values, each with its degrees of freedom."""
    if len(values) > MAX_SINGLE_VALUES:
        from scipy.special import stdtr

        return np.asarray(stdtr(freedom.astype(np.float64), values), np.float64)
    pairs = zip(values.tolist(), freedom.tolist(), strict=True)
    return np.array([t_cdf(value, df) for value, df in pairs], np.float64)


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


class ClusteredMeans:
    """Means of integers by group, with errors clustered by block.

    Sums are integers, so results are exact and independent of the order of the input.

    Example:
        >>> means = ClusteredMeans(groups=2)
        >>> means.add(blocks=[0, 0, 1, 1], groups=[0, 1, 0, 1], values=[1, 3, 2, 4])
        >>> means.mean(1)
        MeanEstimate(value=3.5, error=None, blocks=2)
    """

    def __init__(self, groups: int) -> None:
        """Start without values; groups are numbered from 0 to `groups - 1`."""
        # By group, over blocks, of a block's number of values n and their sum s: all exact.
        self._blocks = np.zeros(groups, np.int64)
        self._n, self._s = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
        self._nn, self._ns, self._ss = (np.zeros(groups, np.int64) for _ in range(3))

    def add(self, blocks: ArrayLike, groups: ArrayLike, values: ArrayLike) -> None:
        """Add integer values.

        Args:
            blocks: The block of each value; all values of a block must come in the same call.
            groups: The group of each value.
            values: The values, of the same shape.
        """
        block, group, value = (np.asarray(given, np.int64).ravel() for given in (blocks, groups, values))
        if not len(block):
            return
        of, number, total = _sum_by_key((block - block.min()) * len(self._n) + group, value)
        of %= len(self._n)
        sums: tuple[tuple[IntArray, IntArray], ...] = (
            (self._blocks, np.ones_like(number)),
            (self._n, number),
            (self._s, total),
            (self._nn, number * number),
            (self._ns, number * total),
            (self._ss, total * total),
        )
        for kept, more in sums:
            np.add.at(kept, of, more)

    def total(self, group: int) -> int:
        """Return the sum of a group's values."""
        return int(self._s[group])

    def mean(self, group: int) -> MeanEstimate:
        """Return the mean of a group's values.

        Its variance is that of a ratio of two sums over G blocks, with n values of sum s in each:
        G / (G - 1) · Σ (s - n · mean)² / (Σ n)².
        Source: W. G. Cochran, Sampling Techniques, 1977, section 6.4.
        """
        sums = (self._blocks, self._n, self._s, self._nn, self._ns, self._ss)
        blocks, n, s, nn, ns, ss = (int(kept[group]) for kept in sums)
        if blocks < MIN_BLOCKS:
            return MeanEstimate(s / n if n else None, None, blocks)
        squares = ss * n * n - 2 * ns * s * n + nn * s * s  # n² Σ (s - n · mean)², 0 if it should be
        standard_error = math.sqrt(squares * blocks / (blocks - 1)) / (n * n)
        return MeanEstimate(s / n, t_half_width(standard_error, blocks) or None, blocks)


def _sum_by_key(key: IntArray, value: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the distinct keys, how often each occurs, and the sum of its values."""
    if key.max() >= MAX_BINS_PER_VALUE * len(key):
        keys, place = np.unique(key, return_inverse=True)
    else:
        place, keys = key, np.arange(key.max() + 1)
    number = np.bincount(place)
    total = np.zeros(len(number), np.int64)
    np.add.at(total, place, value)
    present = number > 0
    return keys[present], number[present], total[present]


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
    standard_error = float(np.std(values, ddof=1)) / math.sqrt(blocks)
    return MeanEstimate(value, t_half_width(standard_error, blocks, confidence), blocks)
