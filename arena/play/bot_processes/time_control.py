"""The time limits of a bot process, measured from outside."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.play.bot import Limits

SLOW_SHARE = 0.5
"""Of a decision's time limit; beyond it a bot is slow."""


class TimeControl:
    """The clock of one bot process and its time bank in each match; all times are in seconds.

    A decision's clock starts when the answer before it came. Each match may exceed the limits of its
    decisions by the bank in all. The first decision of a process may take as long as a start besides.
    """

    def __init__(self, limits: Limits) -> None:
        self._decision = limits.decision_ms / 1000
        self._bank = limits.bank_ms / 1000
        self._start = limits.start_ms / 1000
        self._banks: dict[int, float] = {}
        self._is_warm = False
        self.batched = False
        """Whether the bot thinks about all requests of a message at once, and has the time of all."""
        self.since = 0.0
        """When the bot began to think; later than it did by the time that the arena took meanwhile."""

    def mark_warm(self) -> None:
        """End the allowance for the first decision."""
        self._is_warm = True

    def end_match(self, m: int) -> None:
        """Forget the bank of a match."""
        self._banks.pop(m, None)

    def start_deadline(self) -> float:
        """Return when the process must be ready."""
        return self.since + self._start

    def deadline(self, m: int, pending: int) -> float:
        """Return when the first of `pending` answers must have come; it is for match `m`."""
        return self.since + self._allowance(pending) + max(self._banks.get(m, self._bank), 0.0)

    def charge(self, matches: Sequence[int], now: float) -> tuple[float, bool]:
        """Charge the time of answers that came together; restart the clock.

        A process sends its answers as soon as one took longer than a moment, so all but the last took none:
        the last one's match pays from its bank.

        Args:
            matches: The match of each answer, in order.
            now: When they came.

        Returns:
            The time they took, and whether the last one came in time.
        """
        seconds, self.since = now - self.since, now
        excess, last = seconds - self._allowance(len(matches)), matches[-1]
        self._is_warm = True
        if excess <= 0:
            return seconds, True
        self._banks[last] = self._banks.get(last, self._bank) - excess
        return seconds, self._banks[last] >= 0

    def is_slow(self, seconds: float) -> bool:
        """Return whether a bot that took this long should get its requests one at a time."""
        return not self.batched and seconds > SLOW_SHARE * self._decision

    def _allowance(self, decisions: int) -> float:
        thinking = self._decision * (decisions if self.batched else 1)
        return thinking if self._is_warm else thinking + self._start


def cpu_seconds(pid: int) -> float:
    """Return the CPU time used by a process and its descendants; 0 where it cannot be read."""
    ticks = os.sysconf("SC_CLK_TCK")
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return sum(map(int, fields[11:15])) / ticks + sum(cpu_seconds(int(child)) for child in children)
