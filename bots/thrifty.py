"""Bot that plays the heuristic `arena/families/barter/heuristic.py`, where bots in isolation find it too."""

from arena.families.barter import heuristic as thrifty
from arena.play import Info


class Thrifty(thrifty.Thrifty):
    """Bot that stands on a hand that should win, and barters rather than buys where it plays for chips."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
