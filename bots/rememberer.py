"""Bot that plays the heuristic `arena/play/heuristics/rememberer.py`, where bots in isolation find it too."""

from arena.play import Info
from arena.play.heuristics import rememberer


class Rememberer(rememberer.Rememberer):
    """Bot for Cambio that lowers its expected sum most, and looks at cards it does not know."""

    def __init__(self, info: Info) -> None:
        super().__init__(info.rules)
