"""The Bradley–Terry model: the strengths that best explain who took points from whom, and the Elo scale.

In each pair of seats the expected score is 1 / (1 + exp(-(θᵢ - θⱼ))), a tie counting a half; pairs weigh
1/(k-1) at a table of k, so that a match weighs 1 for each bot.
Source: R. A. Bradley, M. E. Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952.

As a prior each bot is given one virtual draw, spread evenly over the opponents it met. Perfect scores stay
finite (100 wins in 100 matches against equals: as if one of 101 had been drawn, +921), and bots that never
met are not drawn together: in a chain of bots, each of which met its neighbours alone, the distance of the
ends is that of the steps between. Groups of bots that never met, directly or through others, are fitted each
on its own, and a bot that met nobody has no strength.
"""

import math
from typing import Final, NamedTuple

import numpy as np

from arena.rating.pair_counts import FloatArray, Groups, PairRows, find_connected_groups
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

VIRTUAL_DRAWS: Final = 1.0
"""Virtual draws of each bot."""
MAX_STEPS: Final = 200
MIN_STEP: Final = 1e-6
"""After a step so small, what is still missing is of the order of its square."""


class StrengthEstimate(NamedTuple):
    """Fitted strengths, and what they were fitted to.

    Attributes:
        strength: By bot, of mean 0 in each group of bots that met; 0 for a bot that met nobody.
        groups: Groups of at least two bots that met, directly or through others.
        points: Weighted points that row took from column, virtual draws included.
        prior: Those of the virtual draws alone.
    """

    strength: FloatArray
    groups: Groups
    points: FloatArray
    prior: FloatArray


def win_probability(difference: FloatArray) -> FloatArray:
    """Return the expected score against a bot weaker by `difference` units of strength.

    Never overflows, and is as exact near 0 as near 1.
    """
    smaller = np.exp(-np.abs(difference))
    chance: FloatArray = np.where(difference >= 0, 1.0, smaller) / (1 + smaller)
    return chance


def to_elo(strength: FloatArray) -> tuple[float, ...]:
    """Return strengths as Elo, that of strength 0 as 1500."""
    return tuple(np.round(MEAN_ELO + ELO_PER_UNIT * strength, 6).tolist())


def compute_scores(points: FloatArray) -> tuple[float | None, ...]:
    """Return the share of the points at stake that each bot took.

    It is exactly 0 or 1 only for none or all, and None for a bot that met nobody.
    """
    taken, given = points.sum(axis=1).tolist(), points.sum(axis=0).tolist()
    return tuple(own / (own + lost) if own + lost else None for own, lost in zip(taken, given, strict=True))


def compute_residuals(rows: PairRows, strength: FloatArray) -> FloatArray:
    """Return the points that the first bot of each row took minus what was expected of it."""
    chance = win_probability(strength[rows.first] - strength[rows.second])
    converse = win_probability(strength[rows.second] - strength[rows.first])
    return rows.won * converse - rows.lost * chance


def estimate_strengths(
    points: FloatArray, weight: float, start: FloatArray | None = None
) -> StrengthEstimate:
    """Return the strengths of all bots.

    Args:
        points: Square matrix of the points that row took from column.
        weight: Weight of a pair in a match, `PairCounts.weight`.
        start: Strengths that are perhaps near, which saves steps.
    """
    prior = make_prior(points)
    weighted = points * weight + prior
    groups = tuple(group for group in find_connected_groups(points) if len(group) > 1)
    strength = np.zeros(len(points))
    for group in map(list, groups):
        strength[group] = fit_strengths(
            weighted[np.ix_(group, group)], None if start is None else start[group]
        )
    return StrengthEstimate(strength, groups, weighted, prior)


def estimate_ratings(points: FloatArray, weight: float, start: FloatArray | None = None) -> FloatArray:
    """Return the strengths of all bots alone; arguments as for `estimate_strengths`."""
    return estimate_strengths(points, weight, start).strength


def make_prior(points: FloatArray) -> FloatArray:
    """Return the virtual points that row took from column: a draw of each bot, spread over those it met."""
    met = (points + points.T) > 0
    share = 1 / np.maximum(met.sum(axis=1), 1)
    prior: FloatArray = VIRTUAL_DRAWS / 4 * met * (share[:, None] + share)
    return prior


def fit_strengths(points: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """Return the strengths, of mean 0, that best explain weighted `points` (what row took from column).

    Every bot must have taken something from every other, if only through others.
    Newton's method, each step shortened by ln(1 + r) / r, r its range: with that the likelihood of a
    logistic model rises at every step, from any start; one near the result saves steps. By default it is the
    log odds of each bot's own points.
    Source: T. Sun, Q. Tran-Dinh, Generalized self-concordant functions, Math. Programming 178, 2019.
    """
    taken, given = points.sum(axis=1), points.sum(axis=0)
    strength: FloatArray = np.log(taken / given) if start is None else start
    for _ in range(MAX_STEPS):
        slope, information = compute_derivatives(points, strength)
        step = np.linalg.solve(information, slope)
        reach = float(np.ptp(step))
        strength = strength + step * (math.log1p(reach) / reach if reach else 1.0)
        if reach < MIN_STEP:
            break
    centred: FloatArray = strength - strength.mean()
    return centred


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


def invert_information(estimate: StrengthEstimate) -> FloatArray:
    """Return the inverse of the information, group by group; 0 for bots that met nobody, or are apart."""
    inverse = np.zeros_like(estimate.points)
    for group in map(list, estimate.groups):
        at = np.ix_(group, group)
        inverse[at] = np.linalg.inv(compute_derivatives(estimate.points[at], estimate.strength[group])[1])
    return inverse


def compute_sensitivity(points: FloatArray, weight: float, ratings: FloatArray) -> FloatArray:
    """Return by bot how far each strength (row) moves for a weighted point more to each bot (column)."""
    return invert_information(estimate_strengths(points, weight, ratings))


def compute_prior_pull(estimate: StrengthEstimate, inverse: FloatArray) -> FloatArray:
    """Return by how much the virtual draws moved each strength, to first order: the strong down.

    Args:
        estimate: The strengths.
        inverse: `invert_information` of them.
    """
    expected = win_probability(estimate.strength[:, None] - estimate.strength)
    slope = 2 * (estimate.prior * (0.5 - expected)).sum(axis=1)
    pull: FloatArray = inverse @ slope
    return pull
