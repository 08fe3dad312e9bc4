"""Cards, packs and their notation: rank and suit, `TD 9S`; `??` is a card not known. Pools of such cards."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from random import Random
from typing import Final, Self

from arena.compiled_classes import forbid_changes, mypyc_attr
from arena.errors import InvalidNotation, InvalidRules


class Interned:
    """Base of values that are made once, never change and compare by identity."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


forbid_changes(Interned)


class Card(Interned):
    """A card of a pack: equal cards are the same object.

    Attributes:
        rank: `A K Q J T 9 … 2`, or what the family's pack has.
        suit: `S H D C`, or what the family's pack has.
        text: The card in notation.
        points: What it counts in a Point or a suit total: ace 11, courts and ten 10, others their pips.
        number: Place in the order in which cards were made, to index tables by: 0 is `??`, 1 the two of
            spades, 52 the ace of clubs.
    """

    __slots__ = ("number", "points", "rank", "suit", "text")

    def __init__(self, rank: str, suit: str, text: str, points: int, number: int) -> None:
        self.rank: Final = rank
        self.suit: Final = suit
        self.text: Final = text
        self.points: Final = points
        self.number: Final = number

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, tuple[str, str, str, int]]:
        return card, (self.rank, self.suit, self.text, self.points)


@cache
def card(rank: str, suit: str, text: str, points: int) -> Card:
    """Return the interned card."""
    return Card(rank, suit, text, points, number=card.cache_info().currsize)


HIDDEN: Final = card("?", "?", "??", 0)
"""A card that may not be seen."""

Hand = tuple[Card, ...]


@mypyc_attr(allow_interpreted_subclasses=True)
class Pack:
    """The cards a game is played with, and the order of their ranks, lowest first."""

    def __init__(self, name: str, cards: Iterable[Card], ranks: str) -> None:
        self.name: Final = name
        self.cards: Final[Hand] = tuple(cards)
        self.ranks: Final = ranks
        self.rank_index: Final[dict[Card, int]] = {c: ranks.find(c.rank) for c in self.cards}
        """A card's place in the order of ranks, 0 for the lowest."""
        self.by_text: Final[dict[str, Card]] = {c.text: c for c in self.cards}

    def __len__(self) -> int:
        return len(self.cards)

    def __reduce__(self) -> tuple[object, ...]:
        return Pack, (self.name, self.cards, self.ranks)

    def card(self, text: str) -> Card:
        """Return the card written as `text`.

        Raises:
            InvalidNotation: This pack has no such card.
        """
        try:
            return self.by_text[text]
        except KeyError:
            raise InvalidNotation(f"{text!r} is no card of the {self.name} pack") from None

    def without(self, cards: Iterable[Card]) -> Hand:
        """Return the rest of the pack when `cards` are taken out, each as often as it occurs there."""
        left = list(self.cards)
        for taken in cards:
            left.remove(taken)
        return tuple(left)

    def parse(self, text: str) -> Hand:
        """Return the cards written with spaces between, in the order given.

        Raises:
            InvalidNotation: One of them is no card of this pack.
        """
        return tuple(self.card(word) for word in text.split())


POINTS: Final = dict.fromkeys("KQJT", 10) | {"A": 11} | {str(pips): pips for pips in range(2, 10)}


def french_pack(ranks: str, suits: str = "SHDC") -> Pack:
    """Make a pack of these suits with these ranks, lowest first."""
    cards = [card(rank, suit, rank + suit, POINTS[rank]) for suit in suits for rank in ranks]
    return Pack(f"{len(cards)}-card", cards, ranks)


FRENCH_RANKS: Final = "23456789TJQKA"
PACKS: Final = {
    52: french_pack(FRENCH_RANKS),
    40: french_pack("234567JQKA"),
    32: french_pack("789TJQKA"),
    12: french_pack("JQKA", suits="SHD"),
    8: french_pack("JQKA", suits="SH"),
}
"""Packs of the exchange, barter, draw and cuckoo families by size. Forty cards lack 8, 9 and ten: there a
knave follows the seven. Source: rulings W2, B6. Twelve and eight make games small enough to be solved."""
MIN_PACK: Final = min(PACKS)
MAX_PACK: Final = 4 * len(FRENCH_RANKS)
PACK_DOC: Final = "in four suits from the ace down (40: without 8, 9, ten); 12 and 8 are for study"


@cache
def find_pack(size: int) -> Pack:
    """Return the pack of so many cards: one of `PACKS`, else the highest ranks of four suits.

    Raises:
        InvalidRules: There is none of that size.
    """
    if size in PACKS:
        return PACKS[size]
    if size % 4 or not 16 <= size <= MAX_PACK:
        raise InvalidRules(
            f"there is no pack of {size} cards: take a multiple of four from 16 to {MAX_PACK}, or 12 or 8"
        )
    return french_pack(FRENCH_RANKS[-(size // 4) :])


# --- pools ---
# Hidden slots are filled from them at random.

MAX_DRAW_BITS = 48
"""The most bits that decide several slots at once: few enough for a machine word."""
SPARE_BITS = 8
"""Bits by which a random number is longer than needed, so that few are drawn in vain."""


class Draw:
    """Slots decided by one random number: each has a digit of it, below the number of cards left then."""

    def __init__(self) -> None:
        self.slots: list[int] = []
        self.ways = 1
        """Number of ways in which the slots can be filled."""
        self.bits = 0
        self.limit = 0
        """Random numbers from here on are drawn again: all ways are equally likely below it."""

    def add(self, slot: int, count: int) -> None:
        """Add a slot that is filled with one of `count` cards."""
        self.slots.append(slot)
        self.ways *= count
        self.bits = self.ways.bit_length() + SPARE_BITS
        self.limit = (1 << self.bits) // self.ways * self.ways

    def random_number(self, rng: Random) -> int:
        """Return a random number from whose digits, lowest first, each way follows as often."""
        number = rng.getrandbits(self.bits)
        while number >= self.limit:
            number = rng.getrandbits(self.bits)
        return number


class Pool:
    """Cards of which each lies in one of some hidden slots, or in none of them.

    `barred` has, by slot, the ranks of cards that cannot lie there. Of any two slots, one bars all that the
    other bars: so the choice for the stricter one leaves the other as many cards, whatever it is.
    """

    def __init__(
        self, slots: Iterable[int], cards: Iterable[Card], barred: Mapping[int, str] | None = None
    ) -> None:
        self._barred = {slot: ranks for slot, ranks in (barred or {}).items() if ranks}
        self._cards = list(cards)
        free: list[int] = []
        restricted: list[int] = []
        for slot in slots:
            (restricted if slot in self._barred else free).append(slot)
        self._restricted = sorted(restricted, key=lambda slot: -len(self._barred[slot]))
        self._draws = plan_draws(free, len(self._cards) - len(restricted))

    def assign(self, row: list[Card], rng: Random) -> list[Card]:
        """Write a random card of the pool into each of its slots; return those left over, in no order."""
        left = self._cards[:]
        for slot in self._restricted:
            ranks = self._barred[slot]
            allowed = [c for c in left if c.rank not in ranks]
            row[slot] = allowed[rng.randrange(len(allowed))]
            left.remove(row[slot])
        draw_cards(self._draws, left, row, rng)
        return left


def plan_draws(slots: list[int], count: int) -> list[Draw]:
    """Return the random numbers that fill these slots one after the other from `count` cards."""
    return _plan(slots, [count - place for place in range(len(slots))])


def plan_choices(counts: list[int]) -> list[Draw]:
    """Return the random numbers of choices one after the other; slots are the places of these counts."""
    return _plan(list(range(len(counts))), counts)


def _plan(slots: list[int], counts: list[int]) -> list[Draw]:
    draws: list[Draw] = []
    for slot, count in zip(slots, counts, strict=True):
        if not draws or draws[-1].bits + count.bit_length() > MAX_DRAW_BITS + SPARE_BITS:
            draws.append(Draw())
        draws[-1].add(slot, count)
    return draws


def draw_cards(draws: list[Draw], left: list[Card], row: list[Card], rng: Random) -> None:
    """Move random cards from those left into the slots of the draws."""
    for draw in draws:
        number = draw.random_number(rng)
        for slot in draw.slots:
            count = len(left)
            chosen = number % count
            number //= count
            row[slot] = left[chosen]
            last = left.pop()
            if chosen < count - 1:
                left[chosen] = last


def random_below(count: int, rng: Random) -> int:
    """Return a random number below `count`, all being equally likely."""
    if count == 1:
        return 0
    bits = count.bit_length()
    number = rng.getrandbits(bits)
    while number >= count:
        number = rng.getrandbits(bits)
    return number
