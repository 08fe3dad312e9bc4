"""The interface of hand rankings, and code they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Final, NamedTuple

from arena.games.cards import Hand, Pack


class HandRank(NamedTuple):
    """Worth of a hand: comparable, larger is better, equal is a true tie. Suits never count."""

    grade: int
    keys: tuple[int, ...]
    category: str
    value: float | None = None
    """The total, in games that count one."""


NO_HAND: Final = HandRank(-1, (), "none")
"""Rank of a seat that is not in the deal: below any hand's."""


class Ranking(ABC):
    """A way to rank hands."""

    @abstractmethod
    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        """Return the worth of a hand of this pack; of suits only which cards share one may count."""

    @property
    def ties_share_category(self) -> bool:
        """True if all hands of equal rank have one category: then a table of ranks has that of each hand."""
        return True

    def memo_key(self, hand: Hand, pack: Pack) -> Hashable | None:
        """Return a key that only hands of equal rank share, to remember the rank by; else None.

        There are few hands of one or two cards, and millions of more than three.
        """
        return hand if len(hand) < 3 else None


class NoRanking(Ranking):
    """The ranking of games that compare no hands by themselves: all are equal, and of no category."""

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        return UNRANKED


UNRANKED: Final = HandRank(0, (), "")
"""Rank of every hand in games that compare none."""
NO_RANKING: Final = NoRanking()


def point(hand: Hand) -> int:
    """Return the sum of all the cards' points, whatever their suits: ace 11, courts and ten 10."""
    return sum([c.points for c in hand])


def rank_indices(hand: Hand, pack: Pack) -> list[int]:
    """Return the cards' places in the order of ranks, highest first."""
    return sorted([pack.rank_index[c] for c in hand], reverse=True)


def run_top(high_to_low: list[int], pack: Pack, alow: bool) -> int | None:
    """Return the top of three consecutive ranks, None if they are not consecutive.

    With `alow` A-2-3 is such a run, its top the three; two and three must be in the pack. Source: ruling W16.
    """
    high, middle, low = high_to_low
    if high == middle + 1 == low + 2:
        return high
    if alow and pack.ranks.startswith("23") and (middle, low) == (1, 0) and high == len(pack.ranks) - 1:
        return 1
    return None


def one_suit(hand: Hand) -> bool:
    """Return whether all cards are of one suit."""
    return len({c.suit for c in hand}) == 1
