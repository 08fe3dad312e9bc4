"""A bot's process, started at its level and ended with all that it started."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import PIPE, Popen

from arena.play.bot import Limits
from arena.play.isolation.bubblewrap import sandboxed
from arena.play.isolation.landlock import readable
from arena.play.isolation.levels import Level
from arena.play.isolation.privileges import dropped, is_root
from arena.play.isolation.program import ENVIRONMENT, Program, command_line, own_files, runtime_files
from arena.play.isolation.rlimits import TASKS, first_to_go, limited, tasks_beside
from arena.play.isolation.seccomp import seccomp_filter


def start(level: Level, program: Program, limits: Limits) -> Popen[bytes]:
    """The bot's process, with unbuffered pipes to its three streams and no other file of ours open.

    It dies with the thread that started it, so start it from one that lives as long as it is needed. A signal
    that ends it makes its status, in the sandbox, 128 and the signal's number.

    Raises: PluginError, for a command whose program is not there; OSError where the level cannot be had
    (`probe` says why).
    """
    if level == "inline":
        raise ValueError("a bot that lives inline has no process")
    outer = level == "sandbox" and bool(program.command)  # no Python in there to put the filter on
    with _in_memory(_filter(level, program) if outer else b"") as descriptor:
        return Popen(
            [*_surroundings(level, program, limits, descriptor), *_confined(level, program)],
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
    """Ends the process and its group, closes our ends of its pipes, and waits until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()


def _surroundings(level: Level, program: Program, limits: Limits, descriptor: int | None) -> list[str]:
    """The start of the command line: another user, the sandbox, the limits."""
    other = is_root() and not (level == "process" and program.trusted)
    user = dropped(_files(level, program), program.folder) if other else []
    tasks = TASKS if other or level == "sandbox" else tasks_beside(os.geteuid())
    bounds = limited(limits, tasks=tasks, python=not program.command)
    if level == "sandbox":
        return [*user, *first_to_go(), *sandboxed(program, descriptor), *bounds]
    return [*(user or ["setpriv", "--pdeathsig", "KILL", "--"]), *first_to_go(), *bounds]


def _confined(level: Level, program: Program) -> list[str]:
    """The end of the command line: the program, and what it puts on first."""
    if level == "landlock":
        return command_line(program, _filter(level, program), readable(program))
    if level == "sandbox" and not program.command:
        return command_line(program, _filter(level, program))
    return command_line(program)


def _filter(level: Level, program: Program) -> bytes:
    return seccomp_filter(may_execute=bool(program.command), alone=level == "sandbox")


def _files(level: Level, program: Program) -> list[Path]:
    """What must be in reach for the program to run; Landlock is put on by a Python host in any case."""
    host = [program, Program()] if level == "landlock" else [program]
    return [file for each in host for file in (*runtime_files(each), *own_files(each))]


@contextmanager
def _in_memory(code: bytes) -> Iterator[int | None]:
    """A file that holds the code, read from its start; none for no code."""
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
