"""Ratings as they were after the first blocks."""

from collections.abc import Iterator, Sequence

import numpy as np

from arena.rating.bradley_terry import estimate_ratings
from arena.rating.connectivity import find_connected_groups
from arena.rating.elo_fit import center_elo
from arena.rating.pair_counts import FloatArray, PairCounts


def compute_rating_history(counts: PairCounts, ends: Sequence[int]) -> list[tuple[float | None, ...]]:
    """Return the Elo by bot after the first n blocks, for each n of `ends`, which must ascend.

    Blocks are taken in the order they are numbered. A bot that had met nobody by then has None.

    Args:
        counts: The matches.
        ends: Numbers of blocks.
    """
    strength = np.zeros(len(counts.bots))
    history: list[tuple[float | None, ...]] = []
    for points in _accumulate_points(counts, ends):
        strength = estimate_ratings(points, counts.weight, strength)
        elo = center_elo(strength, find_connected_groups(points)).tolist()
        has_met = ((points.sum(axis=0) + points.sum(axis=1)) > 0).tolist()
        history.append(tuple(own if met else None for own, met in zip(elo, has_met, strict=True)))
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
