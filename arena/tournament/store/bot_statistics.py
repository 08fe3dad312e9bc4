"""Failures, decision times, and matches lost by faults, by bot.

Failures and times are kept in tables of the database. Matches lost by faults decide who is disqualified.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.play.faults import failure_pattern
from arena.tournament.schedule import Block
from arena.tournament.store import database as db
from arena.tournament.store.codec import Failure, MatchResult

# --- decision times ---
# Times are counted in buckets: small to store, exact in sum and maximum. They are readings of a clock, so
# they differ from run to run and stay out of every file that is compared.

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


# --- database tables ---
# Rows are added up, however often and in what parts they come.

MAX_BOT_FAILURES: Final = 20
"""Distinct ones stored of a bot, the first in the alphabet; the others are counted together."""
OTHER_FAILURES: Final = "other reasons"

REUSED_FAILURES: Final = "in blocks of another run, which has the reasons"


def add_reused_failures(
    failures: Mapping[Failure, int], faults: Mapping[tuple[str, str], int]
) -> dict[Failure, int]:
    """Return failures completed by those of reused blocks, which come without reasons.

    Args:
        failures: Those of the blocks played for this run.
        faults: All faults by bot and kind.

    Example:
        >>> found = add_reused_failures({Failure("a", "crash", "no"): 2}, {("a", "crash"): 5})
        >>> list(found.values())
        [2, 3]
    """
    missing = Counter(faults)
    for failure, times in failures.items():
        missing[failure.bot, failure.kind] -= times
    reused = {Failure(*key, REUSED_FAILURES): times for key, times in sorted(missing.items()) if times > 0}
    return {**failures, **reused}


def add_failures(connection: sqlite3.Connection, failures: Mapping[Failure, int]) -> None:
    """Add how often each failure happened; the table is created with the first."""
    if failures:
        connection.execute(db.FAILURE_TABLE)
    for failure, count in failures.items():
        _add_failure(connection, failure, count)


def store_times(connection: sqlite3.Connection, times: Mapping[TimeKey, TimeSum]) -> None:
    """Add times of decisions; the table is created with the first."""
    if times:
        connection.execute(db.TIMES_TABLE)
        connection.executemany(
            """INSERT INTO decision_time VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
                   SET decisions = decisions + excluded.decisions, seconds = seconds + excluded.seconds,
                       longest_s = max(longest_s, excluded.longest_s)""",
            [(*key, *summary) for key, summary in times.items()],
        )


def read_failures(database: db.Database) -> dict[Failure, int]:
    """Return how often each failure happened, by bot, the most frequent first.

    Those that differ only in numbers are one, with the reason that is first in alphabetical order.
    """
    if not database.has_table("failure"):
        return {}
    query = "SELECT bot, kind, reason, times FROM failure ORDER BY bot, times DESC, kind, reason"
    rows = database.select(query, (str, str, str, int))
    return {Failure(*row): times for *row, times in rows}


def read_times(database: db.Database) -> DecisionTimes:
    """Return the times of the decisions in all blocks that were played for this database."""
    if not database.has_table("decision_time"):
        return {}
    types = (str, int, str, int, int, float, float)
    rows = database.select("SELECT * FROM decision_time WHERE decisions > 0", types)
    return {TimeKey(*row[:4]): TimeSum(*row[4:]) for row in rows}


def _add_failure(connection: sqlite3.Connection, failure: Failure, times: int) -> None:
    """Count a failure; of too many kinds those last in the alphabet are counted together.

    Blocks come in any order, so which kinds come first must not decide.
    """
    bot, kind, reason = failure
    _count_failure(connection, bot, kind, failure_pattern(reason), reason, times)
    surplus = connection.execute(
        """SELECT kind, pattern, times FROM failure WHERE bot = ? AND pattern != ?
           ORDER BY pattern, kind LIMIT -1 OFFSET ?""",
        (bot, OTHER_FAILURES, MAX_BOT_FAILURES),
    ).fetchall()
    for kind_of_last, pattern, counted in surplus:
        row = (bot, kind_of_last, pattern)
        connection.execute("DELETE FROM failure WHERE (bot, kind, pattern) = (?, ?, ?)", row)
        _count_failure(connection, bot, kind_of_last, OTHER_FAILURES, OTHER_FAILURES, counted)


def _count_failure(
    connection: sqlite3.Connection, bot: str, kind: str, pattern: str, reason: str, times: int
) -> None:
    connection.execute(
        """INSERT INTO failure VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
           SET times = times + excluded.times, reason = min(reason, excluded.reason)""",
        (bot, kind, pattern, reason, times),
    )


# --- fault losses ---
# A bot is disqualified if it lost all its matches by its faults, at least 8, or half of them and more than
# 16. This is decided at checkpoints, on all blocks before one.

FIRST_CHECKPOINT: Final = 4
"""Blocks before it; each later checkpoint comes after twice as many."""
MAX_TOLERATED: Final = 16
"""Matches lost by faults that disqualify no bot yet."""
MAX_SHARE: Final = 0.5
"""Largest share of a bot's matches that its failures may decide."""
MIN_ALL_LOST: Final = 8
"""Matches from which on a bot that lost all of them by its faults is disqualified."""


class FaultLosses:
    """The matches that bots lost by their faults, up to their disqualification.

    Attributes:
        matches: Matches of each bot, by name; one with two seats at a table counts twice.
        lost: Those of them that the bot lost by its faults.
        since: The index of the first block without each disqualified bot, by name.

    Args:
        max_faults: Faults with which a bot loses a match.
    """

    def __init__(self, max_faults: int) -> None:
        self.matches: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()
        self.since: dict[str, int] = {}
        self._max_faults = max_faults

    def add(self, block: Block, matches: tuple[MatchResult, ...]) -> list[str]:
        """Count the next block of a run, and return the bots that are disqualified from then on."""
        for seating, match in zip(block.seatings, matches, strict=True):
            faults = Counter(seat for seat, _, _ in match.faults)
            not_started = {seat for seat, kind, _ in match.faults if kind == "no-start"}
            for seat, bot in enumerate(seating):
                if bot not in self.since:
                    self.matches[bot] += 1
                    self.lost[bot] += seat in not_started or faults[seat] >= self._max_faults
        index = block.index + 1
        if not is_checkpoint(index):
            return []
        bots = [bot for bot in self.matches if bot not in self.since]
        disqualified = [bot for bot in bots if is_excessive(self.lost[bot], self.matches[bot])]
        self.since.update(dict.fromkeys(disqualified, index))
        return disqualified


def is_excessive(lost: int, matches: int) -> bool:
    """Return whether a bot that lost this number of its matches by its faults is disqualified."""
    often = lost > MAX_TOLERATED and lost >= MAX_SHARE * matches
    return often or lost == matches >= MIN_ALL_LOST


def is_checkpoint(index: int) -> bool:
    """Return whether disqualifications are decided before the block of this index."""
    blocks = index // FIRST_CHECKPOINT
    return index % FIRST_CHECKPOINT == 0 and blocks > 0 and blocks & (blocks - 1) == 0
