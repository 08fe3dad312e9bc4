"""The processes of this machine, as the tests look for them."""

from contextlib import suppress
from pathlib import Path


def find_processes(mark: str) -> list[int]:
    """Return the ids of all processes with the mark in their arguments."""
    pids = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if mark.encode() in entry.read_bytes():
                pids.append(int(entry.parent.name))
    return pids
