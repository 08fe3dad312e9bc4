"""CPU time of bot processes, and how long they had to wait for it."""

from __future__ import annotations

import os

from arena.play.isolation import read_process_file, tree_pids


def cpu_seconds(pid: int) -> float:
    """Return the CPU time used by a process and its descendants; 0 where it cannot be read."""
    return sum(map(_own_cpu_ticks, tree_pids(pid))) / os.sysconf("SC_CLK_TCK")


def waiting_seconds(pid: int) -> float:
    """Return how long this thread, a process and its descendants could run but had no CPU; 0 if unknown.

    Source: the second number of Linux's /proc/PID/schedstat, of the main thread of each process.
    """
    return _run_delay("thread-self") + sum(_run_delay(str(child)) for child in tree_pids(pid))


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
