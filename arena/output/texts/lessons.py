"""Situations in which other bots decided otherwise, in words."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import Any, Final

from arena.columns.number_format import format_count
from arena.plugins.games import arena_command
from arena.tournament.review.differences import Lesson, Situation

MAX_LESSON_COLUMNS: Final = 104
NOTE: Final = (
    "Only deals count in which both had seen the same until they decided differently, so all cards are the\n"
    "same. A deal is worth what the seat won, less what the others won on average, in tokens, chips or\n"
    "points. ± is by blocks and holds for all situations of a game together. Situations with fewer than 8\n"
    "deals or 6 blocks are left out."
)


def situation_text(situation: Situation) -> str:
    """Return when, and with what hand: `first decision, holding a pair`."""
    hand = f", holding {_with_article(situation.hand)}" if situation.hand else ""
    return f"{situation.phase}{hand}"


def others_action(situation: Situation) -> str:
    """Return the kind of the others' action: `another exchange` if both exchange."""
    own, other = situation.actions
    return f"another {other}" if own == other else other


def lesson_text(lesson: Lesson, bot: str, others: str) -> str:
    """Return a lesson as a sentence."""
    choice = f"{bot} plays {lesson.situation.actions[0]} and {others} {others_action(lesson.situation)}"
    value, error = lesson.lead.value or 0.0, lesson.lead.error or 0.0
    unsure = "" if lesson.is_clear else "; it may be chance"
    return (
        f"{situation_text(lesson.situation).capitalize()}: {choice}: {value:+z.2f} ± {error:.2f} a deal "
        f"({format_count(lesson.deals, 'deals')} in {format_count(lesson.lead.blocks, 'blocks')}{unsure})"
    )


def lesson_lines(lessons: list[Lesson], bot: str, other: str, folder: Path) -> str:
    """Return the lessons of a run with the commands that show an example of each."""
    lines = []
    for lesson in lessons:
        deal = lesson.examples[0]
        lines += wrap(f"{lesson.game}. {lesson_text(lesson, bot, other)}", MAX_LESSON_COLUMNS)
        lines += [
            f"  {name}: {arena_command()} replay show {quote(str(folder))} --block {quote(deal.block)} "
            f"--rotation {rotation} --deal {deal.deal + 1}"
            for name, rotation in zip((bot, other), deal.rotations, strict=True)
        ]
    return "\n".join(lines)


def lesson_fields(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson for programs, without its examples, whose addresses name all bots of a table."""
    return {
        "game": lesson.game,
        "phase": lesson.situation.phase,
        "hand": lesson.situation.hand,
        "actions": lesson.situation.actions,
        "deals": lesson.deals,
        "lead": lesson.lead.value,
        "error": lesson.lead.error,
        "blocks": lesson.lead.blocks,
        "clear": lesson.is_clear,
    }


def _with_article(category: str) -> str:
    words = category.replace("-", " ")
    if words in ("nothing", "points", "sum", "three alike"):
        return words
    return f"a {words}"
