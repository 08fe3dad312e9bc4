"""The parts of an observation vector: their names, places and meanings, and what fills them from a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, Final, NamedTuple

from arena.games import Rules, View
from arena.games.cards import HIDDEN, Card, Hand, Pack

FindOnes = Callable[[Any], Iterable[int]]
"""Function from a view to the positions of ones within a feature."""
FindValues = Callable[[Any], Sequence[float]]
"""Function from a view to all values of a feature, from 0 to 1."""


class Feature(NamedTuple):
    """A part of the observation vector.

    Attributes:
        name: Its name.
        slice: Its place in the vector.
        shape: Its shape, to reshape the slice to.
        meaning: Meaning of the feature.
    """

    name: str
    slice: slice
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
        self._ones: Final[dict[Card, tuple[int, ...]]] = {
            c: (self.ranks.index(c.rank), first_suit + self.suits.index(c.suit)) for c in cards
        }
        self._ones[HIDDEN] = (self.slot_width - 1,)

    def slot_ones(self, slots: int) -> list[dict[Card, tuple[int, ...]]]:
        """Return by slot and card the positions of its ones, the slots one after the other."""
        return [
            {c: tuple([slot * self.slot_width + place for place in ones]) for c, ones in self._ones.items()}
            for slot in range(slots)
        ]


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


class LayoutBuilder:
    """Collects the features of a game.

    Seats are counted in the order of turns from the one that observes, which is 0.

    Attributes:
        rules: The variant.
        players: Seats at the table.
        code: The numbers of its cards.
        indicators: Features of zeros and ones, with what finds the ones.
        scalars: Features of values from 0 to 1, with what finds all of them.
    """

    def __init__(self, rules: Rules, players: int) -> None:
        self.rules, self.players = rules, players
        self.code = CardCode(rules.whole_pack)
        self.indicators: list[tuple[str, tuple[int, ...], str, FindOnes]] = []
        self.scalars: list[tuple[str, tuple[int, ...], str, FindValues]] = []
        self.distances = [seat_distances(players, rules.step, seat) for seat in range(players)]
        """Number of turns that each seat is after a seat, by seat."""
        self.seats_after = [
            [(seat + rules.step * turns) % players for turns in range(players)] for seat in range(players)
        ]
        """Seats in the order of turns from a seat on, by seat."""

    def layout(self) -> ObservationLayout:
        """Return the places of the features: zeros and ones first."""
        features, start = [], 0
        for name, shape, meaning, _ in (*self.indicators, *self.scalars):
            end = start + prod(shape)
            features.append(Feature(name, slice(start, end), shape, meaning))
            start = end
        return ObservationLayout(features)

    def add_indicators(self, name: str, shape: tuple[int, ...], meaning: str, find: FindOnes) -> None:
        """Add a feature of zeros and ones."""
        self.indicators.append((name, shape, meaning, find))

    def add_values(self, name: str, size: int, meaning: str, find: FindValues) -> None:
        """Add a feature of values from 0 to 1."""
        self.scalars.append((name, (size,), meaning, find))

    # --- seats ---

    def add_seat(self, name: str, meaning: str, find: Callable[[Any], int | None]) -> None:
        """Add a feature that names one seat, or none."""

        def find_seat(view: View) -> tuple[int, ...]:
            seat = find(view)
            return () if seat is None else (self.distances[view.seat][seat],)

        self.add_indicators(name, (self.players,), meaning, find_seat)

    def add_seats(self, name: str, meaning: str, find: Callable[[Any], Iterable[int]]) -> None:
        """Add a feature that names any seats."""

        def find_seats(view: View) -> list[int]:
            distance = self.distances[view.seat]
            return [distance[seat] for seat in find(view)]

        self.add_indicators(name, (self.players,), meaning, find_seats)

    def add_by_seat(self, name: str, meaning: str, find: Callable[[Any], Sequence[float]]) -> None:
        """Add a feature of one value by seat; `find` returns them by seat of the table."""

        def find_values(view: View) -> list[float]:
            values = find(view)
            return [values[seat] for seat in self.seats_after[view.seat]]

        self.add_values(name, self.players, meaning, find_values)

    # --- cards ---

    def add_slots(self, name: str, slots: int, meaning: str, find: Callable[[Any], Sequence[Card]]) -> None:
        """Add a feature of cards each in its slot."""
        ones = self.code.slot_ones(slots)

        def find_ones(view: View) -> list[int]:
            return [place for slot, c in enumerate(find(view)) for place in ones[slot][c]]

        self.add_indicators(name, (slots, self.code.slot_width), meaning, find_ones)

    def add_hand(self, slots: int) -> None:
        """Add the own hand of up to so many cards."""
        self.add_slots("hand", slots, "the own cards, in the order of the hand's slots", _hand)

    def add_hands(self, name: str, slots: int, meaning: str, find: Callable[[Any], Sequence[Hand]]) -> None:
        """Add a feature of the cards of all seats, each in its slot; `find` returns them by seat."""
        ones = self.code.slot_ones(slots * self.players)

        def find_ones(view: View) -> list[int]:
            hands = find(view)
            return [
                one
                for place, seat in enumerate(self.seats_after[view.seat])
                for slot, c in enumerate(hands[seat], place * slots)
                for one in ones[slot][c]
            ]

        self.add_indicators(name, (self.players, slots, self.code.slot_width), meaning, find_ones)

    def add_cards(self, name: str, meaning: str, find: Callable[[Any], Iterable[Card]]) -> None:
        """Add a feature of cards in no order, of a pack without copies."""
        number = self.code.number

        def find_ones(view: View) -> list[int]:
            return [number[c] for c in find(view)]

        self.add_indicators(name, (len(number),), meaning, find_ones)

    def add_known_cards(self) -> None:
        """Add the cards that the others are known to hold."""
        number = self.code.number
        cards = len(number)

        def find_ones(view: View) -> list[int]:
            distance = self.distances[view.seat]
            known = view.known
            return [
                (distance[seat] - 1) * cards + number[c]
                for seat, hand in enumerate(known)
                for c in hand
                if c is not HIDDEN
            ]

        meaning = "the cards that each other seat is known to hold"
        self.add_indicators("known", (self.players - 1, cards), meaning, find_ones)

    def add_seen_cards(self) -> None:
        """Add the cards seen in this deal, wherever they are now."""
        number = self.code.number

        def find_ones(view: View) -> list[int]:
            seen = [*view.hand, *view.dealt, *view.table]
            for event in view.past:
                seen += event.cards
            return [number[c] for c in seen if c is not HIDDEN]

        self.add_indicators(
            "seen", (len(number),), "the cards seen in this deal, wherever they are", find_ones
        )

    def add_card_counts(self, name: str, meaning: str, find: Callable[[Any], Hand]) -> None:
        """Add a feature of cards in no order: of each, the part of its copies that are there."""
        self.add_values(name, len(self.code.cards), meaning, lambda view: self._count(find(view)))

    def add_hand_counts(self, name: str, meaning: str, find: Callable[[Any], Sequence[Hand]]) -> None:
        """Add the same for each seat; `find` returns the cards by seat."""

        def find_values(view: View) -> list[float]:
            hands = find(view)
            return [part for seat in self.seats_after[view.seat] for part in self._count(hands[seat])]

        self.scalars.append((name, (self.players, len(self.code.cards)), meaning, find_values))

    def _count(self, cards: Hand) -> list[float]:
        code = self.code
        parts = [0.0] * len(code.cards)
        for c in cards:
            parts[code.number[c]] += 1 / code.copies[c]
        return parts


def _hand(view: View) -> Hand:
    return view.hand
