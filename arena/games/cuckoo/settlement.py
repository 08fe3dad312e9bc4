"""Who loses a token when the cards are shown."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.options import option
from arena.games.settlement.base import Changes, Showdown, TokenSettlement


@dataclass(frozen=True, kw_only=True)
class LowestCard(TokenSettlement):
    """The lowest card loses a token, the last player with tokens wins. Source: S004, sheet B10."""

    tie: str = option(
        "all", "of several lowest cards all lose, or the first in turn alone", choices=("all", "first")
    )
    tie_all: str = option("lose", "where all cards are equal all lose, or none", choices=("lose", "none"))
    pairs_safe: bool = option(False, "who holds a card equal to another's loses nothing")

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self.compute_losses(showdown, self.losers(showdown)))

    def losers(self, showdown: Showdown) -> list[int]:
        """The seats that are to lose, in the order of turns."""
        order, ranks = showdown.order, showdown.ranks
        lowest = min([ranks[seat] for seat in order])
        losers = [seat for seat in order if ranks[seat] == lowest]
        if self.tie_all == "none" and len(losers) == len(order):
            return []
        if self.pairs_safe:
            alone = [seat for seat in order if ranks.count(ranks[seat]) == 1]
            losers = self.find_worst(showdown, alone) if alone else []
        return losers[:1] if self.tie == "first" else losers
