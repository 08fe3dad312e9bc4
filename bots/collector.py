"""Bot that plays the heuristic `arena/play/heuristics/collector.py`, where bots in isolation find it too."""

from arena.play.heuristics.collector import Collector

__all__ = ["Collector"]
