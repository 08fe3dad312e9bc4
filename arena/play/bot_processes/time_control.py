"""The time a host takes, as the arena sees it from outside."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.play.bot import Limits

HASTE = 0.5
"""The share of a decision's limit from which on a bot is slow, and is asked one question at a time."""


class TimeControl:
    """Who has how much time left. A decision's clock starts when the answer before it came.

    What the arena itself does meanwhile is on nobody's clock. All times are in seconds.
    """

    def __init__(self, limits: Limits) -> None:
        self._decision = limits.decision_ms / 1000
        self._bank = limits.bank_ms / 1000
        self._start = limits.start_ms / 1000
        self._banks: dict[int, float] = {}
        self._is_warm = False
        self.together = False
        """Whether all questions of a message are thought about at once, and have the time of all."""
        self.mark = 0.0
        """Since when the host has been thinking."""

    def warmed(self) -> None:
        """The host has made its first decision, which may take as long as a start besides."""
        self._is_warm = True

    def end(self, m: int) -> None:
        """The match is over."""
        self._banks.pop(m, None)

    def starting_until(self) -> float:
        """When a host must have said that it is ready."""
        return self.mark + self._start

    def deadline(self, m: int, waiting: int) -> float:
        """When the first answer of so many waited for must have come, which is for match `m`."""
        allowed = self._allowed(waiting)
        return self.mark + allowed + max(self._banks.get(m, self._bank), 0.0)

    def answered(self, matches: Sequence[int], now: float) -> tuple[float, bool]:
        """How long the answers for these took that came together, and whether the last came in time.

        A host sends answers as soon as one has taken longer than a moment: that is the last of them.
        """
        taken, self.mark = now - self.mark, now
        allowed = self._allowed(len(matches))
        self._is_warm = True
        over, last = taken - allowed, matches[-1]
        if over > 0:
            self._banks[last] = self._banks.get(last, self._bank) - over
            return taken, self._banks[last] >= 0
        return taken, True

    def is_slow(self, taken: float) -> bool:
        """Whether a bot that took so long is asked one question at a time from now on."""
        return not self.together and taken > HASTE * self._decision

    def _allowed(self, decisions: int) -> float:
        thinking = self._decision * (decisions if self.together else 1)
        return thinking if self._is_warm else thinking + self._start


def cpu_seconds(pid: int) -> float:
    """The processor time that a process and those below it have used, as far as it can be known."""
    ticks = os.sysconf("SC_CLK_TCK")
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return sum(map(int, fields[11:15])) / ticks + sum(cpu_seconds(int(child)) for child in children)
