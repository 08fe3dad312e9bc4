"""Scores of Cambio: the values of cards, and the settlement by sums, by deals won, or by lives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from arena.games.cards import PACKS, Card, Hand, Pack, card
from arena.games.hands import HandRank, Ranking
from arena.games.options import option
from arena.games.seat_counts import Counts
from arena.games.settlement.base import Changes, Holdings, Settlement, Showdown, TokenSettlement
from arena.games.settlement.points import PointsSettlement

JOKERS: Final = (card("R", "1", "R1", 0), card("R", "2", "R2", 0))
RED: Final = "HD"
COURT_VALUES: Final = {"10-10-10": (10, 10, 10), "11-12-13": (11, 12, 13), "11-12-20": (11, 12, 20)}
"""The values of knave, queen and black king, by the value of the option."""


def add_jokers(cards: int) -> Pack:
    """Return the pack of `cards` cards and two jokers."""
    plain = PACKS[cards]
    return Pack(f"{cards + len(JOKERS)}-card", (*plain.cards, *JOKERS), plain.ranks)


@dataclass(frozen=True, kw_only=True)
class SumRanking(Ranking):
    """Hands by the sum of their cards' values, the lowest best. Source: sheet B11."""

    values: str = option(
        "10-10-10",
        "what knave, queen and black king count; with 11-12-20 the ace counts 0",
        choices=tuple(COURT_VALUES),
    )

    @cached_property
    def card_values(self) -> dict[Card, int]:
        """The value of each card."""
        return {c: self._find_value(c) for c in (*PACKS[52].cards, *JOKERS)}

    def _find_value(self, c: Card) -> int:
        """Return a card's value: red kings -1, jokers 0, the ace 1, others their pips."""
        if c.rank == "K" and c.suit in RED:
            return -1
        if c.rank in "JQK":
            return COURT_VALUES[self.values]["JQK".index(c.rank)]
        if c.rank == "A":
            return 0 if self.values == "11-12-20" else 1
        return c.points

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        card_values = self.card_values
        total = sum([card_values[c] for c in hand])
        return HandRank(-total, (), "sum", total)


def sum_hands(showdown: Showdown, caller_penalty: int) -> dict[int, int]:
    """Return by seat the sum of its cards; a caller without the lowest sum is charged the penalty."""
    sums = {seat: -showdown.ranks[seat].grade for seat in showdown.order}
    caller = showdown.knocker
    if caller is not None and sums[caller] > min(sums.values()):
        sums[caller] += caller_penalty
    return sums


@dataclass(frozen=True, kw_only=True)
class _LowestSum(PointsSettlement):
    lowest_wins: ClassVar[bool] = True
    deals: int
    until: int
    caller_penalty: int

    def settle(self, showdown: Showdown) -> Changes:
        sums = sum_hands(showdown, self.caller_penalty)
        return Changes(points=tuple([sums[seat] for seat in range(len(showdown.ranks))]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        assert holdings.points is not None
        if self.until and max(holdings.points) >= self.until:
            return True
        return dealt == (self.deals or (0 if self.until else len(holdings.points)))


@dataclass(frozen=True, kw_only=True)
class _DealsWon(PointsSettlement):
    deals: int

    def settle(self, showdown: Showdown) -> Changes:
        """Give the lowest sum a point, of equal ones not the caller's. Source: sheet B11, ruling R15."""
        sums = sum_hands(showdown, 0)
        lowest = [seat for seat in sums if sums[seat] == min(sums.values())]
        winners = [seat for seat in lowest if seat != showdown.knocker] or lowest
        return Changes(points=tuple([int(seat in winners) for seat in range(len(showdown.ranks))]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == (self.deals or len(holdings.went_out))


@dataclass(frozen=True, kw_only=True)
class _Lives(TokenSettlement):
    caller_penalty: int

    def settle(self, showdown: Showdown) -> Changes:
        sums = sum_hands(showdown, self.caller_penalty)
        losers = [seat for seat in sums if sums[seat] == max(sums.values())]
        return Changes(tokens=self.compute_losses(showdown, losers))


@dataclass(frozen=True, kw_only=True)
class CambioSettlement(Settlement):
    """The settlement of the chosen form of match. Source: sheet B11, ruling R15."""

    scoring: str = option(
        "sum",
        "what decides the match: the least sum over all deals, the most deals won, or lives",
        choices=("sum", "won", "lives"),
    )
    deals: int = option(0, "deals in a match; 0 is one for each player, by lives and with `until` no limit")
    until: int = option(0, "points with which somebody ends a match by sum; 0 is never")
    tokens: int = option(3, "tokens each player begins with in a match by lives", low=1)
    caller_penalty: int = option(0, "points a caller is charged who has not the lowest sum")

    @cached_property
    def _form(self) -> Settlement:
        if self.scoring == "lives":
            return _Lives(tokens=self.tokens, deals=self.deals, caller_penalty=self.caller_penalty)
        if self.scoring == "won":
            return _DealsWon(deals=self.deals)
        return _LowestSum(deals=self.deals, until=self.until, caller_penalty=self.caller_penalty)

    def initial_holdings(self, players: int) -> Holdings:
        return self._form.initial_holdings(players)

    def settle(self, showdown: Showdown) -> Changes:
        return self._form.settle(showdown)

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return self._form.is_over(holdings, dealt)

    def placings(self, holdings: Holdings, start: Holdings) -> Counts:
        return self._form.placings(holdings, start)

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        return self._form.payoffs(holdings, start)

    def deal_payoffs(self, changes: Changes) -> Counts:
        return self._form.deal_payoffs(changes)
