"""The kernel's data on a process and on those that it started; zeros where it says nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator


def read_process_file(path: str) -> bytes:
    """Return the content of a file in /proc; nothing if the process has ended.

    These are read many times a second, which `open` would make three times as slow.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            content = piece = os.read(descriptor, 1 << 12)
            while piece:
                content += (piece := os.read(descriptor, 1 << 12))
            return content
        finally:
            os.close(descriptor)
    except OSError:
        return b""


def child_pids(pid: int) -> list[int]:
    """Return the processes that a process has started and not yet waited for."""
    return [int(child) for child in read_process_file(f"/proc/{pid}/task/{pid}/children").split()]


def tree_pids(pid: int) -> Iterator[int]:
    """Yield a process and all its descendants."""
    yield pid
    for child in child_pids(pid):
        yield from tree_pids(child)


def peak_memory_kb(pid: int) -> int:
    """Return the peak memory of the largest of a process and its descendants."""
    return max(_sum_status(process, b"VmHWM:") for process in tree_pids(pid))


def held_memory_kb(pid: int) -> int:
    """Return the memory that a process and its descendants hold, beside what lies in files as well."""
    return sum(
        _sum_status(process, b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:") for process in tree_pids(pid)
    )


def count_threads(pid: int) -> int:
    """Return the number of threads of a process and its descendants."""
    return sum(_sum_status(process, b"Threads:") for process in tree_pids(pid))


def _sum_status(pid: int, *names: bytes) -> int:
    status = read_process_file(f"/proc/{pid}/status")
    return sum(int(line.split()[1]) for line in status.splitlines() if line.startswith(names))
