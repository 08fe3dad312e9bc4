"""The ranks of a pack's hands, remembered."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from arena.games.cards import Hand, Pack

if TYPE_CHECKING:
    from arena.games.hands import HandRank, Ranking


class RankTable:
    """The ranks of hands, as `table[hand]`.

    Those of up to three cards are worked out when they are first asked for, three cards in all orders;
    of more cards there are millions of hands, which are worked out every time.
    """

    def __init__(self, ranking: Ranking, pack: Pack) -> None:
        self._ranking = ranking
        self._pack = pack
        self._size = 1 + max([c.number for c in pack.cards])
        self._rows: list[list[HandRank | None] | None] = [None] * (self._size * self._size)
        """For the numbers of two cards, the ranks by that of the third."""
        self._few: dict[Hand, HandRank] = {}

    def __getitem__(self, hand: Hand) -> HandRank:
        if len(hand) == 3:
            row = self._rows[hand[0].number * self._size + hand[1].number]
            rank = None if row is None else row[hand[2].number]
            return self._in_every_order(hand) if rank is None else rank
        if len(hand) > 3:
            return self._ranking.rank(hand, self._pack)
        if hand not in self._few:
            self._few[hand] = self._ranking.rank(hand, self._pack)
        return self._few[hand]

    def _in_every_order(self, hand: Hand) -> HandRank:
        rank, size = self._ranking.rank(hand, self._pack), self._size
        for a, b, c in permutations([c.number for c in hand]):
            row = self._rows[a * size + b]
            if row is None:
                row = self._rows[a * size + b] = [None] * size
            row[c] = rank
        return rank
