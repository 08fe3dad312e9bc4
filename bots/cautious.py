"""Bot that plays the heuristic `arena/play/heuristics/cautious.py`, where bots in isolation find it too."""

from arena.play import Info
from arena.play.heuristics import cautious


class Cautious(cautious.Cautious):
    """Bot for Cuccu that keeps a high card, or one known to be higher than another's, and swaps any other."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
