"""Any legal action."""

from arena.games import View
from arena.games.action import Action
from arena.play import Info


class Random:
    """Takes any legal action, all alike."""

    def __init__(self, info: Info) -> None:
        self.random = info.rng.random

    def act(self, view: View) -> Action:
        legal = view.legal
        return legal[int(self.random() * len(legal))]
