"""Intervals of ranks that hold for all bots together, and the order of pairs they rest on.

The order of two bots is shown if the interval of their difference excludes 0. The intervals share an error of
5 %: each of n pairs has 5 % / n, and once m orders are shown, each of the others 5 % / (n - m). A bot's rank
is between one more than the number of bots shown to be better, and the number of bots less those shown to be
worse.

The quantile of the largest |difference| / error of the multivariate t distribution would be a little smaller
than 5 % / n, but takes the covariance for known. Estimated from few blocks, the variance of each pair errs on
its own: with it, six equals were ordered in 12 % of tables of six blocks, and ten in 21 %.
Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979;
M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Inference for ranks with applications to mobility across
neighbourhoods and academic achievement across countries, Review of Economic Studies 91, 2024.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Order = NDArray[np.bool_]
"""Square matrix of whether row was shown to be better than column."""


def compute_rank_intervals(better: Order, ranked: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the lowest and the highest number that the rank of each bot may be.

    Args:
        better: Whether row was shown to be better than column.
        ranked: The bots that have a rank.

    Example:
        >>> better = np.array([[False, False, True], [False, False, True], [False, False, False]])
        >>> compute_rank_intervals(better, [0, 1, 2])
        {0: (1, 2), 1: (1, 2), 2: (3, 3)}
    """
    among = better[np.ix_(ranked, ranked)]
    above, below = among.sum(axis=0).tolist(), among.sum(axis=1).tolist()
    return {bot: (1 + up, len(ranked) - down) for bot, up, down in zip(ranked, above, below, strict=True)}


def close_over_paths(links: Order) -> Order:
    """Return whether a path leads from row to column."""
    reached = links
    for _ in range(max(1, math.ceil(math.log2(max(2, len(links)))))):
        steps = reached.astype(np.float32)
        further: Order = reached | (steps @ steps > 0)
        if np.array_equal(further, reached):
            break
        reached = further
    return reached
