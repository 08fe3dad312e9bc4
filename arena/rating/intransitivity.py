"""Pairs of bots whose results no single scale of strength explains: A beats B beats C beats A."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.rating.elo import ELO_PER_UNIT, VIRTUAL_DRAWS, Fit, compute_residuals, win_probability
from arena.rating.intervals import MIN_BLOCKS, normal_cdf
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts

RARE: Final = 10.0
"""Points; who should take fewer in all blocks together is too seldom seen to do so."""


@dataclass(frozen=True)
class PairResidual:
    """How the bots of one pair placed against each other, and how their ratings say they should have.

    `bot` is the one that did better than expected. At tables of more than two it is about shared tables,
    where a third bot may be behind it. `p` is the chance of so large a |z| in any of the pairs looked at,
    were the ratings all there is (Holm): small means a real exception.
    """

    bot: int
    other: int
    blocks: int
    score: float
    expected: float
    z: float
    p: float


def compute_pair_residuals(sums: PairCounts, fit: Fit) -> tuple[PairResidual, ...]:
    """Residuals of all pairs that met in at least 6 blocks, largest |z| first.

    z = Σ e / √Σ e², e being the points of one block beyond expectation: a little conservative, since the
    ratings were fitted to the same blocks. Where the weaker bot should hardly take a point, blocks that went
    alike say nothing of how they vary: then the variance is at least that of independent games. z is 0 for
    pairs less than one match away from expectation: so much may be due to the virtual draws.
    """
    strength = np.array(fit.elo) / ELO_PER_UNIT
    blocks, excess, squares, games = _pair_totals(sums, strength)
    share = win_probability(strength[:, None] - strength).ravel()
    rare = games * np.minimum(share, 1 - share) < RARE
    variance = np.where(rare, np.maximum(squares, games * share * (1 - share)), squares)
    away = np.abs(excess) * sums.weight >= VIRTUAL_DRAWS
    tested = np.flatnonzero(blocks >= MIN_BLOCKS)
    z = np.divide(excess, np.sqrt(variance), out=np.zeros(len(excess)), where=away)[tested]
    largest_first = np.argsort(-np.abs(z), kind="stable")
    tested, z = tested[largest_first], z[largest_first]
    chances = adjust_holm([2 * normal_cdf(-abs(value)) for value in z.tolist()])
    residuals = []
    for pair, value, chance in zip(tested.tolist(), z.tolist(), chances, strict=True):
        first, second = divmod(pair, len(sums.bots))
        bot, other = (first, second) if excess[pair] >= 0 else (second, first)
        expected = float(win_probability(strength[bot] - strength[other]))
        score = expected + abs(float(excess[pair])) / int(games[pair])
        residuals.append(PairResidual(bot, other, int(blocks[pair]), score, expected, abs(value), chance))
    return tuple(residuals)


def adjust_holm(chances: list[float]) -> list[float]:
    """Chances corrected for how many there are, in the same order; `chances` must ascend.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.
    """
    corrected = []
    largest = 0.0
    for rank, chance in enumerate(chances):
        largest = max(largest, min(1.0, (len(chances) - rank) * chance))
        corrected.append(largest)
    return corrected


def _pair_totals(
    sums: PairCounts, strength: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Blocks, points beyond expectation, their squares by block, and games, by first · bots + second."""
    size = len(sums.bots) ** 2
    blocks = np.zeros(size, dtype=np.int64)
    excess, squares, games = np.zeros(size), np.zeros(size), np.zeros(size)
    for rows in sums.chunks():
        pair = rows.first * len(sums.bots) + rows.second
        beyond = compute_residuals(rows, strength)
        blocks += np.bincount(pair, minlength=size)
        excess += np.bincount(pair, beyond, size)
        squares += np.bincount(pair, beyond * beyond, size)
        games += np.bincount(pair, rows.won + rows.lost, size)
    return blocks, excess, squares, games
