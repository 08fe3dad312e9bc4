"""Bot that plays the heuristic `arena/families/draw/heuristic.py`, where bots in isolation find it too."""

from arena.families.draw import heuristic as thirty
from arena.play import Info


class Thirty(thirty.Thirty):
    """Bot that collects one suit where totals count, and ends the deal as soon as it may in other games."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
