"""Grades of a league: what is known of each version against each milestone at each game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from arena.league.schema import GRADE_TABLE
from arena.league.store import LeagueDatabase


class Grade(NamedTuple):
    """The result of a version against a milestone at a game."""

    version: int
    variant: str
    players: int
    milestone: str
    is_passed: int
    confidence: float
    """Least likelihood of superiority to pass, in percent."""
    blocks: int


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
