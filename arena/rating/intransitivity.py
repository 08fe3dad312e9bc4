"""Find pairs of bots whose results no single scale of strength explains: A beats B beats C beats A."""

from dataclasses import dataclass

import numpy as np

from arena.rating.elo_fit import Fit
from arena.rating.pair_counts import PairCounts
from arena.rating.pair_residuals import compute_residuals_by_pair


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
        z: Residual in standard errors, at least 0; Student's t with a degree of freedom fewer than blocks.
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
    """Return the residuals of all pairs that met in at least 6 blocks, the least p first.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
    sums = compute_residuals_by_pair(counts, fit)
    t, p_values = sums.statistics(), sums.p_values()
    order = np.lexsort((-np.abs(t), p_values))
    residuals = []
    for place, p in zip(order.tolist(), adjust_holm(p_values[order].tolist()), strict=True):
        pair, expected = (int(sums.first[place]), int(sums.second[place])), float(sums.expected[place])
        excess = float(sums.excess[place])
        if excess < 0:
            pair, expected = pair[::-1], 1 - expected
        score = expected + abs(excess) / float(sums.games[place])
        z = abs(float(t[place]))
        residuals.append(PairResidual(*pair, int(sums.blocks[place]), score, expected, z, p))
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
