"""How hands rank: what category each belongs to, and which of two is the better."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from arena.errors import InvalidNotation
from arena.games.cards import Card, Hand, Pack
from arena.games.options import option
from arena.games.rank_table import RankTable


class HandRank(NamedTuple):
    """What a hand is worth: comparable, larger is better, equal is a true tie. Suits never count."""

    grade: int
    keys: tuple[int, ...]
    category: str
    value: float | None = None
    """The total, in games that count one."""


NO_HAND: Final = HandRank(-1, (), "none")
"""The rank of a seat that is not in the deal: below any hand's."""


class RankLookup(Protocol):
    """Gives the rank of a hand, as `ranks[hand]`."""

    def __getitem__(self, hand: Hand, /) -> HandRank: ...


class Ranking(ABC):
    """A way to rank hands."""

    @abstractmethod
    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        """The worth of a hand of this pack."""

    def table(self, pack: Pack) -> RankLookup:
        """The worth of the hands of this pack, remembered: the way to ask for many."""
        return RankTable(self, pack)


def point(hand: Hand) -> int:
    """The pips of all the cards, whatever their suits: ace 11, courts and ten 10."""
    return sum([c.points for c in hand])


def rank_indices(hand: Hand, pack: Pack) -> list[int]:
    """Where the cards stand in the order of ranks, highest first."""
    return sorted([pack.rank_index[c] for c in hand], reverse=True)


def run_top(high_to_low: list[int], pack: Pack, alow: bool) -> int | None:
    """The top of three ranks that follow one another; with `alow` A-2-3 is such a run, its top the three.

    None if they do not follow. The two and the three must be in the pack. Source: ruling W16.
    """
    high, middle, low = high_to_low
    if high == middle + 1 == low + 2:
        return high
    if alow and pack.ranks.startswith("23") and (middle, low) == (1, 0) and high == len(pack.ranks) - 1:
        return 1
    return None


def one_suit(hand: tuple[Card, ...]) -> bool:
    """Whether all cards are of one suit."""
    return len({c.suit for c in hand}) == 1


@dataclass(frozen=True, kw_only=True)
class CommerceRanking(Ranking):
    """Four (by Pounce), tricon, sequence, flush, pair, point; source: S001-S004, rulings W16-W19, W25."""

    alow: bool = option(False, "the ace may be low in a sequence: A-2-3, the lowest of them")
    flush: str = option(
        "cards", "two flushes compare by their point or card by card", choices=("point", "cards")
    )
    no_pair_point: bool = option(False, "pair and point are not recognised: such hands never win")

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        high_to_low = rank_indices(hand, pack)
        if high_to_low[0] == high_to_low[-1]:
            return HandRank(len(hand) + 2, (high_to_low[0],), "tricon" if len(hand) == 3 else "four")
        if len(hand) > 3:
            raise InvalidNotation(f"{' '.join(map(str, hand))!r} is no hand: four cards are of one rank")
        if one_suit(hand):
            top = run_top(high_to_low, pack, self.alow)
            if top is not None:
                return HandRank(4, (top,), "sequence")
            by_point = (point(hand),) if self.flush == "point" else ()
            return HandRank(3, (*by_point, *high_to_low), "flush")
        if self.no_pair_point:
            return HandRank(0, (point(hand), *high_to_low), "nothing")
        high, middle, low = high_to_low
        if middle in (high, low):
            return HandRank(2, (middle, low if middle == high else high), "pair")
        return HandRank(1, (point(hand), *high_to_low), "point")
