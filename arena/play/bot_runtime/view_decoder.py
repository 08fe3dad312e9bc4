"""Views made again from what was sent of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import import_module
from itertools import starmap
from typing import Any

import msgspec

from arena.games import Opening, Rules, View, variant
from arena.games.action import Action
from arena.games.events import Event, PrivateEvent
from arena.games.settlement.base import Holdings
from arena.play.bot_runtime.column_codec import hand_reader, reader
from arena.play.bot_runtime.view_schema import AT_LEGAL, shapes_of

Legal = tuple[Action, ...]
DECODE = msgspec.msgpack.Decoder().decode
LINES = msgspec.json.Decoder().decode_lines
SENT: dict[str, Callable[[View], Any]] = {
    name: View.__dict__[name].__get__ for name in ("opening", "holdings", "public", "private")
}
"""Fields of a view that hold what was sent of them."""


class Numbers:
    """What the arena's numbers stand for."""

    def __init__(self) -> None:
        self.actions: dict[int, Action] = {}
        self.legal: dict[int, Legal] = {}
        self.places: dict[int, dict[Any, int]] = {}
        """Of legal actions, each one's place among them."""
        self.forms: dict[int, Form] = {}

    def learn_action(self, message: list[Any]) -> None:
        """An action, which is the same object here wherever it comes from."""
        _, number, pickled = message
        self.actions[number] = pickle.loads(pickled)

    def learn_legal(self, message: list[Any]) -> None:
        """A tuple of legal actions."""
        _, number, actions = message
        self.legal[number] = legal = tuple([self.actions[action] for action in actions])
        self.places[number] = {one: place for place, one in enumerate(legal)}

    def learn_form(self, message: list[Any]) -> None:
        """How the views of a family are written in a variant."""
        _, number, where, name, options = message
        module, _, kind = where.partition(":")
        self.forms[number] = Form(getattr(import_module(module), kind), variant(name, **options), self)


class Chain:
    """Events made of what was sent of them, each once, though all of a deal are sent again and again."""

    __slots__ = ("_made", "_said")

    def __init__(self) -> None:
        self._said = ""
        self._made: list[Any] = [None]
        """The last event after each number of lines."""

    def last(self, said: str, made_of: Callable[..., Any]) -> Any:
        """The last of the events, of which each is made of its line and the event before."""
        if not self._said.startswith(said):
            if not said.startswith(self._said):
                self._said, self._made = "", [None]
            for values in LINES(said[len(self._said) :]):
                self._made.append(made_of(self._made[-1], *values))
            self._said = said
        return self._made[said.count("\n")]


class Told:
    """What one seat has looked at of what was said in its match."""

    __slots__ = ("asides", "events")

    def __init__(self) -> None:
        self.events, self.asides = Chain(), Chain()


def remembering(kind: type[View], numbers: Numbers, rules: Rules) -> type[View]:
    """The same views, but that they read how the deal opened and what was said in it when they are asked."""
    actions, hand = numbers.actions, hand_reader(rules)

    @lru_cache(maxsize=1 << 10)
    def opened(data: bytes) -> Opening:
        players, number, dealer, order, holdings, roles = DECODE(data)
        return Opening(rules, players, number, dealer, tuple(order), held_of(holdings), tuple(roles))

    def holdings(view: View) -> Holdings:
        data = SENT["holdings"](view)
        return view.opening.holdings if data is None else held_of(DECODE(data))

    def event(before: Event | None, seat: int | None, action: int, cards: str) -> Event:
        return Event(before, before.number + 1 if before else 0, seat, actions[action], hand(cards))

    def aside(
        before: PrivateEvent | None, instead: int, number: int, seat: int, action: int, cards: str
    ) -> PrivateEvent:
        return PrivateEvent(before, Event(None, number, seat, actions[action], hand(cards)), bool(instead))

    names = {
        "__module__": kind.__module__,
        "__annotations__": {"told": Told},
        "opening": property(lambda view: opened(SENT["opening"](view))),
        "holdings": property(holdings),
        "public": property(lambda view: view.told.events.last(SENT["public"](view), event)),
        "private": property(lambda view: view.told.asides.last(SENT["private"](view), aside)),
    }
    make: Any = type(kind)
    made: type[View] = make(kind.__name__, (kind,), names, frozen=True, eq=False, gc=False)
    return made


class Form:
    """How the views of a family in a variant are made again."""

    def __init__(self, kind: type[View], rules: Rules, numbers: Numbers) -> None:
        self._make: Any = remembering(kind, numbers, rules)
        self._legal = numbers.legal.__getitem__
        found = [(place, reader(shape, rules)) for place, shape in shapes_of(kind).items()]
        self._readers = [(place, read) for place, read in found if read]

    def views(self, columns: list[Any], told: Iterable[Told]) -> Iterable[View]:
        """The views that these columns are of, each made when it is its turn."""
        columns[AT_LEGAL] = map(self._legal, columns[AT_LEGAL])
        for place, read in self._readers:
            columns[place] = read(columns[place])
        return starmap(self._make, zip(*columns, told, strict=False))


def held_of(values: list[Any]) -> Holdings:
    """Holdings from their fields in order."""
    return msgspec.convert(dict(zip(Holdings.__struct_fields__, values, strict=True)), Holdings)
