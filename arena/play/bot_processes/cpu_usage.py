"""CPU time of bot processes, and how long they had to wait for it."""

from __future__ import annotations

import os
from typing import Final

from arena.play.isolation import read_process_file, tree_pids

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
