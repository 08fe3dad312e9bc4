"""Who loses a token when the cards are shown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from arena.games.options import option
from arena.games.settle import Changes, Showdown, TokenSettlement


@dataclass(frozen=True, kw_only=True)
class LowestCard(TokenSettlement):
    """The lowest card loses a token, the last player with tokens wins. Source: S004, sheet B10."""

    tie: str = option(
        "all", "of several lowest cards all lose, or the first in turn alone", choices=("all", "first")
    )
    tie_all: str = option("lose", "where all cards are equal all lose, or none", choices=("lose", "none"))
    pairs_safe: bool = option(False, "who holds a card equal to another's loses nothing")

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self.losses(showdown, self.losers(showdown)))

    def losers(self, showdown: Showdown) -> list[int]:
        """The seats that are to lose, in the order of turns."""
        among = list(showdown.order)
        holders = Counter([showdown.rank(seat) for seat in among])
        if len(holders) == 1 and self.tie_all == "none":
            return []
        if self.pairs_safe:
            among = [seat for seat in among if holders[showdown.rank(seat)] == 1]
        lowest = self.worst(showdown, among) if among else []
        return lowest[:1] if self.tie == "first" else lowest
