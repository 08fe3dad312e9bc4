"""How sure strengths are: the sandwich covariance, clustered by deal.

Matches on the same cards are not independent, and a bot's pairs in one match even less. So a cluster is
taken as one observation: V = H⁻¹ · G/(G-1) · Σ u uᵀ · H⁻¹, where u holds, by bot, the weighted score of one
cluster beyond what the fit expected, and H is the information of the fit (the prior enters only there).
Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73,
1986; A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference, J. Human Resources 50,
2015 (the factor G/(G-1), and Student's t with G-1 degrees of freedom).

Two bots that always come out alike say nothing of how that varies. All they add to V is what the prior
leaves between their score and the one expected, which would pass for a very small error. So the part of V
is worked out besides that rests on pairs whose blocks differ, and on no prior.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.pairs import IntArray, PairSums, Rows
from arena.rating.scale import Array, win_chance

LEAST_BLOCKS: Final = 6
"""Fewer clusters than these say too little of how much they vary."""
PRODUCTS_AT_ONCE: Final = 1_000_000
SMALLEST_INFORMATION: Final = 1e-10
"""As a share of the largest; less is the rounding of nought, between bots that never met."""


@dataclass(frozen=True, eq=False)
class Spread:
    """Covariance of the strengths, and in how many clusters each bot met another."""

    covariance: Array
    varied: Array
    """What of the covariance rests on pairs whose clusters differ: nought where nothing was seen to vary."""
    blocks: IntArray


class _Surplus(NamedTuple):
    """A row for each cluster and bot in it, by cluster: its weighted score beyond expectation."""

    cluster: IntArray
    bot: IntArray
    score: Array


def clustered_spread(sums: PairSums, strength: Array, information: Array, unprimed: Array) -> Spread:
    """Covariance of `strength`, as fitted to `sums` with `information`, which is `unprimed` without prior."""
    size = len(sums.bots)
    differs = _differs(sums)
    filling, varied = np.zeros(size * size), np.zeros(size * size)
    blocks = np.zeros(size, dtype=np.int64)
    clusters = 0
    for rows in sums.parts():
        surplus = _surplus(rows, strength, sums.weight)
        filling += _squares(surplus, size)
        blocks += np.bincount(surplus.bot, minlength=size)
        clusters += int(np.count_nonzero(np.diff(rows.cluster))) + 1
        if not differs.all():
            part = differs[rows.first * size + rows.second]
            live = Rows(*(column[part] for column in rows))
            varied += _squares(_surplus(live, strength, sums.weight), size)
    correction = clusters / (clusters - 1) if clusters > 1 else 1.0
    bread = np.linalg.inv(information)
    covariance = correction * (bread @ filling.reshape(size, size) @ bread)
    if differs.all():
        return Spread(covariance, covariance, blocks)
    bread = np.linalg.pinv(unprimed, rcond=SMALLEST_INFORMATION, hermitian=True)
    return Spread(covariance, correction * (bread @ varied.reshape(size, size) @ bread), blocks)


def _differs(sums: PairSums) -> NDArray[np.bool_]:
    """Whether a pair did not score the same in all its clusters, by first · bots + second.

    True also where it met in too few of them to say so.
    """
    size = len(sums.bots) ** 2
    times, least, most = np.zeros(size, np.int64), np.full(size, np.inf), np.full(size, -np.inf)
    for rows in sums.parts():
        pair, share = rows.first * len(sums.bots) + rows.second, rows.won / (rows.won + rows.lost)
        times += np.bincount(pair, minlength=size)
        np.minimum.at(least, pair, share)
        np.maximum.at(most, pair, share)
    differs: NDArray[np.bool_] = (times < LEAST_BLOCKS) | (least < most)
    return differs


def surprise(rows: Rows, strength: Array) -> Array:
    """Points that the first bot of each row took beyond what was expected of it."""
    chance = win_chance(strength[rows.first] - strength[rows.second])
    converse = win_chance(strength[rows.second] - strength[rows.first])
    return rows.won * converse - rows.lost * chance


def _surplus(rows: Rows, strength: Array, weight: float) -> _Surplus:
    size = len(strength)
    excess = weight * surprise(rows, strength)
    keys = np.concatenate((rows.cluster * size + rows.first, rows.cluster * size + rows.second))
    distinct, place = np.unique(keys, return_inverse=True)
    score = np.zeros(len(distinct))
    np.add.at(score, place, np.concatenate((excess, -excess)))
    cluster, bot = np.divmod(distinct, size)
    return _Surplus(cluster, bot, score)


def _squares(surplus: _Surplus, size: int) -> Array:
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
