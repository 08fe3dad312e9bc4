"""Bot that plays the heuristic `arena.play.heuristics.collector`."""

from arena.play.heuristics.collector import Collector

__all__ = ["Collector"]
