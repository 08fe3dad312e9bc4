"""Failures and decision times of bots in a database: counted together, however often and in what parts."""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from typing import Final

from arena.play.faults import failure_pattern
from arena.tournament.storage import database as db
from arena.tournament.storage.block_result_encoding import Failure
from arena.tournament.storage.decision_times import DecisionTimes, TimeKey, TimeSum

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


def read_failures(connection: sqlite3.Connection) -> dict[Failure, int]:
    """Return how often each failure happened, by bot, the most frequent first.

    Those that differ only in numbers are one, with the reason that is first in alphabetical order.
    """
    if not has_table(connection, "failure"):
        return {}
    query = "SELECT bot, kind, reason, times FROM failure ORDER BY bot, times DESC, kind, reason"
    rows = db.read_rows(connection, query, (str, str, str, int))
    return {Failure(*row): times for *row, times in rows}


def read_times(connection: sqlite3.Connection) -> DecisionTimes:
    """Return the times of the decisions in all blocks that were played for this database."""
    if not has_table(connection, "decision_time"):
        return {}
    types = (str, int, str, int, int, float, float)
    rows = db.read_rows(connection, "SELECT * FROM decision_time WHERE decisions > 0", types)
    return {TimeKey(*row[:4]): TimeSum(*row[4:]) for row in rows}


def has_table(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether a table exists."""
    query = "SELECT 1 FROM sqlite_master WHERE name = ?"
    return connection.execute(query, [name]).fetchone() is not None


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
