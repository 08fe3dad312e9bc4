"""Hands of Brag: prial, runs, flush, pair and high card."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.cards import Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking, one_suit, rank_indices, run_top


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
