"""The page of `arena why`: what cost each bot most, with the deals to step through."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from arena.columns.column import Column
from arena.columns.kinds import TEXT
from arena.columns.table_formats import Sheet
from arena.games import Deal
from arena.output.pages.page import Link, Page, Section
from arena.output.pages.replay_data import (
    ReplayData,
    replay_of_record,
)
from arena.output.texts.review import NOTE, describe_conclusion, others_action, situation_text
from arena.play.actions_of_other_bots import Suggestions
from arena.play.chances import Chances
from arena.tournament.record_search import FoundRecord, replay_deals
from arena.tournament.review.differences import (
    Difference,
    DifferentDeal,
    Lesson,
)

MatchKey = tuple[str, int]
"""Block and rotation."""
EstimateMatch = Callable[[Sequence[Deal]], list[list[Chances]]]
SuggestActions = Callable[[Sequence[Deal]], tuple[Sequence[str], Sequence[Suggestions]]]
"""Returns the names of other bots, and what they would have done in each deal."""
MAX_LARGEST_DEALS = 3
"""Deals with the largest leads that are shown beside those of the situations."""


class _Place(NamedTuple):
    """A deal of a match on the page; its number is from 1."""

    match: int
    deal: int

    def link(self, text: str) -> Link:
        return Link(text, f"#match={self.match}&deal={self.deal}")


class WhyPage:
    """The page on the difference between two bots of a run."""

    def __init__(self, difference: Difference, bots: tuple[str, str]) -> None:
        self._found, self._bots = difference, bots
        examples = [lesson.examples[0] for lessons in difference.lessons for lesson in lessons]
        deals = [*examples, *difference.deals[:MAX_LARGEST_DEALS]]
        keys: list[MatchKey] = [(deal.block, rotation) for deal in deals for rotation in deal.rotations]
        self._numbers = {key: number for number, key in enumerate(dict.fromkeys(keys), 1)}

    def render(
        self,
        name: str,
        records: Iterable[FoundRecord],
        estimate: EstimateMatch | None = None,
        suggest: SuggestActions | None = None,
    ) -> str:
        """Return the page.

        Args:
            name: Name of the records in messages.
            records: The recorded matches of the run.
            estimate: Returns the chances of the seats of a match; None to leave them out.
            suggest: Returns what other bots would have done in a match; None to leave it out.
        """
        replays: dict[int, ReplayData] = {}
        for match in records:
            if number := self._numbers.get((match.record.block, match.record.rotation)):
                deals = replay_deals(name, match)
                chances = estimate(deals) if estimate else None
                others, answers = suggest(deals) if suggest else ((), None)
                replay = replay_of_record(match.number, match.record, deals, others, answers, chances)
                replays[number] = msgspec.structs.replace(replay, number=number)
        page = Page(
            title=f"{self._bots[0]} and {self._bots[1]}",
            eyebrow="Where the difference comes from",
            lead=f"{describe_conclusion(self._found, *self._bots)} {NOTE}",
            sections=[
                Section(f"part-{number}", sheet.title, table=sheet)
                for number, sheet in enumerate(self._sheets(), 1)
            ],
        )
        return page.render([replays[number] for number in sorted(replays)])

    def _sheets(self) -> Iterable[Sheet]:
        for lessons, bot, other in zip(self._found.lessons, self._bots, self._bots[::-1], strict=True):
            if lessons:
                title = f"What cost {bot} most, where {other} decided otherwise"
                yield Sheet(title, self._lesson_columns(bot, other), lessons)
        if deals := self._found.deals[:MAX_LARGEST_DEALS]:
            title = "Deals with the largest differences"
            yield Sheet(title, self._deal_columns(), deals)

    def _lesson_columns(self, bot: str, other: str) -> list[Column[Lesson]]:
        return [
            Column("game", value=lambda row: row.game, kind=TEXT),
            Column("situation", value=lambda row: situation_text(row.situation), kind=TEXT),
            Column(f"{bot} plays", value=lambda row: row.situation.actions[0], kind=TEXT),
            Column(f"{other} plays", value=lambda row: others_action(row.situation), kind=TEXT),
            Column("a deal", text=lambda row: f"{row.lead.value or 0:+z.2f}"),
            Column("±", text=lambda row: f"{row.lead.error or 0:.2f}"),
            Column("deals", value=lambda row: row.deals),
            Column("for example", kind=TEXT, text=lambda row: self._link(row.examples[0], 0)),
            Column("on the same cards", kind=TEXT, text=lambda row: self._link(row.examples[0], 1)),
        ]

    def _deal_columns(self) -> list[Column[DifferentDeal]]:
        first, second = self._bots
        return [
            Column("game", value=lambda row: row.game, kind=TEXT),
            Column("hand", value=lambda row: row.hand, kind=TEXT),
            Column(f"worth to {first}", text=lambda row: f"{row.lead:+z.2f}"),
            Column(first, kind=TEXT, text=lambda row: self._link(row, 0, row.texts[0])),
            Column(second, kind=TEXT, text=lambda row: self._link(row, 1, row.texts[1])),
        ]

    def _link(self, deal: DifferentDeal, which: int, text: str = "") -> Link:
        place = _Place(self._numbers[deal.block, deal.rotations[which]], deal.deal + 1)
        return place.link(text or f"match {place.match}, deal {place.deal}")
