"""Who leads so far, at a glance and without a rating."""

import math
from collections import defaultdict
from collections.abc import Sequence


class LiveLeader:
    """The mean share of opponents that each bot has left behind, a tie counting half."""

    def __init__(self) -> None:
        self._points: defaultdict[str, float] = defaultdict(float)
        self._matches: defaultdict[str, int] = defaultdict(int)

    def add(self, seating: Sequence[str], placings: Sequence[int]) -> None:
        """Counts a match, given its bots and their placings by seat."""
        seats = len(seating)
        for bot, placing in zip(seating, placings, strict=True):
            level = placings.count(placing)
            behind = seats + 1 - placing - level
            self._points[bot] += (behind + (level - 1) / 2) / (seats - 1)
            self._matches[bot] += 1

    @property
    def leader(self) -> str:
        """The bot with the best mean; empty before the first match, and while several have it."""
        means = {bot: self._points[bot] / self._matches[bot] for bot in self._matches}
        best = max(means.values(), default=0.0)
        level = [bot for bot, mean in means.items() if math.isclose(mean, best, abs_tol=1e-9)]
        return level[0] if len(level) == 1 else ""
