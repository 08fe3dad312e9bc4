"""Hands and events in notation."""

from __future__ import annotations

from typing import Final

from arena.games.action import Action
from arena.games.cards import Hand

SWAP_TEMPLATE: Final = "%s>%s"
"""Template of most actions that name cards."""
SEATS: Final = range(64)
"""More seats than any pack is dealt to."""
PREFIXES: Final = [f"{seat}:" for seat in SEATS]
"""Start of the events of each seat."""


def format_cards(cards: Hand) -> str:
    """Return cards as text, with spaces between."""
    if len(cards) == 3:
        return f"{cards[0].text} {cards[1].text} {cards[2].text}"
    return " ".join([c.text for c in cards])


def format_event(seat: int | None, action: Action, cards: Hand) -> str:
    """Return an action by a seat (None: by the table) in notation, given the cards given and taken."""
    prefix = "" if seat is None else PREFIXES[seat]
    template = action.template
    if not cards or not action.named_count:
        return prefix + template
    if len(cards) == 1:
        return prefix + template.replace("%s", cards[0].text)
    if template == SWAP_TEMPLATE and len(cards) == 2:
        return prefix + cards[0].text_given + cards[1].text  # faster than a formatted string
    return prefix + template % tuple([c.text for c in action.named_cards(cards)])
