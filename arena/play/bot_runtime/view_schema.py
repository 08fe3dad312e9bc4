"""What the fields of a view are made of, so that any family's views can be written down and made again."""

from __future__ import annotations

from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from arena.games import View
from arena.games.cards import Card


class Kind(Enum):
    """What a value is made of."""

    PLAIN = "numbers, or nothing"
    CARD = "one card, or none"
    LIST = "several of the same"


class Shape(NamedTuple):
    """What a field holds."""

    kind: Kind
    of: Shape | None = None
    """What a LIST is a list of."""

    @property
    def inner(self) -> Shape:
        """What this LIST is a list of."""
        assert self.of is not None
        return self.of


CARD = Shape(Kind.CARD)
HAND = Shape(Kind.LIST, CARD)
PLAIN = Shape(Kind.PLAIN)


AT_OPENING, AT_LEGAL, AT_HOLDINGS, AT_PUBLIC, AT_ASIDE = map(
    View.__struct_fields__.index, ("opening", "legal", "holdings", "public", "private")
)
"""Where those fields stand in every view that are told in ways of their own."""


@cache
def shapes(kind: type[View]) -> dict[str, Shape]:
    """The fields that a family adds to the view, by name, in their order."""
    hints = get_type_hints(kind)
    own = [name for name in kind.__struct_fields__ if name not in View.__struct_fields__]
    return {name: _shape(hints[name]) for name in own}


def shapes_of(kind: type[View]) -> dict[int, Shape]:
    """The fields that are told as what they are made of, by their places in a view."""
    by_name = {"seat": PLAIN, "hand": HAND, "dealt": HAND} | shapes(kind)
    return {kind.__struct_fields__.index(name): shape for name, shape in by_name.items()}


def _shape(hint: Any) -> Shape:
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if Card in choices:
        return CARD
    if get_origin(hint) is tuple:
        return Shape(Kind.LIST, _shape(get_args(hint)[0]))
    return PLAIN
