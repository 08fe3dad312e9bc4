"""Elo ratings of all bots at once, and how sure they are.

The model: in each pair of seats the expected score is 1 / (1 + exp(-(θᵢ - θⱼ))), a tie counting a half; pairs
weigh 1/(k-1) at a table of k, so that a match weighs 1 for each bot. Besides, each bot is given one virtual
draw, spread evenly over all others: perfect scores stay finite (100 wins in 100 matches against equals: as
if one of 101 had been drawn, +921), bots that never met can stand in one list, and every fit is unique.
Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952.

Numbers are rounded to a millionth of an Elo, so that the last bits, in which one linear algebra library
or number of threads may differ from another, do not reach a table printed to 0.1 but by a one in a
billion chance, and bots with equal records have equal ratings.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from arena.rating.clustered_covariance import ClusteredCovariance, compute_clustered_covariance
from arena.rating.connectivity import Groups, find_comparable_groups, find_connected_groups, find_reachable
from arena.rating.distributions import t_cdf, t_quantile
from arena.rating.elo_scale import ELO_PER_UNIT, MEAN_ELO, FloatArray, win_probability
from arena.rating.pair_counts import IntArray, PairCounts

VIRTUAL_DRAWS: Final = 1.0
CONFIDENCE: Final = 0.95
MIN_BLOCKS: Final = 6
"""Fewer clusters than these say too little of how much they vary."""
MIN_STANDARD_ERROR: Final = 0.03
"""Elo below which nothing has really varied (it would print as ±0.0)."""

MOST_STEPS: Final = 200
SMALLEST_STEP: Final = 1e-6
"""After a step so small, what is still missing is of the order of its square."""


@dataclass(frozen=True, eq=False)
class Fit:
    """Ratings by bot, in the order of `bots`, from one variant at one number of seats.

    `elo` has mean 1500. `standard_error` and `error` (half width of the 95 % interval, by Student's t with
    one degree of freedom less than blocks) are about the mean of the bots it can be compared with (its
    group of `varied`; all bots, if the field hangs together), and None where none is honest: a perfect
    score, fewer than 6 blocks, or no variation. `mark` is ">" for a score of exactly 1 (at least so
    strong), "<" for 0, else "". `score` is the mean score in all pairs, None for a bot that met nobody.
    `covariance` is in Elo², about the mean of all bots. `met` are the groups of which nobody met a bot of
    another; `groups` are those within which the data bound each difference from both sides; `varied` the
    same by pairs alone that did not come out alike in all their blocks: of others all that differs from
    expectation is what the virtual draws make of it, which would pass for a very small error.
    """

    bots: tuple[str, ...]
    elo: tuple[float, ...]
    standard_error: tuple[float | None, ...]
    error: tuple[float | None, ...]
    mark: tuple[str, ...]
    score: tuple[float | None, ...]
    blocks: tuple[int, ...]
    matches: tuple[int, ...]
    connected_groups: Groups
    comparable_groups: Groups
    scoring_blocks: IntArray
    varied_groups: Groups
    covariance: FloatArray

    @cached_property
    def ranking(self) -> tuple[int, ...]:
        """Bots from the highest Elo to the lowest, equals by name; last those that played no match."""

        def place(bot: int) -> tuple[bool, float, str]:
            return not self.matches[bot], -self.elo[bot], self.bots[bot]

        return tuple(sorted(range(len(self.bots)), key=place))

    def pair_standard_error(self, bot: int, other: int) -> float | None:
        """Standard error of the difference of two ratings, None where none is honest."""
        if self._freedom(bot, other) < MIN_BLOCKS - 1 or not _together(self.varied_groups, bot, other):
            return None
        own, others = self.covariance[bot, bot], self.covariance[other, other]
        return _standard_error(float(own + others - 2 * self.covariance[bot, other]))

    def pair_error(self, bot: int, other: int) -> float | None:
        """Half width of the 95 % interval about the difference of two ratings, None where none is honest."""
        return _half_width(self.pair_standard_error(bot, other), self._freedom(bot, other))

    def los(self, bot: int, other: int) -> float | None:
        """Likelihood of superiority: how sure `bot` is the stronger one, 0 to 1; None where unknown."""
        standard_error = self.pair_standard_error(bot, other)
        if standard_error is None:
            return None
        return t_cdf((self.elo[bot] - self.elo[other]) / standard_error, self._freedom(bot, other))

    def los_to_next(self) -> tuple[float | None, ...]:
        """Likelihood of superiority of each bot over the next in rank; None for the last."""
        following = dict(zip(self.ranking, self.ranking[1:], strict=False))
        return tuple(
            self.los(bot, following[bot]) if bot in following else None for bot in range(len(self.bots))
        )

    def _freedom(self, bot: int, other: int) -> int:
        return min(self.blocks[bot], self.blocks[other]) - 1

    def is_one_sided(self, bot: int, other: int, least: int) -> bool:
        """Whether one of two bots is above the other by points that all went one way, in so many blocks.

        Directly or over others: then each step of the way must have so many. Two that merely gave all to a
        third one, or took all from it, have no such way between them.
        """
        one, two = (
            next(at for at, group in enumerate(self.comparable_groups) if who in group)
            for who in (bot, other)
        )
        links = self.scoring_blocks >= least
        return one != two and bool(find_reachable(links, one)[two] or find_reachable(links, two)[one])

    @property
    def is_connected(self) -> bool:
        """Whether all bots that played met, directly or over others."""
        return sum(self.matches[group[0]] > 0 for group in self.connected_groups) <= 1


def fit_elo(sums: PairCounts) -> Fit:
    """Ratings of all bots of `sums`; those that met nobody stand at the pool's mean."""
    points = sums.points()
    weighted = _weighted(points, sums.weight)
    strength = fit_strengths(weighted)
    spread = compute_clustered_covariance(sums, strength, _derivatives(weighted, strength)[1])
    varied = find_comparable_groups(np.where(sums.find_constant_pairs(MIN_BLOCKS), 0, points))
    standard_error = _standard_errors(spread, varied)
    score = _scores(points)
    groups = find_comparable_groups(points)
    return Fit(
        bots=sums.bots,
        elo=_elo(strength),
        standard_error=standard_error,
        error=tuple(map(_half_width, standard_error, (spread.blocks - 1).tolist())),
        mark=tuple(map(_mark, score)),
        score=score,
        blocks=tuple(spread.blocks.tolist()),
        matches=sums.matches,
        connected_groups=find_connected_groups(points),
        comparable_groups=groups,
        scoring_blocks=sums.count_scoring_blocks(groups) if len(groups) > 1 else np.zeros((1, 1), np.int64),
        varied_groups=varied,
        covariance=spread.covariance * ELO_PER_UNIT**2,
    )


def estimate_elo(points: FloatArray, weight: float) -> tuple[float, ...]:
    """The Elo of a fit alone, from the points that row took from column; a pair in a match weighs so much."""
    return _elo(fit_strengths(_weighted(points, weight)))


def fit_strengths(points: FloatArray) -> FloatArray:
    """Strengths, of mean 0, that best explain weighted `points` (what row took from column).

    Every bot must have taken something from every other, if only over others.
    Newton's method, each step shortened by ln(1 + r) / r, r its range: with that the likelihood of a
    logistic model rises at every step, from any start.
    Source: T. Sun, Q. Tran-Dinh, Generalized self-concordant functions, Math. Programming 178, 2019.
    """
    strength = np.zeros(len(points))
    for _ in range(MOST_STEPS):
        slope, information = _derivatives(points, strength)
        step = np.linalg.solve(information, slope)
        reach = float(np.ptp(step))
        strength += step * (math.log1p(reach) / reach if reach else 1.0)
        if reach < SMALLEST_STEP:
            break
    centred: FloatArray = strength - strength.mean()
    return centred


def _weighted(points: FloatArray, weight: float) -> FloatArray:
    """Points as they count in the fit, with each bot's virtual draw."""
    return points * weight + VIRTUAL_DRAWS / 2 / max(1, len(points) - 1)


def _elo(strength: FloatArray) -> tuple[float, ...]:
    return tuple(np.round(MEAN_ELO + ELO_PER_UNIT * strength, 6).tolist())


def _derivatives(points: FloatArray, strength: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Slope of the likelihood, and its information: minus the second derivatives.

    1/N is added all over the information; it only pins down the mean, on which results are silent.
    """
    loss_chance = win_probability(strength - strength[:, None])
    unexpected = points * loss_chance
    slope = unexpected.sum(axis=1) - unexpected.sum(axis=0)
    half = unexpected * loss_chance.T
    variance = half + half.T
    return slope, np.diag(variance.sum(axis=1)) - variance + 1 / len(points)


def _mark(score: float | None) -> str:
    return ">" if score == 1 else "<" if score == 0 else ""


def _scores(points: FloatArray) -> tuple[float | None, ...]:
    """Share of the points at stake that each bot took; exactly 0 or 1 only if it took none or all."""
    taken, given = points.sum(axis=1).tolist(), points.sum(axis=0).tolist()
    return tuple(own / (own + lost) if own + lost else None for own, lost in zip(taken, given, strict=True))


def _standard_errors(spread: ClusteredCovariance, groups: Groups) -> tuple[float | None, ...]:
    """Standard errors in Elo about the mean of each bot's group, by bot."""
    errors: list[float | None] = [None] * len(spread.blocks)
    for group in groups:
        within = spread.covariance[np.ix_(group, group)] * ELO_PER_UNIT**2
        variances = within.diagonal() - 2 * within.mean(axis=1) + within.mean()
        for bot, variance in zip(group, variances.tolist(), strict=True):
            if spread.blocks[bot] >= MIN_BLOCKS:
                errors[bot] = _standard_error(variance)
    return tuple(errors)


def _together(groups: Groups, bot: int, other: int) -> bool:
    return any(bot in group and other in group for group in groups)


def _standard_error(variance: float) -> float | None:
    error = math.sqrt(max(variance, 0.0))
    return round(error, 6) if error >= MIN_STANDARD_ERROR else None


def _half_width(standard_error: float | None, freedom: float) -> float | None:
    if standard_error is None:
        return None
    return round(standard_error * t_quantile((1 + CONFIDENCE) / 2, freedom), 6)
