"""How ratings came about: fits to the first blocks only."""

from collections.abc import Sequence

import numpy as np

from arena.rating.elo import estimate_elo
from arena.rating.elo_scale import FloatArray
from arena.rating.pair_counts import PairCounts


def compute_rating_history(sums: PairCounts, ends: Sequence[int]) -> list[tuple[float | None, ...]]:
    """Elo by bot after so many blocks, in the order they are numbered, for each of `ends`, which ascend.

    None for a bot that had met nobody by then.
    """
    size = len(sums.bots)
    points = np.zeros((len(ends) + 1, size * size))  # taken between one end and the next
    blocks, last = 0, -1
    for rows in sums.chunks():
        begins = np.concatenate(([rows.cluster[0] != last], rows.cluster[1:] != rows.cluster[:-1]))
        number = blocks + np.cumsum(begins)  # from 1
        part = np.searchsorted(ends, number) * size * size
        for pair, taken in (
            (rows.first * size + rows.second, rows.won),
            (rows.second * size + rows.first, rows.lost),
        ):
            points += np.bincount(part + pair, taken, points.size).reshape(points.shape)
        blocks, last = int(number[-1]), int(rows.cluster[-1])
    so_far = np.cumsum(points, axis=0)[: len(ends)]
    return [_rated(taken.reshape(size, size), sums.weight) for taken in so_far]


def _rated(points: FloatArray, weight: float) -> tuple[float | None, ...]:
    met = (points.sum(axis=0) + points.sum(axis=1)).tolist()
    return tuple(elo if games else None for elo, games in zip(estimate_elo(points, weight), met, strict=True))
