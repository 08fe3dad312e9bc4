"""One rating over several variants and table sizes: the plain mean of their fits."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from arena.rating.elo import Fit
from arena.rating.intervals import CONFIDENCE, t_quantile


@dataclass(frozen=True)
class OverallRating:
    """A bot's mean Elo over all fits, with the half width of its 95 % interval.

    `elo` is None for a bot that played no match of some fit, and for all where some of those that played one
    never met others, directly or over third ones; `error` also where some fit has none, or one about the mean
    of a group alone. `mark` is
    ">" where perfect scores make the mean a lower bound, "<" where they make it an upper one, else "".
    """

    bot: str
    elo: float | None
    error: float | None
    mark: str


def compute_overall_ratings(fits: Sequence[Fit]) -> tuple[OverallRating, ...]:
    """Mean ratings of every bot of any fit, in order of first appearance.

    Fits must rest on different deals, so that their errors are independent.
    """
    bots = dict.fromkeys(bot for fit in fits for bot in fit.bots)
    return tuple(_overall(bot, fits) for bot in bots)


def _overall(bot: str, fits: Sequence[Fit]) -> OverallRating:
    places = [(fit, fit.bots.index(bot)) for fit in fits if bot in fit.bots]
    played = sum(fit.matches[place] > 0 for fit, place in places)
    if played < len(fits) or not all(fit.is_connected for fit in fits):
        return OverallRating(bot, None, None, "")
    elo = round(math.fsum(fit.elo[place] for fit, place in places) / len(fits), 6)
    marks = {fit.mark[place] for fit, place in places} - {""}
    return OverallRating(bot, elo, _combined_error(places), marks.pop() if len(marks) == 1 else "")


def _combined_error(places: Sequence[tuple[Fit, int]]) -> float | None:
    """Half width for the mean of independent ratings, with Welch and Satterthwaite's degrees of freedom.

    Source: F. E. Satterthwaite, An approximate distribution of estimates of variance components,
    Biometrics Bulletin 2, 1946.
    """
    if any(_about_a_group(fit) for fit, _ in places):
        return None
    errors = [fit.standard_error[place] for fit, place in places]
    variances = [error**2 for error in errors if error is not None]
    if len(variances) < len(errors):
        return None
    total = math.fsum(variances)
    shares = (
        variance**2 / (fit.blocks[at] - 1) for variance, (fit, at) in zip(variances, places, strict=True)
    )
    freedom = total**2 / math.fsum(shares)
    return round(t_quantile((1 + CONFIDENCE) / 2, freedom) * math.sqrt(total) / len(places), 6)


def _about_a_group(fit: Fit) -> bool:
    """Whether errors are about the means of several groups, so that they do not add up over fits.

    A bot that won or lost everything is a group of its own, but then the others are about one mean still.
    """
    inner = [group for group in fit.varied_groups if any(fit.score[bot] not in (0, 1, None) for bot in group)]
    return len(inner) > 1
