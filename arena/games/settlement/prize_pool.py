"""A pool that is formed once, from which each deal's best hand draws a prize, and counters that go up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import msgspec

from arena.games.option_fields import option
from arena.games.seat_calculations import add, add_at, share
from arena.games.settlement.base import ChipSettlement, CommerceSettlement
from arena.games.settlement.holdings import Changes, Holdings, Showdown


@dataclass(frozen=True, kw_only=True)
class PrizePool(ChipSettlement, CommerceSettlement):
    """The best hand draws a prize from the pool, the worst goes up one counter; the last in sweeps the rest.

    Counters are the tokens and have no cash value, unless an option gives them one.
    Source: S002, rulings W4-W6, R4.
    """

    is_zero_sum: ClassVar[bool] = True

    stake: int = option(12, "chips each player pays into the pool before the first deal")
    ante: int = option(0, "chips each player in a deal pays into the pool before it")
    prize: int = option(0, "chips the best hand draws in a deal; 0 is one for each player")
    horse: bool = option(True, "the first to lose all counters may buy one more, a horse")
    horse_price: int = option(0, "chips a horse costs; 0 is a third of the stake, rounded up")
    counter_value: int = option(0, "chips a counter is worth, which its loser pays into the pool")

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(
            tokens=(self.tokens,) * players,
            chips=(-self.stake,) * players,
            pool=self.stake * players,
            went_out=(None,) * players,
            horse=self.horse,
        )

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        if not self.ante:
            return holdings
        assert holdings.chips is not None
        assert holdings.pool is not None
        chips = list(holdings.chips)
        for seat in order:
            chips[seat] -= self.ante
        pool = holdings.pool + self.ante * len(order)
        return msgspec.structs.replace(holdings, chips=tuple(chips), pool=pool)

    def settle(self, showdown: Showdown) -> Changes:
        holdings, seats = showdown.holdings, len(showdown.ranks)
        assert holdings.pool is not None
        winner = self.find_winner(showdown)
        lost = self.compute_losses(showdown, self.find_losers(showdown, winner))
        value = self.counter_value
        chips = [value * change for change in lost]
        prize = 0 if winner is None else min(self.prize or seats, holdings.pool)
        if winner is not None:
            chips[winner] += prize
        left = add(holdings.tokens, lost)
        assert left is not None
        horse_taken = any(left[seat] == 0 for seat in showdown.order)
        pool = holdings.pool - prize - value * sum(lost)
        return Changes(tokens=lost, chips=tuple(chips), pool=pool, horse_taken=horse_taken)

    @property
    def has_offers(self) -> bool:
        return self.horse

    @property
    def price_of_horse(self) -> int:
        """The price agreed, or a third of the stake, rounded up. Source: S002, ruling W6."""
        return self.horse_price or -(-self.stake // 3)

    def find_offers(self, before: Holdings, changes: Changes, order: tuple[int, ...]) -> tuple[int, ...]:
        """Return the match's first seats to lose all counters: they may buy a horse. Source: ruling W6."""
        left = add(before.tokens, changes.tokens)
        assert left is not None
        return tuple([seat for seat in order if left[seat] == 0]) if before.horse else ()

    def accept_offer(self, changes: Changes, seat: int) -> Changes:
        """Return the changes when that seat pays for one more counter."""
        assert changes.tokens is not None
        assert changes.chips is not None
        assert changes.pool is not None
        price = self.price_of_horse
        return msgspec.structs.replace(
            changes,
            tokens=add_at(changes.tokens, seat, 1),
            chips=add_at(changes.chips, seat, -price),
            pool=changes.pool + price,
        )

    def close_deal(self, before: Holdings, changes: Changes, number: int) -> Changes:
        """Share the pool among those still in at the match's end, odd chips to the first."""
        after = self.apply_changes(before, changes, number)
        if not self.is_over(after, number + 1):
            return changes
        assert changes.chips is not None
        assert changes.pool is not None
        chips = list(changes.chips)
        share(changes.pool, [seat for seat, out in enumerate(after.went_out) if out is None], chips)
        return msgspec.structs.replace(changes, chips=tuple(chips), pool=0)
