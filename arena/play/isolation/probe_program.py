"""A harmless program that tries what no bot may do, so that a level which allows it is not offered.

It prints the first thing that it could do, or else `confined`.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable


def main(arguments: list[str]) -> None:
    """Try everything; the argument is a file that belongs to somebody else.

    Without one print `confined` at once, for a level that only promises to start.
    """
    if not arguments:
        sys.stdout.write("confined\n")
        return
    (secret,) = arguments
    attempts: dict[str, Callable[[], object]] = {
        "a file of others can be read": lambda: os.open(secret, os.O_RDONLY),
        "a file can be written": lambda: os.open("/tmp/canary", os.O_WRONLY | os.O_CREAT),
        "the kernel's settings can be written": lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY),
        "another process can be changed": _open_other_memory,
        "a socket can be opened": lambda: socket.socket(socket.AF_UNIX),
        "a process can be started": _fork,
        "a program can be run": lambda: os.execv("/usr/bin/prlimit", ["prlimit"]),
    }
    sys.stdout.write(next((name for name, attempt in attempts.items() if _succeeds(attempt)), "confined"))


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _open_other_memory() -> None:
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    if not others:
        raise FileNotFoundError
    os.open(f"/proc/{others[0]}/mem", os.O_RDWR)


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
