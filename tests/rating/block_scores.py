"""Scores of two bots by cluster, read from the counts of their pairs."""

import numpy as np

from arena.rating.pair_counts import FloatArray, PairCounts


def block_scores(counts: PairCounts, bot: int, other: int) -> FloatArray:
    """The mean score of `bot` against `other`, 0 to 1, in each cluster where they met."""
    first, second = sorted((bot, other))
    scores = [np.zeros(0)]
    for rows in counts.chunks():
        met = (rows.first == first) & (rows.second == second)
        scores.append((rows.won / (rows.won + rows.lost))[met])
    score = np.concatenate(scores)
    return score if bot == first else 1 - score
