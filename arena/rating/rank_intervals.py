"""Intervals of ranks that hold for all bots together, and the order of pairs they rest on.

The order of two bots is resolved if the interval of their difference excludes 0, where the intervals of all
pairs hold together in 95 % of cases. A bot's rank is then between one more than the number of bots shown to
be better, and the number of bots less those shown to be worse.
Source: M. Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Inference for ranks with applications to mobility
across neighbourhoods and academic achievement across countries, Review of Economic Studies 91, 2024.

What makes them hold together is the 95 % quantile of the largest |difference| / error of any pair, simulated
from the multivariate t distribution with the covariance of the ratings and a fixed seed; in fields of more
than 60 bots it is the bound of Bonferroni, which is then only a few percent larger.
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rating.comparison_bars import compute_pair_variances
from arena.rating.mean_intervals import CONFIDENCE, t_cdf
from arena.rating.pair_counts import FloatArray

MAX_SIMULATED_BOTS: Final = 60
DRAWS: Final = 10_000
DRAWS_AT_ONCE: Final = 500
SEED: Final = 36

Order = NDArray[np.bool_]
"""Square matrix of whether row was shown to be better than column."""


def compute_pair_level(covariance: FloatArray, freedom: float, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided error that each pair may have so that all intervals hold together.

    Args:
        covariance: Of the ratings of at least two bots, of which every difference varies.
        freedom: Degrees of freedom.
        confidence: Probability, 0 to 1, with which all intervals hold.

    Example:
        >>> round(compute_pair_level(np.diag([1.0, 1.0]), 1000), 2)
        0.05
    """
    size = len(covariance)
    pairs = size * (size - 1) // 2
    if size > MAX_SIMULATED_BOTS:
        return (1 - confidence) / pairs
    relative = covariance[1:, 1:] - covariance[:1, 1:] - covariance[1:, :1] + covariance[0, 0]
    scale = float(np.trace(relative)) / (size - 1)
    root = np.linalg.cholesky(relative + 1e-9 * scale * np.eye(size - 1))
    error = np.sqrt(np.maximum(compute_pair_variances(covariance), 1e-9 * scale))
    first, second = np.triu_indices(size, 1)
    rng = np.random.Generator(np.random.PCG64(SEED))
    largest = []
    for _ in range(DRAWS // DRAWS_AT_ONCE):
        normal = rng.standard_normal((DRAWS_AT_ONCE, size - 1)) @ root.T
        ratings = np.concatenate((np.zeros((DRAWS_AT_ONCE, 1)), normal), axis=1)
        spread = np.abs(ratings[:, first] - ratings[:, second]) / error[first, second]
        largest.append(spread.max(axis=1) / np.sqrt(rng.chisquare(freedom, DRAWS_AT_ONCE) / freedom))
    bound = float(np.quantile(np.concatenate(largest), confidence))
    level = 2 * t_cdf(-bound, freedom)
    return min(max(level, (1 - confidence) / pairs), 1 - confidence)


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
