"""Points of cards and columns, and their sum over the deals of a match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from arena.games.authoring import (
    Card,
    Changes,
    Hand,
    HandRank,
    Holdings,
    Pack,
    PointsOverDeals,
    PointsSettlement,
    Ranking,
    Showdown,
    option,
)


@dataclass(frozen=True, kw_only=True)
class ColumnRanking(Ranking):
    """Hands by the sum of their cards, the lowest best; a column of equal cards counts nothing.

    The hand has its cards column by column.
    """

    rows: int
    """Cards in a column."""

    def find_value(self, card: Card) -> int:
        """Return what a card counts: its number."""
        return card.points

    @cached_property
    def values(self) -> dict[Card, int]:
        """Points of each card met so far."""
        return {}

    def value(self, card: Card) -> int:
        """Return what a card counts; 0 for `??`."""
        known = self.values.get(card)
        if known is None:
            known = self.values[card] = self.find_value(card)
        return known

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        total = 0
        for start in range(0, len(hand), self.rows):
            column = hand[start : start + self.rows]
            if len(column) < self.rows or len({c.rank for c in column}) > 1:
                total += sum([self.value(c) for c in column])
        return HandRank(-total, (), "sum", total)


@dataclass(frozen=True, kw_only=True)
class GolfRanking(ColumnRanking):
    """The values of six-card Golf. Source: the rule page, "The count"."""

    twos: int = option(-2, "what a two counts", choices=(-2, 2))

    def find_value(self, card: Card) -> int:
        """Return what a card counts: ace 1, two `twos`, king 0, queen and knave 10, others their pips."""
        return {"A": 1, "2": self.twos, "K": 0}.get(card.rank, card.points)


@dataclass(frozen=True, kw_only=True)
class Strokes(PointsOverDeals):
    """The sums of a fixed number of deals; the lowest total wins. Source: the rule page, "The match"."""

    lowest_wins: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class SkyjoPoints(PointsSettlement):
    """Sums until somebody has too many; a closer without the lowest sum doubles it.

    Source: the rule page of Skyjo, "The count" and "The match".
    """

    lowest_wins: ClassVar[bool] = True
    until: int = option(100, "points at which the match ends", low=1)
    deals: int = option(20, "deals after which the match ends in any case", low=1)

    def settle(self, showdown: Showdown) -> Changes:
        sums = [round(rank.value or 0) for rank in showdown.ranks]
        closer = showdown.knocker
        if closer is not None and sums[closer] > 0:
            others = [sums[seat] for seat in showdown.order if seat != closer]
            sums[closer] *= 2 if min(others) <= sums[closer] else 1
        return Changes(points=tuple(sums))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        assert holdings.points is not None
        return dealt == self.deals or max(holdings.points) >= self.until
