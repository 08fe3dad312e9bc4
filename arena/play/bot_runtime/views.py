"""Encodes fields of views, a whole column of many views in each step, and rebuilds views from columns."""

# mypyc: compile

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain, islice, repeat, starmap
from operator import itemgetter
from typing import Any

import msgspec

from arena.games import Opening, Rules, View, variant
from arena.games.action import Action, Event, PrivateEvent
from arena.games.cards import HIDDEN, Card
from arena.games.settlement.holdings import Holdings
from arena.play.bot_runtime.view_schema import (
    HOLDINGS_INDEX,
    LEGAL_INDEX,
    OPENING_INDEX,
    PRIVATE_INDEX,
    PUBLIC_INDEX,
    Kind,
    Shape,
    column_shapes,
)

# --- columns ---

LETTERS, HIDDEN_LETTER, NO_CARD = "".join(map(chr, range(64, 256))).replace("\\", ""), "?", "-"
"""None of them is escaped in JSON."""
Lengths = int | list[int]
"""The length of each list, or that of all."""


@cache
def card_letters(rules: Rules) -> dict[Card | None, str]:
    """Return the letters for a variant's cards."""
    pack = dict.fromkeys(rules.whole_pack.cards)
    by_card: dict[Card | None, str] = dict(zip(pack, LETTERS, strict=False))
    return by_card | {HIDDEN: HIDDEN_LETTER, None: NO_CARD}


def hand_reader(rules: Rules) -> Callable[[str], tuple[Any, ...]]:
    """Return the decoder of a variant's cards."""
    return _letter_reader({letter: card for card, letter in card_letters(rules).items()})


def column_writer(shape: Shape, rules: Rules) -> Callable[[Sequence[Any]], Any] | None:
    """Return the encoder of a column; None for a column that is sent as it is."""
    if shape.kind is Kind.PLAIN:
        return None
    if shape.kind is Kind.CARD:
        return _letter_writer(card_letters(rules))
    write_items = column_writer(shape.items, rules)

    def write(column: Sequence[Any]) -> tuple[Lengths, Any]:
        items = list(chain.from_iterable(column))
        return _lengths(column), write_items(items) if write_items else items

    return write


def column_reader(shape: Shape, rules: Rules) -> Callable[[Any], Iterable[Any]] | None:
    """Return the decoder of a column; None for a column that is sent as it is."""
    if shape.kind is Kind.PLAIN:
        return None
    if shape.kind is Kind.CARD:
        return hand_reader(rules)
    read_items = column_reader(shape.items, rules)

    def read(encoded: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
        lengths, items = encoded
        return _split(lengths, read_items(items) if read_items else items)

    return read


def _letter_writer(by_card: Mapping[Card | None, str]) -> Callable[[Sequence[Card | None]], str]:
    return lambda cards: "".join(itemgetter(*cards)(by_card)) if cards else ""


def _letter_reader(by_letter: Mapping[str, Any]) -> Callable[[str], tuple[Any, ...]]:
    def read(text: str) -> tuple[Any, ...]:
        return (
            itemgetter(*text)(by_letter) if len(text) > 1 else tuple([by_letter[letter] for letter in text])
        )

    return read


def _lengths(column: Sequence[Any]) -> Lengths:
    lengths = list(map(len, column))
    return lengths[0] if lengths and lengths.count(lengths[0]) == len(lengths) else lengths


def _split(lengths: Lengths, items: Iterable[Any]) -> Iterable[tuple[Any, ...]]:
    """Split items into tuples of these lengths; endlessly many where all are empty."""
    rest = iter(items)
    if isinstance(lengths, int):
        return zip(*[rest] * lengths, strict=False) if lengths else repeat(())
    return [tuple(islice(rest, length)) for length in lengths]


# --- views ---

DECODE_OPENING = msgspec.msgpack.Decoder(
    tuple[int, int, int, tuple[int, ...], Holdings, tuple[int, ...]]
).decode
DECODE_HOLDINGS = msgspec.msgpack.Decoder(Holdings).decode
DECODE_LINES = msgspec.json.Decoder().decode_lines
MAX_CACHED_OPENINGS = 1 << 10
ENCODED: dict[str, Callable[[View], Any]] = {
    name: View.__dict__[name].__get__ for name in ("public", "private")
}
"""Getters of the fields that hold how many times events were received when the view was made."""


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
    """The events of a deal that one seat knows; they are decoded when a bot reads them."""

    __slots__ = ("_events", "received")

    def __init__(self) -> None:
        self.received: list[str] = []
        """The lines received with each view that came with new events."""
        self._events: list[Any] = [None]
        """The last event after each number of these."""

    def decode(self, count: int, make: Callable[..., Any]) -> Any:
        """Return the last of the events that were received `count` times.

        `make` builds an event from the one before it and the fields of its line.
        """
        while len(self._events) <= count:
            last = self._events[-1]
            for fields in DECODE_LINES(self.received[len(self._events) - 1]):
                last = make(last, *fields)
            self._events.append(last)
        return self._events[count]


class DealHistory:
    """The opening of a deal, and the events that one seat knows."""

    __slots__ = ("opening", "private", "public")

    def __init__(self, opening: Opening) -> None:
        self.opening = opening
        self.public, self.private = EventDecoder(), EventDecoder()


class SeatHistory:
    """The deal that one seat of a match is in."""

    __slots__ = ("deal",)

    deal: DealHistory


class ViewDecoder:
    """Rebuilds the views of a family in a variant."""

    def __init__(self, kind: type[View], rules: Rules, symbols: SymbolDecoder) -> None:
        self._make: Any = _lazy_view(kind, symbols, rules)
        self._legal = symbols.legal.__getitem__
        readers = [(index, column_reader(shape, rules)) for index, shape in column_shapes(kind).items()]
        self._readers = [(index, read) for index, read in readers if read]

        @lru_cache(maxsize=MAX_CACHED_OPENINGS)
        def decode_opening(data: bytes) -> Opening:
            return Opening(rules, *DECODE_OPENING(data))

        self._opening = decode_opening

    def decode(self, columns: list[Any], seats: Iterable[SeatHistory]) -> Iterable[View]:
        """Return the views of these columns, each made when it is its turn."""
        deals: list[DealHistory] = []
        rows = zip(seats, columns[OPENING_INDEX], columns[PUBLIC_INDEX], columns[PRIVATE_INDEX], strict=True)
        for seat, opening, public, private in rows:
            if opening is not None:
                seat.deal = DealHistory(self._opening(opening))
            deals.append(deal := seat.deal)
            if public:
                deal.public.received.append(public)
            if private:
                deal.private.received.append(private)
        columns[OPENING_INDEX] = [deal.opening for deal in deals]
        columns[PUBLIC_INDEX] = [len(deal.public.received) for deal in deals]
        columns[PRIVATE_INDEX] = [len(deal.private.received) for deal in deals]
        columns[HOLDINGS_INDEX] = [
            deal.opening.holdings if data is None else DECODE_HOLDINGS(data)
            for deal, data in zip(deals, columns[HOLDINGS_INDEX], strict=True)
        ]
        columns[LEGAL_INDEX] = map(self._legal, columns[LEGAL_INDEX])
        for index, read in self._readers:
            columns[index] = read(columns[index])
        return starmap(self._make, zip(*columns, deals, strict=False))


def _lazy_view(kind: type[View], symbols: SymbolDecoder, rules: Rules) -> type[View]:
    """Derive a view that decodes its events when they are read."""
    actions, hand = symbols.actions, hand_reader(rules)

    def make_event(before: Event | None, seat: int | None, action: int, cards: str) -> Event:
        return Event(before, before.number + 1 if before else 0, seat, actions[action], hand(cards))

    def make_own(
        before: PrivateEvent | None, replaces: int, number: int, seat: int | None, action: int, cards: str
    ) -> PrivateEvent:
        return PrivateEvent(before, Event(None, number, seat, actions[action], hand(cards)), bool(replaces))

    namespace = {
        "__module__": kind.__module__,
        "__annotations__": {"_deal": DealHistory},
        "public": property(lambda view: view._deal.public.decode(ENCODED["public"](view), make_event)),
        "private": property(lambda view: view._deal.private.decode(ENCODED["private"](view), make_own)),
    }
    make: Any = type(kind)
    made: type[View] = make(kind.__name__, (kind,), namespace, frozen=True, eq=False, gc=False)
    return made
