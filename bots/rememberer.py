"""Bot that plays the heuristic `arena/families/cambio/heuristic.py`, where bots in isolation find it too."""

from arena.families.cambio import heuristic as rememberer
from arena.play import Info


class Rememberer(rememberer.Rememberer):
    """Bot for Cambio that lowers its expected sum most, and looks at cards it does not know."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
