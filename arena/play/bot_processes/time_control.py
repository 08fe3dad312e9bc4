"""The time limits of a bot process, measured from outside."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence

from arena.play.bot import Limits
from arena.play.bot_processes.resource_watch import count_cores, is_overloaded, read_usage

SLOW_SHARE = 0.5
"""Share of a decision's time limit beyond which a bot counts as slow."""
SAMPLE_EVERY_S = 0.02
"""Between two readings of the CPU time, which cost far more than reading the clock."""
CPU_TOLERANCE_S = 0.05
"""Tolerance for readings of CPU time, which may be SAMPLE_EVERY_S old and count ticks of 0.01 s."""
REPEATED_START_SHARE = 0.1
"""Share of the limit of a start for the first answer of a child, after a time-out at such an answer."""


class TimeControl:
    """The clock of one bot process and its time bank in each match; all times are in seconds.

    A decision's clock starts when the answer before it came. Each match may exceed the limits of its
    decisions by the bank in all. The first decision of a child may take as long as a start besides; after
    a time-out a tenth of it, until there is an answer.
    Time in which the bot or the arena could run but waited for a CPU is deducted before anything is charged.
    CPU time beyond the time that passed is added: threads on several cores buy a bot nothing.
    """

    def __init__(self, limits: Limits) -> None:
        self._decision = limits.decision_ms / 1000
        self._bank = limits.bank_ms / 1000
        self._start = limits.start_ms / 1000
        self._banks: dict[int, float] = {}
        self.is_warm = False
        """True if the child has answered a decision."""
        self._start_share = 1.0
        self._cores = count_cores()
        self.batched = False
        """True if the bot thinks about all requests of a message at once, and has the time of all."""
        self.since = 0.0
        """Time at which the bot began to think, later by the time that it could not use."""
        self.deducted_s = 0.0
        """Time waited for a CPU and deducted, in all."""
        self.missed_limit = ""
        """The limit that the last late answer missed, in words."""
        self._pid = 0
        self._computed = self._waited = 0.0  # since the restart; waited: not yet deducted
        self._sample(0.0)

    def start(self, now: float, pid: int, *, is_first: bool = True) -> None:
        """Begin to measure the start of a child; `is_first` unless the bot has just missed a deadline."""
        self.is_warm = False
        self._start_share = 1.0 if is_first else REPEATED_START_SHARE
        self._pid, self._sampled_at = pid, now - 2 * SAMPLE_EVERY_S
        self.restart(now)

    def restart(self, now: float) -> None:
        """Begin to measure the next answer."""
        self.since, self._computed, self._waited = now, 0.0, 0.0
        if now - self._sampled_at > SAMPLE_EVERY_S:
            self._sample(now)

    def deduct_waiting(self, now: float) -> None:
        """Take the time waited for a CPU off the clock; the time that the bot computed always counts."""
        self.add_parallel_cpu(now)
        deducted = min(self._waited, now - self.since - self._computed)
        self._waited = 0.0
        if deducted > 0:
            self.since += deducted
            self.deducted_s += deducted

    def add_parallel_cpu(self, now: float) -> None:
        """Put the clock forward to the CPU time that the bot has used, if that is more."""
        cpu, waiting = self._cpu, self._waiting
        self._sample(now)
        self._computed += max(self._cpu - cpu, 0.0)
        self._waited += max(self._waiting - waiting, 0.0)
        self.since = min(self.since, now - (self._computed - CPU_TOLERANCE_S))

    def is_suspect(self, now: float) -> bool:
        """Return whether the machine is overloaded and the bot was mostly not computing."""
        return self._computed < SLOW_SHARE * (now - self.since) and is_overloaded()

    def _sample(self, now: float) -> None:
        self._sampled_at = now
        self._cpu, self._waiting = read_usage(self._pid)

    def end_match(self, m: int) -> None:
        """Forget the bank of a match."""
        self._banks.pop(m, None)

    def start_deadline(self) -> float:
        """Return when the process must be ready."""
        return self.since + self._start

    def deadline(self, m: int, pending: int) -> float:
        """Return when the first of `pending` answers must have come; it is for match `m`."""
        return self.since + self._allowance(pending) + max(self._bank_of(m), 0.0)

    def charge(self, matches: Sequence[int], now: float, decided: bool = True) -> tuple[float, bool]:
        """Charge the time of answers that came together; restart the clock.

        A process sends its answers as soon as one took longer than a moment, so all but the last took none:
        the last one's match pays from its bank.

        Args:
            matches: The match of each answer, in order.
            now: When they came.
            decided: Whether one of them answers a decision, after which the child is warm.

        Returns:
            The time they took, and whether the last one came in time.
        """
        allowance, last = self._allowance(len(matches)), matches[-1]
        elapsed = now - self.since
        if elapsed > allowance:
            self.deduct_waiting(now)
        elif elapsed * self._cores > allowance:
            self.add_parallel_cpu(now)
        seconds = now - self.since
        excess = seconds - allowance
        if excess > self._bank_of(last):
            self.missed_limit = self.describe(last, len(matches))
        self.restart(now)
        self.is_warm = self.is_warm or decided
        if excess <= 0:
            return seconds, True
        self._banks[last] = self._bank_of(last) - excess
        return seconds, self._banks[last] >= 0

    def charge_timeout(self, m: int) -> None:
        """Charge a match with a missed deadline: nothing is left in its bank."""
        self._banks[m] = 0.0

    def describe(self, m: int, pending: int) -> str:
        """Return how the limit of the first of `pending` answers adds up; it is for match `m`."""
        decisions = f"{pending} decisions" if self.batched and pending > 1 else "the decision"
        thinking, starting, bank = self._thinking(pending), self._starting(), max(self._bank_of(m), 0.0)
        first = f" + {starting:.3f} for the first after a start" if starting else ""
        return (
            f"limit {thinking + starting + bank:.3f} s: {thinking:.3f} for {decisions}{first}"
            f" + {bank:.3f} left in the time bank"
        )

    def is_slow(self, seconds: float) -> bool:
        """Return whether a bot that took this long should get its requests one at a time."""
        return not self.batched and seconds > SLOW_SHARE * self._decision

    def _bank_of(self, m: int) -> float:
        return self._banks.get(m, self._bank)

    def _allowance(self, decisions: int) -> float:
        return self._thinking(decisions) + self._starting()

    def _thinking(self, decisions: int) -> float:
        return self._decision * (decisions if self.batched else 1)

    def _starting(self) -> float:
        return 0.0 if self.is_warm else self._start * self._start_share
