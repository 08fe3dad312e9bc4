"""Settlements of games in which cards are bought from the dealer, in chips or in tokens."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from arena.games import seat_calculations
from arena.games.option_fields import option
from arena.games.seat_calculations import (
    Counts,
    add_at,
    compute_placings,
    difference,
    share,
    subtract_each,
    transfer,
)
from arena.games.settlement.base import ChipSettlement, Lives, Settlement, TokenSettlement, Transfer
from arena.games.settlement.holdings import Changes, Holdings, Showdown
from arena.games.settlement.prize_pool import PrizePool


@dataclass(frozen=True, kw_only=True)
class Market(Settlement):
    """A settlement in which a trade is paid to the dealer. Source: rulings B4, R17."""

    trade_price: int = option(
        1, "what a trade costs, paid to the dealer: in stakes, or in chips where there is no stake"
    )

    @property
    def price(self) -> int:
        """The price of a trade in chips."""
        return self.trade_price

    def pay_trade(self, holdings: Holdings, buyer: int, dealer: int) -> Holdings:
        """Return what everybody holds after a trade; the dealer's own costs nothing. Source: ruling B4."""
        price = self.price
        if buyer == dealer or not price:
            return holdings
        assert holdings.chips is not None
        return msgspec.structs.replace(holdings, chips=transfer(holdings.chips, price, buyer, dealer))


@dataclass(frozen=True, kw_only=True)
class Money(ChipSettlement, Market):
    """The best hand takes a pool of antes; most chips win. Source: S001, S002, rulings B8-B10, B19, R17."""

    stake: int = option(1, "chips each player pays into the pool in each deal", low=1)
    dealer_stake: bool = option(True, "the dealer pays the winner a stake")
    stand_penalty: str = "none"
    """Whom a beaten stander or knocker pays a stake."""
    split_pool: bool = option(False, "hands that tie for best share what is won; else it is one seat's")
    deals: int = option(0, "deals in a match; 0 is one for each player")
    dealer_antes: int = 1
    """Stakes the dealer pays into the pool. Source: ruling B8."""
    dealer_first: bool = False
    """The dealer is first among equal hands; else he is last. Source: rulings B13, B14, B18."""

    @property
    def price(self) -> int:
        return self.trade_price * self.stake

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(chips=(0,) * players, pool=0, went_out=(None,) * players)

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        assert holdings.chips is not None
        assert holdings.pool is not None
        stake = self.stake
        more = stake * (self.dealer_antes - 1)
        chips = add_at(subtract_each(holdings.chips, stake), order[-1], -more)
        pool = holdings.pool + stake * len(order) + more
        return Holdings(chips=chips, pool=pool, went_out=holdings.went_out)

    def settle(self, showdown: Showdown) -> Changes:
        """Return who wins the pool and who pays whom; without a hand that qualifies it stays. Source: R16."""
        ranks, order, pool = showdown.ranks, showdown.order, showdown.holdings.pool
        chips, dealer, stake = [0] * len(ranks), order[-1], self.stake
        assert pool is not None
        if self.dealer_first:
            order = put_dealer_first(showdown).order
        best = seat_calculations.find_best(ranks, order)
        highest = ranks[best]
        if highest.category == "nothing":
            return Changes(chips=tuple(chips), pool=pool)
        winners = [seat for seat in order if ranks[seat] == highest] if self.split_pool else (best,)
        owed = stake if self.dealer_stake and dealer not in winners else 0
        chips[dealer] -= owed
        share(pool + owed, winners, chips)
        stander = showdown.knocker
        if stander is not None and stander != best and ranks[stander] < highest:
            for seat in self._find_paid(showdown, stander, best):
                chips[stander] -= stake
                chips[seat] += stake
        return Changes(chips=tuple(chips), pool=0)

    def _find_paid(self, showdown: Showdown, stander: int, best: int) -> list[int]:
        """Return the seats a beaten stander pays; an equal hand is not better. Source: ruling B10."""
        if self.stand_penalty == "each":
            return seat_calculations.find_better(showdown.ranks, showdown.order, stander)
        return [best] if self.stand_penalty == "best" else []

    def return_pool(self, changes: Changes, order: tuple[int, ...]) -> Changes:
        """Share a pool nobody has won equally, odd chips to the eldest and those after him. Source: R16."""
        assert changes.chips is not None
        assert changes.pool is not None
        chips = list(changes.chips)
        share(changes.pool, order, chips)
        return msgspec.structs.replace(changes, chips=tuple(chips), pool=0)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == (self.deals or len(holdings.went_out))


@dataclass(frozen=True, kw_only=True)
class StanderMoney(Money):
    """Money where one player ends the trading, and may pay for it. Source: S001, ruling B10."""

    stand_penalty: str = option(
        "each",
        "a beaten stander or knocker pays a stake to each better hand, to the best alone, or none",
        choices=("each", "best", "none"),
    )


def put_dealer_first(showdown: Showdown) -> Showdown:
    """Return the same showdown with the dealer first among equals. Source: rulings B13, B14."""
    return msgspec.structs.replace(showdown, order=showdown.order[-1:] + showdown.order[:-1])


@dataclass(frozen=True, kw_only=True)
class PoolMarket(PrizePool, Market):
    """A prize from a pool that is formed once, counters, a horse and the final sweep; trades cost chips.

    S002 has Trade and Barter played "the same way as in the original Commerce, only that there is no
    "widow"". Of equal hands the dealer's is best. Source: S002, rulings B13, W4-W6.
    """

    def settle(self, showdown: Showdown) -> Changes:
        return super().settle(put_dealer_first(showdown))


@dataclass(frozen=True, kw_only=True)
class TokenMarket(Market, TokenSettlement):
    """A settlement in tokens in which trades are paid in chips."""

    def initial_holdings(self, players: int) -> Holdings:
        chips = (0,) * players if self.price else None
        return msgspec.structs.replace(super().initial_holdings(players), chips=chips)


@dataclass(frozen=True, kw_only=True)
class TransferMarket(Transfer, TokenMarket):
    """The best hand takes a token from each worst; trades may have a price.

    Chips do not decide the places. Source: S003, rulings B20, R33.
    """

    def settle(self, showdown: Showdown) -> Changes:
        return super().settle(put_dealer_first(showdown))


@dataclass(frozen=True, kw_only=True)
class LivesMarket(Lives, TokenMarket):
    """The worst hand loses a token; trades are paid in chips. Source: S004, ruling R19."""

    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        """Return placings by tokens, then by the deal one went out in, then by the chips won or lost."""
        by_tokens = super().placings(holdings, start)
        if holdings.chips is None or start.chips is None:
            return by_tokens
        chips = difference(start.chips, holdings.chips)
        return compute_placings([(-place, won) for place, won in zip(by_tokens, chips, strict=True)])
