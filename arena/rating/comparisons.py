"""Ratings compared with each other: bars for any two bots, the order shown, and ranks that hold together."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.covariance import MARGIN, compute_comparison_bars
from arena.rating.elo_fit import MIN_FREEDOM, MIN_STANDARD_ERROR, Fit
from arena.rating.mean_intervals import t_quantiles
from arena.rating.pair_counts import FloatArray, IntArray
from arena.rating.student_t import CONFIDENCE, t_quantile
from arena.rating.two_bots import BURN_IN_BLOCKS

# --- rank intervals ---
# The order of two bots is shown if the interval of their difference excludes 0. The intervals share an error
# of 5 %: each of n pairs has 5 % / n, and once m orders are shown, each of the others 5 % / (n - m). A bot's
# rank is between one more than the number of bots shown to be better, and the number of bots less those shown
# to be worse.
#
# The quantile of the largest |difference| / error of the multivariate t distribution would be a little
# smaller than 5 % / n, but takes the covariance for known. Estimated from few blocks, the variance of each
# pair errs on its own: with it, six equals were ordered in 12 % of tables of six blocks, and ten in 21 %.
# Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979; M.
# Mogstad, J. P. Romano, A. M. Shaikh, D. Wilhelm, Inference for ranks with applications to mobility across
# neighbourhoods and academic achievement across countries, Review of Economic Studies 91, 2024.

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


def _close_over_paths(links: Order) -> Order:
    """Return whether a path leads from row to column."""
    reached = links
    for _ in range(max(1, math.ceil(math.log2(max(2, len(links)))))):
        steps = reached.astype(np.float32)
        further: Order = reached | (steps @ steps > 0)
        if np.array_equal(further, reached):
            break
        reached = further
    return reached


# --- bars and order ---

APART_ERROR: Final = 0.001
"""Probability of a wrong order by points of any two bots without an interval."""


class PointTests(NamedTuple):
    """Pairs of bots whose order is tested by their points, each both ways round.

    Attributes:
        bot: Number of the one.
        other: Number of the other.
        ratio: Student's t, above 0 where the one did better.
        freedom: Degrees of freedom.
    """

    bot: IntArray
    other: IntArray
    ratio: FloatArray
    freedom: IntArray


NO_TESTS: Final = PointTests(*(np.zeros(0, np.int64),) * 2, np.zeros(0), np.zeros(0, np.int64))


class ComparableBots(NamedTuple):
    """Bots with errors that compare with each other.

    Attributes:
        bots: Their numbers, at least two.
        elo: Ratings.
        covariance: Theirs.
        freedom: Square matrix of the degrees of freedom of their differences.
        pair_variances: Square matrix of the variances of their differences.
        tested: The pairs whose order is tested by points.
    """

    bots: list[int]
    elo: FloatArray
    covariance: FloatArray
    freedom: FloatArray | IntArray
    pair_variances: FloatArray
    tested: PointTests = NO_TESTS

    def order_pairs(self, pairs: Sequence[tuple[int, int]]) -> "ComparableBots":
        """Return the bots with the order of some pairs known from elsewhere, the better of each first."""
        bot, other = np.array(pairs, np.int64).reshape(-1, 2).T
        ratio, freedom = np.full(len(pairs), np.inf), np.ones(2 * len(pairs), np.int64)
        both_ways = np.concatenate((bot, other)), np.concatenate((other, bot))
        return self._replace(tested=PointTests(*both_ways, np.concatenate((ratio, -ratio)), freedom))

    @property
    def variances(self) -> FloatArray:
        """Variances of differences; NaN where they never varied."""
        is_known = self.pair_variances >= MIN_STANDARD_ERROR**2
        known: FloatArray = np.where(is_known, self.pair_variances, np.nan)
        return known

    @property
    def half_widths(self) -> FloatArray:
        """Half widths of the 95 % intervals of differences, in Elo; NaN where they never varied."""
        widths: FloatArray = t_quantiles((1 + CONFIDENCE) / 2, self.freedom) * np.sqrt(self.variances)
        return widths

    def compute_bars(self) -> FloatArray:
        """Return the lengths of bars: two that do not overlap belong to bots separated at 95 %."""
        half_widths = self.half_widths
        first, other, ratios, freedom = self.tested
        distances, seen = np.abs(self.elo[first] - self.elo[other]), half_widths[first, other]
        is_shown = np.abs(ratios) > t_quantiles((1 + CONFIDENCE) / 2, freedom)
        half_widths[first, other] = np.nan
        most = float(np.nanmax(half_widths)) if np.isfinite(half_widths).any() else np.inf
        nearer = np.minimum(seen, distances * (1 - 2 * MARGIN))
        # an order that is open takes bars that overlap, but none longer than those of other pairs
        longer = np.minimum(seen, np.maximum(distances * (1 + 2 * MARGIN), most))
        half_widths[first, other] = np.where(is_shown, nearer, np.maximum(longer, distances))
        # an interval that is wide for its few degrees of freedom suits no other
        shares = (self.freedom / self.freedom.max()) ** 2
        bars: FloatArray = compute_comparison_bars(self.elo, half_widths, shares).round(6)
        return bars

    def find_open_width(self) -> float:
        """Return the largest half width, in Elo, of the distance of two bots whose order is not shown."""
        half_widths = self.half_widths
        is_open = np.abs(self.elo[:, None] - self.elo) <= half_widths  # never where it is NaN
        is_open[self.tested.bot, self.tested.other] = False
        return float(half_widths[is_open].max(initial=0))

    def find_better(self, confidence: float) -> Order:
        """Return which bots were shown to be better than which, by Holm's method.

        Args:
            confidence: Probability, 0 to 1, with which no pair is shown the wrong way round.
        """
        first, other, ratios, of_tests = self.tested
        leads, freedom = (self.elo[:, None] - self.elo) / np.sqrt(self.variances), self.freedom.copy()
        leads[first, other], freedom[first, other] = ratios, of_tests
        better: Order = leads > t_quantiles((1 + confidence) / 2, freedom)  # never where the lead is NaN
        at, pairs, shown = np.nonzero(better), int((~np.isnan(leads)).sum()) // 2, 0
        leads, freedom = leads[at], freedom[at]
        while True:
            level = (1 - confidence) / max(1, pairs - shown)
            better[at] = leads > t_quantiles(1 - level / 2, freedom)
            if shown == (shown := int(better.sum())):
                return better


def list_comparable(fit: Fit, among: Collection[int] | None = None) -> Iterator[ComparableBots]:
    """Yield the groups of bots with errors that compare with each other.

    Args:
        fit: Ratings.
        among: Bots that are compared; None for all.
    """
    own = np.array(fit.cluster_freedom)
    freedom = fit.upsets.limit_pairs(np.minimum.outer(own, own))
    for group in fit.varied_groups:
        bots = [
            bot
            for bot in group
            if fit.cluster_freedom[bot] >= MIN_FREEDOM and (among is None or bot in among)
        ]
        if len(bots) > 1:
            at, elo = np.ix_(bots, bots), np.array(fit.elo)[bots]
            variances, tested = fit.pair_variances(bots), _list_tests(fit, bots)
            yield ComparableBots(bots, elo, fit.covariance[at], freedom[at], variances, tested)


def _list_tests(fit: Fit, bots: list[int]) -> PointTests:
    """Return the tests by points of the pairs of some bots, which are renumbered."""
    places = {bot: place for place, bot in enumerate(bots)}
    ratios = {pair: ratio for pair, ratio in fit.score_ratios.items() if places.keys() >= {*pair}}
    pairs = np.array([[places[bot] for bot in pair] for pair in ratios], np.int64).reshape(-1, 2)
    freedom = np.array([fit.pair_block_freedom(*pair) for pair in ratios], np.int64)
    return PointTests(pairs[:, 0], pairs[:, 1], np.array([*ratios.values()], np.float64), freedom)


def compute_comparison_errors(fit: Fit, among: Collection[int] | None = None) -> tuple[float | None, ...]:
    """Return the lengths of bars, by bot: two that do not overlap belong to bots separated at 95 %.

    None where there is no error. For the lengths see `arena.rating.covariance`.

    Args:
        fit: Ratings.
        among: Bots that are compared, the bars of others mean nothing; None for all.
    """
    return _fill_bars(list_comparable(fit, among), fit.error)


def _fill_bars(
    groups: Iterable[ComparableBots], errors: tuple[float | None, ...]
) -> tuple[float | None, ...]:
    """Return the bars of all bots with errors; the error itself for one that compares with no other."""
    bars = list(errors)
    for group in groups:
        for bot, bar in zip(group.bots, group.compute_bars().tolist(), strict=True):
            bars[bot] = None if errors[bot] is None else bar
    return tuple(bars)


def find_better(fit: Fit, among: Collection[int] | None = None) -> Order:
    """Return which bots were shown to be better than which, all pairs `among` some bots together at 95 %.

    Where one of two bots lost every point there is no interval; then both need 32 blocks with points that
    went that way, directly or through others, or a difference of points as in `_find_apart`.
    """
    groups = list(list_comparable(fit, among))
    better = np.zeros((len(fit.bots), len(fit.bots)), np.bool_)
    for group in groups:
        confidence = 1 - (1 - CONFIDENCE) / len(groups)
        better[np.ix_(group.bots, group.bots)] = group.find_better(confidence)
    of_bot = np.zeros(len(fit.bots), np.int64)
    for number, members in enumerate(fit.comparable_groups):
        of_bot[list(members)] = number
    if len(fit.comparable_groups) > 1:
        paths = _close_over_paths(fit.scoring_blocks >= BURN_IN_BLOCKS)
        np.fill_diagonal(paths, False)
        better |= (paths & ~paths.T)[np.ix_(of_bot, of_bot)]
    return better | _find_apart(fit)


def _find_apart(fit: Fit) -> Order:
    """Return the orders shown by points of bots without an interval, as one of them has a perfect score.

    Virtual blocks are in their variance, and all of them err in at most one of a thousand fields.
    """
    size = len(fit.bots)
    better = np.zeros((size, size), np.bool_)
    group_of = {bot: number for number, group in enumerate(fit.varied_groups) for bot in group}
    for (bot, other), ratio in fit.score_ratios.items():
        if group_of[bot] != group_of[other]:
            level = APART_ERROR / (size * (size - 1))
            better[bot, other] = ratio > t_quantile(1 - level, fit.pair_block_freedom(bot, other))
    return better
