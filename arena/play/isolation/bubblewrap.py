"""The sandbox: new namespaces of every kind, and a read-only file system of what the program needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.play.isolation.program_files import (
    LIMITER,
    Program,
    executable,
    interpreter,
    runtime_files,
    site_packages,
    system_settings,
    visible_files,
)

NAMESPACES = [
    *("--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--hostname", "bot"),
    *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
]
"""Process 1 is bubblewrap's own: all others end with it, and the bot cannot clear its death signal."""
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom")  # not /dev/zero: mapped, it is memory without a limit
LOCALE = "/usr/lib/locale/C.utf8"
SYSTEM = ("/bin", "/sbin", "/lib", "/lib64")


def sandbox_command(program: Program, filter_fd: int | None) -> list[str]:
    """Return the start of a command line that runs the rest of it in the sandbox."""
    seccomp = [] if filter_fd is None else ["--seccomp", str(filter_fd)]
    mounts = [*_system(program), *_own_files(program), *_special_files(program)]
    return ["bwrap", *NAMESPACES, *seccomp, *mounts, "--chdir", str(program.folder), "--"]


def _system(program: Program) -> Iterator[str]:
    """Mount the system's programs and libraries for a command, its libraries for an installed bot.

    Another module needs only the libraries that are among its own files: in each file that two bots can read
    one can leave marks for the other.
    """
    whole = bool(program.command) or program.installed
    folders = ("/usr",) if program.command else ("/usr/lib", "/usr/lib64") if program.installed else (LOCALE,)
    for path in (*folders, *system_settings(program), *(() if program.command else (LIMITER,))):
        yield from ("--ro-bind-try", path, path)
    for path in map(Path, SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir() and whole:
            yield from ("--ro-bind", str(path), str(path))


def _own_files(program: Program) -> Iterator[str]:
    """Mount what else this program needs, without other packages that lie beside it."""
    runtime = list(map(str, runtime_files(program)))
    roots = [*(["/usr"] if program.command else ["/usr/lib"] if program.installed else []), *runtime]
    hidden = [] if program.installed else [place for place in site_packages() if _is_under(place, roots)]
    for path in runtime:
        yield from ("--ro-bind", path, path)
    for place in hidden:
        yield from ("--tmpfs", place)
    for file in visible_files(program):
        yield from ("--ro-bind", str(file), str(file))
    for place in hidden:
        yield from ("--remount-ro", place)


def _special_files(program: Program) -> Iterator[str]:
    """Mount a few devices, an empty /tmp, and of /proc only the link by which programs find their libraries.

    In a whole /proc a program could write to its own read-only memory, which counts for no limit.
    """
    for device in DEVICES:
        yield from ("--dev-bind", device, device)
    runs = executable(program)[0] if program.command else interpreter(program)
    yield from ("--symlink", str(Path(runs).resolve()), "/proc/self/exe", "--dir", "/tmp")
    yield from ("--remount-ro", "/")


def _is_under(path: str, roots: list[str]) -> bool:
    return any(Path(path).is_relative_to(root) for root in roots)
