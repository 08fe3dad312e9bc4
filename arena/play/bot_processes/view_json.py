"""A view in words, for programs in any language: what is in it stands in notation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from arena.games import View
from arena.games.notation import write
from arena.games.settlement.base import Holdings
from arena.play.bot_runtime.view_schema import CARD, HAND, Shape, shapes

HELD = ("tokens", "chips", "points", "pool")


def spelled(view: View) -> dict[str, Any]:
    """All that a view shows, as JSON."""
    table = {
        "seat": view.seat,
        "players": view.players,
        "dealer": view.dealer,
        "deal": view.deal,
        "order": view.order,
        "hand": write(view.hand),
        "dealt": write(view.dealt),
        "holdings": held(view.holdings),
        "known": [write(hand) for hand in view.known],
    }
    for name, shape in shapes(type(view)).items():
        spell = _spelling(shape)
        value = getattr(view, name)
        table[name] = spell(value) if spell else value
    table.update({name: getattr(view, name) for name in _worked_out(type(view))})
    table["events"] = view.events
    table["legal"] = [view.text(action) for action in view.legal]
    return table


def held(holdings: Holdings) -> dict[str, Any]:
    """What everybody holds, in what the game settles in."""
    return {name: value for name in HELD if (value := getattr(holdings, name)) is not None}


@cache
def _spelling(shape: Shape) -> Callable[[Any], Any] | None:
    """What spells a value out; None where it is sent as it is."""
    if shape == CARD:
        return lambda card: None if card is None else str(card)
    if shape == HAND:
        return write
    spell = _spelling(shape.of) if shape.of else None
    return None if spell is None else lambda values: list(map(spell, values))


@cache
def _worked_out(kind: type[View]) -> tuple[str, ...]:
    """What a family's views work out from their fields, beyond what all views have."""
    found = [name for name, value in vars(kind).items() if isinstance(value, property)]
    return tuple([name for name in found if not hasattr(View, name)])
