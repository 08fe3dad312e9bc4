"""Ratings over several games, what further blocks would tell, and ratings after the first blocks.

The three parts do not use each other.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Final

import numpy as np

from arena.rating.bradley_terry import estimate_ratings, win_probability
from arena.rating.comparisons import ComparableBots, list_comparable
from arena.rating.elo_fit import Fit, center_elo, find_weights
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, find_connected_groups
from arena.rating.student_t import CONFIDENCE, t_cdf, t_quantile
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

# --- overall ratings and game profiles ---


@dataclass(frozen=True)
class OverallRating:
    """A bot's mean Elo over all fits.

    Attributes:
        bot: Name.
        elo: Mean Elo. None for a bot that has neither an error nor a bound in some fit, and for all bots if
            in some fit not all are connected, or errors are about the centres of several groups.
        error: Half width of the 95 % interval; None also where some fit has none.
        mark: ">" where a bound in some fit makes the mean a lower bound, "<" for an upper one, "" for neither
            or both.
        bound: The mean of the bounds and, of fits without one, of the Elo; None without a mark.
    """

    bot: str
    elo: float | None
    error: float | None
    mark: str
    bound: float | None = None


def compute_overall_ratings(fits: Sequence[Fit]) -> tuple[OverallRating, ...]:
    """Return the mean ratings of every bot of any fit, in order of first appearance.

    Each fit counts the same, in Elo: a game with much luck has all its ratings close together, and so a small
    part in the order. (To bring games to one spread would multiply the noise of a game in which nothing is
    known yet.) Fits must come from different deals, so that their errors are independent.

    Example:
        >>> from arena.rating.elo_fit import fit_elo
        >>> from arena.rating.pair_counts import count_pairs
        >>> matches = [(block, (0, 1), (1, 1 + block % 2)) for block in range(10)]
        >>> fits = [fit_elo(count_pairs(["a", "b"], 2, matches)) for _ in range(2)]
        >>> [round(rating.elo) for rating in compute_overall_ratings(fits)]
        [1585, 1415]
    """
    bots = dict.fromkeys(bot for fit in fits for bot in fit.bots)
    return tuple(_rate_overall(bot, fits) for bot in bots)


def compute_overall_los(fits: Sequence[Fit], bot: str, other: str) -> float | None:
    """Return the likelihood of superiority of a bot over another by their mean Elo over all fits, 0 to 1.

    It is by Student's t with Welch–Satterthwaite degrees of freedom; None where it is unknown in some fit.
    Where the order was tested by points in some fit, it is that of the fit in which it is least clear, if
    that is clearer: a bot that is better in all is better in the mean.

    Args:
        fits: Fits from different deals.
        bot: Name of a bot.
        other: Name of another.
    """
    if not all(bot in fit.bots and other in fit.bots for fit in fits):
        return None
    pairs = [(fit, fit.bots.index(bot), fit.bots.index(other)) for fit in fits]
    errors = [fit.pair_standard_error(own, its) for fit, own, its in pairs]
    variances = [error**2 for error in errors if error]
    if len(variances) < len(fits):
        return None
    total = math.fsum(variances)
    freedom = _combine_freedom(variances, [fit.pair_freedom(own, its) for fit, own, its in pairs])
    lead = math.fsum(fit.elo[own] - fit.elo[its] for fit, own, its in pairs) / math.sqrt(total)
    los = [chance for fit, own, its in pairs if (chance := fit.los(own, its)) is not None]
    if any((own, its) in fit.score_ratios for fit, own, its in pairs):  # the distance is hardly known
        return max(t_cdf(lead, freedom), min(los)) if lead > 0 else min(t_cdf(lead, freedom), max(los))
    return t_cdf(lead, freedom)


def combine_comparable(
    fits: Sequence[Fit], among: Collection[str] | None = None
) -> tuple[list[str], ComparableBots] | None:
    """Return the bots that have an overall error, by name, and their mean ratings with their errors.

    None where fewer than two have one.

    Args:
        fits: Fits from different deals.
        among: Names of the bots that are compared; None for all.
    """
    if any(_has_several_centers(fit) or not fit.is_connected for fit in fits):
        return None
    largest = [max(list_comparable(fit), key=lambda group: len(group.bots), default=None) for fit in fits]
    groups = [group for group in largest if group is not None]
    named = [
        {fit.bots[bot]: place for place, bot in enumerate(group.bots)}
        for fit, group in zip(fits, groups, strict=False)
    ]
    names = [
        name
        for name in dict.fromkeys(fits[0].bots if fits else ())
        if all(name in places for places in named) and (among is None or name in among)
    ]
    if len(names) < 2 or len(groups) < len(fits):
        return None
    elo, covariance = np.zeros(len(names)), np.zeros((len(names), len(names)))
    squares, total = np.zeros_like(covariance), np.zeros_like(covariance)
    for group, places in zip(groups, named, strict=True):
        at = [places[name] for name in names]
        elo += group.elo[at] / len(fits)
        covariance += group.covariance[np.ix_(at, at)] / len(fits) ** 2
        variances = group.pair_variances[np.ix_(at, at)]
        np.fill_diagonal(variances, group.covariance.diagonal()[at])
        total += variances
        squares += variances**2 / group.freedom[np.ix_(at, at)]
    freedom, pairs = total**2 / squares, total / len(fits) ** 2
    np.fill_diagonal(pairs, 0)
    return names, ComparableBots(list(range(len(names))), elo, covariance, freedom, pairs)


def _rate_overall(bot: str, fits: Sequence[Fit]) -> OverallRating:
    places = [(fit, fit.bots.index(bot)) for fit in fits if bot in fit.bots]
    played = sum(fit.matches[place] > 0 for fit, place in places)
    if played < len(fits) or not all(fit.is_connected and not _has_several_centers(fit) for fit in fits):
        return OverallRating(bot, None, None, "")
    elo = round(math.fsum(fit.elo[place] for fit, place in places) / len(fits), 6)
    bounds = [(fit.elo[place], fit.elo_bound[place]) for fit, place in places]
    marks = {">" if bound < own else "<" for own, bound in bounds if bound is not None}
    error = _combine_errors(places)
    if len(marks) > 1 or not (marks or error):  # far below others in one, and far above them in another
        return OverallRating(bot, None, None, "")
    if not marks:
        return OverallRating(bot, elo, error, "")
    mean = math.fsum(own if bound is None else bound for own, bound in bounds) / len(fits)
    return OverallRating(bot, elo, error, marks.pop(), round(mean, 6))


def _combine_errors(places: Sequence[tuple[Fit, int]]) -> float | None:
    """Return the half width for the mean of independent ratings, with Welch–Satterthwaite degrees of freedom.

    Source: F. E. Satterthwaite, An approximate distribution of estimates of variance components,
    Biometrics Bulletin 2, 1946.
    """
    errors = [fit.standard_error[place] for fit, place in places]
    variances = [error**2 for error in errors if error is not None]
    if len(variances) < len(errors):
        return None
    total = math.fsum(variances)
    freedom = _combine_freedom(variances, [fit.freedom[at] for fit, at in places])
    return round(t_quantile((1 + CONFIDENCE) / 2, freedom) * math.sqrt(total) / len(places), 6)


def _combine_freedom(variances: Sequence[float], freedom: Sequence[int]) -> float:
    """Return the Welch–Satterthwaite degrees of freedom of a sum."""
    shares = (variance**2 / own for variance, own in zip(variances, freedom, strict=True))
    return math.fsum(variances) ** 2 / math.fsum(shares)


def _has_several_centers(fit: Fit) -> bool:
    """Return whether errors are about the centres of several groups, so that they do not add up over fits.

    A bot that won or lost everything is a group of its own, but then the others still have one centre.
    """
    inner = [group for group in fit.varied_groups if any(fit.score[bot] not in (0, 1, None) for bot in group)]
    return len(inner) > 1


@dataclass(frozen=True)
class GameProfile:
    """A bot's Elo in each fit, and the fits in which it significantly differs from its own mean.

    Attributes:
        bot: Name.
        elo: Elo by fit, None where it did not play.
        strongest: Index of the fit in which it is significantly strongest; None if there is none.
        weakest: Index of the fit in which it is significantly weakest; None if there is none.
    """

    bot: str
    elo: tuple[float | None, ...]
    strongest: int | None
    weakest: int | None


def build_game_profiles(fits: Sequence[Fit]) -> tuple[GameProfile, ...]:
    """Return the profiles of all bots.

    Before fits are compared, Elo is divided by the standard deviation of the field in each: a game with more
    luck has all its ratings closer together, which is nobody's weakness. Differences are significant at 95 %
    for all fits of a bot together (Bonferroni, Student's t).

    Args:
        fits: Fits with the same bots, from different deals.
    """
    spreads = [pstdev(fit.elo) for fit in fits]
    return tuple(_build_profile(bot, fits, spreads) for bot in range(len(fits[0].bots) if fits else 0))


def _build_profile(bot: int, fits: Sequence[Fit], spreads: Sequence[float]) -> GameProfile:
    elo = tuple(fit.elo[bot] if fit.blocks[bot] else None for fit in fits)
    name = fits[0].bots[bot]
    errors = [fit.standard_error[bot] for fit in fits]
    known = [error / spread for error, spread in zip(errors, spreads, strict=True) if error and spread]
    if len(fits) < 2 or len(known) < len(fits):
        return GameProfile(name, elo, None, None)
    scaled = [(fit.elo[bot] - fmean(fit.elo)) / spread for fit, spread in zip(fits, spreads, strict=True)]
    freedom = min(fit.freedom[bot] for fit in fits)
    quantile = t_quantile(1 - (1 - CONFIDENCE) / 2 / len(fits), freedom)
    differences = [rating - fmean(scaled) for rating in scaled]
    error = [quantile * _error_from_mean(known, fit) for fit in range(len(fits))]
    weakest = _find_significant([-difference for difference in differences], error)
    return GameProfile(name, elo, _find_significant(differences, error), weakest)


def _error_from_mean(errors: Sequence[float], index: int) -> float:
    """Return the standard error of the difference of one of some independent values from their mean."""
    number = len(errors)
    others = math.fsum(error**2 for error in errors) - errors[index] ** 2
    return math.sqrt(errors[index] ** 2 * (number - 1) ** 2 + others) / number


def _find_significant(differences: Sequence[float], error: Sequence[float]) -> int | None:
    """Return the index of the largest difference, if it is larger than its error."""
    best = max(range(len(differences)), key=differences.__getitem__)
    return best if differences[best] > error[best] else None


# --- information of further blocks ---
# By how much the error of each rating would fall if some bots met.
#
# The variance of a rating about the centre of the field is that of a Bradley–Terry model in all games so far.
# A block of two bots with an expected score of p adds p(1 - p) for each point at stake to the information on
# their difference, and so lowers the variance of every rating that depends on it (Sherman and Morrison's
# formula). A lopsided pair tells hardly anything, an opponent about which little is known only a little, and
# two bots that are far better known than the link between them and the field nothing at all. Source: V. V.
# Fedorov, Theory of optimal experiments, Academic Press, 1972 (choice of the next observation).

PRIOR_INFORMATION: Final = 0.25
"""Information on each strength before its first game, of one virtual draw (standard deviation: 347 Elo)."""


class RatingInformation:
    """Information on the strengths of some bots in a game, and the gain of further blocks.

    Bots are numbered in the order in which they are given.
    """

    def __init__(self, counts: PairCounts, fit: Fit, bots: Sequence[int]) -> None:
        """Take the information from all games.

        Args:
            counts: All games.
            fit: Ratings fitted to them.
            bots: The bots that may play, by number in the fit.
        """
        points = counts.points() * counts.weight
        strength, places = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT, np.array(bots, np.int64)
        self._block_games = counts.seats * counts.weight  # of a pair, weighted, in all rotations
        chance = win_probability(strength[:, None] - strength)
        information = (points + points.T) * chance * chance.T
        met = tuple(np.flatnonzero(fit.blocks).tolist()) or tuple(range(len(strength)))
        weights = find_weights(np.array(fit.elo), (met,))
        information = np.diag(information.sum(axis=1) + PRIOR_INFORMATION) - information
        inverse: FloatArray = np.linalg.inv(information).astype(np.float64)
        self._strength: FloatArray = strength[places]
        self._covariance: FloatArray = inverse[np.ix_(places, places)]
        self._with_mean: FloatArray = inverse[places] @ weights
        self._of_mean = float(weights @ inverse @ weights)

    @property
    def variances(self) -> FloatArray:
        """Variance of each rating about the centre of the field, in squared units of strength."""
        variances: FloatArray = self._covariance.diagonal() - 2 * self._with_mean + self._of_mean
        return variances

    def gains(self, rated: IntArray, bot: int, others: IntArray) -> FloatArray:
        """Return by how much a block of a bot with each of some others lowers the variance of some ratings.

        Args:
            rated: The bots whose ratings it is about, the rows of the result.
            bot: The bot that meets another.
            others: The other, the columns.
        """
        known = self._covariance[rated] - self._with_mean
        return np.square(known[:, [bot]] - known[:, others]) * self._pair_information(bot, others)

    def add(self, table: Sequence[int], blocks: int) -> None:
        """Count blocks of a table as if they had been played."""
        for place, bot in enumerate(table):
            for other in table[place + 1 :]:
                share = float(self._pair_information(bot, np.array([other]), blocks)[0])
                moved = self._covariance[bot] - self._covariance[other]
                moved_mean = float(self._with_mean[bot] - self._with_mean[other])
                self._covariance -= np.outer(share * moved, moved)
                self._with_mean -= share * moved_mean * moved
                self._of_mean -= share * moved_mean**2

    def _pair_information(self, bot: int, others: IntArray, blocks: int = 1) -> FloatArray:
        """Return s/(1 + sR), with R the variance of a difference, and s the information of blocks on it.

        As the difference is not known, s is its mean over a normal distribution (the probit approximation).
        """
        own = self._covariance[bot, bot]
        variance = own + self._covariance[others, others] - 2 * self._covariance[bot, others]
        scale = np.sqrt(1 + math.pi / 8 * variance)
        chance = win_probability((self._strength[bot] - self._strength[others]) / scale)
        information = blocks * self._block_games * chance * (1 - chance) / scale
        share: FloatArray = information / (1 + information * variance)
        return share


# --- history ---


def compute_rating_history(counts: PairCounts, ends: Sequence[int]) -> list[tuple[float | None, ...]]:
    """Return the Elo by bot after the first n blocks, for each n of `ends`, which must ascend.

    Blocks are taken in the order they are numbered. A bot that had met nobody by then has None.

    Args:
        counts: The matches.
        ends: Numbers of blocks.
    """
    strength = np.zeros(len(counts.bots))
    history: list[tuple[float | None, ...]] = []
    for points in _accumulate_points(counts, ends):
        strength = estimate_ratings(points, counts.weight, strength)
        elo = center_elo(strength, find_connected_groups(points)).tolist()
        has_met = ((points.sum(axis=0) + points.sum(axis=1)) > 0).tolist()
        history.append(tuple(own if met else None for own, met in zip(elo, has_met, strict=True)))
    return history


def _accumulate_points(counts: PairCounts, ends: Sequence[int]) -> Iterator[FloatArray]:
    """Yield the matrix of points that row took from column up to each end: one matrix, which grows."""
    size = len(counts.bots)
    points = np.zeros(size * size)
    done, blocks, last = 0, 0, -1
    for rows in counts.chunks():
        begins = np.concatenate(([rows.cluster[0] != last], rows.cluster[1:] != rows.cluster[:-1]))
        number = blocks + np.cumsum(begins)  # from 1
        start = 0
        for stop in [*np.searchsorted(number, ends[done:], "right").tolist(), len(number)]:
            part = slice(start, stop)
            np.add.at(points, rows.first[part] * size + rows.second[part], rows.won[part])
            np.add.at(points, rows.second[part] * size + rows.first[part], rows.lost[part])
            start = stop
            if stop == len(number):  # the next chunk may have more rows of these blocks
                break
            yield points.reshape(size, size)
            done += 1
        blocks, last = int(number[-1]), int(rows.cluster[-1])
    for _ in ends[done:]:
        yield points.reshape(size, size)
