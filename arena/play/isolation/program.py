"""What a bot's process runs, and the files it needs for that."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from glob import glob
from importlib.util import find_spec
from pathlib import Path

import msgspec

from arena.errors import PluginError

SEARCHED = "/usr/local/bin:/usr/bin:/bin"
ENTRY = Path(__file__).with_name("bootstrap.py")

ENVIRONMENT = {
    "PATH": SEARCHED,
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}
"""All that a bot's process finds in its environment."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A command, or without one the Python host: the `main(arguments)` of a module.

    The host's `sys.path` holds the standard library and the bot's folder; `arena` and `msgspec` are
    there to import, and nothing else of the arena's environment unless the bot is installed in it.
    """

    home: Path | None = None
    """The one folder (or file) it may read, as a whole path without links. It runs there, so paths in
    `command` may start from it. Of a lone file nothing is imported by name: it is loaded by its path."""
    command: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    module: str = "arena.play.bot_runtime"
    installed: bool = False
    """For the Python host: a bot of the arena's environment, which needs what is installed there."""
    built_in: bool = False
    """For the Python host: one of the arena's own bots, which needs the package `bots` and no other."""

    @property
    def trusted(self) -> bool:
        """Whether somebody who set the arena up has chosen it."""
        return self.installed or self.built_in

    @property
    def folder(self) -> Path:
        """Its working directory."""
        if self.home is None:
            return Path("/")
        return self.home if self.home.is_dir() else self.home.parent


def command_line(program: Program, code: bytes = b"", readable: str = "") -> list[str]:
    """Return the argument list; `bootstrap.py` applies a filter or file access rules first, if there are any.

    Raises: PluginError, for a command whose program is not there.
    """
    if program.command and not (code or readable):
        return list(executable(program))
    shown = "" if program.command else "\n".join(map(str, packages(program)))
    home = str(program.folder) if program.home else ""
    runs = executable(program) if program.command else (program.module, *program.arguments)
    flags = ["-I", "-B", "-u"] if program.installed else ["-I", "-S", "-B", "-u"]
    return [interpreter(program), *flags, str(ENTRY), code.hex(), readable, shown, home, *runs]


def executable(program: Program) -> tuple[str, ...]:
    """The command with the whole path of its program.

    Raises: PluginError, for a program that is not there.
    """
    name, *rest = program.command
    inside = "/" in name
    found = shutil.which(program.folder / name) if inside else shutil.which(name, path=SEARCHED)
    if found is None:
        where = f"from {program.folder}" if inside else f"in {SEARCHED}"
        raise PluginError(f"there is no program {name} that may be run, looked for {where}")
    return (os.path.normpath(found), *rest)


def interpreter(program: Program) -> str:
    """The Python that runs the host: the environment's own for what is installed there, else the bare one."""
    return sys.executable if program.installed else os.path.realpath(sys.executable)


def packages(program: Program) -> list[Path]:
    """The packages that the Python host may import beside the standard library and the bot's own folder."""
    names = ("arena", "msgspec", "bots") if program.trusted else ("arena", "msgspec")
    return [_package(name) for name in names]


def runtime_files(program: Program) -> list[Path]:
    """What runs the program, where it may lie outside the system's libraries."""
    if program.command:
        found = Path(executable(program)[0])
        return [] if found.is_relative_to("/usr") or found.is_relative_to(program.folder) else [found]
    base = Path(os.path.realpath(sys.base_prefix))
    if program.installed:
        return [Path(sys.prefix), base / "bin", base / "lib"]
    return [Path(interpreter(program)), base / "lib"]


def settings(program: Program) -> list[str]:
    """The machine's settings without which some programs do not start, and which hold no secret."""
    others = ["/etc/alternatives", "/etc/ssl/openssl.cnf", *sorted(glob("/etc/java-*"))]
    return list(filter(os.path.exists, ["/etc/ld.so.cache", *(others if program.command else [])]))


def own_files(program: Program) -> list[Path]:
    """What the program itself reads: the packages shown to it, and its folder."""
    shown = [] if program.command else packages(program)
    return [*shown, program.home] if program.home else shown


def site_packages() -> list[str]:
    """Where packages are installed that this Python knows of: other people's bots may be among them."""
    known = {*sys.path, sysconfig.get_path("purelib"), f"{sysconfig.get_path('stdlib')}/site-packages"}
    names = ("site-packages", "dist-packages")
    return sorted(path for path in known if Path(path).name in names and Path(path).is_dir())


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None, name
    assert spec.origin is not None, name
    return Path(spec.origin).parent.resolve()
