"""All that a view shows and all that is in a match, as values that can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from arena.games import Deal, Match, View
from arena.games.action import Action
from arena.games.cards import Card
from arena.games.stock import attributes

LINKED_FIELDS: Final = ("opening", "public", "private")
"""Fields of a view that its properties `players`, `order`, `events` and others cover."""
PROPERTIES: Final = ("players", "dealer", "deal", "order", "table", "known")
MAX_VALUE_CHARS: Final = 200

Observe = Callable[[View], Mapping[str, object]]
"""Returns the observation that learners get of a view, by the names of its features."""


def view_facts(view: View) -> dict[str, Any]:
    """Return everything a view shows: two views are alike if these are equal."""
    names = [name for name in view.__struct_fields__ if name not in LINKED_FIELDS]
    facts = {f"view.{name}": getattr(view, name) for name in (*names, *PROPERTIES)}
    facts["view.events"] = [event.text for event in view.past]
    facts["view.past"] = [(event.seat, event.action, event.cards) for event in view.past]
    facts["view.text of the legal actions"] = [view.text(action) for action in view.legal]
    return facts


def match_facts(match: Match) -> dict[str, Any]:
    """Return everything in a match that can change the way it goes on, or what anybody sees of it."""
    deal = match.deal
    stock = deal.stock.copy()
    facts: dict[str, Any] = {
        "seat to act": match.seat_to_act,
        "finished deals": len(match.finished_deals),
        "holdings": match.holdings,
        "log": [event.text for event in deal.log],
        "stock": [stock.draw() for _ in range(stock.left)],
    }
    for seat in range(match.players):
        facts.update({f"{key} of seat {seat}": value for key, value in view_facts(deal.view(seat)).items()})
    for name, value in attributes(deal).items():
        if isinstance(value, list | dict | set):
            facts[f"deal.{name}"] = freeze(value)
    return facts


def freeze(value: Any) -> Any:
    """Return a value that stays as it is when containers in `value` change."""
    if isinstance(value, dict):
        return {key: freeze(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return tuple([freeze(inner) for inner in value])
    if isinstance(value, set | frozenset):
        return frozenset(value)
    return value


def find_difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Return the name of the first fact that differs; "" if there is none."""
    if before.keys() != after.keys():
        return sorted(before.keys() ^ after.keys())[0]
    return next((name for name, value in before.items() if not is_alike(value, after[name])), "")


def narrow_difference(name: str, value: Any, other: Any) -> tuple[str, Any, Any]:
    """Return the place in two tuples where they differ first, with what each has there: `view.events[3]`."""
    while isinstance(value, list | tuple) and isinstance(other, list | tuple):
        if len(value) != len(other) or (value and isinstance(value[0], Card)):
            break
        place = next(
            place for place, pair in enumerate(zip(value, other, strict=True)) if not is_alike(*pair)
        )
        name, value, other = f"{name}[{place}]", value[place], other[place]
    return name, value, other


def is_alike(value: Any, other: Any) -> bool:
    """Return whether two values are the same to a bot: equal, of one type, with equal attributes."""
    if type(value) is not type(other):
        return False
    if isinstance(value, dict):
        return is_alike([*value.items()], [*other.items()])
    if isinstance(value, list | tuple):
        return len(value) == len(other) and all(map(is_alike, value, other))
    if isinstance(value, float):
        return repr(value) == repr(other)  # which shows the sign of zero
    if value != other:
        return False
    return not hasattr(value, "__dict__") or is_alike(vars(value), vars(other))


def cards_in(value: Any) -> Iterable[Card]:
    """Yield the cards in nested containers."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, dict):
        yield from cards_in([*value.keys(), *value.values()])
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from cards_in(inner)


def format_value(value: Any) -> str:
    """Return a value of a view as text: cards in notation, sets in order, of unknown objects the class."""
    if isinstance(value, Card):
        text = str(value)
    elif isinstance(value, dict):
        text = ", ".join(f"{format_value(key)}: {format_value(inner)}" for key, inner in value.items())
    elif isinstance(value, list | tuple):
        text = f"({', '.join(map(format_value, value))})"
    elif isinstance(value, set | frozenset):
        text = f"{{{', '.join(sorted(map(format_value, value)))}}}"
    elif value is None or isinstance(value, str | int | float | bytes | Action | msgspec.Struct):
        text = repr(value)
    else:
        text = type(value).__name__
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[: MAX_VALUE_CHARS - 1]}…"


def is_asked(deal: Deal, seat: int) -> bool:
    """Return whether it is a seat's decision."""
    return deal.to_act == seat
