"""Base of all settlements, and the settlements in tokens and in points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from arena.games import seat_calculations
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
        return seat_calculations.apply_changes(holdings, changes, number, self.min_tokens)

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


# --- tokens in Schwimmen, Trentuno, Thirty-One, Stop the Bus and Bastard Brag ---

Losses = dict[int, int]
"""Tokens to lose, by losing seat."""


@dataclass(frozen=True, kw_only=True)
class Penalties(TokenSettlement):
    """The worst hand loses a token to the supply; the last player in wins. Source: S004, sheets B4-B8."""

    free_ride: bool = option(False, "who has no token left plays on, and is out with the next loss")
    one_rider: bool = option(False, "who loses his last token while another rides free is out at once")
    knocker_double: bool = option(False, "a knocker whose hand alone is the worst loses two tokens")
    knocker_alone: bool = option(False, "of hands that tie for worst the knocker's alone loses")
    knocker_safe: bool = False
    """A knocker who ties for worst loses nothing."""
    ties_lose: bool = option(True, "hands that tie for worst all lose; else none of them does")
    comeback: bool = option(
        False, "where nobody would be left in, everybody comes back with one token; else nobody loses"
    )

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(tokens=self._limit_losses(showdown, self.find_losses(showdown)))

    def find_losses(self, showdown: Showdown) -> Losses:
        """Return what the hands cost, whether or not a seat has so many tokens."""
        worst, knocker = self.find_worst(showdown, showdown.order), showdown.knocker
        if len(worst) == 1:
            return {worst[0]: 2 if self.knocker_double and worst[0] == knocker else 1}
        if knocker in worst and self.knocker_alone:
            worst = [knocker]
        elif not self.ties_lose:
            worst = []
        elif knocker in worst and self.knocker_safe:
            worst.remove(knocker)
        return dict.fromkeys(worst, 1)

    @property
    def min_tokens(self) -> int:
        return 0 if self.free_ride else 1

    def _limit_losses(self, showdown: Showdown, lost: Losses) -> Counts:
        """Limit losses to what a seat has or a free ride allows. Source: rulings R10, R29, W22."""
        tokens, order = showdown.holdings.tokens, showdown.order
        assert tokens is not None
        lowest = self.min_tokens - 1
        changes = [0] * len(tokens)
        other_rides = self.one_rider and any(tokens[seat] == 0 and seat not in lost for seat in order)
        for seat, loss in lost.items():
            left = max(tokens[seat] - loss, lowest)
            changes[seat] = (lowest if other_rides and left == 0 else left) - tokens[seat]
        if len(lost) == len(order) and all(tokens[seat] + changes[seat] < self.min_tokens for seat in order):
            return tuple([1 - held if self.comeback else 0 for held in tokens])
        return tuple(changes)


@dataclass(frozen=True, kw_only=True)
class TotalPenalties(Penalties):
    """Penalties for hands that count: a high total, once it is shown, makes all the others lose.

    Source: sheets B4-B6, rulings R12, R13.
    """

    sweep: int = option(
        0,
        "the total that costs every other player a token when it is shown: 31, or 33 for Feuer; 0 is none",
        choices=(0, 31, 33),
    )
    knock31: str = option(
        "loses",
        "what such a total costs the player who has knocked: a token, two or none",
        choices=("loses", "double", "exempt"),
    )

    def find_losses(self, showdown: Showdown) -> Losses:
        sweeping = [seat for seat in showdown.order if (showdown.ranks[seat].value or 0) >= self.sweep]
        if not (self.sweep and sweeping):
            return super().find_losses(showdown)
        lost = {seat: 1 for seat in showdown.order if seat not in sweeping}
        if showdown.knocker in lost and self.knock31 == "exempt":
            del lost[showdown.knocker]
        elif showdown.knocker in lost and self.knock31 == "double":
            lost[showdown.knocker] = 2
        return lost


# --- points ---


@dataclass(frozen=True, kw_only=True)
class PointsSettlement(Settlement):
    """Points by seat, added up over a number of deals."""

    lowest_wins: ClassVar[bool] = False

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(points=(0,) * players, went_out=(None,) * players)

    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        return compute_placings([(points,) for points in self.payoffs(holdings, start)])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        """Return by seat the points scored since `start`, negated if the lowest wins."""
        assert holdings.points is not None
        assert start.points is not None
        if self.lowest_wins:
            return difference(holdings.points, start.points)
        return difference(start.points, holdings.points)

    def deal_payoffs(self, changes: Changes) -> Counts:
        assert changes.points is not None
        return tuple([-points for points in changes.points]) if self.lowest_wins else changes.points


@dataclass(frozen=True, kw_only=True)
class PointsOverDeals(PointsSettlement):
    """Points for a number of deals; by default each hand scores the value of its rank."""

    deals: int = option(9, "deals in a match", low=1)

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(points=tuple([round(rank.value or 0) for rank in showdown.ranks]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.deals
