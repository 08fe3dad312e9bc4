"""Views in notation, as programs and WebAssembly modules are sent them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from arena.games import View
from arena.games.action import format_cards
from arena.play.bot_runtime.view_schema import CARD, HAND, Shape, family_fields, view_class


def view_to_json(view: View) -> dict[str, Any]:
    """Return all that a view shows, in notation, as the protocol sends it."""
    return {**describe_view(view), "legal": [view.text(action) for action in view.legal]}


def describe_view(view: View) -> dict[str, Any]:
    """Return all that a view shows but the legal actions, which it determines, in notation."""
    kind = view_class(view)
    fields = {
        "seat": view.seat,
        "players": view.players,
        "dealer": view.dealer,
        "deal": view.deal,
        "order": view.order,
        "hand": format_cards(view.hand),
        "dealt": format_cards(view.dealt),
        "holdings": {
            **view.holdings.by_unit(),
            **({} if view.holdings.pool is None else {"pool": view.holdings.pool}),
        },
        "known": [format_cards(hand) for hand in view.known],
    }
    for name, shape in family_fields(kind).items():
        convert = _converter(shape)
        value = getattr(view, name)
        fields[name] = convert(value) if convert else value
    fields.update({name: getattr(view, name) for name in _family_properties(kind)})
    fields["events"] = view.events
    return fields


@cache
def _converter(shape: Shape) -> Callable[[Any], Any] | None:
    """Return what converts a value to notation; None where it is sent as it is."""
    if shape == CARD:
        return lambda card: None if card is None else str(card)
    if shape == HAND:
        return format_cards
    convert = _converter(shape.of) if shape.of else None
    return None if convert is None else lambda values: list(map(convert, values))


@cache
def _family_properties(kind: type[View]) -> tuple[str, ...]:
    """Return the names of the properties that a family adds to the view."""
    names = [name for name, value in vars(kind).items() if isinstance(value, property)]
    return tuple([name for name in names if not hasattr(View, name)])
