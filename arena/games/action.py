"""Actions: what a seat may do at a decision. Interned, compared by identity, of slots and not of cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from arena.games.cards import Card

Slots = tuple[int, ...]
T = TypeVar("T")


class Action:
    """One thing a seat can do: a kind, the slots of the hand it gives and the slots of the table it takes."""

    __slots__ = ("give", "kind", "named_count", "take", "template")

    kind: str
    give: Slots
    take: Slots
    template: str
    """Its notation, with `%s` for each card it names."""
    named_count: int
    """How many cards the notation names."""

    def __init__(self, kind: str, give: Slots, take: Slots, template: str) -> None:
        self.kind, self.give, self.take, self.template = kind, give, take, template
        self.named_count = template.count("%s")

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, name) and not name.startswith("_"):
            raise AttributeError(f"an action cannot be changed: {name}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an action cannot be changed: {name}")

    def cards(self, hand: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """The cards it gives and then those it takes, given the hand and the table it is done from."""
        return tuple([hand[slot] for slot in self.give] + [table[slot] for slot in self.take])

    def text(self, cards: Sequence[object]) -> str:
        """Its notation, given the cards it gives and takes."""
        return self.template % tuple(self.named_cards(cards)) if self.named_count else self.template

    def named_cards(self, cards: Sequence[T]) -> Sequence[T]:
        """Those of the cards given and then taken that its notation names: the last of them."""
        return cards[-self.named_count :]

    def __repr__(self) -> str:
        slots = [f"[{slot}]" for slot in self.give + self.take]
        return f"<{self.text(slots) if len(slots) >= self.named_count else self.template}>"

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: object) -> Action:
        return self

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return action, (self.kind, self.give, self.take, self.template)


def action(kind: str, give: Slots = (), take: Slots = (), template: str = "") -> Action:
    """The one action that is so; without a `template` its notation is its kind."""
    return _interned(kind, give, take, template or kind)


@cache
def _interned(kind: str, give: Slots, take: Slots, template: str) -> Action:
    return Action(kind, give, take, template)
