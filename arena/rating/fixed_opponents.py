"""The Elo and the place of a bot on a ladder that it is not in, from matches with some of the ladder's bots.

Its Elo is the only parameter that is fitted; its opponents keep theirs, whose errors are part of its own. An
opponent that moves by one moves the bot by its share a of the information of their matches. With v the
variance of the fit over blocks and V the covariance of the ladder, the distance of the bot from the ladder's
bot k has the variance v + (a - e)ᵀ V (a - e), with e 1 for k and 0 for all others; that from the centre
likewise. Where a part of the ladder took every point from another, the distance of the parts has no
error; the order of the bot and an opponent in the other part is that of their matches alone.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.rating.bradley_terry import MAX_STEPS, MIN_STEP, StrengthEstimate, compute_derivatives, make_prior
from arena.rating.comparisons import find_better
from arena.rating.covariance import compute_clustered_covariance
from arena.rating.elo_fit import MIN_FREEDOM, Fit, find_weights, fit_elo
from arena.rating.mean_intervals import t_quantiles
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO


class Placement(NamedTuple):
    """The Elo of a bot, and its place among the bots of a ladder.

    Attributes:
        elo: Elo, with the origin of the ladder's.
        error: Half width of its 95 % interval; None where it is unknown.
        place: Place by Elo, 1 for the best.
        best: Best place that the matches allow.
        worst: Worst place that they allow.
    """

    elo: float
    error: float | None
    place: int
    best: int
    worst: int


def place_bot(
    counts: PairCounts, bot: int, fit: Fit, opponents: Sequence[int], among: Sequence[int]
) -> Placement:
    """Return the Elo and the place of a bot.

    Args:
        counts: Its matches with its opponents, at least one.
        bot: Its number in them.
        fit: The ladder.
        opponents: The numbers in the ladder of the other bots of `counts`, in their order.
        among: The numbers of the bots of the ladder that have a place.
    """
    ranked, played = list(among), list(opponents)
    strengths = (np.array(fit.elo)[played] - MEAN_ELO) / ELO_PER_UNIT
    estimate, information = _fit_strength(counts, bot, strengths)
    inverse = np.zeros_like(estimate.points)
    inverse[bot, bot] = 1 / information.sum()
    spread = compute_clustered_covariance(counts, estimate, inverse, are_tables_drawn=False)
    nearest = played[int(information.argmax())]
    group = next(list(own) for own in fit.varied_groups if nearest in own)
    moved, center = np.zeros(len(fit.bots)), find_weights(np.array(fit.elo), (tuple(group),))
    moved[played] = information / information.sum()
    has_bound = np.array([fit.elo_bound[other] is not None for other in ranked])
    others = np.where(has_bound[:, None], center, np.eye(len(fit.bots))[ranked])  # a bound holds by itself
    distances = moved - np.vstack((center, others))
    variances = ((distances @ fit.covariance) * distances).sum(axis=1).clip(0)
    variances += float(spread.covariance[bot, bot]) * ELO_PER_UNIT**2
    of_fit = [fit.freedom[nearest], *(fit.pair_freedom(nearest, other) for other in ranked)]
    freedom = np.minimum(of_fit, spread.freedom[bot])
    alone = fit_elo(counts)
    is_open = freedom < 1
    is_open[1:] |= ~has_bound & ~np.isin(ranked, group)
    if alone.mark[bot] or spread.freedom[bot] < MIN_FREEDOM or fit.error[nearest] is None:
        is_open[:] = True
    widths = t_quantiles((1 + CONFIDENCE) / 2, freedom.clip(1)) * np.sqrt(variances)
    widths[is_open] = math.inf
    elo = round(MEAN_ELO + ELO_PER_UNIT * float(estimate.strength[bot]), 6)
    leads, shown = elo - np.array(fit.elo)[ranked], find_better(alone)
    ends = np.array([fit.elo[other] if (end := fit.elo_bound[other]) is None else end for other in ranked])
    # of a bot with a bound only one side is known
    above = (elo - ends < -widths[1:]) & (ends <= elo - leads)
    below = (elo - ends > widths[1:]) & (ends >= elo - leads)
    number_of = dict(zip(played, np.delete(np.arange(len(counts.bots)), bot).tolist(), strict=True))
    for place, other in enumerate(ranked):
        if is_open[1 + place] and other in number_of:
            above[place], below[place] = shown[number_of[other], bot], shown[bot, number_of[other]]
    return Placement(
        elo=elo,
        error=None if is_open[0] else round(float(widths[0]), 6),
        place=1 + int((leads < 0).sum()),
        best=1 + int(above.sum()),
        worst=1 + len(ranked) - int(below.sum()),
    )


def _fit_strength(counts: PairCounts, bot: int, fixed: FloatArray) -> tuple[StrengthEstimate, FloatArray]:
    """Return the strengths with that of the bot fitted, and the information on it from each opponent.

    Args:
        counts: The matches.
        bot: The number of the bot.
        fixed: The strengths of the others.
    """
    points = counts.points()
    prior = make_prior(points)
    weighted, strength = points * counts.weight + prior, np.insert(fixed, bot, fixed.mean())
    for _ in range(MAX_STEPS):
        slope, information = compute_derivatives(weighted, strength)
        from_others: FloatArray = 1 / len(points) - np.delete(information[bot], bot)
        step = float(slope[bot] / from_others.sum())
        strength[bot] += math.copysign(math.log1p(abs(step)), step)
        if abs(step) < MIN_STEP:
            break
    return StrengthEstimate(strength, (tuple(range(len(points))),), weighted, prior), from_others
