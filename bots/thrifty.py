"""Bot that plays the heuristic `arena/play/heuristics/thrifty.py`, where bots in isolation find it too."""

from arena.play import Info
from arena.play.heuristics import thrifty


class Thrifty(thrifty.Thrifty):
    """Bot that stands on a hand that should win, and barters rather than buys where it plays for chips."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
