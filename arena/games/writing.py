"""Hands and what happens at a table, in notation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.games.cards import Card, Hand

if TYPE_CHECKING:
    from arena.games.action import Action


def write(cards: Iterable[Card]) -> str:
    """A hand as text: its cards with spaces between."""
    return " ".join([c.text for c in cards])


def event_text(seat: int | None, done: Action, cards: Hand) -> str:
    """An action in notation with the seat that did it."""
    text = done.form
    if cards and done.blanks:
        named = cards if len(cards) == done.blanks else done.named(cards)
        text %= tuple([c.text for c in named])
    return text if seat is None else f"{seat}:{text}"
