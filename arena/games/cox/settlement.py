"""How a match of Cox's game is decided: by the points of its hands."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games.options import option
from arena.games.seat_counts import Counts, compute_placings, difference
from arena.games.settlement.base import Changes, Holdings, Settlement, Showdown


@dataclass(frozen=True, kw_only=True)
class HighestScore(Settlement):
    """The scores of the hands are added; the highest wins. Source: S000 "The winner", rulings C2, C25."""

    deals: int = option(4, "hands in a match", low=1)

    def initial_holdings(self, players: int) -> Holdings:
        return Holdings(points=(0,) * players, went_out=(None,) * players)

    def settle(self, showdown: Showdown) -> Changes:
        return Changes(points=tuple([rank.grade for rank in showdown.ranks]))

    def is_over(self, holdings: Holdings, dealt: int) -> bool:
        return dealt == self.deals

    def placings(self, holdings: Holdings) -> Counts:
        return compute_placings([(points,) for points in _points(holdings)])

    def payoffs(self, holdings: Holdings, start: Holdings) -> Counts:
        return difference(_points(start), _points(holdings))


def _points(holdings: Holdings) -> Counts:
    assert holdings.points is not None
    return holdings.points
