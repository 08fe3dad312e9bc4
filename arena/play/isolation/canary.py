"""A harmless stranger that tries the doors, so that a level which leaves one open is not offered.

Where no bot may run, nor any other code, it says so in the first line it prints; else it prints `shut`.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable


def main(arguments: list[str]) -> None:
    """Tries what no bot may do; its argument is a file that belongs to somebody else.

    Without one it says `shut` at once, for a level that only promises to start.
    """
    if not arguments:
        sys.stdout.write("shut\n")
        return
    (secret,) = arguments
    doors: dict[str, Callable[[], object]] = {
        "a file of others can be read": lambda: os.open(secret, os.O_RDONLY),
        "a file can be written": lambda: os.open("/tmp/canary", os.O_WRONLY | os.O_CREAT),
        "the kernel's settings can be written": lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY),
        "another process can be changed": _others_memory,
        "a socket can be opened": lambda: socket.socket(socket.AF_UNIX),
        "a process can be started": _fork,
        "a program can be run": lambda: os.execv("/usr/bin/prlimit", ["prlimit"]),
    }
    sys.stdout.write(next((name for name, door in doors.items() if _opens(door)), "shut"))


def _opens(door: Callable[[], object]) -> bool:
    try:
        door()
    except OSError:
        return False
    return True


def _others_memory() -> None:
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    if not others:
        raise FileNotFoundError
    os.open(f"/proc/{others[0]}/mem", os.O_RDWR)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
