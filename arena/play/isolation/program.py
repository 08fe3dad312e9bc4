"""What a bot's process runs, and the files it needs for that."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import msgspec

from arena.errors import PluginError

SEARCHED = "/usr/local/bin:/usr/bin:/bin"
ENTRY = Path(__file__).with_name("inside.py")

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
    """A command, or without one the Python host: `arena.play.botside.main(arguments)`.

    The host's `sys.path` holds the standard library and the bot's folder; `arena` and `msgspec` are
    there to import, and nothing else of the arena's environment unless the bot is installed in it.
    """

    home: Path | None = None
    """The one folder (or file) it may read. It runs there, so paths in `command` may start from it."""
    command: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    """For the Python host, what it is called with."""
    installed: bool = False
    """For the Python host: a bot of the arena's environment, which needs what is installed there."""

    @property
    def folder(self) -> Path:
        """Its working directory."""
        if self.home is None:
            return Path("/")
        return self.home if self.home.is_dir() else self.home.parent


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


def packages(program: Program) -> list[Path]:
    """The packages that the Python host may import beside the standard library and the bot's own folder."""
    names = ("arena", "msgspec", "bots") if program.installed else ("arena", "msgspec")
    return [_package(name) for name in names]


def interpreter(program: Program) -> str:
    """The Python that runs the host: the environment's own for what is installed there, else the bare one."""
    return sys.executable if program.installed else os.path.realpath(sys.executable)


def host(program: Program, confinement: tuple[str, str]) -> list[str]:
    """The command line of the Python host; `confinement` is for `inside.py` to put on."""
    flags = ["-I", "-B", "-u"] if program.installed else ["-I", "-S", "-B", "-u"]
    shown = "\n".join(map(str, packages(program)))
    home = str(program.folder) if program.home else ""
    return [interpreter(program), *flags, str(ENTRY), *confinement, shown, home, *program.arguments]


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None, name
    assert spec.origin is not None, name
    return Path(spec.origin).parent
