"""Hands that compare by their combinations, as at Commerce, at Brag and at poker."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Final

from arena.errors import InvalidNotation
from arena.games.cards import Card, Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking, one_suit, point, rank_indices, run_top


@dataclass(frozen=True, kw_only=True)
class BragRanking(Ranking):
    """Prial, running flush, run, flush, pair, high, and no run K-A-2. Source: sheets B7, B8."""

    s333: bool = option(True, "three threes are the best prial")
    a23: bool = option(True, "A-2-3 is the best run; else the ace is high only, and it is none")

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        high_to_low = rank_indices(hand, pack)
        above = len(pack.ranks)
        if high_to_low[0] == high_to_low[-1]:
            best = self.s333 and hand[0].rank == "3"
            return HandRank(6, (above if best else high_to_low[0],), "prial")
        suited = one_suit(hand)
        top = run_top(high_to_low, pack, self.a23)
        if top is not None:
            best = self.a23 and top < high_to_low[0]
            return HandRank(
                5 if suited else 4, (above if best else top,), "running-flush" if suited else "run"
            )
        if suited:
            return HandRank(3, tuple(high_to_low), "flush")
        high, middle, low = high_to_low
        if middle in (high, low):
            return HandRank(2, (middle, low if middle == high else high), "pair")
        return HandRank(1, tuple(high_to_low), "high")


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


SHAPES: Final = {
    (4, 1): (8, "four"),
    (3, 2): (7, "full-house"),
    (3, 1, 1): (4, "three"),
    (2, 2, 1): (3, "two-pair"),
    (2, 1, 1, 1): (2, "pair"),
}
"""Grade and category of hands with equal ranks, by how often each rank occurs."""


@dataclass(frozen=True, kw_only=True)
class PokerRanking(Ranking):
    """From straight flush to high card; in straights the ace is high or low. Source: sheet B9, ruling R11."""

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        counted = Counter(rank_indices(hand, pack)).most_common()
        counted.sort(key=lambda pair: (pair[1], pair[0]), reverse=True)
        keys = tuple([height for height, _ in counted])
        if len(keys) < len(hand):
            grade, category = SHAPES[tuple([count for _, count in counted])]
            return HandRank(grade, keys, category)
        top, suited = straight_top(keys, pack), one_suit(hand)
        if top is not None:
            return HandRank(9, (top,), "straight-flush") if suited else HandRank(5, (top,), "straight")
        return HandRank(6, keys, "flush") if suited else HandRank(1, keys, "high")

    def memo_key(self, hand: Hand, pack: Pack) -> int:
        """Return a key of the ranks and whether they are suited: 7,462 for 2.6 million hands."""
        digits = _rank_digits(pack)
        key = sum([digits[c] for c in hand])
        return -key if one_suit(hand) else key


@cache
def _rank_digits(pack: Pack) -> dict[Card, int]:
    """Return a number for each card, such that the sum of five says how often each rank occurs."""
    return {c: 5 ** pack.rank_index[c] for c in pack.cards}


def straight_top(high_to_low: tuple[int, ...], pack: Pack) -> int | None:
    """Return the top of five consecutive ranks, the five where the ace is low; None if they are not."""
    high, second, *_, low = high_to_low
    if high - low == 4:
        return high
    ace_low = pack.ranks.startswith("2345") and high == len(pack.ranks) - 1 and (second, low) == (3, 0)
    return second if ace_low else None
