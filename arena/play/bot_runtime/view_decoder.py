"""Rebuilds the views that `arena.play.bot_processes.view_encoder` has encoded."""

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
from arena.play.bot_runtime.column_codec import column_reader, hand_reader
from arena.play.bot_runtime.view_schema import LEGAL_INDEX, column_shapes

DECODE = msgspec.msgpack.Decoder().decode
DECODE_LINES = msgspec.json.Decoder().decode_lines
MAX_CACHED_OPENINGS = 1 << 10
ENCODED: dict[str, Callable[[View], Any]] = {
    name: View.__dict__[name].__get__ for name in ("opening", "holdings", "public", "private")
}
"""Getters of the fields that still hold what was sent; they are decoded when a bot reads them."""


class SymbolDecoder:
    """The meanings of the arena's numbers."""

    def __init__(self) -> None:
        self.actions: dict[int, Action] = {}
        self.legal: dict[int, tuple[Action, ...]] = {}
        self.indices: dict[int, dict[Any, int]] = {}
        """Index of each action in a tuple of legal actions, by the number of the tuple."""
        self.view_types: dict[int, ViewDecoder] = {}

    def define_action(self, message: list[Any]) -> None:
        """Store an action; unpickling interns it."""
        _, number, pickled = message
        self.actions[number] = pickle.loads(pickled)

    def define_legal(self, message: list[Any]) -> None:
        """Store a tuple of legal actions."""
        _, number, actions = message
        self.legal[number] = legal = tuple([self.actions[action] for action in actions])
        self.indices[number] = {action: index for index, action in enumerate(legal)}

    def define_view_type(self, message: list[Any]) -> None:
        """Store the decoder of a family's view in a variant."""
        _, number, where, name, options = message
        module, _, kind = where.partition(":")
        rules = variant(name, **options)
        self.view_types[number] = ViewDecoder(getattr(import_module(module), kind), rules, self)


class EventDecoder:
    """A deal's decoded events: each is decoded once, though every view holds all of them."""

    __slots__ = ("_events", "_lines")

    def __init__(self) -> None:
        self._lines = ""
        self._events: list[Any] = [None]
        """The last event after each number of lines."""

    def decode(self, lines: str, make: Callable[..., Any]) -> Any:
        """Return the last event; `make` builds one from the event before it and the fields of its line."""
        if not self._lines.startswith(lines):
            if not lines.startswith(self._lines):
                self._lines, self._events = "", [None]
            for fields in DECODE_LINES(lines[len(self._lines) :]):
                self._events.append(make(self._events[-1], *fields))
            self._lines = lines
        return self._events[lines.count("\n")]


class SeatHistory:
    """The decoded events of one seat of a match."""

    __slots__ = ("private", "public")

    def __init__(self) -> None:
        self.public, self.private = EventDecoder(), EventDecoder()


class ViewDecoder:
    """Rebuilds the views of a family in a variant."""

    def __init__(self, kind: type[View], rules: Rules, symbols: SymbolDecoder) -> None:
        self._make: Any = _lazy_view(kind, symbols, rules)
        self._legal = symbols.legal.__getitem__
        readers = [(index, column_reader(shape, rules)) for index, shape in column_shapes(kind).items()]
        self._readers = [(index, read) for index, read in readers if read]

    def decode(self, columns: list[Any], histories: Iterable[SeatHistory]) -> Iterable[View]:
        """Return the views of these columns, each made when it is its turn."""
        columns[LEGAL_INDEX] = map(self._legal, columns[LEGAL_INDEX])
        for index, read in self._readers:
            columns[index] = read(columns[index])
        return starmap(self._make, zip(*columns, histories, strict=False))


def _lazy_view(kind: type[View], symbols: SymbolDecoder, rules: Rules) -> type[View]:
    """Derive a view that decodes its opening, holdings and events when they are read."""
    actions, hand = symbols.actions, hand_reader(rules)

    @lru_cache(maxsize=MAX_CACHED_OPENINGS)
    def decode_opening(data: bytes) -> Opening:
        players, number, dealer, order, holdings, roles = DECODE(data)
        return Opening(rules, players, number, dealer, tuple(order), _holdings(holdings), tuple(roles))

    def decode_holdings(view: View) -> Holdings:
        data = ENCODED["holdings"](view)
        return view.opening.holdings if data is None else _holdings(DECODE(data))

    def make_event(before: Event | None, seat: int | None, action: int, cards: str) -> Event:
        return Event(before, before.number + 1 if before else 0, seat, actions[action], hand(cards))

    def make_own(
        before: PrivateEvent | None, replaces: int, number: int, seat: int, action: int, cards: str
    ) -> PrivateEvent:
        return PrivateEvent(before, Event(None, number, seat, actions[action], hand(cards)), bool(replaces))

    namespace = {
        "__module__": kind.__module__,
        "__annotations__": {"_history": SeatHistory},
        "opening": property(lambda view: decode_opening(ENCODED["opening"](view))),
        "holdings": property(decode_holdings),
        "public": property(lambda view: view._history.public.decode(ENCODED["public"](view), make_event)),
        "private": property(lambda view: view._history.private.decode(ENCODED["private"](view), make_own)),
    }
    make: Any = type(kind)
    made: type[View] = make(kind.__name__, (kind,), namespace, frozen=True, eq=False, gc=False)
    return made


def _holdings(values: list[Any]) -> Holdings:
    return msgspec.convert(dict(zip(Holdings.__struct_fields__, values, strict=True)), Holdings)
