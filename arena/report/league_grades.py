"""The grades of a league's bots: a row for each bot, game and milestone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from arena.columns.kinds import COUNT, PERCENT
from arena.columns.sheets import TableSet
from arena.league.milestones import MilestoneComparison
from arena.league.results import LeagueResults
from arena.report.league_text import BOUND, GAME, HASH, MARKED_BOT, league_column, league_table


def grades_table(
    results: LeagueResults, comparisons: Iterable[MilestoneComparison], confidence: float
) -> TableSet:
    """Return a row for each comparison, and one for each bot that is out and was therefore not graded.

    Args:
        results: The league.
        comparisons: Comparisons of its bots.
        confidence: Least likelihood of superiority with which a bot passes, in percent.
    """
    rows = [_row(results, comparison, confidence) for comparison in comparisons]
    graded = {row["bot"] for row in rows}
    for bot in results.bots:
        if (mark := results.mark_of(bot.version)) and bot.name not in graded:
            rows.append(
                {**_identity(results, bot.version), **dict.fromkeys(RESULT), "passed": "no", "mark": mark}
            )
    return league_table(GRADES, rows)


RESULT: Final = ("game", "players", "against", "score", "error", "los", "blocks", "faults")
GRADES: Final = (
    MARKED_BOT,
    *(league_column(name) for name in ("submitter", "author", "team")),
    league_column("version", COUNT),
    league_column("content", HASH),
    *GAME,
    league_column("against"),
    *(league_column(name, PERCENT) for name in ("score", "error", "los")),
    *(league_column(name, COUNT) for name in ("blocks", "faults")),
    league_column("passed"),
    BOUND,
)


def _row(results: LeagueResults, comparison: MilestoneComparison, confidence: float) -> dict[str, Any]:
    variant, players = comparison.game
    row = {**_identity(results, comparison.entry.number), **dict.fromkeys(RESULT)}
    row |= {"game": variant, "players": players, "against": comparison.milestone, "passed": "no", "mark": ""}
    if found := comparison.result():
        score, faults = found
        row |= {
            "score": score.score,
            "error": score.error,
            "los": score.los,
        }
        row |= {"blocks": score.blocks, "faults": faults}
        row["passed"] = "yes" if is_passed(score.score, row["los"], confidence) else "no"
    return row


def is_passed(score: float | None, los: float | None, confidence: float) -> bool:
    """Return whether a bot was shown to be the stronger; without a likelihood it must have won all points."""
    return score == 1.0 if los is None else 100 * los >= confidence


def _identity(results: LeagueResults, version: int) -> dict[str, Any]:
    entry = results.entry_of(version)
    return {
        "bot": entry.bot.name,
        "submitter": entry.bot.owner,
        "author": entry.version.author,
        "team": entry.version.team,
        "version": entry.version.ordinal,
        "content": entry.version.digest,
    }
