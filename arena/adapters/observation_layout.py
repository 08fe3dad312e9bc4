"""The parts of an observation vector: their names, places and meanings, and what fills them from a view."""

# mypyc: compile

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import prod
from struct import Struct
from typing import Any, Final, NamedTuple

from arena.games import Rules, View
from arena.games.action import Event
from arena.games.cards import HIDDEN, Card, Hand, Pack
from arena.games.settlement.base import Transfer

FindOnes = Callable[[Any], Iterable[int]]
"""Function from a view to the positions of ones within a feature."""
FindValues = Callable[[Any], Sequence[float]]
"""Function from a view to all values of a feature, from 0 to 1."""
Encode = Callable[[Any], bytes]
"""Function from a view to all values of a feature, encoded as the vector's 32-bit floats."""
Place = slice
CACHED_HANDS: Final = 1 << 14
"""Hands whose encoding a feature keeps."""
CACHED_COUNTS: Final = 1 << 10
"""Counts, and counts by seat, whose encoding a feature keeps."""
FLOAT_BYTES: Final = array("f").itemsize


class Feature(NamedTuple):
    """A part of the observation vector.

    Attributes:
        name: Its name.
        slice: Its place in the vector.
        shape: Its shape, to reshape the slice to.
        meaning: Meaning of the feature.
    """

    name: str
    slice: Place
    shape: tuple[int, ...]
    meaning: str


class ObservationLayout(Mapping[str, slice]):
    """The places of the features in an observation vector, by name.

    Attributes:
        features: The features in the order of the vector.
        size: The length of the vector.

    Example:
        >>> from arena import variant
        >>> from arena.adapters.observation import get_encoder
        >>> layout = get_encoder(variant("lives"), players=4).layout
        >>> layout["hand"]
        slice(0, 54, None)
        >>> layout.feature("hand").shape
        (3, 18)
    """

    def __init__(self, features: Sequence[Feature]) -> None:
        self.features: Final = tuple(features)
        self.size: Final = features[-1].slice.stop
        self._by_name: Final = {feature.name: feature for feature in self.features}

    def __reduce__(self) -> tuple[object, ...]:
        return ObservationLayout, (self.features,)

    def __getitem__(self, name: str) -> slice:
        return self._by_name[name].slice

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.features)

    def feature(self, name: str) -> Feature:
        """Return the feature of that name.

        Raises:
            KeyError: There is none.
        """
        return self._by_name[name]

    def __repr__(self) -> str:
        rows = [(f"{f.slice.start}:{f.slice.stop}", f.name, str(f.shape), f.meaning) for f in self.features]
        return "\n".join(
            [f"{place:<12}{name:<16}{shape:<12}{meaning}" for place, name, shape, meaning in rows]
        )


class CardCode:
    """The numbers that stand for the cards of a pack.

    A card in a slot is a one for its rank and a one for its suit; a card that is there but not known is a one
    at the end. A card among others is its number among the distinct cards of the pack.
    """

    def __init__(self, pack: Pack) -> None:
        cards = list(dict.fromkeys(pack.cards))
        ranks, suits = dict.fromkeys([c.rank for c in cards]), dict.fromkeys([c.suit for c in cards])
        self.ranks: Final = tuple(ranks)
        self.suits: Final = tuple(suits)
        self.cards: Final[Hand] = tuple(cards)
        self.copies: Final = Counter(pack.cards)
        self.number: Final = {c: place for place, c in enumerate(cards)}
        self.slot_width: Final = len(ranks) + len(suits) + 1
        first_suit = len(ranks)
        self._slots: Final[dict[Card, bytes]] = {
            c: encode_ones(self.slot_width, (self.ranks.index(c.rank), first_suit + self.suits.index(c.suit)))
            for c in cards
        }
        """Encoding of each card in a slot, and of a card not known."""
        self._slots[HIDDEN] = encode_ones(self.slot_width, (self.slot_width - 1,))

    def encode_slots(self, cards: Iterable[Card], slots: int) -> bytes:
        """Return the encoding of cards in their slots; slots without a card are zeros."""
        encoded = self._slots
        return b"".join([encoded[c] for c in cards]).ljust(slots * self.slot_width * FLOAT_BYTES, b"\0")

    def encode_set(self, cards: Iterable[Card]) -> bytes:
        """Return the encoding of a value for each distinct card of the pack: 1 for those given."""
        number = self.number
        return encode_ones(len(number), [number[c] for c in cards])


def encode_ones(size: int, ones: Iterable[int]) -> bytes:
    """Return the encoding of `size` values: 1 at these positions, else 0."""
    values = array("f", bytes(size * FLOAT_BYTES))
    for position in ones:
        values[position] = 1.0
    return values.tobytes()


def encode_views(encoders: Sequence[Encode], views: Sequence[View]) -> bytearray:
    """Return the encoded vectors of views, one after the other."""
    return bytearray().join([encode(view) for view in views for encode in encoders])


def make_encoder(size: int) -> Callable[..., bytes]:
    """Return the function that encodes `size` values, its arguments."""
    return Struct(f"{size}f").pack


@cache
def seat_distances(players: int, step: int, seat: int) -> tuple[int, ...]:
    """Return by seat how many turns it is after the one given."""
    return tuple([(other - seat) * step % players for other in range(players)])


def squash(value: float, scale: float) -> float:
    """Return a number from 0 to 1 for one from 0 on: a half for `scale`."""
    return value / (value + scale)


def squash_signed(value: float, scale: float) -> float:
    """Return a number from 0 to 1, a half for 0 and three quarters for `scale`."""
    return 0.5 + 0.5 * value / (abs(value) + scale)


def _hand(view: View) -> Hand:
    return view.hand


def _known(view: View) -> tuple[Hand, ...]:
    return view.known


class LayoutBuilder:
    """Collects the features of a game.

    Seats are counted in the order of turns from the one that observes, which is 0.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        code: The numbers of its cards.
        indicators: Features of zeros and ones, with what encodes them.
        scalars: Features of values from 0 to 1, with what encodes them.
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.code = CardCode(rules.whole_pack)
        self.indicators: list[tuple[str, tuple[int, ...], str, Encode]] = []
        self.scalars: list[tuple[str, tuple[int, ...], str, Encode]] = []
        self.distances = [seat_distances(players, rules.step, seat) for seat in range(players)]
        """Number of turns that each seat is after a seat, by seat."""
        self.seats_after = [
            [(seat + rules.step * turns) % players for turns in range(players)] for seat in range(players)
        ]
        """Seats in the order of turns from a seat on, by seat."""
        self.encoded_seats = [
            [encode_ones(players, (distance,)) for distance in distances] for distances in self.distances
        ]
        """Encoding of one seat, by the seat that observes and by seat."""

    @property
    def features(self) -> list[tuple[str, tuple[int, ...], str, Encode]]:
        """All features, in the order of the vector: zeros and ones first."""
        return [*self.indicators, *self.scalars]

    def layout(self) -> ObservationLayout:
        """Return the places of the features."""
        features, start = [], 0
        for name, shape, meaning, _ in self.features:
            end = start + prod(shape)
            features.append(Feature(name, slice(start, end), shape, meaning))
            start = end
        return ObservationLayout(features)

    def add_indicators(self, name: str, shape: tuple[int, ...], meaning: str, find: FindOnes) -> None:
        """Add a feature of zeros and ones by the positions of its ones."""
        size = prod(shape)
        zeros = encode_ones(size, ())

        def encode(view: View) -> bytes:
            ones = find(view)
            return encode_ones(size, ones) if ones else zeros

        self.add_encoded(name, shape, meaning, encode)

    def add_encoded(self, name: str, shape: tuple[int, ...], meaning: str, encode: Encode) -> None:
        """Add a feature of zeros and ones by its encoding."""
        self.indicators.append((name, shape, meaning, encode))

    def add_values(self, name: str, size: int, meaning: str, find: FindValues) -> None:
        """Add a feature of values from 0 to 1."""
        encode = make_encoder(size)
        self.scalars.append((name, (size,), meaning, lambda view: encode(*find(view))))

    def add_count(
        self, name: str, meaning: str, find: Callable[[Any], int], scale: Callable[[int], float]
    ) -> None:
        """Add a feature of one value from 0 to 1, which `scale` makes of a count."""
        encode = make_encoder(1)
        encode_count = lru_cache(maxsize=CACHED_COUNTS)(lambda count: encode(scale(count)))
        self.scalars.append((name, (1,), meaning, lambda view: encode_count(find(view))))

    # --- seats ---

    def add_seat(self, name: str, meaning: str, find: Callable[[Any], int | None]) -> None:
        """Add a feature that names one seat, or none."""

        encoded, nobody = self.encoded_seats, encode_ones(self.players, ())

        def encode_seat(view: View) -> bytes:
            seat = find(view)
            return nobody if seat is None else encoded[view.seat][seat]

        self.add_encoded(name, (self.players,), meaning, encode_seat)

    def add_seats(self, name: str, meaning: str, find: Callable[[Any], tuple[int, ...]]) -> None:
        """Add a feature that names any seats."""

        def encode_seats(observer: int, seats: tuple[int, ...]) -> bytes:
            distance = self.distances[observer]
            return encode_ones(self.players, [distance[seat] for seat in seats])

        encode = lru_cache(maxsize=CACHED_HANDS)(encode_seats)
        self.add_encoded(name, (self.players,), meaning, lambda view: encode(view.seat, find(view)))

    def add_by_seat(
        self,
        name: str,
        meaning: str,
        find: Callable[[Any], Sequence[float]],
        scale: Callable[[float], float] = float,
    ) -> None:
        """Add a feature of one value from 0 to 1 by seat.

        Args:
            name: Its name.
            meaning: Its meaning.
            find: Returns a number by seat of the table.
            scale: Makes the value of that number.
        """
        encode_values = make_encoder(self.players)

        def encode_by_seat(observer: int, numbers: tuple[float, ...]) -> bytes:
            return encode_values(*[scale(numbers[seat]) for seat in self.seats_after[observer]])

        encode = lru_cache(maxsize=CACHED_COUNTS)(encode_by_seat)
        self.scalars.append(
            (name, (self.players,), meaning, lambda view: encode(view.seat, tuple(find(view))))
        )

    # --- cards ---

    def add_slots(self, name: str, slots: int, meaning: str, find: Callable[[Any], Sequence[Card]]) -> None:
        """Add a feature of cards each in its slot."""
        encode = self.code.encode_slots
        self.add_encoded(name, (slots, self.code.slot_width), meaning, lambda view: encode(find(view), slots))

    def add_hand(self, slots: int) -> None:
        """Add the own hand of up to so many cards."""
        self.add_slots("hand", slots, "the own cards, in the order of the hand's slots", _hand)

    def add_hands(self, name: str, slots: int, meaning: str, find: Callable[[Any], Sequence[Hand]]) -> None:
        """Add a feature of the cards of all seats, each in its slot; `find` returns them by seat."""
        code = self.code

        encode_hand = lru_cache(maxsize=CACHED_HANDS)(lambda hand: code.encode_slots(hand, slots))

        def encode_hands(view: View) -> bytes:
            hands = find(view)
            return b"".join([encode_hand(hands[seat]) for seat in self.seats_after[view.seat]])

        self.add_encoded(name, (self.players, slots, code.slot_width), meaning, encode_hands)

    def add_cards(self, name: str, meaning: str, find: Callable[[Any], Iterable[Card]]) -> None:
        """Add a feature of cards in no order, of a pack without copies."""
        encode = self.code.encode_set
        self.add_encoded(name, (len(self.code.number),), meaning, lambda view: encode(find(view)))

    def add_known_cards(self, find: Callable[[Any], Sequence[Hand]] = _known) -> None:
        """Add the cards that the others are known to hold; `find` returns them by seat."""
        code = self.code

        encode_hand = lru_cache(maxsize=CACHED_HANDS)(
            lambda hand: code.encode_set([c for c in hand if c is not HIDDEN])
        )

        def encode_known(view: View) -> bytes:
            known = find(view)
            return b"".join([encode_hand(known[seat]) for seat in self.seats_after[view.seat][1:]])

        meaning = "the cards that each other seat is known to hold"
        self.add_encoded("known", (self.players - 1, len(code.number)), meaning, encode_known)

    def add_seen_cards(self) -> None:
        """Add the cards seen in this deal, wherever they are now."""
        code = self.code

        def encode_seen(view: View) -> bytes:
            seen = [*view.hand, *view.dealt, *view.table]
            for event in view.past:
                seen += event.cards
            return code.encode_set([c for c in seen if c is not HIDDEN])

        self.add_encoded(
            "seen", (len(code.number),), "the cards seen in this deal, wherever they are", encode_seen
        )

    def add_card_counts(self, name: str, meaning: str, find: Callable[[Any], Hand]) -> None:
        """Add a feature of cards in no order: of each, the part of its copies that are there."""
        encode = self._count_encoder()
        shape = (len(self.code.cards),)
        self.scalars.append((name, shape, meaning, lambda view: encode(find(view))))

    def add_hand_counts(self, name: str, meaning: str, find: Callable[[Any], Sequence[Hand]]) -> None:
        """Add the same for each seat; `find` returns the cards by seat."""
        encode = self._count_encoder()

        def encode_hands(view: View) -> bytes:
            hands = find(view)
            return b"".join([encode(hands[seat]) for seat in self.seats_after[view.seat]])

        self.scalars.append((name, (self.players, len(self.code.cards)), meaning, encode_hands))

    def _count_encoder(self) -> Callable[[Hand], bytes]:
        """Return what encodes of each card the part of its copies that are among some cards."""
        code = self.code
        encode = make_encoder(len(code.cards))

        def encode_counts(cards: Hand) -> bytes:
            parts = [0.0] * len(code.cards)
            for c in cards:
                parts[code.number[c]] += 1 / code.copies[c]
            return encode(*parts)

        return lru_cache(maxsize=CACHED_HANDS)(encode_counts)


# --- features that all games have ---

POINTS_SCALE: Final = 50
"""Points that are halfway between none and endlessly many."""
DEALS_SCALE: Final = 10
"""Deals that are halfway between none and endlessly many."""
EVENTS_SCALE: Final = 8
"""Events in a deal, for each player, that are halfway between none and endlessly many."""


def add_turn_features(builder: LayoutBuilder, kinds: Sequence[str], encode_phase: Encode) -> None:
    """Add what all games have in common: the seats, the phase, and what was done last.

    Args:
        builder: Collects the features.
        kinds: The kinds of actions.
        encode_phase: Encodes of a view, for each kind, whether it is legal.
    """
    players = builder.players
    builder.add_seat("dealer", "the dealer", lambda view: view.opening.dealer)
    builder.add_seats("in_deal", "the seats in this deal", lambda view: view.opening.order)

    one_kind = {kind: encode_ones(len(kinds), (number,)) for number, kind in enumerate(kinds)}
    no_kind = encode_ones(len(kinds), ())

    def encode_last_actions(view: View) -> bytes:
        """Go back through the public events until each seat has one."""
        missing = len(view.opening.order)
        last = [no_kind] * players
        event = view.public
        while event is not None and missing:
            seat = event.seat
            if seat is not None and last[seat] is no_kind and event.action.kind in one_kind:
                last[seat] = one_kind[event.action.kind]
                missing -= 1
            event = event.before
        return b"".join([last[seat] for seat in builder.seats_after[view.seat]])

    words = ", ".join(kinds)
    meaning = f"the kinds of legal actions: {words}"
    builder.add_encoded("phase", (len(kinds),), meaning, encode_phase)
    meaning = f"the kind of each seat's latest action in this deal: {words}"
    builder.add_encoded("last_action", (players, len(kinds)), meaning, encode_last_actions)


def add_holdings(builder: LayoutBuilder) -> None:
    """Add the tokens, chips and points of each seat, the deal's number, its events and its stock."""
    rules, players = builder.rules, builder.players
    start, pack = rules.settlement.initial_holdings(players), len(rules.whole_pack)
    pot = players * max(1, getattr(rules.settlement, "stake", 1))
    if start.horse:
        builder.add_indicators("horse", (1,), "a horse can still be bought", lambda v: [0] * v.holdings.horse)
    builder.add_count(
        "deal",
        f"n deals before this one: n/(n+{DEALS_SCALE})",
        lambda view: view.opening.number,
        lambda count: squash(count, DEALS_SCALE),
    )
    scale = EVENTS_SCALE * players
    builder.add_count(
        "events",
        f"n public events in this deal: n/(n+{scale})",
        lambda view: view.public.number + 1 if view.public else 0,
        lambda count: squash(count, scale),
    )
    builder.add_count(
        "stock",
        f"the cards in the stock, of {pack}",
        lambda view: getattr(view, "stock_left", 0),
        lambda count: count / pack,
    )
    if start.tokens is not None:
        most = sum(start.tokens) if isinstance(rules.settlement, Transfer) else max(start.tokens)
        meaning = f"each seat's tokens, of {most}"
        builder.add_by_seat("tokens", meaning, lambda v: v.holdings.tokens, lambda n: max(n, 0) / most)
    if start.chips is not None:
        meaning = f"each seat's chips c: 1/2 + c/(|c|+{pot})/2"
        builder.add_by_seat("chips", meaning, lambda v: v.holdings.chips, lambda c: squash_signed(c, pot))
    if start.pool is not None:
        meaning = f"the pool's c chips: c/(c+{pot})"
        builder.add_count("pool", meaning, lambda v: v.holdings.pool, lambda c: squash(c, pot))
    if start.points is not None:
        meaning = f"each seat's points p: 1/2 + p/(|p|+{POINTS_SCALE})/2"
        builder.add_by_seat("points", meaning, lambda v: v.holdings.points, _scale_points)
    for unit in start.other or ():
        meaning = f"each seat's {unit} n: 1/2 + n/(|n|+{POINTS_SCALE})/2"
        builder.add_by_seat(unit, meaning, _find_unit(unit), _scale_points)


def _find_unit(unit: str) -> Callable[[View], Sequence[int]]:
    return lambda view: (view.holdings.other or {})[unit]


def _scale_points(points: float) -> float:
    return squash_signed(points, POINTS_SCALE)


# --- public hands ---
# Kept, so that each event is followed only once.

MAX_KEPT: Final = 1 << 12
"""Deals in progress whose latest state is kept."""


class PublicHands:
    """The cards that all know seats to hold, followed from event to event.

    Args:
        players: Seats at the table.
        follow: Updates the hands by seat with the next event.
    """

    def __init__(self, players: int, follow: Callable[[list[Hand], Event], None]) -> None:
        self._start: Final[tuple[Hand, ...]] = ((),) * players
        self._follow: Final = follow
        self._after: dict[Event | None, tuple[Hand, ...]] = {None: self._start}

    def find(self, latest: Event | None) -> tuple[Hand, ...]:
        """Return the hands by seat after the latest public event of a deal, None before the first."""
        known = self._after
        event, news = latest, []
        while event not in known:
            assert event is not None
            news.append(event)
            event = event.before
        hands = known[event]
        if news:
            held = list(hands)
            for later in reversed(news):
                self._follow(held, later)
            if len(known) > MAX_KEPT:
                known.clear()
                known[None] = self._start
            elif event is not None:
                del known[event]
            hands = known[latest] = tuple(held)
        return hands
