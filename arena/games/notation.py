"""Hands and what happens at a table, in notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.games.cards import Hand

if TYPE_CHECKING:
    from arena.games.action import Action

SWAP: Final = "%s>%s"
"""The form of most actions that name cards."""
SEATS: Final = range(64)
"""More seats than any pack is dealt to."""
WHO: Final = [f"{seat}:" for seat in SEATS]
"""By seat, what its actions begin with."""


def format_cards(cards: Hand) -> str:
    """A hand as text: its cards with spaces between."""
    if len(cards) == 3:
        return f"{cards[0].text} {cards[1].text} {cards[2].text}"
    return " ".join([c.text for c in cards])


def format_event(seat: int | None, done: Action, cards: Hand) -> str:
    """An action in notation with the seat that did it."""
    who = "" if seat is None else WHO[seat]
    form = done.template
    if not cards or not done.named_count:
        return who + form
    named = cards if len(cards) == done.named_count else done.named_cards(cards)
    if form == SWAP:
        return f"{who}{named[0].text}>{named[1].text}"
    return who + form % tuple([c.text for c in named])
