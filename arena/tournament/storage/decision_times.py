"""Times of the bots' decisions, counted in buckets: small to store, exact in sum and maximum.

They are readings of a clock, so they differ from run to run and stay out of every file that is compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

BUCKETS_PER_DOUBLING: Final = 8
"""So that a quantile is known within 9 %."""
SHORTEST_S: Final = 1e-6
"""Lower end of the first bucket, in seconds."""


class TimeKey(NamedTuple):
    """A bot's decisions of about the same time in a game."""

    variant: str
    players: int
    bot: str
    bucket: int


class TimeSum(NamedTuple):
    """The decisions in a bucket."""

    decisions: int
    seconds: float
    longest_s: float

    def __add__(self, other: TimeSum) -> TimeSum:  # type: ignore[override]
        return TimeSum(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest_s, other.longest_s),
        )


DecisionTimes = dict[TimeKey, TimeSum]
Game = tuple[str, int]
"""A variant and a number of players, as in `tally`."""
NO_TIMES: Final = TimeSum(0, 0.0, 0.0)


class TimeSummary(NamedTuple):
    """A bot's decisions in a game: how many, and the seconds they took."""

    game: Game
    bot: str
    decisions: int
    mean_s: float
    median_s: float
    p99_s: float
    longest_s: float


def count_times(game: Game, seconds: Mapping[str, Sequence[float]]) -> DecisionTimes:
    """Return the times of decisions in buckets, from the seconds by bot."""
    counted: DecisionTimes = {}
    for bot, times in seconds.items():
        own = np.maximum(np.sort(times), SHORTEST_S)
        buckets = np.floor(BUCKETS_PER_DOUBLING * np.log2(own / SHORTEST_S)).astype(int)
        first = np.flatnonzero(
            np.diff(buckets, prepend=-1)
        )  # of each bucket, as they are sorted like the times
        decisions = np.diff(first, append=len(own))
        sums, longest = np.add.reduceat(own, first), own[first + decisions - 1]
        columns = (buckets[first].tolist(), decisions.tolist(), sums.tolist(), longest.tolist())
        for bucket, *totals in zip(*columns, strict=True):
            counted[TimeKey(*game, bot, bucket)] = TimeSum(*totals)
    return counted


def add_times(times: DecisionTimes, more: DecisionTimes) -> None:
    """Add decisions to those counted."""
    for key, time_sum in more.items():
        times[key] = times.get(key, NO_TIMES) + time_sum


def summarize_times(times: DecisionTimes) -> list[TimeSummary]:
    """Return a summary by game and bot."""
    grouped: dict[tuple[Game, str], list[TimeSum]] = {}
    for key, time_sum in sorted(times.items()):
        grouped.setdefault(((key.variant, key.players), key.bot), []).append(time_sum)
    summaries = []
    for (game, bot), buckets in grouped.items():
        whole = NO_TIMES
        for time_sum in buckets:
            whole += time_sum
        median, p99 = (_quantile(buckets, share * whole.decisions) for share in (0.5, 0.99))
        mean = whole.seconds / whole.decisions
        summaries.append(TimeSummary(game, bot, whole.decisions, mean, median, p99, whole.longest_s))
    return summaries


def _quantile(buckets: Sequence[TimeSum], rank: float) -> float:
    """Return the mean of the bucket in which the decision of that rank lies; the shortest come first."""
    below = 0
    for bucket in buckets:
        below += bucket.decisions
        if below >= rank:
            return bucket.seconds / bucket.decisions
    raise ValueError(f"no decision has rank {rank}: there are {below}")
