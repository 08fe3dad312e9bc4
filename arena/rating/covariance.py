"""The clustered covariance of fitted strengths, and what rests on it: score tests and comparison bars.

The covariance gives the errors of ratings. A score test decides the order of two bots by their points where
their distance in Elo is hardly known. Comparison bars have one length for each bot; those of two bots overlap
where the two are not separated.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.bradley_terry import (
    StrengthEstimate,
    compute_derivatives,
    compute_prior_pull,
    compute_residuals,
    fit_strengths,
)
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows
from arena.rating.student_t import MIN_BLOCKS
from arena.rating.two_bots import VIRTUAL_SQUARES

# --- clustered covariance ---
# Matches on the same cards are not independent, and a bot's pairs in one match even less. So a cluster (all
# matches on the same cards, a block) is one observation: with u by bot the weighted score of a block minus
# what the fit expects, and H the information of the fit, V = H⁻¹ · M · H⁻¹. What M sums depends on the
# tables, the sets of bots that play together:
#
# - Where all tables are played, as in a round robin, what the bots of a table do to each other beyond their
#   strengths (A beats B beats C beats A; a third bot that favours one) is the same whenever the tournament is
#   repeated. M = Σ over tables · n/(n-1) · Σ (u - ū)(u - ū)ᵀ over their n blocks, with ū the mean of the
#   table. A table of fewer than 6 blocks shows too little of its mean: its blocks count with u uᵀ · G/(G-1),
#   G being the number of all blocks.
# - Where the tables played are a sample of those possible (drawn at random, or by results, and not all of
#   them), another tournament would draw others. The table is the cluster: M = T/(T-1) · Σ S Sᵀ, with S the
#   sum of u over the blocks of a table, and T tables. That includes what blocks vary by.
#
# The prior draws the strong and the weak towards the mean: b = H⁻¹ s, with s the slope of the prior alone,
# estimates by how much, and b bᵀ is added to V, so that errors are about the truth and not about a shrunken
# mean. Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika
# 73, 1986; A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference, J. Human
# Resources 50, 2015 (the factor G/(G-1), and Student's t with G-1 degrees of freedom); A. Abadie, S. Athey,
# G. W. Imbens, J. M. Wooldridge, When should you adjust standard errors for clustering?, Quarterly J.
# Economics 138, 2023 (clusters are what was sampled).

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


# --- score tests ---
# A bot that takes few points from the others has an Elo with an error of hundreds, and the error grows faster
# than the distance: distance / error tends to 0 the more hopeless the bot is (Hauck and Donner 1977). The
# score test needs no distance. With θ̃ the strengths that best explain the results if the two were equal, g
# is what one took beyond expectation, and the other fell short of it. Its variance is aᵀ M a, where M is the
# covariance of points clustered as for the errors of ratings, and a, 1 for the one and 0 for the other, less
# its projection on what moves the common strengths. Where all tables are played equally often, g is half the
# difference of the points of the two, and a is ± 1/2. Source: W. W. Hauck, A. Donner, Wald's test as applied
# to hypotheses in logit analysis, J. Amer. Statist. Assoc. 72, 1977; D. D. Boos, On generalized score tests,
# Amer. Statistician 46, 1992.

MAX_WORK: Final = 1e8
"""Number of pairs, times the cube of the number of bots, above which no pair is tested: about 2 s."""
MIN_VARIANCE: Final = 1e-9
"""Squared points; a smaller variance is what rounding leaves of 0."""


class ScoreTest(NamedTuple):
    """Points that two bots took beyond what is expected if they are equally strong.

    Attributes:
        bot: The one.
        other: The other.
        excess: Weighted points of `bot` beyond expectation; `other` has as many less.
        variance: Its variance.
    """

    bot: int
    other: int
    excess: float
    variance: float


class ScoreTests:
    """Score tests of some pairs, computed when first asked for."""

    def __init__(
        self, estimate: StrengthEstimate, covariance: FloatArray, pairs: Sequence[tuple[int, int]]
    ) -> None:
        """Take the results.

        Args:
            estimate: The fitted strengths.
            covariance: Covariance of the weighted points of all bots.
            pairs: Pairs of bots that met, directly or through others.
        """
        is_too_much = len(pairs) * len(covariance) ** 3 > MAX_WORK
        self._pairs = () if is_too_much else tuple(pairs)
        self._input: tuple[StrengthEstimate, FloatArray] | None = None
        if self._pairs:  # else a large field keeps its matrices for nothing
            self._input = estimate, covariance

    @cached_property
    def results(self) -> tuple[ScoreTest, ...]:
        """The tests of the pairs; none where there are too many in a large field."""
        return tuple(self._compute())

    def _compute(self) -> Iterator[ScoreTest]:
        if self._input is None:
            return
        estimate, covariance = self._input
        for bot, other in self._pairs:
            group = next(own for own in estimate.groups if bot in own)
            within = np.ix_(group, group)
            start, at = estimate.strength[list(group)], (group.index(bot), group.index(other))
            excess, direction = _test_equal(estimate.points[within], start, *at)
            variance = float(direction @ covariance[within] @ direction)
            yield ScoreTest(bot, other, excess, max(variance, 0.0))


def compute_virtual_variance(matches: float, blocks: int) -> float:
    """Return what a block won and one lost add to the variance of a bot's points, in squared points.

    Each moves its points by half the matches of a block.

    Args:
        matches: Matches of a block.
        blocks: Blocks of the bot, two or more.
    """
    return VIRTUAL_SQUARES * matches**2 * blocks / (blocks - 1)


def _test_equal(points: FloatArray, start: FloatArray, bot: int, other: int) -> tuple[float, FloatArray]:
    """Return the excess of a bot over another of equal strength, and how it changes with the points of all.

    Args:
        points: Square matrix of the weighted points that row took from column.
        start: Fitted strengths.
        bot: The one.
        other: The other.
    """
    size = len(points)
    kept = np.delete(np.arange(size), other)
    merged = np.zeros((size, size - 1))
    merged[kept, np.arange(size - 1)] = 1
    merged[other, np.searchsorted(kept, bot)] = 1
    common = merged.T @ points @ merged
    np.fill_diagonal(common, 0)
    strength = merged @ fit_strengths(common, start[kept])
    slope, information = compute_derivatives(points, strength)
    across = merged.T @ (information[bot] - 1 / size)
    direction = -merged @ np.linalg.solve(merged.T @ information @ merged, across)
    direction[bot] += 1
    return float(slope[bot]), direction


# --- comparison bars ---
# An error about the centre of the field has that of the centre in it, which two bots share. And two intervals
# of 95 % may overlap although that of their difference excludes 0: for bots with equal errors a distance of
# √2 of them is enough, and not of 2. So the bars b are fitted to the half widths w of the intervals of
# differences themselves, as quasi-variances are fitted to variances: bᵢ + bⱼ is about wᵢⱼ, by the least
# squared logarithms of the ratio, weighted by how much the reading of a pair depends on it. No lengths suit
# all pairs: within two clusters of bots the differences may be known to 37 Elo, but across the gap of 850
# between them only to 225, and bars of 19 show the order of every pair. Where a pair would still mislead,
# both of its bars are made shorter or longer by the same factor. Source: H. Goldstein, M. J. R. Healy, The
# graphical presentation of a collection of means, J. R. Statist. Soc. A 158, 1995 (bars that overlap where
# the difference is not significant); D. Firth, R. X. de Menezes, Quasi-variances, Biometrika 91, 2004 (the
# criterion, for sums of variances).

MAX_ROUNDS: Final = 500
MIN_CHANGE: Final = 1e-5
"""Largest relative change of a round after which a fit ends."""
MIN_RATIO: Final = 0.3
"""Least weight of two bots for being close together."""
FALL: Final = 4
"""Power of their distance, in half widths, with which the weight of two bots far apart falls."""
MAX_PASSES: Final = 100
"""Passes over pairs that mislead; where they do not settle, no bars suit all pairs."""
MARGIN: Final = 1e-3
"""Share of a distance by which bars end before or after touching."""


def compute_pair_variances(covariance: FloatArray) -> FloatArray:
    """Return the matrix of the variances of differences, at least 0."""
    own = covariance.diagonal()
    variances: FloatArray = np.maximum(own[:, None] + own - 2 * covariance, 0)
    return variances


def fit_bars(half_widths: FloatArray, weights: FloatArray | float = 1.0) -> FloatArray:
    """Return bars of which those of two bots add up to about the half width of their difference.

    Each round changes every bar so that its sums are right on average, weighted by its share in them: there
    the gradient of the criterion is 0.

    Args:
        half_widths: Square matrix, above 0 or NaN where there is no interval.
        weights: Weights of the pairs, above 0.

    Example:
        >>> fit_bars(np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])).round(3).tolist()
        [1.0, 2.0, 3.0]
    """
    known = ~np.isnan(half_widths)
    np.fill_diagonal(known, False)
    weights = np.where(known, weights, 0.0)
    totals: FloatArray = weights.sum(axis=1)
    if not totals.any():
        return totals
    logarithms = np.log(np.where(known, half_widths, 1.0))
    bars: FloatArray = np.exp((weights * logarithms).sum(axis=1) / np.where(totals, totals, 1.0)) / 2
    for _ in range(MAX_ROUNDS):
        sums = bars[:, None] + bars
        share = bars[:, None] / sums
        share *= weights
        total = np.maximum(share.sum(axis=1), np.finfo(float).tiny)
        np.log(sums, out=sums)
        sums -= logarithms
        sums *= share
        change = sums.sum(axis=1) / total
        bars = bars * np.exp(-change)
        if np.abs(change).max() < MIN_CHANGE:
            break
    return bars


def _weigh_pairs(distances: FloatArray, half_widths: FloatArray) -> FloatArray:
    """Return the weight of each pair: how much its reading depends on the lengths of its bars.

    It is 1 at a distance of the half width. Bots many half widths apart are read the same with bars far too
    short, and bots close together with bars a little too long.
    """
    ratios = np.full_like(distances, MIN_RATIO)
    np.divide(distances, half_widths, out=ratios, where=half_widths > 0)
    np.maximum(ratios, MIN_RATIO, out=ratios)
    weights: FloatArray = np.minimum(ratios, ratios**-FALL)
    return weights


def compute_comparison_bars(
    elo: FloatArray, half_widths: FloatArray, shares: FloatArray | float = 1.0
) -> FloatArray:
    """Return the bars of bots; two that do not overlap belong to bots that are separated.

    The converse holds, too, but for a few pairs where no bars suit all.

    Args:
        elo: Ratings.
        half_widths: Square matrix, of the intervals of differences; NaN where there is none.
        shares: Factors of the weights of pairs, above 0.
    """
    distances = np.abs(elo[:, None] - elo)
    bars = fit_bars(half_widths, _weigh_pairs(distances, half_widths) * shares)
    is_separated = distances > half_widths  # never where there is no interval
    shortest = np.where(is_separated, 0.0, distances * (1 + MARGIN))
    np.fill_diagonal(shortest, 0.0)
    distances *= 1 - MARGIN
    longest = np.where(is_separated, distances, np.inf)
    moved = np.arange(len(elo))
    for _ in range(MAX_PASSES):
        sums = bars[moved, None] + bars
        place, other = np.nonzero((sums < shortest[moved]) | (sums > longest[moved]))
        if not len(place):
            return bars
        pairs = np.unique(np.sort(np.stack((moved[place], other), axis=1), axis=1), axis=0)
        for first, second in pairs.tolist():
            total = bars[first] + bars[second]
            wanted = min(max(total, shortest[first, second]), longest[first, second])
            bars[[first, second]] *= wanted / total
        moved = np.unique(pairs)
    missing = shortest / np.maximum(bars[:, None] + bars, np.finfo(float).tiny)
    lengthened: FloatArray = bars * np.maximum(missing.max(axis=1), 1.0)
    return lengthened
