"""A bot with a best value for each of two settings, to see whether `arena tune` finds them."""

from arena import Bot

BEST = {"boldness": 0.7, "patience": 3.0}
RANGES = {"boldness": (0.0, 1.0), "patience": (0.0, 10.0)}


class Planted(Bot):
    """Plays its game's heuristic, and more random actions the farther its settings are from the best."""

    def __init__(self, info):
        self.heuristic, self.rng = info.heuristic(), info.rng
        self.mistakes = sum(
            ((info.settings.get(name, low) - BEST[name]) / (high - low)) ** 2
            for name, (low, high) in RANGES.items()
        )

    def act(self, view):
        if self.rng.random() < self.mistakes:
            return self.rng.choice(view.legal)
        return self.heuristic.act(view)
