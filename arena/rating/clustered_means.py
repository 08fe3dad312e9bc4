"""Means over seats, with errors that take a block for one observation."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from arena.rating.distributions import t_quantile
from arena.rating.elo import CONFIDENCE, MIN_BLOCKS
from arena.rating.pair_counts import IntArray

DENSE: Final = 8
"""Places to count in for each value, at the most."""


class MeanEstimate(NamedTuple):
    """A mean, and the half width of its 95 % interval.

    `value` is None of nothing; `error` for fewer than 6 blocks, or where blocks do not differ.
    """

    value: float | None
    error: float | None
    blocks: int


class ClusteredMeans:
    """Means of whole numbers by group, each value coming from a block."""

    def __init__(self, groups: int) -> None:
        """For groups numbered from 0."""
        # By group, over blocks, of a block's number of values n and their sum s: all exact.
        self._blocks = np.zeros(groups, np.int64)
        self._n, self._s = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
        self._nn, self._ns, self._ss = (np.zeros(groups, np.int64) for _ in range(3))

    def add(self, blocks: ArrayLike, groups: ArrayLike, values: ArrayLike) -> None:
        """Counts values, each with its block and its group; all values of a block must come together."""
        block, group, value = (np.asarray(given, np.int64).ravel() for given in (blocks, groups, values))
        if not len(block):
            return
        of, number, total = _by_block((block - block.min()) * len(self._n) + group, value)
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
        """The sum of a group's values."""
        return int(self._s[group])

    def mean(self, group: int) -> MeanEstimate:
        """The mean of a group's values.

        Source: W. G. Cochran, Sampling Techniques, 1977, section 6.4: the ratio of two sums over blocks.
        """
        sums = (self._blocks, self._n, self._s, self._nn, self._ns, self._ss)
        blocks, n, s, nn, ns, ss = (int(kept[group]) for kept in sums)
        if blocks < MIN_BLOCKS:
            return MeanEstimate(s / n if n else None, None, blocks)
        squares = ss * n * n - 2 * ns * s * n + nn * s * s  # n² Σ (s - n · mean)², nought if it should be
        standard_error = math.sqrt(squares * blocks / (blocks - 1)) / (n * n)
        error = t_quantile((1 + CONFIDENCE) / 2, blocks - 1) * standard_error
        return MeanEstimate(s / n, error or None, blocks)


def _by_block(key: IntArray, value: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The different keys, how often each is there, and the sum of its values."""
    place, found = key, np.arange(key.max() + 1)
    if len(found) > DENSE * len(key):  # counted by place, most would be empty
        found, place = np.unique(key, return_inverse=True)
    number = np.bincount(place)
    total = np.zeros(len(number), np.int64)
    np.add.at(total, place, value)
    there = number > 0
    return found[there], number[there], total[there]


def estimate_mean(values: Sequence[float], confidence: float = CONFIDENCE) -> MeanEstimate:
    """The mean of values of which each is a block's.

    Source: Student's t interval of a mean.
    """
    blocks = len(values)
    if not blocks:
        return MeanEstimate(None, None, 0)
    value = math.fsum(values) / blocks
    if blocks < MIN_BLOCKS or min(values) == max(values):
        return MeanEstimate(value, None, blocks)
    standard_error = float(np.std(values, ddof=1)) / math.sqrt(blocks)
    return MeanEstimate(value, t_quantile((1 + confidence) / 2, blocks - 1) * standard_error, blocks)
