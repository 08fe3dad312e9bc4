"""Compare predicted and observed shares, on blocks that the ratings were not fitted to."""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import estimate_ratings, win_probability
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows
from arena.rating.student_t import MIN_BLOCKS, t_half_width

FOLDS: Final = 5
BIN_WIDTH: Final = 0.1
"""Width of a class of predictions."""


class CalibrationBin(NamedTuple):
    """Pairs of seats with a similar prediction for the favourite.

    Attributes:
        low: Least prediction of the class, 0.5 to 0.9.
        predicted: Mean predicted share of the favourite.
        observed: Share that it took.
        error: Half width of the 95 % interval of the difference, over blocks; None for fewer than 6.
        blocks: Number of blocks.
    """

    low: float
    predicted: float
    observed: float
    error: float | None
    blocks: int


def measure_calibration(counts: PairCounts) -> tuple[CalibrationBin, ...]:
    """Return predicted and observed shares of favourites, on blocks that ratings were not fitted to."""
    rows, fold = _read(counts)
    chance = np.zeros(len(fold))
    for number, points in _training(counts, rows, fold):
        here = fold == number
        strength = estimate_ratings(points, counts.weight)
        chance[here] = win_probability(strength[rows.first[here]] - strength[rows.second[here]])
    is_turned = chance < 0.5
    share, won = np.where(is_turned, 1 - chance, chance), np.where(is_turned, rows.lost, rows.won)
    games = rows.won + rows.lost
    place = np.minimum((share - 0.5) / BIN_WIDTH, 0.5 / BIN_WIDTH - 1).astype(np.int64)
    bins = []
    for number in np.unique(place).tolist():
        here = place == number
        mean, error, blocks = _average(rows.cluster[here], (won - games * share)[here], games[here])
        predicted = float((games * share)[here].sum() / games[here].sum())
        low = round(0.5 + BIN_WIDTH * number, 6)
        bins.append(CalibrationBin(low, predicted, predicted + mean, error, blocks))
    return tuple(bins)


def _read(counts: PairCounts) -> tuple[PairRows, IntArray]:
    """Return all rows, and the part of each."""
    chunks = list(counts.chunks())
    if not chunks:
        empty, none = np.zeros(0, np.int64), np.zeros(0)
        return PairRows(empty, empty, empty, none, none), empty
    rows = PairRows(*(np.concatenate(column) for column in zip(*chunks, strict=True)))
    _, starts, place = np.unique(rows.cluster, return_index=True, return_inverse=True)
    size = len(counts.bots)
    ends = np.append(starts[1:], len(place)) - 1
    pair = rows.first * size + rows.second
    table = pair[starts] * size**2 + pair[ends]
    order = np.argsort(table, kind="stable")
    ascending = table[order]
    first = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    number = np.empty(len(table), np.int64)
    number[order] = np.arange(len(table)) - np.repeat(first, np.diff(np.append(first, len(table))))
    return rows, (number % FOLDS)[place]


def _training(counts: PairCounts, rows: PairRows, fold: IntArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield each part with the points of the others."""
    size = len(counts.bots)
    for number in np.unique(fold).tolist():
        other = fold != number
        points = np.zeros((size, size))
        np.add.at(points, (rows.first[other], rows.second[other]), rows.won[other])
        np.add.at(points, (rows.second[other], rows.first[other]), rows.lost[other])
        yield number, points


def _average(cluster: IntArray, value: FloatArray, games: FloatArray) -> tuple[float, float | None, int]:
    """Return the mean of a value per game, the half width of its interval over blocks, and their number."""
    _, place = np.unique(cluster, return_inverse=True)
    blocks = int(place[-1]) + 1 if len(place) else 0
    mean = float(value.sum() / games.sum())
    if blocks < MIN_BLOCKS:
        return mean, None, blocks
    rest = np.bincount(place, value - mean * games)
    error = math.sqrt(float(rest @ rest) * blocks / (blocks - 1)) / float(games.sum())
    return mean, t_half_width(error, blocks), blocks
