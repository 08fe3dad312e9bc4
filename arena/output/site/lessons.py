"""The section of a bot's page on situations in which stronger bots decide otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from arena.columns.column import Column
from arena.columns.kinds import TEXT
from arena.columns.table_formats import Sheet
from arena.league.store import Bot
from arena.output.pages.link import Link
from arena.output.site.content import SiteContent, game_title
from arena.output.site.page_model import SiteSection
from arena.output.site.results_from_blocks import PlayedMatch
from arena.output.texts.lessons import NOTE, lesson_text, others_action, situation_text
from arena.tournament.review.differences import Lesson
from arena.tournament.store.played_blocks import Game

STRONGER: Final = "bots rated above it"


class LessonRow(NamedTuple):
    """A lesson with its examples."""

    game: Game
    lesson: Lesson
    examples: list[tuple[PlayedMatch, int]]
    """The bot's own matches, and the number of the deal in each, from 1."""


def lesson_rows(content: SiteContent, bot: Bot) -> list[LessonRow]:
    """Return the lessons of a bot, those of the first game first."""
    rows = []
    for game in content.games:
        for lesson in content.lessons(bot):
            if lesson.game == game_title(game):
                deals = [(content.find_example(deal, game), deal.deal + 1) for deal in lesson.examples]
                rows.append(LessonRow(game, lesson, deals))
    return rows


def lessons_sections(rows: Sequence[LessonRow], matches: Sequence[PlayedMatch]) -> Iterator[SiteSection]:
    """Yield the section, if there is a lesson; `matches` are those that the page shows."""
    if not rows:
        return

    def link_example(row: LessonRow, place: int) -> str:
        if place >= len(row.examples):
            return ""
        match, deal = row.examples[place]
        number = matches.index(match) + 1
        return Link(f"match {number}, deal {deal}", f"#match={number}&deal={deal}")

    clear = [row.lesson for row in rows if row.lesson.is_clear]
    summary = (
        f"{lesson_text(clear[0], 'it', STRONGER)}."
        if clear
        else "So far each of these differences may be chance."
    )
    columns = [
        Column[LessonRow]("game", value=lambda row: row.lesson.game, kind=TEXT),
        Column[LessonRow]("situation", value=lambda row: situation_text(row.lesson.situation), kind=TEXT),
        Column[LessonRow]("it plays", value=lambda row: row.lesson.situation.actions[0], kind=TEXT),
        Column[LessonRow]("they play", value=lambda row: others_action(row.lesson.situation), kind=TEXT),
        Column[LessonRow]("a deal", text=lambda row: f"{row.lesson.lead.value or 0:+z.2f}"),
        Column[LessonRow]("±", text=lambda row: f"{row.lesson.lead.error or 0:.2f}"),
        Column[LessonRow]("deals", value=lambda row: row.lesson.deals),
        Column[LessonRow]("blocks", value=lambda row: row.lesson.lead.blocks),
        Column[LessonRow]("for example", kind=TEXT, text=lambda row: link_example(row, 0)),
        Column[LessonRow]("or", kind=TEXT, text=lambda row: link_example(row, 1)),
    ]
    table = Sheet("What stronger bots do otherwise", columns, rows)
    yield SiteSection("coach", "What stronger bots do otherwise", summary, table=table, notes=[NOTE])
