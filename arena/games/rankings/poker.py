"""Hands of five cards, ranked as at poker."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import Final

from arena.games.cards import Card, Hand, Pack
from arena.games.rankings.base import HandRank, Ranking, one_suit, rank_indices

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
