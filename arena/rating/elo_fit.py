"""Elo ratings of all bots at once, with their errors, bounds and origin.

The parts of a fit come first: the centre of the field, which is 1500; cuts of the field across which hardly
any points were taken; and bounds for bots that took hardly a point, or lost hardly one.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Final, NamedTuple, TypeVar

import numpy as np

from arena.rating.bradley_terry import compute_scores, estimate_strengths, invert_information
from arena.rating.covariance import (
    MAX_WORK,
    MIN_VARIANCE,
    ScoreTest,
    ScoreTests,
    compute_clustered_covariance,
    compute_pair_variances,
    compute_virtual_variance,
)
from arena.rating.pair_counts import (
    FloatArray,
    Groups,
    IntArray,
    PairCounts,
    find_comparable_groups,
    find_connected_groups,
    is_reachable,
)
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS, t_cdf, t_quantile
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

# --- origin ---
# 1500 is the centre of the bulk of those bots that met, which far ones do not move.
#
# The centre is an M-estimate of location: bots weigh (1 - (d / reach)²)² at a distance d from it, and nothing
# beyond the reach. So a hopeless bot moves nobody by joining, by leaving, or by taking its second point,
# which may move its own Elo by hundreds. The rounds that approach it start from the median, and their number
# is fixed, so that the centre is continuous in the Elo of the bots. The reach grows with the field: that of a
# field half of which is far apart would else depend on chance. The half that lies closest together contains
# the median, and so never is without weight. Source: A. E. Beaton, J. W. Tukey, The fitting of power series,
# Technometrics 16, 1974 (the weights); F. R. Hampel, E. M. Ronchetti, P. J. Rousseeuw, W. A. Stahel, Robust
# Statistics, 1986, sections 2.1 (the error of an estimate from its derivatives) and 2.3 (half the length of
# the shortest half).

MIN_REACH: Final = 500.0
"""Smallest reach, in Elo: a bot as far below the others takes 5 % of the points from them."""
REACH_RATIO: Final = 3.0
"""Smallest reach, as a multiple of half the length of the shortest interval with more than half of the bots.

That length is multiplied by n / (n - 1): with it n evenly spaced bots fill their share of the whole.
"""
ROUNDS: Final = 3
"""Number of weighted means, each weighted by the distance from the one before."""


class Center(NamedTuple):
    """The centre of some bots.

    Attributes:
        elo: The Elo that is printed as 1500.
        weights: Derivatives of the centre by the Elo of each bot, which sum to 1; negative for a bot that
            leaves the bulk.
    """

    elo: float
    weights: FloatArray


def find_center(elo: FloatArray) -> Center:
    """Return the centre of at least one bot; of two it is their mean.

    Example:
        >>> [round(find_center(np.array(elo)).elo) for elo in ([60.0, 0, -60], [60.0, 0, -60, -900])]
        [0, 0]
    """
    size = len(elo)
    order = np.argsort(elo, kind="stable")
    lengths = elo[order[size // 2 :]] - elo[order[: size - size // 2]]
    shortest = int(lengths.argmin())
    reach, widening, slope = MIN_REACH, np.zeros(size), np.zeros(size)
    factor = REACH_RATIO / 2 * size / max(size - 1, 1)
    if factor * lengths[shortest] > reach:
        reach = factor * lengths[shortest]
        widening[order[[shortest, shortest + size // 2]]] = -factor, factor
    middle = order[[(size - 1) // 2, size // 2]]
    np.add.at(slope, middle, 0.5)
    center = elo[middle].mean()
    for _ in range(ROUNDS):
        ratio = (elo - center) / reach
        root = np.maximum(1 - ratio**2, 0)
        weight = root**2
        center = weight @ elo / weight.sum()
        by_distance = 4 * ratio * root / reach * (elo - center)
        slope = weight - by_distance + by_distance.sum() * slope + (by_distance @ ratio) * widening
        slope /= weight.sum()
    _, place, equals = np.unique(elo, return_inverse=True, return_counts=True)
    return Center(float(center), (np.bincount(place, slope) / equals)[place])


def find_weights(elo: FloatArray, groups: Groups) -> FloatArray:
    """Return the weight of each bot in the centre of its group; 0 outside."""
    weights = np.zeros(len(elo))
    for group in map(list, groups):
        weights[group] = find_center(elo[group]).weights
    return weights


def center(values: FloatArray, groups: Groups, weights: FloatArray) -> FloatArray:
    """Return values by bot, along the last axis, less their weighted mean in each group."""
    centred = np.array(values, np.float64)
    for group in map(list, groups):
        centred[..., group] -= centred[..., group] @ weights[group][:, None]
    return centred


def compute_variances_about_center(covariance: FloatArray, groups: Groups, weights: FloatArray) -> FloatArray:
    """Return the variance of the distance of each bot from the centre of its group; NaN outside.

    Args:
        covariance: Matrix by bot.
        groups: Groups of bots.
        weights: Weights of the bots in the centres of these groups.
    """
    variances = np.full(len(covariance), np.nan)
    for group in map(list, groups):
        with_center = covariance[np.ix_(group, group)] @ weights[group]
        variances[group] = covariance.diagonal()[group] - 2 * with_center + weights[group] @ with_center
    return variances


# --- rare upsets ---
# If the weaker part of a field took few points, the distance of the two parts rests on the few blocks in
# which it did, however many were played. An interval then has no more degrees of freedom than there are such
# blocks: with n of them the quantile of Student's t over √n is, in units of strength, about the half width of
# the exact interval of a Poisson count of n on its longer side (n = 3: 1.84 and 1.58; 6: 1.00 and 1.00; 12:
# 0.63 and 0.66), where that of the normal distribution is too narrow. Source: A. V. Carter, K. T. Schnepel,
# D. G. Steigerwald, Asymptotic behavior of a t-test robust to cluster heterogeneity, Review of Economics and
# Statistics 99, 2017 (the effective number of clusters).

RARE: Final = 0.1
"""Share of the points between two parts of the field up to which the weaker part hardly ever took any."""
ONE_BLOCK_FREEDOM: Final = 2
"""Degrees of freedom from one block; with 1 the interval would be three times a Poisson count's."""
MAX_SHARE: Final = 0.25
"""Weight in a group's centre above which a part at an uncertain distance makes the centre uncertain too."""
MAX_TESTED_BLOCKS: Final = 30
"""Blocks with upsets up to which the order of two bots is better tested by points than by distance."""
NO_LIMIT: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class RareUpsets:
    """The cuts of a field, in order of strength, below which hardly any points were taken from above.

    Attributes:
        places: The place of each bot in order of strength, from 0 for the strongest.
        freedom: By the number of bots above a cut, the most degrees of freedom of distances across it.
    """

    places: IntArray
    freedom: IntArray

    def limit_freedom(self, group: Sequence[int], freedom: IntArray, weights: FloatArray) -> IntArray:
        """Return the degrees of freedom of the distances of bots from the centre of their group.

        Args:
            group: The bots.
            freedom: By bot of the group, those it has for the blocks it played.
            weights: By bot of the group, its weight in the centre.
        """
        cuts = np.flatnonzero(self.freedom < NO_LIMIT)
        is_above = self.places[list(group), None] < cuts
        has_both = is_above.any(axis=0) & ~is_above.all(axis=0)
        above = weights @ is_above
        in_lighter = is_above == (above <= 0.5)
        uncertain = np.minimum(above, 1 - above) > MAX_SHARE
        limits = np.where((in_lighter | uncertain) & has_both, self.freedom[cuts], NO_LIMIT)
        limited: IntArray = np.minimum(freedom, limits.min(axis=1, initial=NO_LIMIT))
        return limited

    def limit_pairs(self, freedom: IntArray) -> IntArray:
        """Return the degrees of freedom of the distances of all pairs, given those for their blocks.

        Both are square matrices by bot.
        """
        size = len(self.places)
        across = np.full((size, size), NO_LIMIT)
        for first in range(size - 1):
            across[first, first + 1 :] = np.minimum.accumulate(self.freedom[first + 1 :])
        across = np.minimum(across, across.T)
        limited: IntArray = np.minimum(freedom, across[np.ix_(self.places, self.places)])
        return limited

    @property
    def has_tested_pairs(self) -> bool:
        """True if the distance of some bots rests on few blocks."""
        return bool((self.freedom <= MAX_TESTED_BLOCKS).any())

    def list_pairs(self, group: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of a group whose distance rests on few blocks, the stronger of each first."""
        size = len(self.places)
        is_rare = self.limit_pairs(np.full((size, size), NO_LIMIT)) <= MAX_TESTED_BLOCKS
        best_first = sorted(group, key=self.places.__getitem__)
        pairs = np.argwhere(np.triu(is_rare[np.ix_(best_first, best_first)], 1)).tolist()
        return [(best_first[first], best_first[other]) for first, other in pairs]

    def limit_pair_freedom(self, bot: int, other: int, freedom: int) -> int:
        """Return the degrees of freedom of the distance of two bots that have `freedom` for their blocks."""
        first, last = sorted((int(self.places[bot]), int(self.places[other])))
        return int(self.freedom[first + 1 : last + 1].min(initial=freedom))


def _find_rare_upsets(counts: PairCounts, points: FloatArray, strength: FloatArray) -> RareUpsets:
    """Return the cuts across which the weaker part took some points, but at most a tenth.

    Args:
        counts: Of all matches.
        points: Square matrix, what row took from column.
        strength: By bot.
    """
    ranking = np.argsort(-strength, kind="stable")
    places = np.argsort(ranking, kind="stable")
    ordered = points[np.ix_(ranking, ranking)]
    taken, lost = _sums_across(ordered), _sums_across(ordered.T)
    freedom = np.full(len(ranking), NO_LIMIT)
    cuts = np.flatnonzero((lost > 0) & (lost <= RARE * (taken + lost))) + 1
    if len(cuts):
        freedom[cuts] = np.maximum(counts.count_blocks_across(places, cuts), ONE_BLOCK_FREEDOM)
    return RareUpsets(places, freedom)


def _sums_across(points: FloatArray) -> FloatArray:
    """Return for each number of first bots what they took from the others."""
    inner = np.cumsum(np.cumsum(points, axis=0), axis=1).diagonal()
    across: FloatArray = (np.cumsum(points.sum(axis=1)) - inner)[:-1]
    return across


# --- bounds ---
# The Elo of a bot that took hardly a point, or lost hardly one, is far less certain on one side than on the
# other: from one point in a thousand matches it may be hopeless without limit, but not much stronger. The
# interval of its mean score shows that. Where it reaches 0 or 1, the other end is converted: to the Elo at
# which that score is expected against the same opponents. With n blocks in which the bot took a point,
# Student's t with n degrees of freedom makes that end about the exact one of a Poisson count (see rare upsets
# above).

SEARCH_RANGE: Final = 4_000.0
"""Elo beyond the weakest and the strongest bot in which a bound is searched."""
SEARCH_STEPS: Final = 50


def _find_bound_score(score: float | None, half_width: float | None, blocks: int) -> float | None:
    """Return the end of the 95 % interval of a mean score that bounds an Elo; None where the Elo is known.

    The Elo is bounded from above for a score of at most 10 %, and from below for at least 90 %, if the
    interval reaches 0 or 1 at its other end. No point at all in n blocks has a probability of 2.5 % at most
    where 1 - 0.025^(1/n) is expected, as a block in which a bot scores has at most the score 1.

    Args:
        score: Mean score, 0 to 1; None for a bot that met nobody.
        half_width: Half width of its interval; None where it is unknown.
        blocks: Number of blocks played.
    """
    if score in (0.0, 1.0):
        end = 1 - math.pow((1 - CONFIDENCE) / 2, 1 / blocks)
        return end if score == 0.0 else 1 - end
    if score is None or half_width is None:
        return None
    if score <= RARE and score <= half_width:
        return score + half_width
    if score >= 1 - RARE and score + half_width >= 1:
        return score - half_width
    return None


def _find_elo_bounds(
    points: FloatArray, elo: Sequence[float], scores: Sequence[float | None]
) -> tuple[float | None, ...]:
    """Return the Elo at which each bot with a bound is expected to have the score that bounds it.

    It is relative to the ratings of the others as they are; None for other bots.

    Args:
        points: Square matrix of the points that row took from column.
        elo: Ratings.
        scores: By bot, the score that bounds its Elo, see `_find_bound_score`.
    """
    bounds: list[float | None] = [None] * len(elo)
    ratings, games = np.array(elo), points + points.T
    for bot, score in enumerate(scores):
        if score is not None:
            bounds[bot] = round(_find_elo(score, ratings, games[bot] / games[bot].sum()), 6)
    return tuple(bounds)


def _find_elo(score: float, elo: FloatArray, share: FloatArray) -> float:
    """Return the Elo at which a score is expected, given the share of games against each other bot."""
    low, high = float(elo.min()) - SEARCH_RANGE, float(elo.max()) + SEARCH_RANGE
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        expected = float(share @ (1 / (1 + 10 ** ((elo - middle) / 400))))
        low, high = (middle, high) if expected < score else (low, middle)
    return (low + high) / 2


# --- fit ---
# The strengths are those of the Bradley–Terry model (`arena.rating.bradley_terry`), their errors come from a
# covariance clustered by block or by table (`arena.rating.covariance`), with Student's t.
#
# Numbers are rounded to a millionth of an Elo, so that the last bits, in which one linear algebra library
# or number of threads may differ from another, reach a table printed to 0.1 only with a one in a billion
# chance, and bots with equal records have equal ratings.

MIN_STANDARD_ERROR: Final = 0.03
"""Elo below which nothing has really varied (it would print as ±0.0)."""
MIN_FREEDOM: Final = MIN_BLOCKS - 1
"""Smallest number of degrees of freedom for which an error is given."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings by bot, in the order of `bots`, from one variant at one number of seats.

    Attributes:
        bots: Names.
        elo: Ratings. In each group of bots that met, 1500 is the centre (see the section on it); 1500
            for a bot that met nobody, which has no rating.
        standard_error: Standard errors of the distance from the centre of its group of `varied_groups`. None
            for a perfect score, fewer than 6 blocks (6 tables, where tables are drawn), or no variation.
        error: Half width of the 95 % interval, by Student's t with `freedom`.
        freedom: Degrees of freedom: `cluster_freedom`, or the number of blocks on which its distance from
            the others rests, if that is smaller.
        cluster_freedom: The blocks, or drawn tables, of the bot, less the means that were subtracted.
        mark: ">" for a score of exactly 1 (the rating is a lower bound), "<" for 0 (an upper one), else "".
        score: Mean score in all pairs, 0 to 1; None for a bot that met nobody.
        score_error: Standard error of the mean score; 0 for a bot that met nobody.
        elo_bound: Bounds of the Elo at 97.5 %, of bots that took hardly a point or lost hardly one; None for
            others.
        blocks: Number of clusters in which the bot met another.
        matches: Number of matches.
        connected_groups: Groups of bots that met, directly or through others.
        comparable_groups: Groups within which the data bound each difference from both sides.
        scoring_blocks: Matrix by group of `comparable_groups`: blocks in which row took points from column.
        varied_groups: Like `comparable_groups`, from only those pairs that did not come out alike in all
            their blocks: of others, all that differs from expectation is what the virtual draws make of it,
            which would pass for a very small error.
        upsets: Blocks in which a part of the field took points that it hardly ever takes.
        score_tests: Tests of the order of two bots whose distance rests on few blocks, or of which one has a
            perfect score.
        covariance: Matrix in Elo², of which only differences count.
        are_tables_drawn: Whether the tables are a sample, each of which is one observation.
    """

    bots: tuple[str, ...]
    elo: tuple[float, ...]
    standard_error: tuple[float | None, ...]
    error: tuple[float | None, ...]
    freedom: tuple[int, ...]
    cluster_freedom: tuple[int, ...]
    mark: tuple[str, ...]
    score: tuple[float | None, ...]
    score_error: tuple[float, ...]
    elo_bound: tuple[float | None, ...]
    blocks: tuple[int, ...]
    matches: tuple[int, ...]
    connected_groups: Groups
    comparable_groups: Groups
    scoring_blocks: IntArray
    varied_groups: Groups
    upsets: RareUpsets
    score_tests: ScoreTests
    covariance: FloatArray
    are_tables_drawn: bool

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """Bots from the highest Elo to the lowest, equals by name; last those that met nobody."""

        def sort_key(bot: int) -> tuple[bool, float, str]:
            return not self.blocks[bot], -self.elo[bot], self.bots[bot]

        return tuple(sorted(range(len(self.bots)), key=sort_key))

    @property
    def is_connected(self) -> bool:
        """True if all bots that played met, directly or through others."""
        return sum(self.matches[group[0]] > 0 for group in self.connected_groups) <= 1

    def pair_standard_error(self, bot: int, other: int) -> float | None:
        """Return the standard error of the difference of two ratings, None where unknown."""
        if self.pair_block_freedom(bot, other) < MIN_FREEDOM or not self._compare(bot, other):
            return None
        own, others = self.covariance[bot, bot], self.covariance[other, other]
        return _standard_error(float(own + others - 2 * self.covariance[bot, other]))

    def pair_variances(self, bots: Sequence[int]) -> FloatArray:
        """Return the matrix of the variances of the differences of some bots that compare, in Elo²."""
        return compute_pair_variances(self.covariance[np.ix_(bots, bots)])

    def pair_error(self, bot: int, other: int) -> float | None:
        """Return the half width of the 95 % interval of the difference of two ratings, None where unknown."""
        return half_width(self.pair_standard_error(bot, other), self.pair_freedom(bot, other))

    @cached_property
    def score_ratios(self) -> dict[tuple[int, int], float]:
        """Student's t of the score tests, by pair and both ways round; 0 where Elo has the other order.

        It has `pair_block_freedom` degrees of freedom. Pairs whose points never varied are left out.
        """
        return self._compute_ratios(self._score_variance)

    @property
    def virtual_score_ratios(self) -> dict[tuple[int, int], float]:
        """Those of `score_ratios` of bots with a distance, with virtual blocks in all variances."""
        ratios = self._compute_ratios(lambda test: test.variance + self._virtual_variance(test))
        return {pair: ratio for pair, ratio in ratios.items() if self._compare(*pair)}

    def _compute_ratios(self, compute_variance: Callable[[ScoreTest], float]) -> dict[tuple[int, int], float]:
        ratios: dict[tuple[int, int], float] = {}
        for test in self.score_tests.results:
            if (variance := compute_variance(test)) < MIN_VARIANCE:
                continue
            lead = test.excess / math.sqrt(variance)
            ratio = max(lead, 0.0) if self.elo[test.bot] >= self.elo[test.other] else min(lead, 0.0)
            ratios[test.bot, test.other], ratios[test.other, test.bot] = ratio, -ratio
        return ratios

    def _score_variance(self, test: ScoreTest) -> float:
        """Return the variance of a test, with virtual blocks where one bot may have lost every point."""
        return test.variance + (0 if self._compare(test.bot, test.other) else self._virtual_variance(test))

    def _virtual_variance(self, test: ScoreTest) -> float:
        bots = (test.bot, test.other)
        blocks = min(self.blocks[bot] for bot in bots)
        return compute_virtual_variance(max(self.matches[bot] / self.blocks[bot] for bot in bots), blocks)

    def _compare(self, bot: int, other: int) -> bool:
        return any(bot in group and other in group for group in self.varied_groups)

    def score_half_width(self, bot: int) -> float | None:
        """Return the half width of the 95 % interval of the mean score of a bot; None without an error."""
        if self.error[bot] is None:
            return None
        return t_quantile((1 + CONFIDENCE) / 2, self.freedom[bot]) * self.score_error[bot]

    def los(self, bot: int, other: int) -> float | None:
        """Return the likelihood of superiority of `bot` over `other`, 0 to 1; None where unknown."""
        lead = self.measure_lead(bot, other)
        return lead and t_cdf(*lead)

    def measure_lead(self, bot: int, other: int) -> tuple[float, float] | None:
        """Return the lead of a bot in standard errors, and its degrees of freedom; None where unknown."""
        ratio = self.score_ratios.get((bot, other))
        if ratio is not None and self._compare(bot, other):
            return ratio, self.pair_block_freedom(bot, other)
        standard_error = self.pair_standard_error(bot, other)
        if standard_error is None:
            return None
        return (self.elo[bot] - self.elo[other]) / standard_error, self.pair_freedom(bot, other)

    def is_one_sided(self, bot: int, other: int, min_blocks: int) -> bool:
        """Return whether all points between two bots went one way, in at least `min_blocks` blocks.

        Directly or through others: then each step of the path must have this many blocks. Two that merely
        lost all to a third bot, or took all from it, have no such path between them.
        """
        group_of = {member: number for number, group in enumerate(self.comparable_groups) for member in group}
        first, two = group_of[bot], group_of[other]
        links = self.scoring_blocks >= min_blocks
        return first != two and (is_reachable(links, first, two) or is_reachable(links, two, first))

    def pair_block_freedom(self, bot: int, other: int) -> int:
        """Return the degrees of freedom of two bots for the blocks, or drawn tables, they played."""
        return min(self.cluster_freedom[bot], self.cluster_freedom[other])

    def pair_freedom(self, bot: int, other: int) -> int:
        """Return the degrees of freedom of the difference of two ratings."""
        return self.upsets.limit_pair_freedom(bot, other, self.pair_block_freedom(bot, other))


class Ratings(NamedTuple):
    """Ratings of a model, in units of which one makes odds of e.

    Attributes:
        strength: By bot; only differences within groups of bots that met count.
        covariance: Matrix of their errors.
    """

    strength: FloatArray
    covariance: FloatArray


def fit_elo(counts: PairCounts, *, are_tables_drawn: bool = False, ratings: Ratings | None = None) -> Fit:
    """Return the ratings of all bots of `counts`; those that met nobody have no part in them.

    Args:
        counts: The matches.
        are_tables_drawn: Whether the tables are a sample of those possible, drawn at random or by results;
            then errors are clustered by table, else by block.
        ratings: Those of another model; None for Bradley–Terry's. All else comes from the matches.

    Example:
        >>> from arena.rating.pair_counts import count_pairs
        >>> fit = fit_elo(count_pairs(["a", "b"], 2, [(0, (0, 1), (1, 2)), (1, (0, 1), (1, 1))]))
        >>> [round(elo) for elo in fit.elo], fit.score
        ([1560, 1440], (0.75, 0.25))
    """
    points = counts.points()
    estimate = estimate_strengths(points, counts.weight)
    spread = compute_clustered_covariance(
        counts, estimate, invert_information(estimate), are_tables_drawn=are_tables_drawn
    )
    strength, covariance = ratings or Ratings(estimate.strength, spread.covariance)
    covariance = covariance * ELO_PER_UNIT**2
    varied = find_comparable_groups(np.where(counts.find_constant_pairs(MIN_BLOCKS), 0, points))
    score = compute_scores(points)
    marks = tuple(">" if share == 1 else "<" if share == 0 else "" for share in score)
    played = (points + points.T).sum(axis=1) * counts.weight
    groups, connected = find_comparable_groups(points), find_connected_groups(points)
    elo = center_elo(strength, connected)
    weights = find_weights(elo, varied)
    standard_error = _standard_errors(covariance, spread.freedom, varied, weights)
    upsets = _find_rare_upsets(counts, points, strength)
    freedom = spread.freedom.copy()
    for group in varied:
        freedom[list(group)] = upsets.limit_freedom(group, freedom[list(group)], weights[list(group)])
    fit = Fit(
        bots=counts.bots,
        elo=tuple(elo.tolist()),
        standard_error=standard_error,
        error=tuple(map(half_width, standard_error, freedom.tolist())),
        freedom=tuple(freedom.tolist()),
        cluster_freedom=tuple(spread.freedom.tolist()),
        mark=marks,
        score=score,
        score_error=_compute_score_errors(spread.score_covariance, played),
        elo_bound=(None,) * len(points),
        blocks=tuple(spread.blocks.tolist()),
        matches=counts.matches,
        connected_groups=connected,
        comparable_groups=groups,
        scoring_blocks=counts.count_scoring_blocks(groups) if len(groups) > 1 else np.zeros((1, 1), np.int64),
        varied_groups=varied,
        upsets=upsets,
        score_tests=ScoreTests(
            estimate, spread.score_covariance, _list_tested(upsets, connected, varied, spread.freedom, marks)
        ),
        covariance=covariance,
        are_tables_drawn=spread.are_tables_drawn,
    )
    return set_bounds(fit, points)


def center_elo(strength: FloatArray, groups: Groups) -> FloatArray:
    """Return strengths as Elo, of which 1500 is the centre of each group of bots.

    Args:
        strength: By bot.
        groups: The groups of bots that met.
    """
    elo = ELO_PER_UNIT * strength
    for group in map(list, groups):
        elo[group] -= find_center(elo[group]).elo
    return np.round(MEAN_ELO + elo, 6)


AnyFit = TypeVar("AnyFit", bound=Fit)


def set_bounds(fit: AnyFit, points: FloatArray) -> AnyFit:
    """Return a fit with the bounds that follow from its intervals of scores.

    Args:
        fit: The fit.
        points: Square matrix of the points that row took from column.
    """
    bots = range(len(fit.bots))
    scores = [_find_bound_score(fit.score[bot], fit.score_half_width(bot), fit.blocks[bot]) for bot in bots]
    return replace(fit, elo_bound=_find_elo_bounds(points, fit.elo, scores))


def _compute_score_errors(covariance: FloatArray, played: FloatArray) -> tuple[float, ...]:
    """Return the standard errors of mean scores, given the weighted games by bot."""
    errors = np.sqrt(np.maximum(covariance.diagonal(), 0)) / np.where(played > 0, played, 1)
    return tuple(errors.tolist())


def _list_tested(
    upsets: RareUpsets, connected: Groups, varied: Groups, freedom: IntArray, marks: Sequence[str]
) -> list[tuple[int, int]]:
    """Return the pairs that are tested by their points, the stronger of each first.

    They are those whose distance rests on few blocks, and of a bot with a perfect score with any other.
    """
    if len(marks) ** 3 > MAX_WORK or not (upsets.has_tested_pairs or any(marks)):
        return []
    of_pairs = np.minimum.outer(freedom, freedom)
    pairs = {pair for group in varied for pair in upsets.list_pairs(group)}
    best_first = sorted(range(len(marks)), key=upsets.places.__getitem__)
    for group in connected:
        members = [bot for bot in best_first if bot in group]
        pairs |= {pair for pair in combinations(members, 2) if marks[pair[0]] or marks[pair[1]]}
    return sorted(pair for pair in pairs if of_pairs[pair] >= MIN_FREEDOM)


def _standard_errors(
    covariance: FloatArray, freedom: IntArray, groups: Groups, weights: FloatArray
) -> tuple[float | None, ...]:
    """Return standard errors in Elo of the distance from the centre of each bot's group, by bot."""
    variances = compute_variances_about_center(covariance, groups, weights).tolist()
    return tuple(
        None if math.isnan(variance) or own < MIN_FREEDOM else _standard_error(variance)
        for variance, own in zip(variances, freedom.tolist(), strict=True)
    )


def _standard_error(variance: float) -> float | None:
    error = math.sqrt(max(variance, 0.0))
    return round(error, 6) if error >= MIN_STANDARD_ERROR else None


def half_width(standard_error: float | None, freedom: int) -> float | None:
    """Return the half width of the 95 % interval by Student's t; None without a standard error."""
    if standard_error is None:
        return None
    return round(t_quantile((1 + CONFIDENCE) / 2, freedom) * standard_error, 6)
