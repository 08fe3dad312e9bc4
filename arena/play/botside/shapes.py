"""What the fields of a view are made of, so that any family's views can be written down and made again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from operator import itemgetter
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from arena.games import View
from arena.games.cards import Card


class Kind(Enum):
    """What a value is made of."""

    PLAIN = "numbers, or nothing"
    CARD = "one card, or none"
    HAND = "cards in a row"
    LIST = "several of the same"


class Shape(NamedTuple):
    """What a field holds."""

    kind: Kind
    of: Shape | None = None
    """What a LIST is a list of."""

    def writer(self, card: Callable[[Card], Any], hand: Callable[[Any], Any]) -> Callable[[Any], Any] | None:
        """What writes a value down, given how a card and a hand are; None where it is written as it is."""
        if self.kind is Kind.CARD:
            return lambda value: None if value is None else card(value)
        if self.kind is Kind.HAND:
            return hand
        if self.of:
            return _each(self.of.writer(card, hand))
        return None

    def reader(self, card: Callable[[Any], Card], hand: Callable[[Any], Any]) -> Callable[[Any], Any] | None:
        """What makes the value again of what was written; None where it is as it was written."""
        if self.kind is Kind.CARD:
            return lambda value: None if value is None else card(value)
        if self.kind is Kind.HAND:
            return hand
        if self.of:
            read = self.of.reader(card, hand)
            return tuple if read is None else lambda values: tuple(map(read, values))
        return None


def _each(write: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    return None if write is None else lambda values: list(map(write, values))


@cache
def shapes(kind: type[View]) -> dict[str, Shape]:
    """The fields that a family adds to the view, by name, in their order."""
    hints = get_type_hints(kind)
    own = [name for name in kind.__struct_fields__ if name not in View.__struct_fields__]
    return {name: _shape(hints[name]) for name in own}


def seen_fields(kind: type[View]) -> list[str]:
    """The fields that change from one view of a deal to the next, but for its events and legal actions."""
    return ["hand", "dealt", "holdings", *shapes(kind)]


def _shape(hint: Any) -> Shape:
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if Card in choices:
        return Shape(Kind.CARD)
    if get_origin(hint) is tuple:
        inner = _shape(get_args(hint)[0])
        if inner.kind is Kind.CARD:
            return Shape(Kind.HAND)
        return Shape(Kind.LIST, inner)
    return Shape(Kind.PLAIN)


def picker(values: Any) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """What gives the values that stand under some keys, in their order: the quickest way there is."""

    def picked(keys: Sequence[Any]) -> Sequence[Any]:
        return itemgetter(*keys)(values) if len(keys) > 1 else tuple([values[key] for key in keys])

    return picked


def blanks(kind: type[View]) -> tuple[Any, ...]:
    """What the fields of a view hold at the beginning of a deal before anything is told, in their order."""
    empty = {name: () for name, shape in shapes(kind).items() if shape.kind in (Kind.HAND, Kind.LIST)}
    return tuple([empty.get(name) for name in kind.__struct_fields__])
