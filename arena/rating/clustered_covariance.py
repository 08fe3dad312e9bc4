"""The covariance of fitted strengths, from how much the results of blocks, or of tables, vary.

Matches on the same cards are not independent, and a bot's pairs in one match even less. So a cluster (all
matches on the same cards, a block) is one observation: with u by bot the weighted score of a block minus what
the fit expects, and H the information of the fit, V = H⁻¹ · M · H⁻¹. What M sums depends on the tables, the
sets of bots that play together:

- Where all tables are played, as in a round robin, what the bots of a table do to each other beyond their
  strengths (A beats B beats C beats A; a third bot that favours one) is the same whenever the tournament is
  repeated. M = Σ over tables · n/(n-1) · Σ (u - ū)(u - ū)ᵀ over their n blocks, with ū the mean of the table.
  A table of fewer than 6 blocks shows too little of its mean: its blocks count with u uᵀ · G/(G-1), G being
  the number of all blocks.
- Where the tables played are a sample of those possible (drawn at random, or by results, and not all of
  them), another tournament would draw others. The table is the cluster: M = T/(T-1) · Σ S Sᵀ, with S the sum
  of u over the blocks of a table, and T tables. That includes what blocks vary by.

The prior draws the strong and the weak towards the mean: b = H⁻¹ s, with s the slope of the prior alone,
estimates by how much, and b bᵀ is added to V, so that errors are about the truth and not about a shrunken
mean.
Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73,
1986; A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference, J. Human Resources 50,
2015 (the factor G/(G-1), and Student's t with G-1 degrees of freedom); A. Abadie, S. Athey, G. W. Imbens,
J. M. Wooldridge, When should you adjust standard errors for clustering?, Quarterly J. Economics 138, 2023
(clusters are what was sampled).
"""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import StrengthEstimate, compute_prior_pull, compute_residuals
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows
from arena.rating.student_t import MIN_BLOCKS

MAX_PRODUCTS: Final = 250_000
"""Products of scores computed at once, which bounds memory."""


class ClusteredCovariance(NamedTuple):
    """A covariance and what it rests on.

    Attributes:
        covariance: Matrix of the strengths, in squared units of strength.
        score_covariance: Matrix of the weighted points that each bot took in all.
        blocks: By bot, the number of blocks in which it met another.
        freedom: By bot, the degrees of freedom: observations less the means that were subtracted, at least 0.
        are_tables_drawn: Whether the tables are a sample, and not all of those possible.
    """

    covariance: FloatArray
    score_covariance: FloatArray
    blocks: IntArray
    freedom: IntArray
    are_tables_drawn: bool


@dataclass(frozen=True, eq=False)
class ClusterDesign:
    """The tables of clusters, and the weight of the products of scores in the sum over both.

    Attributes:
        table: Number of the table, by cluster in ascending order.
        is_table_observed: By table, whether its blocks count together: as a mean to subtract, or as a sum.
        of_cluster: Weight of the products of a cluster's scores.
        of_table: Weight of the products of the sums of a table's scores.
        are_tables_drawn: Whether the tables are a sample.
    """

    table: IntArray
    is_table_observed: NDArray[np.bool_]
    of_cluster: FloatArray
    of_table: FloatArray
    are_tables_drawn: bool

    def sum_products(self, scores: FloatArray) -> FloatArray:
        """Return M of scores that are given as a matrix by cluster and bot."""
        totals = np.zeros((len(self.of_table), scores.shape[1]))
        np.add.at(totals, self.table, scores)
        products: FloatArray = scores.T @ (self.of_cluster[:, None] * scores)
        return products + totals.T @ (self.of_table[:, None] * totals)


def design_clusters(counts: PairCounts, *, are_tables_drawn: bool) -> ClusterDesign:
    """Return the weights of clusters and tables.

    Args:
        counts: Of all matches.
        are_tables_drawn: Whether the tables are a sample of those possible. A sample of all of them is none.
    """
    size = len(counts.bots)
    hashes, has_met = [np.empty(0, np.uint64)], np.zeros(size, np.bool_)
    for rows in counts.chunks():
        hashes.append(_hash_tables(rows, size))
        has_met[rows.first] = has_met[rows.second] = True
    _, table, blocks = np.unique(np.concatenate(hashes), return_inverse=True, return_counts=True)
    are_tables_drawn = are_tables_drawn and len(blocks) < math.comb(int(has_met.sum()), counts.seats)
    if are_tables_drawn:
        factor = _small_sample_factor(len(blocks))
        is_observed = blocks > 1
        of_cluster = np.where(is_observed[table], 0.0, factor)
        of_table = np.where(is_observed, factor, 0.0)
    else:
        is_observed = blocks >= MIN_BLOCKS
        others = np.maximum(blocks - 1, 1)
        of_cluster = np.where(is_observed, blocks / others, _small_sample_factor(len(table)))[table]
        of_table = np.where(is_observed, -1 / others, 0.0)
    return ClusterDesign(table.astype(np.int64), is_observed, of_cluster, of_table, are_tables_drawn)


def compute_clustered_covariance(
    counts: PairCounts, estimate: StrengthEstimate, inverse: FloatArray, *, are_tables_drawn: bool
) -> ClusteredCovariance:
    """Return the covariance of fitted strengths.

    Args:
        counts: The matches.
        estimate: The strengths fitted to them.
        inverse: `invert_information` of the estimate.
        are_tables_drawn: Whether the tables are a sample of those possible, instead of all.
    """
    size = len(counts.bots)
    design = design_clusters(counts, are_tables_drawn=are_tables_drawn)
    products, totals = np.zeros(size * size), _TableTotals()
    blocks, alone = np.zeros(size, np.int64), np.zeros(size, np.int64)
    start = 0
    for rows in counts.chunks():
        cluster, bot, score = _cluster_scores(rows, estimate.strength, counts.weight)
        blocks += np.bincount(bot, minlength=size)
        place = start + np.cumsum(np.diff(cluster, prepend=cluster[0]) > 0)
        start = int(place[-1]) + 1
        table = design.table[place]
        is_observed = design.is_table_observed[table]
        alone += np.bincount(bot[~is_observed], minlength=size)
        totals.add(table[is_observed] * size + bot[is_observed], score[is_observed])
        weight = design.of_cluster[place]
        counted = weight > 0
        products += _sum_products(place[counted], bot[counted], (score * np.sqrt(weight))[counted], size)
    keys, total = totals.merged()
    table, bot = np.divmod(keys, size)
    of_tables = _sum_products(table, bot, total * np.sqrt(np.abs(design.of_table[table])), size)
    products += of_tables if design.are_tables_drawn else -of_tables
    tables = np.bincount(bot, minlength=size)
    freedom = alone + tables - 1 if design.are_tables_drawn else blocks - tables - (alone > 0)
    pull = compute_prior_pull(estimate, inverse)
    of_scores = products.reshape(size, size)
    covariance = inverse @ of_scores @ inverse + np.outer(pull, pull)
    return ClusteredCovariance(covariance, of_scores, blocks, np.maximum(freedom, 0), design.are_tables_drawn)


class _TableTotals:
    """Sums of scores by table and bot, over chunks."""

    def __init__(self) -> None:
        self._keys: list[IntArray] = []
        self._sums: list[FloatArray] = []

    def add(self, keys: IntArray, scores: FloatArray) -> None:
        """Add scores, whose keys combine table and bot."""
        distinct, sums = _sum_by_key(keys, scores)
        self._keys.append(distinct)
        self._sums.append(sums)

    def merged(self) -> tuple[IntArray, FloatArray]:
        """Return the keys, ascending, and their sums."""
        keys = np.concatenate([np.empty(0, np.int64), *self._keys])
        return _sum_by_key(keys, np.concatenate([np.empty(0), *self._sums]))


def _hash_tables(rows: PairRows, size: int) -> NDArray[np.uint64]:
    """Return a number for each cluster that depends on the pairs that met in it alone.

    It is the sum of one of 64 bits for each pair. Of a million different tables two are alike by chance with
    a probability below one in ten million.
    Source: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    """
    mixed = (rows.first * size + rows.second).astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    starts = np.flatnonzero(np.diff(rows.cluster, prepend=-1))
    hashes: NDArray[np.uint64] = np.add.reduceat(mixed, starts)
    return hashes


def _small_sample_factor(number: int) -> float:
    return number / (number - 1) if number > 1 else 1.0


def _cluster_scores(
    rows: PairRows, strength: FloatArray, weight: float
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return cluster, bot and weighted residual score, one row for each bot of each cluster."""
    size = len(strength)
    residual = weight * compute_residuals(rows, strength)
    keys = np.concatenate((rows.cluster * size + rows.first, rows.cluster * size + rows.second))
    distinct, score = _sum_by_key(keys, np.concatenate((residual, -residual)))
    cluster, bot = np.divmod(distinct, size)
    return cluster, bot, score


def _sum_by_key(keys: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the distinct keys, ascending, and the sum of the values of each."""
    distinct, place = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(distinct))
    np.add.at(sums, place, values)
    return distinct, sums


def _sum_products(cluster: IntArray, bot: IntArray, score: FloatArray, size: int) -> FloatArray:
    """Return Σ u uᵀ over clusters, flattened. Clusters of equally many bots are multiplied together."""
    total = np.zeros(size * size)
    _, starts, members = np.unique(cluster, return_index=True, return_counts=True)
    for count in np.flatnonzero(np.bincount(members)):  # np.unique of the counts would import numpy.ma
        alike = starts[members == count]
        step = max(1, MAX_PRODUCTS // int(count) ** 2)
        for begin in range(0, len(alike), step):
            at = alike[begin : begin + step, None] + np.arange(count)
            cells = bot[at][:, :, None] * size + bot[at][:, None, :]
            products = score[at][:, :, None] * score[at][:, None, :]
            total += np.bincount(cells.ravel(), products.ravel(), size * size)
    return total
