"""A pool everybody pays into before each deal, shared by the best hands; the worst pay into the next one."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from arena.games.option_fields import option
from arena.games.seat_calculations import share, subtract_each
from arena.games.settlement.base import ChipSettlement
from arena.games.settlement.holdings import Changes, Holdings, Showdown


@dataclass(frozen=True, kw_only=True)
class SharedPot(ChipSettlement):
    """The best hands share the pool, the worst pay into the next. Source: sheet B9, rulings R11, R27."""

    stake: int = option(1, "chips each player pays into the pool before each deal")
    forfeit: int = option(1, "chips each worst hand pays into the next pool")
    deals: int = option(0, "deals after which the match ends; 0 is one for each player")

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(chips=(0,) * players, pool=0, went_out=(None,) * players)

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        assert holdings.chips is not None
        assert holdings.pool is not None
        chips = subtract_each(holdings.chips, self.stake)
        return msgspec.structs.replace(holdings, chips=chips, pool=holdings.pool + self.stake * len(order))

    def settle(self, showdown: Showdown) -> Changes:
        order, left = showdown.order, showdown.holdings.pool
        assert left is not None
        ranks = [showdown.ranks[seat] for seat in order]
        winners = [seat for seat, rank in zip(order, ranks, strict=True) if rank == max(ranks)]
        losers = [seat for seat, rank in zip(order, ranks, strict=True) if rank == min(ranks) != max(ranks)]
        chips = [0] * len(showdown.ranks)
        share(left, winners, chips)
        forfeits = self.find_forfeits(showdown, losers)
        for seat, forfeit in forfeits.items():
            chips[seat] -= forfeit
        return Changes(chips=tuple(chips), pool=sum(forfeits.values()))

    def find_forfeits(self, showdown: Showdown, losers: list[int]) -> dict[int, int]:
        """Return by seat the chips that the worst hands pay into the next pool."""
        return dict.fromkeys(losers, self.forfeit)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == (self.deals or len(holdings.went_out))


@dataclass(frozen=True, kw_only=True)
class KnockerPot(SharedPot):
    """A shared pot in which a beaten knocker pays more, and nobody after a total that takes it at once.

    Source: sheet B13.
    """

    knocker_forfeit: int = option(2, "chips a knocker pays into the next pool whose hand is among the worst")
    clean_total: int = 31
    """Total of a hand after which nobody pays into the next pool."""

    def find_forfeits(self, showdown: Showdown, losers: list[int]) -> dict[int, int]:
        highest = max([showdown.ranks[seat].value or 0 for seat in showdown.order])
        if highest >= self.clean_total:
            return {}
        knocker = showdown.knocker
        return {seat: self.knocker_forfeit if seat == knocker else self.forfeit for seat in losers}
