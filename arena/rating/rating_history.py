"""Ratings as they were after the first blocks."""

from collections.abc import Iterator, Sequence

import numpy as np

from arena.rating.elo import VIRTUAL_DRAWS, fit_strengths, to_elo
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts


def compute_rating_history(counts: PairCounts, ends: Sequence[int]) -> list[tuple[float | None, ...]]:
    """Return the Elo by bot after the first n blocks, for each n of `ends`, which must ascend.

    Blocks are taken in the order they are numbered. A bot that had met nobody by then has None.
    """
    strength = np.zeros(len(counts.bots))
    history: list[tuple[float | None, ...]] = []
    for points in _accumulate_points(counts, ends):
        met = np.flatnonzero(points.sum(axis=0) + points.sum(axis=1))
        strength = _fit(points * counts.weight, met, strength)
        elo = to_elo(strength)
        rated: dict[int, float] = {bot: elo[bot] for bot in met.tolist()}
        history.append(tuple(rated.get(bot) for bot in range(len(elo))))
    return history


def _accumulate_points(counts: PairCounts, ends: Sequence[int]) -> Iterator[FloatArray]:
    """Yield the matrix of points that row took from column up to each end: one matrix, which grows."""
    size = len(counts.bots)
    points = np.zeros(size * size)
    done, blocks, last = 0, 0, -1
    for rows in counts.chunks():
        begins = np.concatenate(([rows.cluster[0] != last], rows.cluster[1:] != rows.cluster[:-1]))
        number = blocks + np.cumsum(begins)  # from 1
        start = 0
        for stop in [*np.searchsorted(number, ends[done:], "right").tolist(), len(number)]:
            part = slice(start, stop)
            np.add.at(points, rows.first[part] * size + rows.second[part], rows.won[part])
            np.add.at(points, rows.second[part] * size + rows.first[part], rows.lost[part])
            start = stop
            if stop == len(number):  # the next chunk may have more rows of these blocks
                break
            yield points.reshape(size, size)
            done += 1
        blocks, last = int(number[-1]), int(rows.cluster[-1])
    for _ in ends[done:]:
        yield points.reshape(size, size)


def _fit(points: FloatArray, met: IntArray, start: FloatArray) -> FloatArray:
    """Return the strengths of mean 0 of all bots, from weighted points without virtual draws.

    Bots that met nobody are alike, so they take one row of the matrix together.

    Args:
        points: Square matrix, what row took from column.
        met: The bots that met another.
        start: Strengths that are perhaps near.
    """
    size, unmet = len(points), len(points) - len(met)
    drawn = VIRTUAL_DRAWS / 2 / max(1, size - 1)
    rows = len(met) + (unmet > 0)
    weighted = np.full((rows, rows), unmet * drawn)
    weighted[: len(met), : len(met)] = points[np.ix_(met, met)] + drawn
    rest = np.delete(np.arange(size), met)
    found = fit_strengths(weighted, start[np.concatenate((met, rest[:1]))])
    strength = np.full(size, found[-1])
    strength[met] = found[: len(met)]
    centred: FloatArray = strength - strength.mean()
    return centred
