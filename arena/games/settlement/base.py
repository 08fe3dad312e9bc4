"""Who pays whom: what a deal's hands cost and earn, when a match ends, and how its seats are placed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from arena.games import seat_counts
from arena.games.hands import HandRank
from arena.games.options import option
from arena.games.seat_counts import Counts, add, add_at, compute_placings, difference, eliminate


class Holdings(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What everybody holds, by seat, in what the variant settles in; None for what it does not."""

    tokens: Counts | None = None
    chips: Counts | None = None
    points: Counts | None = None
    pool: int | None = None
    went_out: tuple[int | None, ...]
    """By seat, the number of the deal it went out in; None while it is in."""
    horse: bool = False
    """Whether the right to buy a horse is still to be had."""


class Changes(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What a deal changes, by seat; `pool` is its new content."""

    tokens: Counts | None = None
    chips: Counts | None = None
    points: Counts | None = None
    pool: int | None = None
    horse_taken: bool = False
    """Whether somebody has come to the right to buy a horse."""

    def result(self) -> dict[str, int | list[int]]:
        """As in a record: the keys the variant settles in."""
        found: dict[str, int | list[int]] = {}
        if self.tokens is not None:
            found["tokens"] = list(self.tokens)
        if self.chips is not None:
            found["chips"] = list(self.chips)
        if self.points is not None:
            found["points"] = list(self.points)
        if self.pool is not None:
            found["pool"] = self.pool
        return found


class Showdown(msgspec.Struct, frozen=True, gc=False):
    """What a settlement looks at."""

    order: tuple[int, ...]
    """The seats in the deal, the eldest first, the dealer last."""
    ranks: Sequence[HandRank]
    """By seat; NO_HAND for those not in the deal."""
    holdings: Holdings
    knocker: int | None = None

    def best(self) -> int:
        """The best hand's seat; of equal hands the nearest to the dealer's left. Source: ruling W21."""
        return seat_counts.find_best(self.ranks, self.order)


class Settlement(ABC):
    """What a variant settles in, and how."""

    @abstractmethod
    def initial_holdings(self, players: int) -> Holdings:
        """What everybody holds before the first deal."""

    @abstractmethod
    def settle(self, showdown: Showdown) -> Changes:
        """What the hands of a deal change."""

    @abstractmethod
    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        """Whether the match ends after `dealt` deals."""

    @abstractmethod
    def placings(self, holdings: Holdings) -> Counts:
        """The places at the end, by seat."""

    @abstractmethod
    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        """What each seat has won or lost since `start`."""

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        """What everybody holds once the antes of a deal are paid."""
        return holdings

    def find_offers(self, before: Holdings, changes: Changes, order: tuple[int, ...]) -> tuple[int, ...]:
        """The seats asked something before the next deal (to buy a horse), in the order they are asked."""
        return ()

    def accept_offer(self, changes: Changes, seat: int) -> Changes:
        """The deal's changes when that seat accepts the offer."""
        return changes

    def close_deal(self, before: Holdings, changes: Changes, number: int) -> Changes:
        """The deal's changes when all offers are answered: if the match ends, what is still to be shared."""
        return changes

    def apply_changes(self, holdings: Holdings, changes: Changes, number: int) -> Holdings:
        """What everybody holds after deal `number`; who has nothing left went out in it."""
        tokens = add(holdings.tokens, changes.tokens)
        went_out = holdings.went_out
        least = self.min_tokens
        if tokens is not None and (min(tokens) < least or went_out.count(None) < len(went_out)):
            went_out = eliminate(went_out, tokens, least, number)
        return Holdings(
            tokens=tokens,
            chips=add(holdings.chips, changes.chips),
            points=add(holdings.points, changes.points),
            pool=holdings.pool if changes.pool is None else changes.pool,
            went_out=went_out,
            horse=holdings.horse and not changes.horse_taken,
        )

    @property
    def min_tokens(self) -> int:
        """The tokens a seat must have left: with fewer it is out of the match."""
        return 1


@dataclass(frozen=True, kw_only=True)
class TokenSettlement(Settlement):
    """Settlements in tokens: who has none left is out, the last one left wins."""

    tokens: int = option(3, "tokens each player begins with", low=1)
    deals: int = option(0, "deals after which the match ends; 0 is no limit")

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(tokens=(self.tokens,) * players, went_out=(None,) * players)

    def find_worst(self, showdown: Showdown, among: Sequence[int]) -> list[int]:
        """The seats that hold the worst hand: one or, where hands tie, several. Source: ruling W20."""
        return seat_counts.find_worst(showdown.ranks, among)

    def compute_losses(self, showdown: Showdown, losers: Sequence[int]) -> Counts:
        """One token from each loser; nothing if that would leave nobody in. Source: ruling W22."""
        tokens = showdown.holdings.tokens
        assert tokens is not None
        change = [0] * len(tokens)
        if len(losers) < len(showdown.order) or any(tokens[seat] > self.min_tokens for seat in losers):
            for seat in losers:
                change[seat] = -1
        return tuple(change)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return holdings.went_out.count(None) <= 1 or dealt == self.deals

    def placings(self, holdings: Holdings) -> Counts:
        assert holdings.tokens is not None
        never = 1 << 30
        return compute_placings(
            [
                (left, never if out is None else out)
                for left, out in zip(holdings.tokens, holdings.went_out, strict=True)
            ]
        )

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        assert holdings.tokens is not None
        assert start.tokens is not None
        return difference(start.tokens, holdings.tokens)


@dataclass(frozen=True, kw_only=True)
class CommerceSettlement(TokenSettlement):
    """Settlements in tokens for hands that may come down to a point."""

    bottom_tie: str = option(
        "exact",
        "hands of one point that tie for worst: alike in every card, or in the sum",
        choices=("exact", "sum"),
    )

    def find_worst(self, showdown: Showdown, among: Sequence[int]) -> list[int]:
        worst = seat_counts.find_worst(showdown.ranks, among)
        if self.bottom_tie == "exact":
            return worst
        ranks = showdown.ranks
        rank = ranks[worst[0]]
        if rank.category not in ("point", "nothing"):
            return worst
        lowest = (rank.grade, rank.keys[0])
        return [seat for seat in among if (ranks[seat].grade, ranks[seat].keys[0]) == lowest]


@dataclass(frozen=True, kw_only=True)
class Lives(CommerceSettlement):
    """The worst hand loses a token to the supply, the best gets nothing. Source: S004, ruling W3."""

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self.compute_losses(showdown, self.find_worst(showdown, showdown.order)))


def losers_but(best: int | None, showdown: Showdown) -> list[int]:
    """The seats that can lose when `best` has won. Source: ruling R5."""
    return [seat for seat in showdown.order if seat != best]


def winner(showdown: Showdown) -> int | None:
    """The best hand's seat, unless nobody has a hand that qualifies. Source: rulings W21, W25."""
    best = showdown.best()
    return None if showdown.ranks[best].category == "nothing" else best


@dataclass(frozen=True, kw_only=True)
class Transfer(CommerceSettlement):
    """The best hand takes a token from each worst, until one holds all or the deals are played.

    Source: S003, rulings W3, W23.
    """

    deals: int = option(15, "deals after which the match ends; 0 is no limit")

    def settle(self, showdown: Showdown) -> Changes:
        seats = len(showdown.ranks)
        best = winner(showdown)
        if best is None:
            return Changes(tokens=(0,) * seats)
        losers = self.find_worst(showdown, losers_but(best, showdown))
        gain = [-(seat in losers) for seat in range(seats)]
        gain[best] = len(losers)
        return Changes(tokens=tuple(gain))


@dataclass(frozen=True, kw_only=True)
class PrizePool(CommerceSettlement):
    """The best hand draws a prize from the pool, the worst goes up one counter; the last in sweeps the rest.

    Counters are the tokens and have no cash value. Source: S002, rulings W4-W6, R4.
    """

    stake: int = option(12, "chips each player pays into the pool before the first deal")
    prize: int = option(0, "chips the best hand draws in a deal; 0 is one for each player")

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(
            tokens=(self.tokens,) * players,
            chips=(-self.stake,) * players,
            pool=self.stake * players,
            went_out=(None,) * players,
            horse=True,
        )

    def settle(self, showdown: Showdown) -> Changes:
        seats = len(showdown.ranks)
        pool = showdown.holdings.pool
        assert pool is not None
        best = winner(showdown)
        chips = [0] * seats
        if best is not None:
            chips[best] = min(self.prize or seats, pool)
        lost = self.compute_losses(showdown, self.find_worst(showdown, losers_but(best, showdown)))
        left = add(showdown.holdings.tokens, lost)
        assert left is not None
        gone = any(left[seat] == 0 for seat in showdown.order)
        return Changes(tokens=lost, chips=tuple(chips), pool=pool - sum(chips), horse_taken=gone)

    def horse_price(self) -> int:
        """A third of the stake, rounded up. Source: S002, ruling W6."""
        return -(-self.stake // 3)

    def find_offers(self, before: Holdings, changes: Changes, order: tuple[int, ...]) -> tuple[int, ...]:
        """The first seats of the match to lose all counters may buy a horse. Source: ruling W6."""
        left = add(before.tokens, changes.tokens)
        assert left is not None
        return tuple([seat for seat in order if left[seat] == 0]) if before.horse else ()

    def accept_offer(self, changes: Changes, seat: int) -> Changes:
        """That seat pays for one more counter."""
        assert changes.tokens is not None
        assert changes.chips is not None
        assert changes.pool is not None
        price = self.horse_price()
        return msgspec.structs.replace(
            changes,
            tokens=add_at(changes.tokens, seat, 1),
            chips=add_at(changes.chips, seat, -price),
            pool=changes.pool + price,
        )

    def close_deal(self, before: Holdings, changes: Changes, number: int) -> Changes:
        """The final sweep: at the match's end those still in share the pool, odd chips to the first."""
        after = self.apply_changes(before, changes, number)
        if not self.is_over(after, number + 1):
            return changes
        assert changes.chips is not None
        assert changes.pool is not None
        left = [seat for seat, out in enumerate(after.went_out) if out is None]
        each, odd = divmod(changes.pool, len(left))
        chips = changes.chips
        for place, seat in enumerate(left):
            chips = add_at(chips, seat, each + (place < odd))
        return msgspec.structs.replace(changes, chips=chips, pool=0)

    def placings(self, holdings: Holdings) -> Counts:
        assert holdings.chips is not None
        return compute_placings([(chips,) for chips in holdings.chips])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        assert holdings.chips is not None
        return holdings.chips
