"""How hands rank in Trade and Barter: tricon, sequence, and the point of one suit."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.cards import Hand, Pack
from arena.games.hands import HandRank, Ranking, one_suit, point, rank_indices, run_top
from arena.games.options import option


@dataclass(frozen=True, kw_only=True)
class SuitedPointRanking(Ranking):
    """Tricon, sequence, and the point of two or three cards of one suit. Source: S002, S003, ruling B12."""

    alow: bool = option(False, "the ace may be low in a sequence: A-2-3, the lowest of them")

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        high_to_low = rank_indices(hand, pack)
        if high_to_low[0] == high_to_low[-1]:
            return HandRank(5, (high_to_low[0],), "tricon")
        top = run_top(high_to_low, pack, self.alow) if one_suit(hand) else None
        if top is not None:
            return HandRank(4, (top,), "sequence")
        suits = [c.suit for c in hand]
        suited = tuple([c for c in hand if suits.count(c.suit) > 1])
        if suited:
            return HandRank(1, (point(suited), len(suited)), "point")
        return HandRank(0, (0,), "nothing")
