"""Launching a bot's process within its isolation level and limits, and what it used."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from select import select
from subprocess import PIPE, Popen

from arena.errors import PluginError
from arena.installed import VARIABLE, encode_games
from arena.play.bot import Limits
from arena.play.isolation.levels import LEVELS, Level
from arena.play.isolation.program_files import ENVIRONMENT, Program

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


def start(level: Level, program: Program, limits: Limits) -> Popen[bytes]:
    """Start a program with unbuffered pipes to its three streams and no other file of the arena's open.

    It dies with the thread that started it, so use a thread that lives long enough. If a signal ends it in
    the sandbox, its status is 128 and the signal's number.

    Raises:
        PluginError: A command's executable does not exist, or a link has replaced a file of the program's.
        OSError: The level is not available (`probe` says why).
    """
    isolation = LEVELS[level]
    _refuse_links(program)
    with _in_memory(isolation.outer_filter(program)) as descriptor:
        return Popen(
            isolation.command(program, limits, descriptor),
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
    from signal import pidfd_send_signal  # here: only Linux has it, and other systems have other levels

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
