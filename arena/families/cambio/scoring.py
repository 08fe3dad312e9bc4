"""Scores of the cambio family: the values of cards, and settlements by sums, by deals won, or by lives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import msgspec

from arena.games.cards import HIDDEN, Card, Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking
from arena.games.seat_calculations import Counts
from arena.games.settlement.base import PointsSettlement, Settlement, TokenSettlement
from arena.games.settlement.holdings import Changes, Holdings, Showdown

RED: Final = "HD"
COURT_VALUES: Final = {"10-10-10": (10, 10, 10), "11-12-13": (11, 12, 13), "11-12-20": (11, 12, 20)}
"""The values of knave, queen and black king, by the value of the option."""


@dataclass(frozen=True, kw_only=True)
class LowestSum(Ranking):
    """Hands by the sum of their cards' values, the lowest best. Source: sheets B11, B14-B16."""

    columns: ClassVar[tuple[tuple[int, int], ...]] = ()
    """Pairs of slots whose cards count nothing if they are of one rank."""

    def find_value(self, card: Card) -> int:
        """Return a card's value: numbers count as much, other cards nothing."""
        return card.points

    @cached_property
    def _values(self) -> dict[Card, int]:
        """The value of each card of the packs seen so far; a card not known has none."""
        return {}

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        values = self._values
        try:
            total = sum([values[c] for c in hand])
        except KeyError:
            values.update({c: self.find_value(c) for c in (HIDDEN, *pack.cards)})
            total = sum([values[c] for c in hand])
        for slot, other in self.columns:
            if other < len(hand) and hand[slot].rank == hand[other].rank:
                total -= values[hand[slot]] + values[hand[other]]
        return HandRank(-total, (), "sum", total)


@dataclass(frozen=True, kw_only=True)
class SumRanking(LowestSum):
    """The values of Cambio. Source: sheet B11."""

    values: str = option(
        "10-10-10",
        "what knave, queen and black king count; with 11-12-20 the ace counts 0",
        choices=tuple(COURT_VALUES),
    )

    def find_value(self, card: Card) -> int:
        """Return a card's value: red kings -1, jokers 0, the ace 1, others their pips."""
        if card.rank == "K" and card.suit in RED:
            return -1
        if card.rank in "JQK":
            return COURT_VALUES[self.values]["JQK".index(card.rank)]
        if card.rank == "A":
            return 0 if self.values == "11-12-20" else 1
        return card.points


@dataclass(frozen=True, kw_only=True)
class ColumnRanking(LowestSum):
    """The values of Golf with four cards in two columns: two of a rank cancel. Source: sheet B14."""

    columns: ClassVar = ((0, 2), (1, 3))

    def find_value(self, card: Card) -> int:
        """Return a card's value: kings 0, the ace 1, queen and knave 10, others their pips."""
        return {"K": 0, "A": 1}.get(card.rank, card.points)


def sum_hands(showdown: Showdown, caller_penalty: int) -> dict[int, int]:
    """Return by seat the sum of its cards; a caller without the lowest sum is charged the penalty."""
    sums = {seat: -showdown.ranks[seat].grade for seat in showdown.order}
    caller = showdown.knocker
    if caller is not None and sums[caller] > min(sums.values()):
        sums[caller] += caller_penalty
    return sums


@dataclass(frozen=True, kw_only=True)
class CaboSettlement(PointsSettlement):
    """The settlement of Cabo: a caller with the lowest sum scores nothing. Source: sheet B15."""

    lowest_wins: ClassVar[bool] = True
    until: int = option(100, "points above which somebody ends the match", low=1)
    deals: int = option(0, "deals after which the match ends; 0 is no limit")
    halved: bool = option(True, "a player who comes to exactly `until` points falls to half as many")
    halved_once: bool = option(False, "a player falls so only once in a match")
    caller_penalty: int = option(10, "points a caller is charged who has not the lowest sum")

    def initial_holdings(self, players: int) -> Holdings:
        holdings = super().initial_holdings(players)
        if not self.halved_once:
            return holdings
        return msgspec.structs.replace(holdings, other={"halvings": (0,) * players})

    def settle(self, showdown: Showdown) -> Changes:
        held = showdown.holdings.points
        assert held is not None
        sums = sum_hands(showdown, self.caller_penalty)
        caller = showdown.knocker
        if caller is not None and sums[caller] == min(sums.values()):
            sums[caller] = 0
        before = (showdown.holdings.other or {}).get("halvings", (0,) * len(held))
        halvings = [0] * len(held)
        for seat, points in sums.items():
            if self.halved and held[seat] + points == self.until and not before[seat]:
                sums[seat] = self.until // 2 - held[seat]
                halvings[seat] = 1
        return Changes(
            points=tuple([sums[seat] for seat in range(len(held))]),
            other={"halvings": tuple(halvings)} if self.halved_once else None,
        )

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        assert holdings.points is not None
        return max(holdings.points) > self.until or dealt == self.deals


@dataclass(frozen=True, kw_only=True)
class CambioSettlement(Settlement):
    """The settlement of the chosen form of match. Source: sheet B11, ruling R15."""

    scoring: str = option(
        "sum",
        "what decides the match: the least sum over all deals, the most deals won, or lives",
        choices=("sum", "won", "lives"),
    )
    deals: int = option(0, "deals in a match; 0 is the usual number, by lives and with `until` no limit")
    usual_deals: int = 0
    """Deals of a match that nothing else ends; 0 is one for each player."""
    until: int = option(0, "points with which somebody ends a match by sum; 0 is never")
    tokens: int = option(3, "tokens each player begins with in a match by lives", low=1)
    caller_penalty: int = option(0, "points a caller is charged who has not the lowest sum")

    @property
    def max_deals(self) -> int:
        """Largest number of deals of a match; 0 where only `deals` or the number of players sets one."""
        return 0 if self.scoring == "lives" or self.until else self.deals or self.usual_deals

    @property
    def ended_by_mistake(self) -> bool:
        """True if version 1 of the rules ended such a match after the usual number of deals."""
        return self.usual_deals > 0 and not self.deals and (self.until > 0 or self.scoring == "lives")

    @cached_property
    def _form(self) -> Settlement:
        if self.scoring == "lives":
            return _Lives(terms=self, tokens=self.tokens, deals=self.deals)
        return _DealsWon(terms=self) if self.scoring == "won" else _LowestSum(terms=self)

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


@dataclass(frozen=True, kw_only=True)
class _LowestSum(PointsSettlement):
    lowest_wins: ClassVar[bool] = True
    terms: CambioSettlement

    def settle(self, showdown: Showdown) -> Changes:
        sums = sum_hands(showdown, self.terms.caller_penalty)
        return Changes(points=tuple([sums[seat] for seat in range(len(showdown.ranks))]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        assert holdings.points is not None
        until = self.terms.until
        if until and max(holdings.points) >= until:
            return True
        return dealt == (self.terms.deals or (0 if until else self.terms.usual_deals or len(holdings.points)))


@dataclass(frozen=True, kw_only=True)
class _DealsWon(PointsSettlement):
    terms: CambioSettlement

    def settle(self, showdown: Showdown) -> Changes:
        """Give the lowest sum a point, of equal ones not the caller's. Source: sheet B11, ruling R15."""
        sums = sum_hands(showdown, 0)
        lowest = [seat for seat in sums if sums[seat] == min(sums.values())]
        winners = [seat for seat in lowest if seat != showdown.knocker] or lowest
        return Changes(points=tuple([int(seat in winners) for seat in range(len(showdown.ranks))]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == (self.terms.deals or self.terms.usual_deals or len(holdings.went_out))


@dataclass(frozen=True, kw_only=True)
class _Lives(TokenSettlement):
    terms: CambioSettlement

    def settle(self, showdown: Showdown) -> Changes:
        sums = sum_hands(showdown, self.terms.caller_penalty)
        losers = [seat for seat in sums if sums[seat] == max(sums.values())]
        return Changes(tokens=self.compute_losses(showdown, losers))
