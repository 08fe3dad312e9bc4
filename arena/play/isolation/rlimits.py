"""What a bot's process may use up."""

from __future__ import annotations

import os
from pathlib import Path

from arena.play.bot import Limits

MIB = 1024 * 1024
BASE_MB = 64
"""What a host needs before its bot has done anything: the interpreter, the rule book, a few threads."""
SHARED_MB = 1024
"""Address space of a Python host for what costs no memory: code, files, the stacks of threads."""
RESERVED_MB = 64 * 1024
"""And of any other program, which may reserve far more than it uses."""
TASKS = 64
"""Threads, that is: a bot has one process. A Java machine wants twenty."""
TO_COME = 512
"""Other tasks of the same user, such as other bots, that may start while a bot lives."""
DAY = 86_400


def limited(limits: Limits, *, tasks: int, python: bool) -> list[str]:
    """The start of a command line that runs the rest of it within the limits.

    Memory is what the process may write to. Its address space bounds what that does not count: tables of
    pages, and at `process` memory that is shared.
    """
    memory = (limits.memory_mb + BASE_MB) * MIB
    bounds = {
        "data": memory,
        "as": memory + (SHARED_MB if python else RESERVED_MB) * MIB,
        "stack": 8 * MIB,
        "nproc": tasks,
        "nofile": 64,
        "fsize": 64 * MIB,
        "cpu": DAY,
        "core": 1,  # byte: with 0 a crash would still start the machine's collector of crashes
        "memlock": 0,
        "msgqueue": 0,
    }
    return ["prlimit", *(f"--{name}={bound}" for name, bound in bounds.items()), "--"]


def first_to_go() -> list[str]:
    """The start of a command line for what is to be ended first when the machine has no memory left."""
    return ["choom", "-n", "1000", "--"]


def tasks_beside(uid: int) -> int:
    """How many tasks of this user there may be: those there are, those that may yet come, and a bot's share.

    The kernel counts all of a user's against the bound, not only the children of one process.
    """
    return TASKS + TO_COME + sum(_tasks(entry) for entry in Path("/proc").iterdir() if _is_of(entry, uid))


def _is_of(entry: Path, uid: int) -> bool:
    try:
        return entry.name.isdigit() and entry.stat().st_uid == uid
    except OSError:  # ended meanwhile
        return False


def _tasks(entry: Path) -> int:
    try:
        return len(os.listdir(entry / "task"))
    except OSError:
        return 0
