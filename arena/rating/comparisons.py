"""Ratings compared with each other: bars for any two bots, the order shown, ratings shrunk to the mean."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from arena.rating.comparison_bars import compute_comparison_bars
from arena.rating.elo import MIN_FREEDOM, MIN_STANDARD_ERROR, Fit
from arena.rating.intervals import CONFIDENCE, t_quantiles
from arena.rating.pair_counts import FloatArray, IntArray
from arena.rating.rank_intervals import Order, close_over_paths, compute_pair_level
from arena.rating.shrinkage import MIN_BOTS, shrink_ratings
from arena.rating.sprt import BURN_IN_BLOCKS


class ComparableBots(NamedTuple):
    """Bots with errors that compare with each other.

    Attributes:
        bots: Their numbers, at least two.
        elo: Ratings.
        covariance: Theirs.
        freedom: Square matrix of the degrees of freedom of their differences.
        pair_variances: Square matrix of the variances of their differences.
    """

    bots: list[int]
    elo: FloatArray
    covariance: FloatArray
    freedom: FloatArray | IntArray
    pair_variances: FloatArray

    @property
    def variances(self) -> FloatArray:
        """Variances of differences; NaN where they never varied."""
        is_known = self.pair_variances >= MIN_STANDARD_ERROR**2
        known: FloatArray = np.where(is_known, self.pair_variances, np.nan)
        return known

    def compute_bars(self) -> FloatArray:
        """Return the lengths of bars: two that do not overlap belong to bots separated at 95 %."""
        half_widths = t_quantiles((1 + CONFIDENCE) / 2, self.freedom) * np.sqrt(self.variances)
        bars: FloatArray = compute_comparison_bars(self.elo, half_widths).round(6)
        return bars

    def find_better(self, confidence: float) -> Order:
        """Return which bots were shown to be better than which.

        Args:
            confidence: Probability, 0 to 1, with which no pair is shown the wrong way round.
        """
        variances = self.variances
        if np.isnan(variances).all():
            return np.zeros_like(variances, np.bool_)
        level = compute_pair_level(self.covariance, float(self.freedom.max()), confidence)
        bound = t_quantiles(1 - level / 2, self.freedom) * np.sqrt(variances)
        better: Order = self.elo[:, None] - self.elo > bound  # never where the bound is NaN
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
            yield ComparableBots(bots, elo, fit.covariance[at], freedom[at], fit.pair_variances(bots))


def compute_comparison_errors(fit: Fit, among: Collection[int] | None = None) -> tuple[float | None, ...]:
    """Return the lengths of bars, by bot: two that do not overlap belong to bots separated at 95 %.

    None where there is no error. Two bars add up to about the half width of the interval of the difference;
    see `arena.rating.comparison_bars`.

    Args:
        fit: Ratings.
        among: Bots that are compared, the bars of others mean nothing; None for all.
    """
    return fill_bars(list_comparable(fit, among), fit.error)


def fill_bars(groups: Iterable[ComparableBots], errors: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Return the bars of all bots with errors; the error itself for one that compares with no other."""
    bars = list(errors)
    for group in groups:
        for bot, bar in zip(group.bots, group.compute_bars().tolist(), strict=True):
            bars[bot] = None if errors[bot] is None else bar
    return tuple(bars)


def find_better(fit: Fit, among: Collection[int] | None = None) -> Order:
    """Return which bots were shown to be better than which, all pairs `among` some bots together at 95 %.

    Where one of two bots lost every point there is no interval; then both need 32 blocks with points that
    went that way, directly or through others.
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
        paths = close_over_paths(fit.scoring_blocks >= BURN_IN_BLOCKS)
        np.fill_diagonal(paths, False)
        better |= (paths & ~paths.T)[np.ix_(of_bot, of_bot)]
    return better


def compute_shrunken_elo(fit: Fit) -> tuple[float | None, ...]:
    """Return the ratings shrunk towards the mean of the bots that compare; None without an error.

    Where fewer than four bots compare they are the ratings.
    """
    shrunken = [None if error is None else elo for elo, error in zip(fit.elo, fit.error, strict=True)]
    for group in list_comparable(fit):
        if len(group.bots) >= MIN_BOTS:
            found = np.round(shrink_ratings(group.elo, group.covariance), 6).tolist()
            for bot, elo in zip(group.bots, found, strict=True):
                shrunken[bot] = None if fit.error[bot] is None else elo
    return tuple(shrunken)
