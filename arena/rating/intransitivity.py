"""Find pairs of bots whose results no single scale of strength explains: A beats B beats C beats A."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.rating.bradley_terry import ELO_PER_UNIT, VIRTUAL_DRAWS, compute_residuals, win_probability
from arena.rating.elo import Fit
from arena.rating.intervals import MIN_BLOCKS, normal_cdf
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts

MIN_EXPECTED_POINTS: Final = 10.0
"""A bot expected to take fewer points in all blocks takes one too rarely for its variance to be observed."""


@dataclass(frozen=True)
class PairResidual:
    """The scores of a pair of bots against each other, compared with what their ratings predict.

    At tables of more than two it is about shared tables, where a third bot may be the cause.

    Attributes:
        bot: The bot that did better than expected.
        other: Its opponent.
        blocks: Blocks in which they met.
        score: Share of the points that `bot` took.
        expected: Share that the ratings predict.
        z: Residual in standard errors, at least 0.
        p: Probability of so large a |z| in any of the pairs tested if ratings explained everything (Holm):
            small means a real exception.
    """

    bot: int
    other: int
    blocks: int
    score: float
    expected: float
    z: float
    p: float


def compute_pair_residuals(counts: PairCounts, fit: Fit) -> tuple[PairResidual, ...]:
    """Return the residuals of all pairs that met in at least 6 blocks, largest |z| first.

    z = Σ e / √Σ e², where e is the points of one block minus those expected: a little conservative, since
    the ratings were fitted to the same blocks. Where the weaker bot should hardly take a point, blocks that
    came out alike do not show their variance: then it is at least that of independent games. z is 0 for
    pairs less than one match away from expectation: so much may be due to the virtual draws.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
    strength = np.array(fit.elo) / ELO_PER_UNIT
    blocks, excess, squares, games = _sum_residuals(counts, strength)
    share = win_probability(strength[:, None] - strength).ravel()
    rare = games * np.minimum(share, 1 - share) < MIN_EXPECTED_POINTS
    variance = np.where(rare, np.maximum(squares, games * share * (1 - share)), squares)
    away = np.abs(excess) * counts.weight >= VIRTUAL_DRAWS
    tested = np.flatnonzero(blocks >= MIN_BLOCKS)
    z = np.divide(excess, np.sqrt(variance), out=np.zeros(len(excess)), where=away)[tested]
    largest_first = np.argsort(-np.abs(z), kind="stable")
    tested, z = tested[largest_first], z[largest_first]
    p_values = adjust_holm([2 * normal_cdf(-abs(value)) for value in z.tolist()])
    residuals = []
    for pair, value, p in zip(tested.tolist(), z.tolist(), p_values, strict=True):
        first, second = divmod(pair, len(counts.bots))
        bot, other = (first, second) if excess[pair] >= 0 else (second, first)
        expected = float(win_probability(strength[bot] - strength[other]))
        score = expected + abs(float(excess[pair])) / int(games[pair])
        residuals.append(PairResidual(bot, other, int(blocks[pair]), score, expected, abs(value), p))
    return tuple(residuals)


def adjust_holm(p_values: list[float]) -> list[float]:
    """Return p-values adjusted for multiple tests, in the same order; they must ascend.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.

    Example:
        >>> adjust_holm([0.125, 0.25])
        [0.25, 0.25]
    """
    adjusted = []
    largest = 0.0
    for rank, p in enumerate(p_values):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        adjusted.append(largest)
    return adjusted


def _sum_residuals(
    counts: PairCounts, strength: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Return blocks, residuals, their squares by block, and games, by first · bots + second."""
    size = len(counts.bots) ** 2
    blocks = np.zeros(size, dtype=np.int64)
    excess, squares, games = np.zeros(size), np.zeros(size), np.zeros(size)
    for rows in counts.chunks():
        pair = rows.first * len(counts.bots) + rows.second
        residual = compute_residuals(rows, strength)
        blocks += np.bincount(pair, minlength=size)
        excess += np.bincount(pair, residual, size)
        squares += np.bincount(pair, residual * residual, size)
        games += np.bincount(pair, rows.won + rows.lost, size)
    return blocks, excess, squares, games
