"""Base of all settlements, and the settlements of Commerce in tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from arena.games import holdings_update, seat_calculations
from arena.games.option_fields import option
from arena.games.seat_calculations import Counts, add, compute_placings, difference
from arena.games.settlement.holdings import Changes, Holdings, Showdown


class Settlement(ABC):
    """The units a variant settles in, and its rules of settlement."""

    is_zero_sum: ClassVar[bool] = False
    """True if what a seat wins others lose: the payoffs of a match add up to zero."""

    @abstractmethod
    def initial_holdings(self, players: int) -> Holdings:
        """Return what everybody holds before the first deal."""

    @abstractmethod
    def settle(self, showdown: Showdown) -> Changes:
        """Return what the hands of a deal change; antes and trades have been paid."""

    @abstractmethod
    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        """Return whether the match ends after `dealt` deals."""

    @abstractmethod
    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        """Return placings by seat: 1 is best, ties share the better number.

        Chips and points count as the payoff since `start`, tokens as they are held.
        """

    @abstractmethod
    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        """Return by seat what was won or lost since `start`."""

    @abstractmethod
    def deal_payoffs(self, changes: Changes) -> Counts:
        """Return by seat what a deal's changes add to the payoffs."""

    def pay_antes(self, holdings: Holdings, order: tuple[int, ...]) -> Holdings:
        """Return what everybody holds once the antes of a deal are paid."""
        return holdings

    @property
    def price(self) -> int:
        """The price of a trade with the dealer, in chips."""
        return 0

    def pay_trade(self, holdings: Holdings, buyer: int, dealer: int) -> Holdings:
        """Return what everybody holds after a trade with the dealer."""
        return holdings

    def return_pool(self, changes: Changes, order: tuple[int, ...]) -> Changes:
        """Return the changes of a match's last deal, with what nobody has won of the pool given back."""
        return changes

    def void_deal(self, holdings: Holdings) -> Changes:
        """Return the changes of a deal that nobody wins or loses; antes are given back."""
        none = (0,) * len(holdings.went_out)
        return Changes(
            tokens=none if holdings.tokens is not None else None,
            chips=none if holdings.chips is not None else None,
            points=none if holdings.points is not None else None,
            pool=holdings.pool,
            other=None if holdings.other is None else dict.fromkeys(holdings.other, none),
        )

    @property
    def has_offers(self) -> bool:
        """True if there may be offers between a deal and the next."""
        return False

    def find_offers(self, before: Holdings, changes: Changes, order: tuple[int, ...]) -> tuple[int, ...]:
        """Return the seats offered something before the next deal (to buy a horse), in the order asked."""
        return ()

    def accept_offer(self, changes: Changes, seat: int) -> Changes:
        """Return the deal's changes when that seat accepts the offer."""
        return changes

    def close_deal(self, before: Holdings, changes: Changes, number: int) -> Changes:
        """Return deal `number`'s changes when all offers are answered, with what the match's end pays out."""
        return changes

    def apply_changes(self, holdings: Holdings, changes: Changes, number: int) -> Holdings:
        """Return what everybody holds after deal `number`; seats with too few tokens went out in it."""
        return holdings_update.apply_changes(holdings, changes, number, self.min_tokens)

    @property
    def min_tokens(self) -> int:
        """The tokens a seat needs to stay in the match."""
        return 1


def combine_changes(before: Holdings, now: Holdings, changes: Changes) -> Changes:
    """Return what a deal changes in all: what was paid during it and what changes at its end."""
    if before.chips is None or now.chips is None:
        return changes
    chips = add(difference(before.chips, now.chips), changes.chips)
    return msgspec.structs.replace(changes, chips=chips)


class ChipSettlement(Settlement):
    """A settlement in which most chips win."""

    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        return compute_placings([(chips,) for chips in self.payoffs(holdings, start)])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        """Return by seat the chips won or lost since `start`, with what is paid before the first deal."""
        usual = self.initial_holdings(len(holdings.went_out))
        assert holdings.chips is not None
        assert start.chips is not None
        assert usual.chips is not None
        return difference(difference(usual.chips, start.chips), holdings.chips)

    def deal_payoffs(self, changes: Changes) -> Counts:
        assert changes.chips is not None
        return changes.chips


@dataclass(frozen=True, kw_only=True)
class TokenSettlement(Settlement):
    """A settlement in tokens: a seat without any is out, the last one in wins."""

    tokens: int = option(3, "tokens each player begins with", low=1)
    deals: int = option(0, "deals after which the match ends; 0 is no limit")

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(tokens=(self.tokens,) * players, went_out=(None,) * players)

    def find_worst(self, showdown: Showdown, among: Sequence[int]) -> list[int]:
        """Return the seats that hold the worst hand: several where hands tie. Source: ruling W20."""
        return seat_calculations.find_worst(showdown.ranks, among)

    def compute_losses(self, showdown: Showdown, losers: Sequence[int]) -> Counts:
        """Take one token from each loser, or none if that would leave nobody in. Source: ruling W22."""
        tokens = showdown.holdings.tokens
        assert tokens is not None
        return seat_calculations.take_tokens(tokens, list(losers), len(showdown.order), self.min_tokens)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return seat_calculations.count_left(holdings.went_out) <= 1 or dealt == self.deals

    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        assert holdings.tokens is not None
        never = 1 << 30
        outs = [never if out is None else out for out in holdings.went_out]
        return compute_placings(list(zip(holdings.tokens, outs, strict=True)))

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        assert holdings.tokens is not None
        assert start.tokens is not None
        return difference(start.tokens, holdings.tokens)

    def deal_payoffs(self, changes: Changes) -> Counts:
        assert changes.tokens is not None
        return changes.tokens


@dataclass(frozen=True, kw_only=True)
class CommerceSettlement(TokenSettlement):
    """A settlement in tokens for hands that can be a mere point."""

    bottom_tie: str = option(
        "exact",
        "worst hands that lose: those alike in every card, points of one sum, or of those alike the last",
        choices=("exact", "sum", "seat"),
    )

    def find_worst(self, showdown: Showdown, among: Sequence[int]) -> list[int]:
        """Return the seats of the worst hand as `bottom_tie` says. Source: S004, ruling W20."""
        return seat_calculations.find_losing_seats(showdown.ranks, among, self.bottom_tie)

    def find_winner(self, showdown: Showdown) -> int | None:
        """Return the best hand's seat, None if no hand qualifies. Source: rulings W21, W25."""
        best = showdown.best()
        return None if showdown.ranks[best].category == "nothing" else best

    def find_losers(self, showdown: Showdown, winner: int | None) -> list[int]:
        """Return the seats of the worst hand among those that have not won. Source: ruling R5."""
        return self.find_worst(showdown, [seat for seat in showdown.order if seat != winner])


@dataclass(frozen=True, kw_only=True)
class Lives(CommerceSettlement):
    """The worst hand loses a token to the supply, the best gets nothing. Source: S004, ruling W3."""

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self.compute_losses(showdown, self.find_worst(showdown, showdown.order)))


@dataclass(frozen=True, kw_only=True)
class Transfer(CommerceSettlement):
    """The best hand takes a token from each worst, until one holds all or the deals are played.

    Source: S003, rulings W3, W23.
    """

    is_zero_sum: ClassVar[bool] = True

    deals: int = option(15, "deals after which the match ends; 0 is no limit")

    def settle(self, showdown: Showdown) -> Changes:
        seats = len(showdown.ranks)
        winner = self.find_winner(showdown)
        if winner is None:
            return Changes(tokens=(0,) * seats)
        losers = self.find_losers(showdown, winner)
        gain = [-(seat in losers) for seat in range(seats)]
        gain[winner] = len(losers)
        return Changes(tokens=tuple(gain))
