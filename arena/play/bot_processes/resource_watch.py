"""Watches a child from outside for what no resource limit bounds: memory, threads, CPU out of turn."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Final

from arena.play.bot import Limits
from arena.play.bot_processes.protocol import Oversize
from arena.play.faults import BotFailure
from arena.play.isolation import (
    BASE_MB,
    MAX_TASKS,
    count_threads,
    held_memory_kb,
    read_process_file,
    tree_pids,
)

# --- CPU time ---

TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Return the CPU time used by a process and its descendants; 0 where it cannot be read."""
    return sum(map(_own_cpu_ticks, tree_pids(pid))) / TICKS_PER_S


def read_usage(pid: int) -> tuple[float, float]:
    """Return the CPU time of a process and its descendants, and how long they waited for a CPU.

    The second is how long this thread and they could run but had no CPU; 0 if unknown.

    Source: the second number of Linux's /proc/PID/schedstat, of the main thread of each process.
    """
    ticks, waited = 0, _run_delay("thread-self")
    for process in tree_pids(pid):
        ticks += _own_cpu_ticks(process)
        waited += _run_delay(str(process))
    return ticks / TICKS_PER_S, waited


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_overloaded() -> bool:
    """Return whether more tasks than this process has cores were running in the last minute."""
    return os.getloadavg()[0] > count_cores()


def _own_cpu_ticks(pid: int) -> int:
    """Return the CPU time of a process and of the children that it has waited for."""
    fields = read_process_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return sum(map(int, fields[11:15]))


def _run_delay(process: str) -> float:
    fields = read_process_file(f"/proc/{process}/schedstat").split()
    return int(fields[1]) / 1e9 if len(fields) > 1 else 0.0


# --- watch ---

WATCH_EVERY_S = 0.25
SPARE_MB = 16
"""Memory added to a limit, in MB, for page tables and the arena's own processes above the bot."""
MAX_THREADS = MAX_TASKS + 4
"""Maximum number of threads of a bot, with those of the arena's own processes above it."""
MAX_IDLE_CPU_SHARE = 0.25
"""CPU time that a bot may use while it is not asked, per second in which it is watched."""
MAX_STRAY_REPORTS = 128
"""Limit on failures reported in matches that have ended: reading them is on no bot's clock."""
MAX_UNSOLICITED_BYTES = 1 << 20
"""Sent between two answers."""


class ResourceWatch:
    """The watch of one bot process, which may have several children one after the other."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pid = 0
        self._stray_reports = self._unsolicited_bytes = 0
        self._asked_since: float | None = None
        self._asked_s = self._cpu_s = self._watched_at = 0.0
        self._stops_when_idle = False
        self._stopped: list[int] = []

    def start(self, pid: int, now: float) -> None:
        """Begin to watch a new child; until it is ready it is asked to start."""
        self._pid, self._stopped = pid, []
        self._asked_since = self._watched_at = now
        self._asked_s = self._cpu_s = 0.0
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

    def note_answer(self) -> None:
        """Count what is unsolicited anew."""
        self._unsolicited_bytes = 0

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
