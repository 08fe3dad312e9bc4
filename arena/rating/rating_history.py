"""Ratings as they were after the first blocks."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from arena.rating.bradley_terry import compute_scores, to_elo
from arena.rating.elo_fit import Fit
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.rating_model import MODEL

DIGITS: Final = 6
"""Decimals of a rating."""


def compute_rating_history(
    counts: PairCounts, ends: Sequence[int], fit: Fit
) -> list[tuple[float | None, ...]]:
    """Return the Elo by bot after the first n blocks, for each n of `ends`, which must ascend.

    Blocks are taken in the order they are numbered. A bot that had met nobody by then has None. All have one
    origin, that of the fit: the bots of its reference have the same mean, less those whose scores were 0 or 1
    at an end. Else all would jump when a hopeless bot takes its first point.

    Args:
        counts: The matches.
        ends: Numbers of blocks.
        fit: The ratings after all blocks.
    """
    strength, last = np.zeros(len(counts.bots)), np.array(fit.elo)
    elos, met, is_perfect = [], [], np.zeros(len(counts.bots), bool)
    for points in _accumulate_points(counts, ends):
        strength = MODEL.estimate(points, counts.weight, strength)
        elos.append(np.array(to_elo(strength)))
        met.append((points.sum(axis=0) + points.sum(axis=1)) > 0)
        is_perfect |= np.array([score in (0, 1) for score in compute_scores(points)])
    history: list[tuple[float | None, ...]] = []
    for elo, has_met in zip(elos, met, strict=True):
        known = has_met & fit.reference
        kept = known & ~is_perfect if (known & ~is_perfect).any() else known
        shift = float((last - elo)[kept].mean()) if kept.any() else 0.0
        ratings = np.round(elo + shift, DIGITS).tolist()
        history.append(
            tuple(
                rating if is_known else None
                for rating, is_known in zip(ratings, has_met.tolist(), strict=True)
            )
        )
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
