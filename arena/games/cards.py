"""Cards, packs and their notation: rank and suit, `TD 9S`; `??` is a card not known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final, Self

from arena.errors import InvalidNotation, InvalidRules
from arena.games.frozen_attributes import forbid_changes
from arena.games.mypyc_decorator import mypyc_attr


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
