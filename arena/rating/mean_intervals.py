"""Means that take a block as one observation, those of pairs of bots, and Student's t of arrays.

scipy is imported for large arrays only, so that the runs of small fields end without waiting for it.
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from arena.rating.pair_counts import FloatArray, IntArray, PairCounts
from arena.rating.student_t import MIN_BLOCKS, MeanEstimate, t_cdf, t_half_width, t_quantile

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


@dataclass(frozen=True)
class PairScore:
    """The score of `bot` against `other`, at whatever tables they shared.

    Attributes:
        bot: Number of the bot.
        other: Number of its opponent.
        blocks: Blocks in which they met.
        score: Share of its games against `other` that it won, ties a half; a match counts one game for each
            pair of their seats.
        error: Half width of the 95 % interval; None for fewer than 6 blocks, or where blocks do not differ.
    """

    bot: int
    other: int
    blocks: int
    score: float
    error: float | None


def compute_pair_scores(counts: PairCounts) -> tuple[PairScore, ...]:
    """Return the score of every pair that met, both ways round, by bot and other."""
    size = len(counts.bots)
    blocks = np.zeros(size * size, np.int64)
    # In a block n games and w points: counts of halves, so all sums are exact.
    n, w, nn, nw, ww = (np.zeros(size * size) for _ in range(5))
    for rows in counts.chunks():
        games = rows.won + rows.lost
        for pair, won in (
            (rows.first * size + rows.second, rows.won),
            (rows.second * size + rows.first, rows.lost),
        ):
            blocks += np.bincount(pair, minlength=size * size)
            for kept, more in ((n, games), (w, won), (nn, games**2), (nw, games * won), (ww, won**2)):
                kept += np.bincount(pair, more, size * size)
    met = np.flatnonzero(blocks)
    score = w[met] / n[met]
    squares = np.maximum(ww[met] - 2 * score * nw[met] + score**2 * nn[met], 0)
    played = blocks[met]
    standard_error = np.sqrt(squares * played / np.maximum(played - 1, 1)) / n[met]
    return tuple(
        PairScore(pair // size, pair % size, number, share, _pair_error(deviation, number))
        for pair, number, share, deviation in zip(
            met.tolist(), played.tolist(), score.tolist(), standard_error.tolist(), strict=True
        )
    )


def _pair_error(standard_error: float, blocks: int) -> float | None:
    if blocks < MIN_BLOCKS or standard_error < 1e-9:  # less is what rounding leaves of 0
        return None
    return t_half_width(standard_error, blocks)
