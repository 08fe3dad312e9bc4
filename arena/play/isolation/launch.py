"""Starts a bot's process at its level, and stops it with everything that it started."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE, Popen

from arena.play.bot import Limits
from arena.play.isolation.bubblewrap import DEVICES, sandbox_command
from arena.play.isolation.privileges import drop_command, is_root
from arena.play.isolation.program import (
    ENVIRONMENT,
    Level,
    Program,
    command_line,
    own_files,
    runtime_files,
    system_settings,
)
from arena.play.isolation.rlimits import MAX_TASKS, limit_command, max_user_tasks, oom_command
from arena.play.isolation.seccomp import seccomp_filter

LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")


def start(level: Level, program: Program, limits: Limits) -> Popen[bytes]:
    """Start a program with unbuffered pipes to its three streams and no other file of the arena's open.

    It dies with the thread that started it, so use a thread that lives long enough. If a signal ends it in
    the sandbox, its status is 128 and the signal's number.

    Raises:
        PluginError: a command's executable does not exist.
        OSError: the level is not available (`probe` says why).
    """
    if level == "inline":
        raise ValueError("a bot that runs inline has no process")
    outer = level == "sandbox" and bool(program.command)  # no Python inside to apply the filter
    with _in_memory(_filter(level, program) if outer else b"") as descriptor:
        return Popen(
            [*_prefix(level, program, limits, descriptor), *_confined(level, program)],
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            bufsize=0,
            cwd=program.folder,
            env=ENVIRONMENT,
            start_new_session=True,
            pass_fds=[] if descriptor is None else [descriptor],
        )


def stop(process: Popen[bytes]) -> None:
    """Kill the process and its group, close our ends of its pipes, and wait until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()


def _prefix(level: Level, program: Program, limits: Limits, descriptor: int | None) -> list[str]:
    """Return the start of the command line: another user, the sandbox, the limits."""
    other_user = is_root() and not (level == "process" and program.trusted)
    user = drop_command(_needed_files(level, program), program.folder) if other_user else []
    tasks = MAX_TASKS if other_user or level == "sandbox" else max_user_tasks(os.geteuid())
    bounds = limit_command(limits, tasks=tasks, python=not program.command)
    if level == "sandbox":
        return [*user, *oom_command(), *sandbox_command(program, descriptor), *bounds]
    return [*(user or ["setpriv", "--pdeathsig", "KILL", "--"]), *oom_command(), *bounds]


def _confined(level: Level, program: Program) -> list[str]:
    """Return the end of the command line: the program, and what it applies to itself first."""
    if level == "landlock":
        return command_line(program, _filter(level, program), _readable(program))
    if level == "sandbox" and not program.command:
        return command_line(program, _filter(level, program))
    return command_line(program)


def _filter(level: Level, program: Program) -> bytes:
    return seccomp_filter(may_execute=bool(program.command), alone=level == "sandbox")


def _readable(program: Program) -> str:
    """Return the files and folders that Landlock leaves readable, one a line."""
    files = [
        *(["/usr", *LIBRARIES] if program.command else LIBRARIES),
        *system_settings(program),
        *DEVICES,
        *map(str, runtime_files(program)),
        *map(str, own_files(program)),
    ]
    return "\n".join(path for path in files if os.path.exists(path))


def _needed_files(level: Level, program: Program) -> list[Path]:
    """Return what another user must be able to reach; with Landlock the bootstrap needs Python, too."""
    programs = [program, Program()] if level == "landlock" else [program]
    return [file for one in programs for file in (*runtime_files(one), *own_files(one))]


@contextmanager
def _in_memory(code: bytes) -> Iterator[int | None]:
    """Open a memory file that holds the code; None for no code."""
    if not code:
        yield None
        return
    descriptor = os.memfd_create("seccomp")
    try:
        os.write(descriptor, code)
        os.lseek(descriptor, 0, os.SEEK_SET)
        yield descriptor
    finally:
        os.close(descriptor)
