"""Hands and events in notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.games.action import Action
from arena.games.cards import Card, Hand

if TYPE_CHECKING:
    from arena.games.mypyc_decorator import i64

SEATS: Final = range(64)
"""More seats than any pack is dealt to."""
PREFIXES: Final = [f"{seat}:" for seat in SEATS]
"""Start of the events of each seat."""


class PairTexts:
    """Two cards in notation, with a text before, between and after them; each pair is written once."""

    __slots__ = ("_after", "_before", "_between", "_rows")

    def __init__(self, before: str, between: str, after: str) -> None:
        self._before = before
        self._between = between
        self._after = after
        self._rows: list[list[str]] = []
        """Texts by the numbers of the first card and the second; empty where none is written yet."""

    def text(self, first: Card, second: Card) -> str:
        """Return the text of two cards."""
        rows = self._rows
        number: i64 = first.number
        while len(rows) <= number:
            rows.append([])
        row = rows[number]
        number = second.number
        while len(row) <= number:
            row.append("")
        text = row[number]
        if not text:
            text = row[number] = self._before + first.text + self._between + second.text + self._after
        return text


SWAPS: Final = [PairTexts(prefix, ">", "") for prefix in PREFIXES]
"""Exchanges of one card for one, by seat: most events of many games."""
FIRST_TWO: Final = PairTexts("", " ", " ")
"""The first two cards of three."""


def format_cards(cards: Hand) -> str:
    """Return cards as text, with spaces between."""
    if len(cards) == 3:
        return FIRST_TWO.text(cards[0], cards[1]) + cards[2].text
    return " ".join([c.text for c in cards])


def format_event(seat: int | None, action: Action, cards: Hand) -> str:
    """Return an action by a seat (None: by the table) in notation, given the cards given and taken."""
    template = action.template
    if action.is_card_swap and seat is not None and len(cards) == 2:
        return SWAPS[seat].text(cards[0], cards[1])
    prefix = "" if seat is None else PREFIXES[seat]
    if not cards or not action.named_count:
        return prefix + template
    if len(cards) == 1:
        return prefix + template.replace("%s", cards[0].text)
    return prefix + template % tuple([c.text for c in action.named_cards(cards)])
