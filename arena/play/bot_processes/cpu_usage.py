"""CPU time of bot processes, and how long they had to wait for it."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Return the CPU time used by a process and its descendants; 0 where it cannot be read."""
    ticks = os.sysconf("SC_CLK_TCK")
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / ticks + sum(map(cpu_seconds, _children(pid)))


def waiting_seconds(pid: int) -> float:
    """Return how long this thread, a process and its descendants could run but had no CPU; 0 if unknown.

    Source: the second number of Linux's /proc/PID/schedstat, of the main thread of each process.
    """
    return _run_delay("thread-self") + _run_delays(pid)


def is_overloaded() -> bool:
    """Return whether more tasks than this process has cores were running in the last minute."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return os.getloadavg()[0] > cores


def _run_delays(pid: int) -> float:
    return _run_delay(str(pid)) + sum(map(_run_delays, _children(pid)))


def _run_delay(process: str) -> float:
    try:
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
