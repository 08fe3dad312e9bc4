"""Precomputed ranks of hands: the fast way to compare many of them."""

# mypyc: compile

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final

from arena.games.cards import HIDDEN, Card, Hand, Pack
from arena.games.rankings.base import HandRank, Ranking

Strengths = list[list[list[int]]]
"""Strengths of three-card hands by card numbers in any order: `strengths[a.number][b.number][c.number]`."""
UNKNOWN: Final = -1
"""Strength of a hand with a card that is not known: below any other."""


@cache
def compute_strengths(ranking: Ranking, pack: Pack) -> tuple[Strengths, list[HandRank]]:
    """Return the strengths of all three-card hands of a pack, and the rank that belongs to each strength.

    Equal ranks have equal strengths. Pairs of cards that make the same of every third share one row, which
    keeps the table small enough for the processor's cache.
    """
    by_hand = _rank_all(ranking, pack)
    ranks = sorted(set(by_hand.values()))
    strength_of = {rank: strength for strength, rank in enumerate(ranks)}
    size = 1 + max(c.number for c in pack.cards)
    rows: dict[tuple[Card, Card], list[int]] = {
        pair: [UNKNOWN] * size for pair in combinations_with_replacement(pack.cards, 2)
    }
    for (a, b, c), rank in by_hand.items():
        rows[b, c][a.number] = rows[a, c][b.number] = rows[a, b][c.number] = strength_of[rank]
    unknown = [UNKNOWN] * size
    strengths = [[unknown] * size for _ in range(size)]
    shared: dict[tuple[int, ...], list[int]] = {}
    for (a, b), row in rows.items():
        shared_row = shared.setdefault(tuple(row), row)
        strengths[a.number][b.number] = strengths[b.number][a.number] = shared_row
    return strengths, ranks


def _rank_all(ranking: Ranking, pack: Pack) -> dict[Hand, HandRank]:
    """Return the ranks of all three-card hands of a pack.

    One hand is ranked of those with the same ranks in which the same cards share a suit: a fifth of all.
    """
    by_hand: dict[Hand, HandRank] = {}
    by_kind: dict[tuple[str, str, str, bool, bool, bool], HandRank] = {}
    for hand in combinations_with_replacement(pack.cards, 3):
        a, b, c = hand
        kind = (a.rank, b.rank, c.rank, a.suit == b.suit, a.suit == c.suit, b.suit == c.suit)
        rank = by_kind.get(kind)
        if rank is None:
            rank = by_kind[kind] = ranking.rank(hand, pack)
        by_hand[hand] = rank
    return by_hand


class RankTable:
    """Ranks of the hands of a pack, as `table[hand]`.

    Three-card hands are all computed when the first is looked up. Other hands are remembered by the ranking's
    `memo_key`, if it has one for them.
    """

    def __init__(self, ranking: Ranking, pack: Pack) -> None:
        self._ranking = ranking
        self._pack = pack
        self._strengths: Strengths = []
        self._ranks: list[HandRank] = []
        self._remembered: dict[object, HandRank] = {}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return RankTable, (self._ranking, self._pack)

    def strength(self, hand: Hand) -> int:
        """Return a number by which three-card hands compare as by their ranks, `UNKNOWN` for other hands."""
        if len(hand) != 3:
            return UNKNOWN
        if not self._ranks:
            self._strengths, self._ranks = compute_strengths(self._ranking, self._pack)
        return self._strengths[hand[0].number][hand[1].number][hand[2].number]

    def __getitem__(self, hand: Hand) -> HandRank:
        strength = self.strength(hand)
        if strength != UNKNOWN:
            return self._ranks[strength]
        key = self._ranking.memo_key(hand, self._pack)
        if key is None:
            return self._ranking.rank(hand, self._pack)
        rank = self._remembered.get(key)
        if rank is None:
            rank = self._remembered[key] = self._ranking.rank(hand, self._pack)
        return rank

    def find_worst(self, hands: list[Hand], among: tuple[int, ...]) -> list[int]:
        """Return the seats that hold the worst of three-card hands: several where hands tie.

        It is `seat_calculations.find_worst` of their ranks, and far faster; [] if a hand has no strength.
        """
        lowest = UNKNOWN
        lowest_seats: list[int] = []
        for seat in among:
            strength = self.strength(hands[seat])
            if strength == UNKNOWN:
                return []
            if not lowest_seats or strength < lowest:
                lowest_seats, lowest = [seat], strength
            elif strength == lowest:
                lowest_seats.append(seat)
        return lowest_seats

    def best_with(self, hand: Hand, card: Card) -> HandRank:
        """Return the best rank that a hand can have with `card`, a known one, in place of one of its own."""
        if not self._ranks or len(hand) != 3 or HIDDEN in hand:
            return max([self[(*hand[:slot], card, *hand[slot + 1 :])] for slot in range(len(hand))])
        a, b, c = hand[0].number, hand[1].number, hand[2].number
        with_card = self._strengths[card.number]
        return self._ranks[max(with_card[a][b], with_card[a][c], with_card[b][c])]
