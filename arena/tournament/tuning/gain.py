"""The gain of the best settings over the start, from scores on the same deals."""

import math
from collections.abc import Sequence
from statistics import fmean

import msgspec

from arena.rating.mean_intervals import estimate_mean
from arena.rating.two_bots import ELO_PER_UNIT


class GameGain(msgspec.Struct, frozen=True):
    """The gain of the best settings over the start at one game, on fresh deals.

    Attributes:
        variant: The game, empty for all games together.
        players: Seats.
        start: Mean score of the start against the pool, 0 to 1.
        best: The same of the best settings.
        blocks: Blocks that each played.
        elo: The difference in Elo; None where one of them has a perfect score.
        error: Half width of its 95 % interval; None for fewer than six blocks, or where none differ.
    """

    variant: str
    players: int
    start: float
    best: float
    blocks: int
    elo: float | None
    error: float | None


def estimate_gain(variant: str, players: int, start: Sequence[float], best: Sequence[float]) -> GameGain:
    """Return the gain in Elo from scores in the same blocks.

    Each block counts with its influence on the difference of the two expected Elo, so blocks that both found
    easy cancel.
    Source: F. R. Hampel, The influence curve and its role in robust estimation, JASA 69, 1974.
    """
    low, high = fmean(start), fmean(best)
    if not (0 < low < 1 and 0 < high < 1):
        return GameGain(variant, players, low, high, len(start), None, None)
    elo = ELO_PER_UNIT * (math.log(high / (1 - high)) - math.log(low / (1 - low)))
    influences = [
        ELO_PER_UNIT * ((new - high) / (high * (1 - high)) - (old - low) / (low * (1 - low)))
        for old, new in zip(start, best, strict=True)
    ]
    mean = estimate_mean(influences)
    return GameGain(
        variant, players, low, high, len(start), round(elo, 6), mean.error and round(mean.error, 6)
    )


def combine_gains(gains: Sequence[GameGain]) -> GameGain:
    """Return the mean gain over games; their deals differ, so that their errors are independent."""
    elos = [gain.elo for gain in gains if gain.elo is not None]
    errors = [gain.error for gain in gains if gain.error is not None]
    number = len(gains)
    return GameGain(
        variant="",
        players=0,
        start=fmean(gain.start for gain in gains),
        best=fmean(gain.best for gain in gains),
        blocks=sum(gain.blocks for gain in gains),
        elo=fmean(elos) if len(elos) == number else None,
        error=math.hypot(*errors) / number if len(errors) == number else None,
    )
