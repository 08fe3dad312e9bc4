"""Deals as their seats are told of them: what they all hear is written once."""

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
from arena.games.settlement.base import Holdings
from arena.play.bot_runtime.column_codec import hand_writer, writer
from arena.play.bot_runtime.view_schema import shapes_of
from arena.play.bot_runtime.wire import ACTION, FORM, LEGAL

ENCODE = msgspec.msgpack.Encoder().encode
BITS = 31


class SymbolEncoder:
    """The numbers of one worker, the same for all its hosts; each host is told those that it meets.

    They are drawn at random: in turn they would tell a bot how much others have been asked.
    """

    def __init__(self) -> None:
        self.actions: dict[Action, int] = {}
        self.meaning: dict[int, list[Any]] = {}
        """What says the meaning of a number to a host."""
        self._forms: dict[tuple[type[View], Rules], int] = {}
        self._legal: dict[tuple[Action, ...], int] = {}
        self._by_id: dict[int, int] = {}
        """Those numbers by the ids of tuples, which are kept above."""
        self._draw = SystemRandom().getrandbits

    def action(self, action: Action) -> int:
        """The number of an action."""
        number = self.actions.get(action)
        if number is None:
            number = self.actions[action] = self._new()
            self.meaning[number] = [ACTION, number, pickle.dumps(action)]
        return number

    def legal(self, column: Sequence[tuple[Action, ...]]) -> list[int]:
        """The numbers of tuples of legal actions."""
        known = self._by_id
        return [known.get(id(actions)) or self._number_of(actions) for actions in column]

    def _number_of(self, actions: tuple[Action, ...]) -> int:
        number = self._legal.get(actions)
        if number is None:
            number = self._legal[actions] = self._by_id[id(actions)] = self._new()
            self.meaning[number] = [LEGAL, number, [self.action(one) for one in actions]]
        return number

    def form(self, kind: type[View], rules: Rules) -> int:
        """The number of a family's views in a variant."""
        number = self._forms.get((kind, rules))
        if number is None:
            number = self._forms[kind, rules] = self._new()
            where = f"{kind.__module__}:{kind.__qualname__}"
            self.meaning[number] = [FORM, number, where, rules.name, dict(rules.overrides)]
        return number

    def _new(self) -> int:
        while (number := self._draw(BITS)) in self.meaning:
            pass
        return number


def held(holdings: Holdings) -> bytes:
    """Holdings as they are sent."""
    return ENCODE(astuple(holdings))


class Form:
    """How the views of a family in a variant are written down."""

    def __init__(self, kind: type[View], rules: Rules) -> None:
        self.kind, self.rules = kind, rules
        self.hand: Callable[[Hand], str] = hand_writer(rules)
        found = [(place, writer(shape, rules)) for place, shape in shapes_of(kind).items()]
        self.writers = [(place, write) for place, write in found if write]
        """The fields that are not sent as they are, by their places."""


@cache
def form_of(kind: type[View], rules: Rules) -> Form:
    """How the views of a family in a variant are written down."""
    return Form(kind, rules)


class Chain:
    """The public events of a deal as they are sent: those written before stand, and new ones are added."""

    __slots__ = ("_cards", "_last", "_said", "_symbols", "actions")

    def __init__(self, symbols: SymbolEncoder, cards: Callable[[Hand], str]) -> None:
        self._symbols, self._cards = symbols, cards
        self._last: Any = None
        self._said = ""
        self.actions: set[int] = set()
        """The numbers of the actions in them."""

    def up_to(self, last: Any) -> str:
        """The events up to the last one."""
        if last is not self._last:
            fresh: list[Any] = []
            link = last
            while link is not None and link is not self._last:
                fresh.append(link)
                link = link.before
            said = self._said if link is self._last else ""
            fresh.reverse()
            for one in fresh:
                said += self._line(one)
            self._last, self._said = last, said
        return self._said

    def _line(self, link: Any) -> str:
        return "[" + self._told(link)

    def _told(self, event: Event) -> str:
        number = self._symbols.action(event.action)
        self.actions.add(number)
        seat = "null" if event.seat is None else event.seat
        return f'{seat},{number},"{self._cards(event.cards)}"]\n'


class Alone(Chain):
    """What one seat alone knows of the events of a deal, as it is sent."""

    __slots__ = ()

    def _line(self, link: PrivateEvent) -> str:
        return f"[{int(link.replaces_public)},{link.event.number}," + self._told(link.event)


class DealEncoder:
    """What the seats of a match are told of a deal."""

    __slots__ = ("_alone", "_begin", "form", "opening", "public", "written")

    def __init__(self, symbols: SymbolEncoder, view: View) -> None:
        self.opening = opening = view.opening
        self.form = form_of(type(view), opening.rules)
        self.written = ENCODE(
            (
                opening.players,
                opening.number,
                opening.dealer,
                opening.order,
                astuple(opening.holdings),
                opening.roles,
            )
        )
        """How it opens."""
        self._begin = symbols, self.form.hand
        self.public = Chain(*self._begin)
        self._alone: dict[int, Alone] = {}

    def alone(self, seat: int) -> Alone:
        """What that seat alone knows."""
        if seat not in self._alone:
            self._alone[seat] = Alone(*self._begin)
        return self._alone[seat]


class MatchEncoder:
    """What the seats of a match are told of it, deal by deal."""

    __slots__ = ("_deal", "_symbols")

    def __init__(self, symbols: SymbolEncoder) -> None:
        self._symbols = symbols
        self._deal: DealEncoder | None = None

    def of(self, view: View) -> DealEncoder:
        """What is told of the deal that a view shows."""
        deal = self._deal
        if deal is None or deal.opening is not view.opening:
            self._deal = deal = DealEncoder(self._symbols, view)
        return deal
