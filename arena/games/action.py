"""Actions: what a seat may do at a decision. Interned values of slots, not of cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeVar

from arena.games.cards import Card, Interned

Slots = tuple[int, ...]
T = TypeVar("T")
SWAP_TEMPLATE: Final = "%s>%s"
"""Template of most actions that name cards."""


class Action(Interned):
    """An action by its kind and the slots it is about.

    Attributes:
        kind: The word it is named by: `exchange`, `pass`, `draw` …
        give: Slots of the hand whose cards are given.
        take: Slots of the table whose cards are taken.
        template: Its notation, with `%s` for each card it names.
        named_count: The number of cards the notation names.
        is_card_swap: Its notation is that of one card for one.
    """

    __slots__ = ("give", "is_card_swap", "kind", "named_count", "take", "template")

    def __init__(self, kind: str, give: Slots, take: Slots, template: str) -> None:
        self.kind: Final = kind
        self.give: Final = give
        self.take: Final = take
        self.template: Final = template
        self.named_count: Final = template.count("%s")
        self.is_card_swap: Final = template == SWAP_TEMPLATE

    def cards(self, hand: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards given and then those taken, from the hand and table before the action."""
        return tuple([hand[slot] for slot in self.give] + [table[slot] for slot in self.take])

    def text(self, cards: Sequence[object]) -> str:
        """Return the notation, given the cards it gives and takes."""
        return self.template % tuple(self.named_cards(cards)) if self.named_count else self.template

    def named_cards(self, cards: Sequence[T]) -> Sequence[T]:
        """Return those of the cards given and taken that the notation names: the last of them."""
        return cards[-self.named_count :]

    def __repr__(self) -> str:
        slots = [f"[{slot}]" for slot in self.give + self.take]
        return f"<{self.text(slots) if len(slots) >= self.named_count else self.template}>"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return action, (self.kind, self.give, self.take, self.template)


def action(kind: str, give: Slots = (), take: Slots = (), template: str = "") -> Action:
    """Return the interned action; without a `template` its notation is its kind."""
    return _interned(kind, give, take, template or kind)


@cache
def _interned(kind: str, give: Slots, take: Slots, template: str) -> Action:
    return Action(kind, give, take, template)
