"""Launching a bot's process within its isolation level and limits, and what it used."""

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
from arena.installed import VARIABLE, encode_games
from arena.play.bot import Limits
from arena.play.isolation.bot_users import drop_command, is_root
from arena.play.isolation.bubblewrap import DEVICES, sandbox_command
from arena.play.isolation.program_files import (
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
from arena.play.isolation.seccomp import seccomp_filter

# --- resource limits ---

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


# --- use of resources ---
# The kernel's data on a process and on those that it started; zeros where there are none.


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


# --- start and stop ---

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
