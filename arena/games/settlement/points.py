"""Settlements in points that are added up over the deals of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.games.option_fields import option
from arena.games.seat_calculations import Counts, compute_placings, difference
from arena.games.settlement.base import Settlement
from arena.games.settlement.holdings import Changes, Holdings, Showdown


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
