"""How sure strengths are: the sandwich covariance, clustered by deal.

Matches on the same cards are not independent, and a bot's pairs in one match even less. So a cluster is
taken as one observation: V = H⁻¹ · G/(G-1) · Σ u uᵀ · H⁻¹, where u holds, by bot, the weighted score of one
cluster beyond what the fit expected, and H is the information of the fit (the prior enters only there).
Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73,
1986; A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference, J. Human Resources 50,
2015 (the factor G/(G-1), and Student's t with G-1 degrees of freedom).
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from arena.rating.elo_scale import FloatArray, win_probability
from arena.rating.pair_counts import IntArray, PairCounts, PairRows

PRODUCTS_AT_ONCE: Final = 1_000_000


@dataclass(frozen=True, eq=False)
class ClusteredCovariance:
    """Covariance of the strengths, and in how many clusters each bot met another."""

    covariance: FloatArray
    blocks: IntArray


class _Surplus(NamedTuple):
    """A row for each cluster and bot in it, by cluster: its weighted score beyond expectation."""

    cluster: IntArray
    bot: IntArray
    score: FloatArray


def compute_clustered_covariance(
    sums: PairCounts, strength: FloatArray, information: FloatArray
) -> ClusteredCovariance:
    """Covariance of `strength`, as fitted to `sums` with `information`."""
    size = len(sums.bots)
    filling = np.zeros(size * size)
    blocks = np.zeros(size, dtype=np.int64)
    clusters = 0
    for rows in sums.chunks():
        surplus = _surplus(rows, strength, sums.weight)
        filling += _squares(surplus, size)
        blocks += np.bincount(surplus.bot, minlength=size)
        clusters += int(np.count_nonzero(np.diff(rows.cluster))) + 1
    bread = np.linalg.inv(information)
    correction = clusters / (clusters - 1) if clusters > 1 else 1.0
    return ClusteredCovariance(correction * (bread @ filling.reshape(size, size) @ bread), blocks)


def compute_residuals(rows: PairRows, strength: FloatArray) -> FloatArray:
    """Points that the first bot of each row took beyond what was expected of it."""
    chance = win_probability(strength[rows.first] - strength[rows.second])
    converse = win_probability(strength[rows.second] - strength[rows.first])
    return rows.won * converse - rows.lost * chance


def _surplus(rows: PairRows, strength: FloatArray, weight: float) -> _Surplus:
    size = len(strength)
    excess = weight * compute_residuals(rows, strength)
    keys = np.concatenate((rows.cluster * size + rows.first, rows.cluster * size + rows.second))
    distinct, place = np.unique(keys, return_inverse=True)
    score = np.zeros(len(distinct))
    np.add.at(score, place, np.concatenate((excess, -excess)))
    cluster, bot = np.divmod(distinct, size)
    return _Surplus(cluster, bot, score)


def _squares(surplus: _Surplus, size: int) -> FloatArray:
    """Σ u uᵀ over clusters, flattened. Clusters of as many bots are multiplied out together."""
    total = np.zeros(size * size)
    _, starts, members = np.unique(surplus.cluster, return_index=True, return_counts=True)
    for count in np.unique(members):
        alike = starts[members == count]
        step = max(1, PRODUCTS_AT_ONCE // int(count) ** 2)
        for begin in range(0, len(alike), step):
            at = alike[begin : begin + step, None] + np.arange(count)
            bot, score = surplus.bot[at], surplus.score[at]
            cells = bot[:, :, None] * size + bot[:, None, :]
            products = score[:, :, None] * score[:, None, :]
            total += np.bincount(cells.ravel(), products.ravel(), size * size)
    return total
