"""Bot that ends the deal as soon as it may."""

from arena.games import View
from arena.games.action import Action
from arena.play.heuristics.fallback_action import stop_or_pass

__all__ = ["StandPat", "stop_or_pass"]


class StandPat:
    """Bot that ends the deal as soon as it may, whatever its hand."""

    def act(self, view: View) -> Action:
        return stop_or_pass(view)
