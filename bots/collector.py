"""Bot that plays the heuristic `arena/families/cox/heuristic.py`, where bots in isolation find it too."""

from arena.families.cox.heuristic import Collector

__all__ = ["Collector"]
