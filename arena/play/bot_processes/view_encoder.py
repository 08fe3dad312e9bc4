"""Deals as their seats are told of them: what they all hear is written once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.games import Rules, View
from arena.games.cards import Hand
from arena.games.events import Aside, Event
from arena.games.settlement.base import Holdings
from arena.play.bot_processes.symbol_table import Numbering
from arena.play.bot_runtime.column_codec import hand_writer, writer
from arena.play.bot_runtime.view_schema import shapes_of

ENCODE = msgspec.msgpack.Encoder().encode


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

    __slots__ = ("_cards", "_last", "_numbering", "_said", "actions")

    def __init__(self, numbering: Numbering, cards: Callable[[Hand], str]) -> None:
        self._numbering, self._cards = numbering, cards
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
        number = self._numbering.action(event.action)
        self.actions.add(number)
        seat = "null" if event.seat is None else event.seat
        return f'{seat},{number},"{self._cards(event.cards)}"]\n'


class Alone(Chain):
    """What one seat alone knows of the events of a deal, as it is sent."""

    __slots__ = ()

    def _line(self, link: Aside) -> str:
        return f"[{int(link.instead)},{link.event.number}," + self._told(link.event)


class Telling:
    """What the seats of a match are told of a deal."""

    __slots__ = ("_alone", "_begin", "form", "opening", "public", "written")

    def __init__(self, numbering: Numbering, view: View) -> None:
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
        self._begin = numbering, self.form.hand
        self.public = Chain(*self._begin)
        self._alone: dict[int, Alone] = {}

    def alone(self, seat: int) -> Alone:
        """What that seat alone knows."""
        if seat not in self._alone:
            self._alone[seat] = Alone(*self._begin)
        return self._alone[seat]


class Tellings:
    """What the seats of a match are told of it, deal by deal."""

    __slots__ = ("_deal", "_numbering")

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._deal: Telling | None = None

    def of(self, view: View) -> Telling:
        """What is told of the deal that a view shows."""
        deal = self._deal
        if deal is None or deal.opening is not view.opening:
            self._deal = deal = Telling(self._numbering, view)
        return deal
