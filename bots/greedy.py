"""Bot that plays the heuristic `arena.play.heuristics.greedy`."""

from arena.play.heuristics.greedy import Greedy

__all__ = ["Greedy"]
