"""The packs of the cambio family, and the powers of their cards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache
from typing import Final

from arena.families.cambio.actions import PowerStep, peek_any, peek_other, peek_own, swap_any, swap_own
from arena.games.cards import MAX_PACK, MIN_PACK, PACK_DOC, Card, Pack, card, find_pack
from arena.games.option_fields import option

JOKERS: Final = (card("R", "1", "R1", 0), card("R", "2", "R2", 0))
RED: Final = "HD"
COPIES: Final = "abcdefghi"
"""The suits of packs of numbers: they only tell the copies of a card apart."""


class Deck(ABC):
    """The cards that a game is played with."""

    @abstractmethod
    def make_pack(self) -> Pack:
        """Return the pack."""


@dataclass(frozen=True, kw_only=True)
class FrenchDeck(Deck):
    """French cards. Source: sheets B11, B14."""

    pack: int = option(52, f"cards in the pack, {PACK_DOC}", low=MIN_PACK, high=MAX_PACK)

    def make_pack(self) -> Pack:
        return find_pack(self.pack)


@dataclass(frozen=True, kw_only=True)
class JokerDeck(FrenchDeck):
    """French cards with two jokers. Source: sheet B11, ruling R15."""

    pack: int = option(52, f"cards in the pack, jokers apart, {PACK_DOC}", low=MIN_PACK, high=MAX_PACK)
    jokers: bool = option(True, "two jokers are in the pack")

    def make_pack(self) -> Pack:
        return add_jokers(self.pack) if self.jokers else find_pack(self.pack)


@dataclass(frozen=True, kw_only=True)
class NumberDeck(Deck):
    """Cards of a game's own: numbers, which count as much, and cards with a letter, which count nothing."""

    name: str
    copies: tuple[tuple[str, int], ...]
    """Ranks, lowest first, and how many cards there are of each."""

    def make_pack(self) -> Pack:
        return make_numbers(self.name, self.copies)


@cache
def make_numbers(name: str, copies: tuple[tuple[str, int], ...]) -> Pack:
    """Return a pack of numbers: `0a 0b 1a …`; letters tell the copies apart."""
    cards = [
        card(rank, suit, rank + suit, int(rank) if rank.isdecimal() else 0)
        for rank, count in copies
        for suit in COPIES[:count]
    ]
    return NumberPack(name, cards, tuple([rank for rank, _ in copies]))


class NumberPack(Pack):
    """A pack whose ranks may have two digits."""

    def __init__(self, name: str, cards: list[Card], ranks: tuple[str, ...]) -> None:
        super().__init__(name, cards, "")
        self.rank_index.update({c: ranks.index(c.rank) for c in cards})


@cache
def add_jokers(cards: int) -> Pack:
    """Return the pack of `cards` cards and two jokers."""
    plain = find_pack(cards)
    return Pack(f"{cards + len(JOKERS)}-card", (*plain.cards, *JOKERS), plain.ranks)


class PowerCards(ABC):
    """The powers of cards that are discarded straight from the stock."""

    @abstractmethod
    def find_power(self, discarded: Card) -> tuple[PowerStep, ...]:
        """Return the steps of a card's power; () if it has none."""


@dataclass(frozen=True, kw_only=True)
class RankPowers(PowerCards):
    """Powers by rank; without any no card has one."""

    steps: tuple[tuple[str, tuple[PowerStep, ...]], ...] = ()
    """Ranks, each with its steps."""

    def find_power(self, discarded: Card) -> tuple[PowerStep, ...]:
        return dict(self.steps).get(discarded.rank, ())


@dataclass(frozen=True, kw_only=True)
class CambioPowers(PowerCards):
    """The powers of Cambio. Source: sheet B11, ruling R28."""

    swaps: str = option(
        "own",
        "a knave or queen swaps an own card with another's, or any two of different owners",
        choices=("own", "any"),
    )
    king: str = option(
        "own",
        "a black king looks at an own and another's card and swaps such two, or any two",
        choices=("own", "any"),
    )

    def find_power(self, discarded: Card) -> tuple[PowerStep, ...]:
        any_two = self.king == "any"
        match discarded.rank:
            case "7" | "8":
                return (peek_own,)
            case "9" | "T":
                return (peek_other,)
            case "J" | "Q":
                return (swap_any if self.swaps == "any" else swap_own,)
            case "K" if discarded.suit not in RED:
                return (peek_any, peek_any, swap_any) if any_two else (peek_own, peek_other, swap_own)
        return ()
