"""The resource limits of a bot's process."""

from __future__ import annotations

import os
from pathlib import Path

from arena.play.bot import Limits

MIB = 1024 * 1024
BASE_MB = 64
"""Memory that Python needs before a bot has done anything: the interpreter, the rule book, a few threads."""
SHARED_MB = 1024
"""Address space of a Python bot for what costs no memory: code, files, the stacks of threads."""
RESERVED_MB = 64 * 1024
"""Address space of other programs, which may reserve far more than they use."""
MAX_TASKS = 64
"""Threads: a bot has one process. A Java machine needs twenty."""
OTHER_TASKS = 512
"""Tasks of the same user, such as other bots, that may start while a bot runs."""
MAX_CPU_S = 86_400
MAX_SIGNALS = 256
"""Signals that wait, and timers of the kernel: each takes some of its memory."""


def limit_command(limits: Limits, *, tasks: int, python: bool, mapped: int = 0) -> list[str]:
    """Return the start of a command line that runs the rest of it within the limits.

    The memory limit counts what the process may write to. The limit of its address space bounds what that
    leaves out: page tables, and at the level `process` shared memory. `mapped` is the size in bytes of the
    libraries in the bot's packages.
    """
    memory = (limits.memory_mb + BASE_MB) * MIB
    bounds = {
        "data": memory,
        "as": memory + (SHARED_MB if python else RESERVED_MB) * MIB + mapped,
        "stack": 8 * MIB,
        "nproc": tasks,
        "nofile": 64,
        "fsize": 64 * MIB,
        "cpu": MAX_CPU_S,
        "core": 1,  # byte: with 0 a crash would still start the machine's crash collector
        "memlock": 0,
        "msgqueue": 0,
        "sigpending": MAX_SIGNALS,
    }
    return ["prlimit", *(f"--{name}={bound}" for name, bound in bounds.items()), "--"]


def oom_command() -> list[str]:
    """Return the start of a command line for what is to be killed first when memory runs out."""
    return ["choom", "-n", "1000", "--"]


def max_user_tasks(uid: int) -> int:
    """Return a limit for all tasks of this user, which the kernel counts against each process's limit.

    It covers those that are running, those that may yet start, and a bot's own.
    """
    return MAX_TASKS + OTHER_TASKS + sum(_count_tasks(entry, uid) for entry in Path("/proc").iterdir())


def _count_tasks(entry: Path, uid: int) -> int:
    try:
        is_own = entry.name.isdigit() and entry.stat().st_uid == uid
        return len(os.listdir(entry / "task")) if is_own else 0
    except OSError:  # it has ended meanwhile
        return 0
