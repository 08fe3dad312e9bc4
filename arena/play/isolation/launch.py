"""Starts a bot's process at its level, and stops it with everything that it started."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from select import select
from signal import pidfd_send_signal
from subprocess import PIPE, Popen

from arena.errors import PluginError
from arena.installed_games import VARIABLE, encode_games
from arena.play.bot import Limits
from arena.play.isolation.bot_program_files import (
    ENVIRONMENT,
    Level,
    Program,
    command_line,
    encode_paths,
    own_files,
    runtime_files,
    shared_object_bytes,
    supervisor_command,
    system_settings,
    visible_files,
)
from arena.play.isolation.bot_users import drop_command, is_root
from arena.play.isolation.bubblewrap import DEVICES, sandbox_command
from arena.play.isolation.process_stats import child_pids
from arena.play.isolation.rlimits import MAX_TASKS, limit_command, max_user_tasks, oom_command
from arena.play.isolation.seccomp import seccomp_filter

STOP_TIMEOUT_S = 2.0
LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")


def start(level: Level, program: Program, limits: Limits) -> Popen[bytes]:
    """Start a program with unbuffered pipes to its three streams and no other file of the arena's open.

    It dies with the thread that started it, so use a thread that lives long enough. If a signal ends it in
    the sandbox, its status is 128 and the signal's number.

    Raises:
        PluginError: A command's executable does not exist, or a link has replaced a file of the program's.
        OSError: The level is not available (`probe` says why).
    """
    if level == "inline":
        raise ValueError("a bot that runs inline has no process")
    _refuse_links(program)
    outer = level == "sandbox" and bool(program.command)  # no Python inside to apply the filter
    with _in_memory(_filter(level, program) if outer else b"") as descriptor:
        return Popen(
            [*_prefix(level, program, limits, descriptor), *_confined(level, program)],
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            bufsize=0,
            cwd=program.folder,
            env=ENVIRONMENT if program.command else {**ENVIRONMENT, VARIABLE: encode_games()},
            start_new_session=True,
            pass_fds=[] if descriptor is None else [descriptor],
        )


def stop(process: Popen[bytes]) -> None:
    """Kill the process and all that it started, close our ends of its pipes, and wait until they are gone."""
    if process.poll() is None:
        _kill_tree(process.pid)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
    process.wait()


def _kill_tree(pid: int) -> None:
    """Kill a process's children, or itself if it has none, and wait until it and they have ended.

    The child of the supervisor is the bot, or its sandbox; with it the supervisor kills all that it started,
    and then ends. The child of bubblewrap is process 1 of the sandbox; the kernel ends all others with it.
    """
    with ExitStack() as opened:
        watches = {}
        for watched in (pid, *child_pids(pid)):
            with suppress(OSError):
                watches[watched] = os.pidfd_open(watched)
                opened.callback(os.close, watches[watched])
        for watched, watch in watches.items():
            if watched != pid or len(watches) == 1:
                with suppress(ProcessLookupError):
                    pidfd_send_signal(watch, signal.SIGKILL)
        for watch in watches.values():
            select([watch], [], [], STOP_TIMEOUT_S)


def _refuse_links(program: Program) -> None:
    """Refuse a program of which a file or folder was replaced by a link since it was looked up.

    What a link leads to would be shown to the bot in its place.
    """
    for path in program.parts or ([program.home] if program.home else []):
        if os.path.realpath(path) != str(path):
            raise PluginError(
                f"{path} was replaced by a link: whoever may write there can change the bot; submit the bot, "
                "and run the copy"
            )


def _prefix(level: Level, program: Program, limits: Limits, descriptor: int | None) -> list[str]:
    """Return the start of the command line: another user, the sandbox, the limits."""
    other_user = is_root() and not (level == "process" and program.trusted)
    # Killed before it asks for that itself, bubblewrap leaves a process that waits for it for ever.
    dies = level != "sandbox"
    files = _needed_files(level, program)
    user = drop_command(files, program.folder, dies_with_parent=dies) if other_user else []
    tasks = MAX_TASKS if other_user or level == "sandbox" else max_user_tasks(os.geteuid())
    mapped = shared_object_bytes(program.packages) if program.packages else 0
    bounds = limit_command(limits, tasks=tasks, python=not program.command, mapped=mapped)
    if level == "sandbox":
        supervisor = supervisor_command() if program.command else []
        return [*user, *oom_command(), *supervisor, *sandbox_command(program, descriptor), *bounds]
    return [*(user or ["setpriv", "--pdeathsig", "KILL", "--"]), *oom_command(), *bounds]


def _confined(level: Level, program: Program) -> list[str]:
    """Return the end of the command line: the program, and what it applies to itself first.

    A program is supervised that may start processes, or lose its death signal by running another program from
    a thread: at `landlock` a command, at `process` any. So is a sandbox with a command, which cannot find out
    that the arena has ended while it started: a module ends then by itself, before it runs.
    """
    if level == "landlock":
        supervised = bool(program.command)
        return command_line(program, _filter(level, program), _readable(program), supervised=supervised)
    if level == "sandbox":
        return command_line(program, b"" if program.command else _filter(level, program))
    return command_line(program, supervised=True)


def _filter(level: Level, program: Program) -> bytes:
    return seccomp_filter(may_execute=bool(program.command), alone=level == "sandbox")


def _readable(program: Program) -> str:
    """Return what Landlock leaves readable, as one argument; folders ending in `/` may only be listed."""
    files = [
        *(["/usr", *LIBRARIES] if program.command else LIBRARIES),
        *system_settings(program),
        *DEVICES,
        *map(str, runtime_files(program)),
        *map(str, visible_files(program)),
        *sorted({f"{part.parent}/" for part in program.parts}),
    ]
    return encode_paths(path for path in files if os.path.exists(path))


def _needed_files(level: Level, program: Program) -> list[Path]:
    """Return what another user must be able to reach; for a command, the supervisor needs Python, too."""
    programs = [program, Program()] if program.command or level != "sandbox" else [program]
    return [file for program in programs for file in (*runtime_files(program), *own_files(program))]


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
