"""Settlements in points that are added up over the deals of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.games.seat_counts import Counts, compute_placings, difference
from arena.games.settlement.base import Changes, Holdings, Settlement


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
