"""Grades of a league: what is known of each version against each milestone at each game, at which try."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.league.schema import GRADE_TABLE, GRADE_TRY_TABLE
from arena.league.store import LeagueDatabase


class Grade(NamedTuple):
    """The result of a version against a milestone at a game."""

    version: int
    variant: str
    players: int
    milestone: str
    is_passed: int
    confidence: float
    """Confidence of all tries of a submitter together, in percent."""
    blocks: int


class Try(NamedTuple):
    """A comparison of a version with a milestone at a game."""

    version: int
    variant: str
    players: int
    milestone: str


def read_grades(database: LeagueDatabase) -> list[Grade]:
    """Return the latest grade of each version by game and milestone."""
    if not database.has_table("grade"):
        return []
    return [Grade(*row) for row in database.query("SELECT * FROM grade ORDER BY version, variant, players")]


def store_grades(database: LeagueDatabase, grades: Iterable[Grade]) -> None:
    """Store grades, instead of earlier ones of the same versions, games and milestones."""
    with database.transaction() as connection:
        connection.execute(GRADE_TABLE)
        query = "INSERT OR REPLACE INTO grade VALUES (?, ?, ?, ?, ?, ?, ?)"
        connection.executemany(query, list(grades))


def number_tries(database: LeagueDatabase, tries: Sequence[Try]) -> list[int]:
    """Return the number of each try among those of its submitter at the same game against the same milestone.

    Tries that are new are stored, and before the first of all those of the grades so far. Each version is
    one, so that the same files are none. A bot without a submitter is one of the author that it names.
    """
    is_first = not database.has_table("grade_try")
    stored = [] if is_first else database.query("SELECT * FROM grade_try")
    versions = database.query(
        "SELECT version.number, owner, author, bot FROM version JOIN bot ON bot = bot.number"
    )
    submitters = {version: owner or author or bot for version, owner, author, bot in versions}
    numbers = {Try(*own): number for *own, number in stored}
    counts = Counter((submitters[own.version], *own[1:]) for own in numbers)
    earlier = [Try(*grade[:4]) for grade in read_grades(database)] if is_first else []
    added = []
    for own in (*earlier, *tries):
        if own not in numbers:
            counts[submitters[own.version], *own[1:]] += 1
            numbers[own] = counts[submitters[own.version], *own[1:]]
            added.append((*own, numbers[own]))
    with database.transaction() as connection:
        connection.execute(GRADE_TRY_TABLE)
        connection.executemany("INSERT INTO grade_try VALUES (?, ?, ?, ?, ?)", added)
    return [numbers[own] for own in tries]
