"""Watches a child from outside for what no resource limit bounds: memory, CPU out of turn, restarts."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

from arena.play.bot import Limits
from arena.play.bot_processes.cpu_usage import cpu_seconds
from arena.play.bot_processes.protocol import Oversize
from arena.play.faults import BotFailure
from arena.play.isolation import BASE_MB, MAX_TASKS, count_threads, held_memory_kb, tree_pids

WATCH_EVERY_S = 0.25
SPARE_MB = 16
"""Memory added to a limit, in MB, for page tables and the arena's own processes above the bot."""
MAX_THREADS = MAX_TASKS + 4
"""Maximum number of threads of a bot, with those of the arena's own processes above it."""
MAX_IDLE_CPU_SHARE = 0.25
"""CPU time that a bot may use while it is not asked, per second in which it is watched."""
MAX_STRAY_REPORTS = 128
"""Limit on failures reported in matches that have ended: reading them is on no bot's clock."""
MAX_START_ATTEMPTS = 2
"""Starts of a child in a row: a busy machine, or one short of memory, may have ended the first."""
MAX_UNSOLICITED_BYTES = 1 << 20
"""Sent between two answers."""
RESTART_BUDGET = 3.0
"""Time that the restarts of a bot may take, in times of the limit of one start."""
RESTART_BUDGET_PER_MATCH = 0.01


class RestartBudget:
    """The time that all processes of one bot may still spend on restarts.

    Replays have time of their own, since they take as long as the decisions did, which add as much to it.
    """

    def __init__(self, limits: Limits) -> None:
        self._start_s = limits.start_ms / 1000
        self.left_s = self.replays_left_s = RESTART_BUDGET * self._start_s

    @property
    def is_exhausted(self) -> bool:
        """True if the bot may not be restarted any more."""
        return min(self.left_s, self.replays_left_s) < 0

    def add_match(self) -> None:
        """Add what a match is worth."""
        self.left_s += RESTART_BUDGET_PER_MATCH * self._start_s


class ResourceWatch:
    """The watch of one bot process, which may have several children one after the other."""

    def __init__(self, limits: Limits, budget: RestartBudget) -> None:
        self.budget = budget
        self._limits = limits
        self._pid = 0
        self._starts = self._failed_starts = self._stray_reports = self._unsolicited_bytes = 0
        self._asked_since: float | None = None
        self._asked_s = self._cpu_s = self._watched_at = 0.0
        self._stops_when_idle = self._is_warming_up = False
        self._stopped: list[int] = []

    def start(self, pid: int, now: float) -> None:
        """Begin to watch a new child; until it is ready it is asked to start."""
        self._pid, self._stopped = pid, []
        self._asked_since = self._watched_at = now
        self._asked_s = self._cpu_s = 0.0
        self._starts += 1
        self._is_warming_up = self._starts > 1
        self._stray_reports = self._unsolicited_bytes = 0

    def count_stray_report(self) -> None:
        """Count a failure that the child reported in a match that it does not play.

        Raises:
            Oversize: If there are too many.
        """
        self._stray_reports += 1
        if self._stray_reports > MAX_STRAY_REPORTS:
            raise Oversize("too many failures of matches that it does not play")

    def count_unsolicited(self, cost: int) -> None:
        """Count data that answered no question, at its cost in bytes.

        Raises:
            Oversize: If there is too much since the last answer.
        """
        self._unsolicited_bytes += cost
        if self._unsolicited_bytes > MAX_UNSOLICITED_BYTES:
            raise Oversize("more than anybody asked for")

    def note_ready(self, seconds: float) -> None:
        """Charge a start after which the child was ready."""
        self.charge_start(seconds)
        self._failed_starts = 0

    def charge_start(self, seconds: float) -> None:
        """Charge the start of a child to the budget, successful or not, if it was a restart."""
        if self._starts > 1:
            self.budget.left_s -= seconds

    def count_failed_start(self, seconds: float) -> bool:
        """Charge a start after which the child was not ready; return whether it was the last attempt."""
        self.charge_start(seconds)
        self._failed_starts += 1
        return self._failed_starts >= MAX_START_ATTEMPTS

    def charge_answers(self, seconds: float, replayed: bool) -> None:
        """Charge the replay and the first new answer of a restarted child; later answers pay for replays."""
        self._unsolicited_bytes = 0
        if replayed:
            self.budget.replays_left_s -= seconds
        elif self._is_warming_up:
            self.budget.left_s -= seconds
        else:
            self.budget.replays_left_s += seconds
        self._is_warming_up = False

    def charge_timeout(self, seconds: float, replayed: bool) -> None:
        """Charge the first question of a restarted child if it was not answered in time."""
        if self._is_warming_up and not replayed:
            self.budget.left_s -= seconds

    def begin_asking(self, now: float) -> None:
        """Note that the child is asked; let it run."""
        self._asked_since = now
        while self._stopped:
            with suppress(ProcessLookupError):
                os.kill(self._stopped.pop(), signal.SIGCONT)

    def end_asking(self, now: float) -> None:
        """Note that the child has answered; stop it if it has used the CPU out of turn before."""
        if self._asked_since is not None:
            self._asked_s += now - self._asked_since
            self._asked_since = None
        if self._stops_when_idle and not self._stopped:
            self._stopped = list(tree_pids(self._pid))[1:] or [self._pid]  # the first may be a supervisor
            for pid in self._stopped:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)

    def check(self, now: float) -> BotFailure | None:
        """Return a failure if the child holds too much; note whether it used the CPU out of turn."""
        if not self._stops_when_idle:
            self._check_cpu(now, now - self._watched_at)
        self._watched_at = now
        return self.find_memory_excess() or self._find_thread_excess()

    def find_memory_excess(self) -> BotFailure | None:
        """Return a failure if the child holds too much memory."""
        held_mb, allowed_mb = held_memory_kb(self._pid) / 1024, self._limits.memory_mb
        if held_mb <= allowed_mb + BASE_MB + SPARE_MB:
            return None
        return BotFailure("crash", f"it held {held_mb:.0f} MB of memory (allowed {allowed_mb})")

    def _find_thread_excess(self) -> BotFailure | None:
        threads = count_threads(self._pid)
        if threads <= MAX_THREADS:
            return None
        return BotFailure("crash", f"it had {threads} threads (allowed {MAX_TASKS})")

    def _check_cpu(self, now: float, seconds: float) -> None:
        asking = self._asked_since is not None
        asked_s = self._asked_s + (now - self._asked_since if self._asked_since is not None else 0.0)
        cpu_s = cpu_seconds(self._pid)
        idle_cpu_s = cpu_s - self._cpu_s - asked_s
        self._cpu_s, self._asked_s = cpu_s, 0.0
        if asking:
            self._asked_since = now
        if idle_cpu_s > MAX_IDLE_CPU_SHARE * seconds:
            self._stops_when_idle = True
            if not asking:
                self.end_asking(now)
