"""The ranks of a pack's hands, remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.cards import Hand, Pack
from arena.games.hand_lookup import UNKNOWN, grades

if TYPE_CHECKING:
    from arena.games.hands import HandRank, Ranking


class RankTable:
    """The ranks of hands, as `table[hand]`.

    Those of three cards are worked out together when one is first asked for, smaller ones when they are. Of
    more cards there are millions of hands: they are worked out every time, as is one with a card not known.
    """

    def __init__(self, ranking: Ranking, pack: Pack) -> None:
        self._ranking = ranking
        self._pack = pack
        self._strengths: list[list[list[int]]] = []
        self._ranks: list[HandRank] = []
        self._few: dict[Hand, HandRank] = {}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return RankTable, (self._ranking, self._pack)

    def __getitem__(self, hand: Hand) -> HandRank:
        if len(hand) == 3:
            if not self._ranks:
                self._strengths, self._ranks = grades(self._ranking, self._pack)
            strength = self._strengths[hand[0].number][hand[1].number][hand[2].number]
            if strength != UNKNOWN:
                return self._ranks[strength]
        if len(hand) > 2:
            return self._ranking.rank(hand, self._pack)
        if hand not in self._few:
            self._few[hand] = self._ranking.rank(hand, self._pack)
        return self._few[hand]
