"""The types of a view's fields, from which any family's views are encoded and decoded."""

from __future__ import annotations

from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from arena.games import View
from arena.games.cards import Card


class Kind(Enum):
    """The kinds of values."""

    PLAIN = "number, or none"
    CARD = "card, or none"
    LIST = "list of one shape"


class Shape(NamedTuple):
    """The type of a field."""

    kind: Kind
    of: Shape | None = None
    """The items' type, of a LIST."""

    @property
    def items(self) -> Shape:
        """The items' type of this LIST."""
        assert self.of is not None
        return self.of


CARD = Shape(Kind.CARD)
HAND = Shape(Kind.LIST, CARD)
PLAIN = Shape(Kind.PLAIN)

OPENING_INDEX, LEGAL_INDEX, HOLDINGS_INDEX, PUBLIC_INDEX, PRIVATE_INDEX = map(
    View.__struct_fields__.index, ("opening", "legal", "holdings", "public", "private")
)
"""Indices, in every family's view, of the fields with an encoding of their own."""


def view_class(view: View) -> type[View]:
    """Return the family's own class of a view: a bot's process derives one with the field `_deal`."""
    kind = type(view)
    base = kind.__base__
    return base if base and kind.__struct_fields__[-1] == "_deal" else kind


@cache
def family_fields(kind: type[View]) -> dict[str, Shape]:
    """Return the fields that a family adds to the view, by name, in order."""
    hints = get_type_hints(kind)
    own = [name for name in kind.__struct_fields__ if name not in View.__struct_fields__]
    return {name: _shape(hints[name]) for name in own}


def column_shapes(kind: type[View]) -> dict[int, Shape]:
    """Return the fields that are encoded by their types, by their index in a view."""
    by_name = {"seat": PLAIN, "hand": HAND, "dealt": HAND} | family_fields(kind)
    return {kind.__struct_fields__.index(name): shape for name, shape in by_name.items()}


def _shape(hint: Any) -> Shape:
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if Card in choices:
        return CARD
    if get_origin(hint) is tuple:
        return Shape(Kind.LIST, _shape(get_args(hint)[0]))
    return PLAIN
