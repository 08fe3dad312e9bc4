"""The kernel's data on a process and on those that it started; zeros where it says nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def child_pids(pid: int) -> list[int]:
    """Return the processes that a process has started and not yet waited for."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # it has ended
        return []


def tree_pids(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    for child in child_pids(pid):
        yield from tree_pids(child)


def peak_memory_kb(pid: int) -> int:
    """Return the peak memory of the largest of a process and its descendants."""
    return max(_status_kb(one, "VmHWM:") for one in tree_pids(pid))


def held_memory_kb(pid: int) -> int:
    """Return the memory that a process and its descendants hold, beside what lies in files as well."""
    return sum(_status_kb(one, "RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:") for one in tree_pids(pid))


def _status_kb(pid: int, *names: str) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(names))
