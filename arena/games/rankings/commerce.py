"""Hands of Commerce: tricon, sequence, flush, pair and point."""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import InvalidNotation
from arena.games.cards import Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking, one_suit, point, rank_indices, run_top


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
