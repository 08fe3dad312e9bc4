"""The isolation levels: what each needs and keeps out, and the command line of a bot's process there.

A new level is an object in `LEVELS`, and its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from arena.play.bot import Limits
from arena.play.isolation.bot_users import drop_command, is_root
from arena.play.isolation.bubblewrap import DEVICES, sandbox_command
from arena.play.isolation.program_files import (
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
from arena.plugins import Kind

# --- resource limits ---

MIB = 1024 * 1024
BASE_MB = 64
"""Memory that Python needs before a bot has done anything: the interpreter, the rule book, a few threads."""
SHARED_MB = 1024
"""Address space of a Python bot for what costs no memory: code, files, the stacks of threads."""
RESERVED_MB = 64 * 1024
"""Address space of other programs and WebAssembly modules, which may reserve far more than they use."""
MAX_TASKS = 64
"""Threads: a bot has one process. A Java machine needs twenty."""
OTHER_TASKS = 512
"""Tasks of the same user, such as other bots, that may start while a bot runs."""
MAX_CPU_S = 86_400
MAX_SIGNALS = 256
"""Signals that wait, and timers of the kernel: each takes some of its memory."""


def limit_command(program: Program, limits: Limits, tasks: int) -> list[str]:
    """Return the start of a command line that runs the rest of it within the limits.

    The memory limit counts what the process may write to. The limit of its address space bounds what that
    leaves out: page tables, and at the level `process` shared memory; the libraries in the bot's packages
    are added to it.
    """
    memory = (limits.memory_mb + BASE_MB) * MIB
    mapped = shared_object_bytes(program.packages) if program.packages else 0
    bounds = {
        "data": memory,
        "as": memory + (RESERVED_MB if program.command or program.wasm_package else SHARED_MB) * MIB + mapped,
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


# --- command lines ---

OOM_FIRST: Final = ("choom", "-n", "1000", "--")
"""Start of a command line for what is to be killed first when memory runs out."""
LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")


def _refuse(program: Program, limits: Limits, filter_fd: int | None) -> list[str]:
    raise ValueError("a bot that runs inline has no process")


def _plain_command(program: Program, limits: Limits, filter_fd: int | None) -> list[str]:
    """A program may start processes, so the arena's supervisor stays above it."""
    other_user = is_root() and not program.trusted
    return [*_user_command(program, limits, other_user), *command_line(program, supervised=True)]


def _landlock_command(program: Program, limits: Limits, filter_fd: int | None) -> list[str]:
    """A command may lose its death signal by running another program from a thread: it is supervised."""
    code = seccomp_filter(may_execute=bool(program.command), alone=False)
    confined = command_line(program, code, _readable(program), supervised=bool(program.command))
    return [*_user_command(program, limits, is_root()), *confined]


def _user_command(program: Program, limits: Limits, other_user: bool) -> list[str]:
    """Return the start of a command line outside the sandbox: perhaps another user, and the limits."""
    own = [program.run_folder] if program.run_folder else []
    files = [*_needed_files(program, Program()), *own]
    user = drop_command(files, program.folder, dies_with_parent=True) if other_user else []
    tasks = MAX_TASKS if other_user else max_user_tasks(os.geteuid())
    dying = user or ["setpriv", "--pdeathsig", "KILL", "--"]
    return [*dying, *OOM_FIRST, *limit_command(program, limits, tasks)]


def _sandbox_command(program: Program, limits: Limits, filter_fd: int | None) -> list[str]:
    """A command's sandbox is supervised, which cannot find out that the arena has ended while it started.

    A module ends then by itself, before it runs. Killed before it asks for its death signal itself,
    bubblewrap would leave a process that waits for it for ever: the user is changed without one.
    """
    files = _needed_files(program, *([Program()] if program.command else []))
    user = drop_command(files, program.folder, dies_with_parent=False) if is_root() else []
    supervisor = supervisor_command() if program.command else []
    code = b"" if program.command else _sandbox_filter(program)
    limited = [*limit_command(program, limits, MAX_TASKS), *command_line(program, code)]
    return [*user, *OOM_FIRST, *supervisor, *sandbox_command(program, filter_fd), *limited]


def _sandbox_filter(program: Program) -> bytes:
    return seccomp_filter(may_execute=bool(program.command), alone=True)


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


def _needed_files(*programs: Program) -> list[Path]:
    """Return what another user must be able to reach; the supervisor needs Python, too."""
    return [file for program in programs for file in (*runtime_files(program), *own_files(program))]


# --- levels ---

Level = Literal["inline", "process", "wasm", "landlock", "sandbox"]
"""Name of a level, as configs and results have it."""
TOOLS: Final = dict.fromkeys(("choom", "prlimit", "setpriv", "unshare"), "util-linux") | {"mount": "mount"}


@dataclass(frozen=True, kw_only=True)
class IsolationLevel:
    """A way to run a bot, and where it runs.

    Attributes:
        name: Its name.
        is_confined: Whether the bot can reach its own files and processes only, not those of the user.
        command: Returns the command line of a program's process, given its limits and the descriptor of
            the filter that `outer_filter` returned, if any.
        has_process: Whether the bot runs in a process of its own.
        outer_filter: Returns the filter of system calls that is applied from outside the program; nothing
            where the program applies its own.
        tools: The package to install, by the program that is needed.
        kinds: The kinds of bots that run there; none: all that have a process, or a class.
    """

    name: Level
    is_confined: bool
    command: Callable[[Program, Limits, int | None], list[str]]
    has_process: bool = True
    outer_filter: Callable[[Program], bytes] = lambda program: b""
    tools: Mapping[str, str] = field(default_factory=lambda: TOOLS)
    kinds: tuple[Kind, ...] = ()


INLINE: Final = IsolationLevel(name="inline", has_process=False, is_confined=False, command=_refuse, tools={})
PROCESS: Final = IsolationLevel(name="process", is_confined=False, command=_plain_command)
WASM: Final = IsolationLevel(
    name="wasm", has_process=False, is_confined=True, command=_refuse, tools={}, kinds=("module",)
)
LANDLOCK: Final = IsolationLevel(name="landlock", is_confined=True, command=_landlock_command)
SANDBOX: Final = IsolationLevel(
    name="sandbox",
    is_confined=True,
    command=_sandbox_command,
    outer_filter=lambda program: _sandbox_filter(program) if program.command else b"",
    tools=TOOLS | {"bwrap": "bubblewrap"},
)
LEVELS: Final[Mapping[str, IsolationLevel]] = {
    level.name: level for level in (INLINE, PROCESS, WASM, LANDLOCK, SANDBOX)
}
"""Levels by name, the weakest first."""
