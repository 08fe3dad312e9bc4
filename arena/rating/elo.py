"""Elo ratings of all bots at once, their errors, and the Elo scale.

The model (Bradley–Terry): in each pair of seats the expected score is 1 / (1 + exp(-(θᵢ - θⱼ))), a tie
counting a half; pairs weigh 1/(k-1) at a table of k, so that a match weighs 1 for each bot. As a prior each
bot is given one virtual draw, spread evenly over all others: perfect scores stay finite (100 wins in 100
matches against equals: as if one of 101 had been drawn, +921), bots that never met can be listed together,
and every fit is unique.
Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952.

Matches on the same cards are not independent, and a bot's pairs in one match even less. So errors come from a
sandwich covariance that takes a cluster (all matches on the same cards) as one observation:
V = H⁻¹ · G/(G-1) · Σ u uᵀ · H⁻¹, where u holds, by bot, the weighted score of one of G clusters minus what
the fit expected, and H is the information of the fit. The prior draws the strong and the weak towards the
mean: b = H⁻¹ s, with s the slope of the prior alone, estimates by how much, and b bᵀ is added to V, so that
errors are about the truth and not about a shrunken mean.
Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73,
1986; A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference, J. Human Resources 50,
2015 (the factor G/(G-1), and Student's t with G-1 degrees of freedom).

Numbers are rounded to a millionth of an Elo, so that the last bits, in which one linear algebra library
or number of threads may differ from another, reach a table printed to 0.1 only with a one in a billion
chance, and bots with equal records have equal ratings.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from arena.rating.connectivity import Groups, find_comparable_groups, find_connected_groups, is_reachable
from arena.rating.intervals import CONFIDENCE, MIN_BLOCKS, t_cdf, t_quantile
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows
from arena.rating.upsets import RareUpsets, find_rare_upsets

MEAN_ELO: Final = 1500.0
ELO_PER_UNIT: Final = 400 / math.log(10)
"""Elo of one unit of strength, where a pair's odds are exp(difference)."""
VIRTUAL_DRAWS: Final = 1.0
MIN_STANDARD_ERROR: Final = 0.03
"""Elo below which nothing has really varied (it would print as ±0.0)."""
MAX_STEPS: Final = 200
MIN_STEP: Final = 1e-6
"""After a step so small, what is still missing is of the order of its square."""
MAX_PRODUCTS: Final = 250_000
"""Products of scores computed at once, which bounds memory."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings by bot, in the order of `bots`, from one variant at one number of seats.

    Attributes:
        bots: Names.
        elo: Ratings, of mean 1500.
        standard_error: Standard errors about the mean of the bots it can be compared with (its group of
            `varied_groups`; all bots, if the field is connected). None for a perfect score, fewer than 6
            blocks, or no variation.
        error: Half width of the 95 % interval, by Student's t with `freedom`.
        freedom: Degrees of freedom: one less than blocks, or the number of blocks on which its distance from
            the others rests, if that is smaller.
        mark: ">" for a score of exactly 1 (the rating is a lower bound), "<" for 0 (an upper one), else "".
        score: Mean score in all pairs, 0 to 1; None for a bot that met nobody.
        blocks: Number of clusters in which the bot met another.
        matches: Number of matches.
        connected_groups: Groups of bots that met, directly or through others.
        comparable_groups: Groups within which the data bound each difference from both sides.
        scoring_blocks: Matrix by group of `comparable_groups`: blocks in which row took points from column.
        varied_groups: Like `comparable_groups`, from only those pairs that did not come out alike in all
            their blocks: of others, all that differs from expectation is what the virtual draws make of it,
            which would pass for a very small error.
        upsets: Blocks in which a part of the field took points that it hardly ever takes.
        covariance: Matrix in Elo², about the mean of all bots.
    """

    bots: tuple[str, ...]
    elo: tuple[float, ...]
    standard_error: tuple[float | None, ...]
    error: tuple[float | None, ...]
    freedom: tuple[int, ...]
    mark: tuple[str, ...]
    score: tuple[float | None, ...]
    blocks: tuple[int, ...]
    matches: tuple[int, ...]
    connected_groups: Groups
    comparable_groups: Groups
    scoring_blocks: IntArray
    varied_groups: Groups
    upsets: RareUpsets
    covariance: FloatArray

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """Bots from the highest Elo to the lowest, equals by name; last those that played no match."""

        def sort_key(bot: int) -> tuple[bool, float, str]:
            return not self.matches[bot], -self.elo[bot], self.bots[bot]

        return tuple(sorted(range(len(self.bots)), key=sort_key))

    @property
    def is_connected(self) -> bool:
        """True if all bots that played met, directly or through others."""
        return sum(self.matches[group[0]] > 0 for group in self.connected_groups) <= 1

    def pair_standard_error(self, bot: int, other: int) -> float | None:
        """Return the standard error of the difference of two ratings, None where unknown."""
        together = any(bot in group and other in group for group in self.varied_groups)
        if self._pair_blocks(bot, other) < MIN_BLOCKS or not together:
            return None
        own, others = self.covariance[bot, bot], self.covariance[other, other]
        return _standard_error(float(own + others - 2 * self.covariance[bot, other]))

    def pair_error(self, bot: int, other: int) -> float | None:
        """Return the half width of the 95 % interval of the difference of two ratings, None where unknown."""
        return _half_width(self.pair_standard_error(bot, other), self.pair_freedom(bot, other))

    def los(self, bot: int, other: int) -> float | None:
        """Return the likelihood of superiority of `bot` over `other`, 0 to 1; None where unknown."""
        standard_error = self.pair_standard_error(bot, other)
        if standard_error is None:
            return None
        return t_cdf((self.elo[bot] - self.elo[other]) / standard_error, self.pair_freedom(bot, other))

    def los_to_next(self) -> tuple[float | None, ...]:
        """Return the likelihood of superiority of each bot over the next in rank; None for the last."""
        los: list[float | None] = [None] * len(self.bots)
        for bot, following in pairwise(self.ranking):
            los[bot] = self.los(bot, following)
        return tuple(los)

    def is_one_sided(self, bot: int, other: int, min_blocks: int) -> bool:
        """Return whether all points between two bots went one way, in at least `min_blocks` blocks.

        Directly or through others: then each step of the path must have so many blocks. Two that merely lost
        all to a third bot, or took all from it, have no such path between them.
        """
        group_of = {member: number for number, group in enumerate(self.comparable_groups) for member in group}
        one, two = group_of[bot], group_of[other]
        links = self.scoring_blocks >= min_blocks
        return one != two and (is_reachable(links, one, two) or is_reachable(links, two, one))

    def _pair_blocks(self, bot: int, other: int) -> int:
        return min(self.blocks[bot], self.blocks[other])

    def pair_freedom(self, bot: int, other: int) -> int:
        """Return the degrees of freedom of the difference of two ratings."""
        return self.upsets.limit_pair_freedom(bot, other, self._pair_blocks(bot, other) - 1)


def win_probability(difference: FloatArray) -> FloatArray:
    """Return the expected score against a bot weaker by `difference` units of strength.

    Never overflows, and is as exact near 0 as near 1.
    """
    smaller = np.exp(-np.abs(difference))
    chance: FloatArray = np.where(difference >= 0, 1.0, smaller) / (1 + smaller)
    return chance


def expected_score(elo: float) -> float:
    """Return the expected score, between 0 and 1, against a bot weaker by `elo`: 1 / (1 + 10^(-elo/400))."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_score(score: float) -> float | None:
    """Return the Elo difference at which `score` is expected; None for 0 and 1."""
    return -400 * math.log10(1 / score - 1) if 0 < score < 1 else None


def fit_elo(counts: PairCounts) -> Fit:
    """Return the ratings of all bots of `counts`; those that met nobody get the mean.

    Example:
        >>> from arena.rating import count_pairs
        >>> fit = fit_elo(count_pairs(["a", "b"], 2, [(0, (0, 1), (1, 2)), (1, (0, 1), (1, 1))]))
        >>> [round(elo) for elo in fit.elo], fit.score
        ([1560, 1440], (0.75, 0.25))
    """
    points = counts.points()
    weighted = add_prior(points, counts.weight)
    strength = fit_strengths(weighted)
    covariance, blocks = _clustered_covariance(counts, strength, compute_derivatives(weighted, strength)[1])
    covariance = covariance * ELO_PER_UNIT**2
    varied = find_comparable_groups(np.where(counts.find_constant_pairs(MIN_BLOCKS), 0, points))
    score = _scores(points)
    groups = find_comparable_groups(points)
    standard_error = _standard_errors(covariance, blocks, varied)
    upsets = find_rare_upsets(counts, points, strength)
    freedom = np.maximum(np.array(blocks) - 1, 0)
    for group in varied:
        freedom[list(group)] = upsets.limit_freedom(group, freedom[list(group)])
    return Fit(
        bots=counts.bots,
        elo=to_elo(strength),
        standard_error=standard_error,
        error=tuple(map(_half_width, standard_error, freedom.tolist())),
        freedom=tuple(freedom.tolist()),
        mark=tuple(">" if share == 1 else "<" if share == 0 else "" for share in score),
        score=score,
        blocks=blocks,
        matches=counts.matches,
        connected_groups=find_connected_groups(points),
        comparable_groups=groups,
        scoring_blocks=counts.count_scoring_blocks(groups) if len(groups) > 1 else np.zeros((1, 1), np.int64),
        varied_groups=varied,
        upsets=upsets,
        covariance=covariance,
    )


def estimate_elo(points: FloatArray, weight: float) -> tuple[float, ...]:
    """Return the Elo of `fit_elo` alone, by bot.

    Args:
        points: Square matrix of the points that row took from column.
        weight: Weight of a pair in a match, `PairCounts.weight`.
    """
    return to_elo(fit_strengths(add_prior(points, weight)))


def fit_strengths(points: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """Return the strengths, of mean 0, that best explain weighted `points` (what row took from column).

    Every bot must have taken something from every other, if only through others.
    Newton's method, each step shortened by ln(1 + r) / r, r its range: with that the likelihood of a
    logistic model rises at every step, from any start; one near the result saves steps.
    Source: T. Sun, Q. Tran-Dinh, Generalized self-concordant functions, Math. Programming 178, 2019.
    """
    strength = np.zeros(len(points)) if start is None else start
    for _ in range(MAX_STEPS):
        slope, information = compute_derivatives(points, strength)
        step = np.linalg.solve(information, slope)
        reach = float(np.ptp(step))
        strength = strength + step * (math.log1p(reach) / reach if reach else 1.0)
        if reach < MIN_STEP:
            break
    centred: FloatArray = strength - strength.mean()
    return centred


def compute_residuals(rows: PairRows, strength: FloatArray) -> FloatArray:
    """Return the points that the first bot of each row took minus what was expected of it."""
    chance = win_probability(strength[rows.first] - strength[rows.second])
    converse = win_probability(strength[rows.second] - strength[rows.first])
    return rows.won * converse - rows.lost * chance


def add_prior(points: FloatArray, weight: float) -> FloatArray:
    """Return points as they count in the fit, with each bot's virtual draw."""
    return points * weight + VIRTUAL_DRAWS / 2 / max(1, len(points) - 1)


def to_elo(strength: FloatArray) -> tuple[float, ...]:
    """Return strengths of mean 0 as Elo."""
    return tuple(np.round(MEAN_ELO + ELO_PER_UNIT * strength, 6).tolist())


def compute_derivatives(points: FloatArray, strength: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the slope of the likelihood, and its information: minus the second derivatives.

    1/N is added all over the information; it only pins down the mean, on which results do not depend.
    """
    loss_chance = win_probability(strength - strength[:, None])
    unexpected = points * loss_chance
    slope = unexpected.sum(axis=1) - unexpected.sum(axis=0)
    half = unexpected * loss_chance.T
    variance = half + half.T
    return slope, np.diag(variance.sum(axis=1)) - variance + 1 / len(points)


def _scores(points: FloatArray) -> tuple[float | None, ...]:
    """Return the share of the points at stake that each bot took; exactly 0 or 1 only for none or all."""
    taken, given = points.sum(axis=1).tolist(), points.sum(axis=0).tolist()
    return tuple(own / (own + lost) if own + lost else None for own, lost in zip(taken, given, strict=True))


def _clustered_covariance(
    counts: PairCounts, strength: FloatArray, information: FloatArray
) -> tuple[FloatArray, tuple[int, ...]]:
    """Return the covariance of fitted strengths, and in how many clusters each bot met another."""
    size = len(counts.bots)
    products = np.zeros(size * size)
    blocks = np.zeros(size, dtype=np.int64)
    clusters = 0
    for rows in counts.chunks():
        cluster, bot, score = _cluster_scores(rows, strength, counts.weight)
        products += _sum_products(cluster, bot, score, size)
        blocks += np.bincount(bot, minlength=size)
        clusters += int(np.count_nonzero(np.diff(rows.cluster))) + 1
    bread = np.linalg.inv(information)
    correction = clusters / (clusters - 1) if clusters > 1 else 1.0
    pull = bread @ _prior_slope(strength)
    covariance = correction * (bread @ products.reshape(size, size) @ bread) + np.outer(pull, pull)
    return covariance, tuple(blocks.tolist())


def _prior_slope(strength: FloatArray) -> FloatArray:
    """Return by how much the virtual draws' likelihood rises with each strength: down for the strong."""
    drawn = VIRTUAL_DRAWS / max(1, len(strength) - 1)
    expected = win_probability(strength[:, None] - strength)
    slope: FloatArray = drawn * (0.5 - expected).sum(axis=1)
    return slope


def _cluster_scores(
    rows: PairRows, strength: FloatArray, weight: float
) -> tuple[IntArray, IntArray, FloatArray]:
    """Return cluster, bot and weighted residual score, one row for each bot of each cluster."""
    size = len(strength)
    residual = weight * compute_residuals(rows, strength)
    keys = np.concatenate((rows.cluster * size + rows.first, rows.cluster * size + rows.second))
    distinct, place = np.unique(keys, return_inverse=True)
    score = np.zeros(len(distinct))
    np.add.at(score, place, np.concatenate((residual, -residual)))
    cluster, bot = np.divmod(distinct, size)
    return cluster, bot, score


def _sum_products(cluster: IntArray, bot: IntArray, score: FloatArray, size: int) -> FloatArray:
    """Return Σ u uᵀ over clusters, flattened. Clusters of equally many bots are multiplied together."""
    total = np.zeros(size * size)
    _, starts, members = np.unique(cluster, return_index=True, return_counts=True)
    for count in np.unique(members):
        alike = starts[members == count]
        step = max(1, MAX_PRODUCTS // int(count) ** 2)
        for begin in range(0, len(alike), step):
            at = alike[begin : begin + step, None] + np.arange(count)
            cells = bot[at][:, :, None] * size + bot[at][:, None, :]
            products = score[at][:, :, None] * score[at][:, None, :]
            total += np.bincount(cells.ravel(), products.ravel(), size * size)
    return total


def _standard_errors(
    covariance: FloatArray, blocks: Sequence[int], groups: Groups
) -> tuple[float | None, ...]:
    """Return standard errors in Elo about the mean of each bot's group, by bot."""
    errors: list[float | None] = [None] * len(blocks)
    for group in groups:
        within = covariance[np.ix_(group, group)]
        variances = within.diagonal() - 2 * within.mean(axis=1) + within.mean()
        for bot, variance in zip(group, variances.tolist(), strict=True):
            if blocks[bot] >= MIN_BLOCKS:
                errors[bot] = _standard_error(variance)
    return tuple(errors)


def _standard_error(variance: float) -> float | None:
    error = math.sqrt(max(variance, 0.0))
    return round(error, 6) if error >= MIN_STANDARD_ERROR else None


def _half_width(standard_error: float | None, freedom: int) -> float | None:
    if standard_error is None:
        return None
    return round(t_quantile((1 + CONFIDENCE) / 2, freedom) * standard_error, 6)
