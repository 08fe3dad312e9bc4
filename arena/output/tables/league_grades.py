"""The grades of a league's bots: a row for each bot, game and milestone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from arena.columns.kinds import COUNT, DATA, PERCENT
from arena.columns.table_formats import TableSet
from arena.league.field import Entry
from arena.league.milestone_comparisons import MilestoneComparison
from arena.league.results import LeagueResults
from arena.league.stored_grades import Grade
from arena.output.tables.league import HASH, league_column, league_table, marked_bot
from arena.rating.two_bots import HeadToHead

NO_BOT: Final = "no bot"
"""Mark of a submitter of whom no bot is graded."""


class GradeRow(NamedTuple):
    """A comparison of a bot with a milestone; without one, a bot that is out, or a submitter without a bot.

    `passed` is empty until all blocks are played, and `no` for a bot that its faults disqualified.
    """

    submitter: str
    """Empty for a bot of the organiser."""
    entry: Entry | None
    """The version of the bot that counts; None for a submitter of whom no bot is graded."""
    passed: str
    mark: str = ""
    comparison: MilestoneComparison | None = None
    score: HeadToHead | None = None
    faults: int | None = None
    team: str = ""
    alias: str = ""


def grades_table(results: LeagueResults, comparisons: Iterable[MilestoneComparison]) -> TableSet:
    """Return a row for each comparison, for each bot that is out, and for each submitter without those.

    Args:
        results: The league.
        comparisons: Comparisons of its bots.
    """
    rows = [_grade(results, comparison) for comparison in comparisons]
    graded = {row.entry.bot.name for row in rows if row.entry}
    for bot in results.bots:
        if (mark := results.mark_of(bot.version)) and bot.name not in graded:
            alias, team = results.aliases.find(bot.owner), results.team_of(bot.version)
            entry = results.entry_of(bot.version)
            rows.append(GradeRow(bot.owner, entry, "no", mark, team=team, alias=alias))
    for submitter in sorted(results.settings.submitters.keys() - {row.submitter for row in rows}):
        alias, team = results.aliases.find(submitter), results.settings.team_of(submitter, "")
        rows.append(GradeRow(submitter, None, "no", NO_BOT, team=team, alias=alias))
    return league_table(COLUMNS, rows)


def list_grades(rows: Iterable[GradeRow], confidence: float) -> list[Grade]:
    """Return the grades to store of rows that have a comparison, with the confidence of all tries."""
    return [
        Grade(
            version=row.entry.number,
            variant=row.comparison.game[0],
            players=row.comparison.game[1],
            milestone=row.comparison.milestone,
            is_passed=int(row.passed == "yes"),
            confidence=confidence,
            blocks=row.score.blocks if row.score else 0,
        )
        for row in rows
        if row.entry and row.comparison
    ]


def _grade(results: LeagueResults, comparison: MilestoneComparison) -> GradeRow:
    entry = results.entry_of(comparison.entry.number)
    team, alias = results.team_of(entry.number), results.aliases.find(entry.bot.owner)
    result = comparison.result()
    if result is None:
        return GradeRow(entry.bot.owner, entry, "", "", comparison, team=team, alias=alias)
    score = result.score
    passed = "" if not result.is_over else "yes" if result.is_beaten else "no"
    mark = "disqualified" if result.is_disqualified else ""
    return GradeRow(entry.bot.owner, entry, passed, mark, comparison, score, result.faults, team, alias)


COLUMNS: Final = (
    marked_bot(lambda row: row.entry.bot.name if row.entry else "", lambda row: row.mark),
    league_column("submitter", lambda row: row.submitter),
    league_column("author", lambda row: row.entry and row.entry.version.author),
    league_column("team", lambda row: row.team),
    league_column("version", lambda row: row.entry and row.entry.version.ordinal, COUNT),
    league_column("content", lambda row: row.entry and row.entry.version.digest, HASH),
    league_column("game", lambda row: row.comparison and row.comparison.game[0]),
    league_column("players", lambda row: row.comparison and row.comparison.game[1], COUNT),
    league_column("against", lambda row: row.comparison and row.comparison.milestone),
    league_column("score", lambda row: row.score and row.score.score, PERCENT),
    league_column("±", lambda row: row.score and row.score.error, PERCENT, field="error"),
    league_column("los", lambda row: row.score and row.score.los, PERCENT),
    league_column("blocks", lambda row: row.score and row.score.blocks, COUNT),
    league_column("faults", lambda row: row.faults, COUNT),
    league_column("passed", lambda row: row.passed),
    league_column("mark", lambda row: row.mark, DATA),
    league_column("alias", lambda row: row.alias),
    league_column("try", lambda row: row.comparison and row.comparison.number, COUNT),
)
