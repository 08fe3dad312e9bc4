"""Hands that count: the total of their best suit, and beside it three alike and Feuer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from arena.games.cards import HIDDEN, Hand, Pack
from arena.games.option_fields import Offers, Part, option
from arena.games.rankings.base import HandRank, Ranking, point

FEUER: Final = 33
"""Total of three aces where they are Feuer. Source: sheet B4."""
MAX_TOTAL: Final = 31
"""The total that is best where all cards count. Source: S004."""


class Total(HandRank):
    """A rank that compares by its keys alone: 30 in a suit and three alike at 30 are a true tie."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandRank) and self.keys == other.keys

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, HandRank) and self.keys < other.keys

    def __le__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, HandRank) and self.keys <= other.keys

    def __gt__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, HandRank) and self.keys > other.keys

    def __ge__(self, other: tuple[object, ...]) -> bool:
        return isinstance(other, HandRank) and self.keys >= other.keys

    def __hash__(self) -> int:
        return hash(self.keys)


def must_be_shown(rank: HandRank) -> bool:
    """Return whether a hand is a 31, or Feuer where there is such a thing."""
    return rank.value is not None and rank.value >= MAX_TOTAL


@dataclass(frozen=True, kw_only=True)
class SuitTotals(Part, Ranking):
    """The best total of one suit: ace 11, courts and ten 10, others their pips; source: sheets B4-B7.

    Totals are kept doubled, so that 30.5 is a whole number. Of three alike at 30.5 the higher rank is better;
    at 30 they equal any other 30.
    """

    offers: Offers = field(default=("three_alike",), hash=False)
    three_alike: str = option("30.5", "what three of a rank count", choices=("30.5", "30", "off"))
    feuer: bool = False
    """Three aces are Feuer, above everything."""
    unsuited: bool = option(False, "all three cards count, whatever their suits; a total over 31 is nothing")
    """In S004 "closest to 31 without going over"; one suit in S002. Source: sheet B6."""

    @property
    def ties_share_category(self) -> bool:
        return self.three_alike != "30"

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        if len({c.rank for c in hand}) == 1 and hand[0] is not HIDDEN:
            if self.feuer and hand[0].rank == "A":
                return Total(1, (2 * FEUER,), "feuer", FEUER)
            if self.three_alike == "30.5":
                return Total(1, (61, pack.rank_index[hand[0]]), "three-alike", 30.5)
            if self.three_alike == "30":
                return Total(1, (60,), "three-alike", 30)
        if self.unsuited:
            total = point(hand)
            if total > MAX_TOTAL:
                return Total(1, (0,), "nothing", 0)
        else:
            total = max([sum([c.points for c in hand if c.suit == suit]) for suit in "SHDC"])
        return Total(1, (2 * total,), "points", total)
