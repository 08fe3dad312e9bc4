"""Settlements in points that are added up over the deals of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.games.seat_counts import Counts, compute_placings
from arena.games.settlement.base import Holdings, Settlement


@dataclass(frozen=True, kw_only=True)
class PointsSettlement(Settlement):
    """Points by seat, added up over a number of deals."""

    lowest_wins: ClassVar[bool] = False

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(points=(0,) * players, went_out=(None,) * players)

    def placings(self, holdings: Holdings) -> Counts:
        return compute_placings([(points,) for points in self.scores(holdings)])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        scores = zip(self.scores(holdings), self.scores(start), strict=True)
        return tuple([now - before for now, before in scores])

    def scores(self, holdings: Holdings) -> Counts:
        """Return the points by seat, negated if the lowest wins."""
        assert holdings.points is not None
        return tuple([-points for points in holdings.points]) if self.lowest_wins else holdings.points
