"""Encodes views for Python bots; what the players of a match have in common is encoded once."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import cache
from random import SystemRandom
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.games import Rules, View
from arena.games.action import Action
from arena.games.cards import Hand
from arena.games.events import Event, PrivateEvent
from arena.play.bot_runtime.column_codec import column_writer, hand_writer
from arena.play.bot_runtime.view_schema import column_shapes
from arena.play.bot_runtime.wire import ACTION, LEGAL, VIEW_TYPE

ENCODE = msgspec.msgpack.Encoder().encode
SYMBOL_BITS = 31


class SymbolEncoder:
    """Numbers for actions, tuples of legal actions and types of views: those of one worker.

    They are random: numbers in sequence would tell a bot how much others have been asked.
    """

    def __init__(self) -> None:
        self.definitions: dict[int, list[Any]] = {}
        """The message that defines a number to a process."""
        self._actions: dict[Action, int] = {}
        self._legal: dict[tuple[Action, ...], int] = {}
        self._legal_by_id: dict[int, int] = {}
        """Encoded legal actions, by the ids of the keys of `_legal`, which stay alive there."""
        self._view_types: dict[tuple[type[View], Rules], int] = {}
        self._draw = SystemRandom().getrandbits

    def action(self, action: Action) -> int:
        """Return the number of an action."""
        number = self._actions.get(action)
        if number is None:
            number = self._actions[action] = self._new()
            self.definitions[number] = [ACTION, number, pickle.dumps(action)]
        return number

    def legal(self, column: Sequence[tuple[Action, ...]]) -> list[int]:
        """Return the numbers of tuples of legal actions."""
        known = self._legal_by_id
        return [known.get(id(actions)) or self._number_of(actions) for actions in column]

    def _number_of(self, actions: tuple[Action, ...]) -> int:
        number = self._legal.get(actions)
        if number is None:
            number = self._legal[actions] = self._legal_by_id[id(actions)] = self._new()
            self.definitions[number] = [LEGAL, number, [self.action(action) for action in actions]]
        return number

    def view_type(self, kind: type[View], rules: Rules) -> int:
        """Return the number of a family's view in a variant."""
        number = self._view_types.get((kind, rules))
        if number is None:
            number = self._view_types[kind, rules] = self._new()
            where = f"{kind.__module__}:{kind.__qualname__}"
            self.definitions[number] = [VIEW_TYPE, number, where, rules.name, dict(rules.overrides)]
        return number

    def _new(self) -> int:
        while (number := self._draw(SYMBOL_BITS)) in self.definitions:
            pass
        return number


class ViewEncoder:
    """The encoding of a family's view fields in a variant."""

    def __init__(self, kind: type[View], rules: Rules) -> None:
        self.kind, self.rules = kind, rules
        self.hand: Callable[[Hand], str] = hand_writer(rules)
        writers = [(index, column_writer(shape, rules)) for index, shape in column_shapes(kind).items()]
        self.writers = [(index, write) for index, write in writers if write]
        """Writers by field index, for the fields that are not sent as they are."""


@cache
def view_encoder(kind: type[View], rules: Rules) -> ViewEncoder:
    """Return the encoder of a family's view in a variant."""
    return ViewEncoder(kind, rules)


class EventEncoder:
    """Encodes a deal's public events, each once, as JSON lines."""

    __slots__ = ("_hand", "_last", "_lines", "_symbols", "actions")

    def __init__(self, symbols: SymbolEncoder, hand: Callable[[Hand], str]) -> None:
        self._symbols, self._hand = symbols, hand
        self._last: Any = None
        self._lines = ""
        self.actions: set[int] = set()
        """The numbers of the actions in them."""

    def encode(self, last: Any) -> str:
        """Return the lines of the events up to the last one."""
        if last is not self._last:
            new: list[Any] = []
            event = last
            while event is not None and event is not self._last:
                new.append(event)
                event = event.before
            lines = self._lines if event is self._last else ""
            new.reverse()
            for new_event in new:
                lines += self._line(new_event)
            self._last, self._lines = last, lines
        return self._lines

    def _line(self, event: Any) -> str:
        return "[" + self._fields(event)

    def _fields(self, event: Event) -> str:
        number = self._symbols.action(event.action)
        self.actions.add(number)
        seat = "null" if event.seat is None else event.seat
        return f'{seat},{number},"{self._hand(event.cards)}"]\n'


class PrivateEventEncoder(EventEncoder):
    """Encodes what only one seat knows of a deal's events."""

    __slots__ = ()

    def _line(self, event: PrivateEvent) -> str:
        return f"[{int(event.replaces_public)},{event.event.number}," + self._fields(event.event)


class DealEncoder:
    """The encoded fields shared by all views of one deal."""

    __slots__ = ("_private", "_symbols", "opening", "opening_data", "public", "view")

    def __init__(self, symbols: SymbolEncoder, view: View) -> None:
        self.opening = opening = view.opening
        self.view = view_encoder(type(view), opening.rules)
        holdings = astuple(opening.holdings)
        self.opening_data = ENCODE(
            (opening.players, opening.number, opening.dealer, opening.order, holdings, opening.roles)
        )
        self._symbols = symbols
        self.public = EventEncoder(symbols, self.view.hand)
        self._private: dict[int, PrivateEventEncoder] = {}

    def private(self, seat: int) -> PrivateEventEncoder:
        """Return the encoder of what only that seat knows."""
        if seat not in self._private:
            self._private[seat] = PrivateEventEncoder(self._symbols, self.view.hand)
        return self._private[seat]


class MatchEncoder:
    """Holds the encoder of a match's current deal."""

    __slots__ = ("_deal", "_symbols")

    def __init__(self, symbols: SymbolEncoder) -> None:
        self._symbols = symbols
        self._deal: DealEncoder | None = None

    def deal(self, view: View) -> DealEncoder:
        """Return the encoder of the deal that a view shows."""
        deal = self._deal
        if deal is None or deal.opening is not view.opening:
            self._deal = deal = DealEncoder(self._symbols, view)
        return deal
