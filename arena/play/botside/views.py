"""Views made again from what was sent of them, for one bot at one seat of one match."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

import msgspec

from arena.games import Opening, Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card
from arena.games.events import Aside, Event
from arena.games.settle import Holdings
from arena.play.botside.shapes import blanks, picker, seen_fields, shapes
from arena.play.botside.wire import HIDDEN_CODE

Legal = tuple[Action, ...]
OPENING, SEAT, LEGAL, HOLDINGS = map(View.__struct_fields__.index, ("opening", "seat", "legal", "holdings"))


class Numbers:
    """What the arena's numbers stand for."""

    def __init__(self) -> None:
        self.actions: dict[int, Action] = {}
        self.legal: dict[int, tuple[Legal, dict[Any, int]]] = {}
        """Legal actions, and each one's place among them."""
        self.views: dict[int, type[View]] = {}

    def learn_action(self, number: int, pickled: bytes) -> None:
        """An action, which is the same object here wherever it comes from."""
        self.actions[number] = pickle.loads(pickled)

    def learn_legal(self, number: int, actions: list[int]) -> None:
        """A tuple of legal actions."""
        legal = tuple([self.actions[action] for action in actions])
        self.legal[number] = legal, {one: place for place, one in enumerate(legal)}

    def learn_view(self, number: int, name: str) -> None:
        """A family's class of views."""
        module, _, kind = name.partition(":")
        self.views[number] = remembering(getattr(import_module(module), kind))


class Told:
    """What a seat has been told of a deal: kept as it came, and made into events when they are looked at."""

    __slots__ = ("_actions", "_chain", "_hand", "_own", "asides", "events")

    def __init__(self, actions: dict[int, Action], hand: Callable[[list[int]], Any]) -> None:
        self._actions, self._hand = actions, hand
        self.events: list[Any] = []
        self.asides: list[Any] = []
        self._chain: list[Event] = []
        self._own: list[Aside] = []

    def public(self, count: int) -> Event | None:
        """The last of the first so many public events."""
        chain = self._chain
        for number in range(len(chain), count):
            seat, action, cards = self.events[number]
            before = chain[-1] if chain else None
            chain.append(Event(before, number, seat, self._actions[action], self._hand(cards)))
        return chain[count - 1] if count else None

    def aside(self, count: int) -> Aside | None:
        """The last of the first so many asides."""
        chain = self._own
        for instead, number, seat, action, cards in self.asides[len(chain) : count]:
            event = Event(None, number, seat, self._actions[action], self._hand(cards))
            chain.append(Aside(chain[-1] if chain else None, event, instead))
        return chain[count - 1] if count else None


@cache
def remembering(kind: type[View]) -> type[View]:
    """The same views, but that they look up what was told when they are asked for it."""
    names = {
        "__module__": kind.__module__,
        "__annotations__": {"told": Told, "said": int, "overheard": int},
        "public": property(lambda view: view.told.public(view.said)),
        "aside": property(lambda view: view.told.aside(view.overheard)),
    }
    make: Any = type(kind)
    made: type[View] = make(kind.__name__, (kind,), names, frozen=True, eq=False, gc=False)
    return made


Cards = list[Card]
"""By code."""


@cache
def cards_of(rules: Rules) -> Cards:
    """The cards of a variant, by code."""
    pack = list(dict.fromkeys(rules.whole_pack.cards))
    return [*pack, *[HIDDEN] * (HIDDEN_CODE + 1 - len(pack))]


@cache
def reader(rules: Rules) -> Callable[[list[int]], Any]:
    """What makes a variant's hands of their codes."""
    return picker(cards_of(rules))


class Form:
    """How the views of a family in a variant are made again."""

    def __init__(self, kind: type[View], rules: Rules) -> None:
        family: Any = kind.__bases__[0]
        hand = reader(rules)
        readers: dict[str, Callable[[Any], Any] | None] = {"hand": hand, "dealt": hand, "holdings": held}
        own = shapes(family)
        readers |= {name: shape.reader(cards_of(rules).__getitem__, hand) for name, shape in own.items()}
        self.make: Any = kind
        self.blanks = list(blanks(family))
        self.readers = {family.__struct_fields__.index(name): readers[name] for name in seen_fields(family)}


@cache
def form_of(kind: type[View], rules: Rules) -> Form:
    """How the views of a family in a variant are made again."""
    return Form(kind, rules)


class Sight:
    """What one seat sees of its match, message by message."""

    __slots__ = ("_fields", "_form", "_hand", "_numbers", "_players", "_rules", "_seat", "_told")

    def __init__(self, rules: Rules, players: int, seat: int, numbers: Numbers) -> None:
        self._rules, self._players, self._seat, self._numbers = rules, players, seat, numbers
        self._hand = reader(rules)
        self._form: Form
        self._fields: list[Any]
        self._told: Told

    def deal(
        self, view: int, number: int, dealer: int, order: list[int], holdings: bytes, roles: list[int]
    ) -> None:
        """A deal opens."""
        self._form = form = form_of(self._numbers.views[view], self._rules)
        opening = Opening(
            self._rules, self._players, number, dealer, tuple(order), held(holdings), tuple(roles)
        )
        self._fields = fields = form.blanks.copy()
        fields[OPENING] = opening
        fields[SEAT] = self._seat
        fields[HOLDINGS] = opening.holdings
        self._told = Told(self._numbers.actions, self._hand)

    def view(self, legal: Legal, changes: list[Any], events: list[Any], asides: list[Any]) -> View:
        """What the seat sees at a decision."""
        form, told, fields = self._form, self._told, self._fields
        told.events += events
        told.asides += asides
        fields[LEGAL] = legal
        readers = form.readers
        pairs = iter(changes)
        for place in pairs:
            read = readers[place]
            value = next(pairs)
            fields[place] = read(value) if read else value
        view: View = form.make(*fields, told, len(told.events), len(told.asides))
        return view


@lru_cache(maxsize=1 << 12)
def held(data: bytes) -> Holdings:
    """Holdings from their fields in order, as msgpack."""
    values = msgspec.msgpack.decode(data)
    return msgspec.convert(dict(zip(Holdings.__struct_fields__, values, strict=True)), Holdings)
