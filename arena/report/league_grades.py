"""The grades of a league's bots: a row for each bot, game and milestone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena.columns.numbers import to_percent
from arena.league.milestones import MilestoneComparison
from arena.league.results import LeagueResults


def grade_rows(
    results: LeagueResults, comparisons: Iterable[MilestoneComparison], confidence: float
) -> list[dict[str, Any]]:
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
    return rows


RESULT = ("game", "players", "against", "score", "error", "los", "blocks", "faults")


def _row(results: LeagueResults, comparison: MilestoneComparison, confidence: float) -> dict[str, Any]:
    variant, players = comparison.game
    row = {**_identity(results, comparison.entry.number), **dict.fromkeys(RESULT)}
    row |= {"game": variant, "players": players, "against": comparison.milestone, "passed": "no", "mark": ""}
    if found := comparison.result():
        score, faults = found
        row |= {
            "score": to_percent(score.score),
            "error": to_percent(score.error),
            "los": to_percent(score.los),
        }
        row |= {"blocks": score.blocks, "faults": faults}
        row["passed"] = "yes" if is_passed(score.score, row["los"], confidence) else "no"
    return row


def is_passed(score: float | None, los: float | None, confidence: float) -> bool:
    """Return whether a bot was shown to be the stronger; without a likelihood it must have won all points."""
    return score == 1.0 if los is None else los >= confidence


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
