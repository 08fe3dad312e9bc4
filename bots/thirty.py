"""Bot that plays the heuristic `arena/play/heuristics/thirty.py`, where bots in isolation find it too."""

from arena.play import Info
from arena.play.heuristics import thirty


class Thirty(thirty.Thirty):
    """Collects one suit where totals count; in other games it ends the deal as soon as it may."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
