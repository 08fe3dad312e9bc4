"""A bot's process, started at its level and ended with all that it started."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from subprocess import PIPE, Popen

from arena.play.bot import Limits
from arena.play.isolation.levels import Level
from arena.play.isolation.limiting import limited, tasks_beside
from arena.play.isolation.program import ENVIRONMENT, Program, executable, host


def start(level: Level, program: Program, limits: Limits) -> Popen[bytes]:
    """The bot's process, with unbuffered pipes to its three streams and no other file of ours open.

    It dies with the thread that started it, so start it from one that lives as long as it is needed.

    Raises: PluginError, for a command whose program is not there.
    """
    target = list(executable(program)) if program.command else host(program, ("", ""))
    bounds = limited(limits, tasks=tasks_beside(os.geteuid()), python=not program.command)
    argv = [*bounds, "setpriv", "--pdeathsig", "KILL", *target]
    return Popen(
        argv,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        bufsize=0,
        cwd=program.folder,
        env=ENVIRONMENT,
        start_new_session=True,
    )


def stop(process: Popen[bytes]) -> None:
    """Ends the process and its group, closes our ends of its pipes, and waits until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()
