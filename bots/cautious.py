"""Bot that plays the heuristic `arena/play/heuristics/cautious.py`, where bots in isolation find it too."""

from arena.play import Info
from arena.play.heuristics import cautious


class Cautious(cautious.Cautious):
    """Keeps a card that is not low, or that it knows to be higher than another's; else swaps it."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
