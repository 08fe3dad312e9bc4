"""A deal as its seats are told of it: what they all hear is written once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec.structs import astuple

from arena.games import Rules, View
from arena.games.cards import Hand
from arena.games.events import Aside, Event
from arena.games.settle import Holdings
from arena.play.botside.columns import hand_writer, writer
from arena.play.botside.shapes import shapes_of
from arena.play.hosts.numbering import Numbering

ENCODE = msgspec.msgpack.Encoder().encode
LINE = msgspec.json.Encoder().encode


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


class Heard(NamedTuple):
    """What one seat alone knows of the events of a deal."""

    said: bytes
    actions: frozenset[int]


NOTHING = Heard(b"", frozenset())


class Telling:
    """What the seats of a match are told of a deal."""

    __slots__ = ("_asides", "_ends", "_numbering", "_said", "actions", "form", "opening", "written")

    def __init__(self, numbering: Numbering, view: View) -> None:
        self._numbering = numbering
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
        self.actions: set[int] = set()
        """The numbers of the actions in its public events."""
        self._said = b""
        """Those events, one after the other."""
        self._ends: list[int] = []
        """Where each of them ends in that."""
        self._asides: dict[Aside, Heard] = {}

    def public(self, last: Event | None) -> bytes | None:
        """The public events up to the last one, as they are sent."""
        if last is None:
            return None
        number = last.number
        if number >= len(self._ends):
            self._hear(last)
        said, end = self._said, self._ends[number]
        return said if end == len(said) else said[:end]

    def _hear(self, last: Event) -> None:
        """Writes down the events up to the last one."""
        fresh = [last]
        while (before := fresh[-1].before) is not None and before.number >= len(self._ends):
            fresh.append(before)
        for event in reversed(fresh):
            action = self._numbering.action(event.action)
            self.actions.add(action)
            self._said += LINE((event.seat, action, self.form.hand(event.cards))) + b"\n"
            self._ends.append(len(self._said))

    def alone(self, last: Aside) -> Heard:
        """What a seat alone knows, up to the last of it."""
        fresh: list[Aside] = []
        aside: Aside | None = last
        while aside is not None and aside not in self._asides:
            fresh.append(aside)
            aside = aside.before
        heard = self._asides[aside] if aside is not None else NOTHING
        for one in reversed(fresh):
            event = one.event
            action = self._numbering.action(event.action)
            written = (one.instead, event.number, event.seat, action, self.form.hand(event.cards))
            heard = Heard(heard.said + LINE(written) + b"\n", heard.actions | {action})
            self._asides[one] = heard
        return heard


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
