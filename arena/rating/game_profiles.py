"""Which game suits a bot, beyond how strong it is over all of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from arena.rating.elo import Fit
from arena.rating.intervals import CONFIDENCE, t_quantile


@dataclass(frozen=True)
class GameProfile:
    """A bot's Elo in each fit, and in which fits it surely stands out from its own mean.

    `elo` is None where it did not play. `strongest` and `weakest` are fits, None where none is beyond doubt:
    an all-rounder, or too little was played.
    """

    bot: str
    elo: tuple[float | None, ...]
    strongest: int | None
    weakest: int | None


def build_game_profiles(fits: Sequence[Fit]) -> tuple[GameProfile, ...]:
    """The profiles of all bots, which must be the same in all fits; fits must rest on different deals.

    A fit is compared with the mean of all after its Elo is divided by the standard deviation of the field in
    it: a game with more luck has all its ratings closer together, and that is nobody's weakness. What stands
    out does so with a confidence of 95 % for all fits of a bot together (Bonferroni, Student's t).
    """
    spreads = [pstdev(fit.elo) for fit in fits]
    return tuple(_profile(bot, fits, spreads) for bot in range(len(fits[0].bots) if fits else 0))


def _profile(bot: int, fits: Sequence[Fit], spreads: Sequence[float]) -> GameProfile:
    elo = tuple(fit.elo[bot] if fit.blocks[bot] else None for fit in fits)
    name = fits[0].bots[bot]
    errors = [fit.standard_error[bot] for fit in fits]
    known = [error / spread for error, spread in zip(errors, spreads, strict=True) if error and spread]
    if len(fits) < 2 or len(known) < len(fits):
        return GameProfile(name, elo, None, None)
    place = [(fit.elo[bot] - fmean(fit.elo)) / spread for fit, spread in zip(fits, spreads, strict=True)]
    freedom = min(fit.blocks[bot] for fit in fits) - 1
    sure = t_quantile(1 - (1 - CONFIDENCE) / 2 / len(fits), freedom)
    beyond = [at - fmean(place) for at in place]
    error = [sure * _deviation(known, fit) for fit in range(len(fits))]
    return GameProfile(name, elo, _furthest(beyond, error), _furthest([-at for at in beyond], error))


def _deviation(errors: Sequence[float], one: int) -> float:
    """Standard error of the difference of one of some independent values from their mean."""
    number = len(errors)
    others = math.fsum(error**2 for error in errors) - errors[one] ** 2
    return math.sqrt(errors[one] ** 2 * (number - 1) ** 2 + others) / number


def _furthest(beyond: Sequence[float], error: Sequence[float]) -> int | None:
    """The place of the largest value, if it is larger than its error."""
    best = max(range(len(beyond)), key=beyond.__getitem__)
    return best if beyond[best] > error[best] else None
