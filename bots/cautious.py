"""Bot that plays the heuristic `arena/families/cuckoo/heuristic.py`, where bots in isolation find it too."""

from arena.families.cuckoo import heuristic as cautious
from arena.play import Info


class Cautious(cautious.Cautious):
    """Bot for Cuccu that keeps a high card, or one known to be higher than another's, and swaps any other."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
