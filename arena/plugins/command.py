"""Bots that are programs: `cmd:./bot --flag`, in any language."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NoReturn

from arena.errors import PluginError
from arena.plugins.source import Kind, Launch, digest

PREFIX = "cmd:"
SYSTEM = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/")
"""Where programs lie that are everybody's."""


def place(text: str, base: Path) -> str:
    """The command with every file it names by absolute path, so that it starts the same from anywhere."""
    program, *rest = words(text)
    found = _absolute(program, base) if "/" in program else _found(program, base)
    return PREFIX + shlex.join([found, *[_found(word, base) for word in rest]])


def name(text: str, place: str) -> str:
    """As it was written."""
    return text


def team(place: str) -> str:
    """None: a command names no team."""
    return ""


def variants(place: str) -> tuple[str, ...]:
    """All, as far as is known without running it."""
    return ()


def kind(place: str) -> Kind:
    """A command."""
    return "command"


def load(place: str) -> NoReturn:
    """Never: it is not Python's."""
    raise PluginError(f"{place} is a program of its own and cannot be loaded into this process")


def content(place: str) -> str:
    """The hash of its words and of the files they name, wherever those lie."""
    label = "\0".join(Path(word).name if _is_own(word) else word for word in words(place))
    return digest(label, [(path.name, path) for path in files(place)])


def launch(place: str) -> Launch:
    """By its words; it reads the files they name."""
    own = files(place)
    folder = str(own[0].parent) if own else ""
    return Launch(command=tuple(words(place)), folder=folder, reads=tuple(map(str, own)))


def files(place: str) -> list[Path]:
    """The files of its own that the command names."""
    return [Path(word) for word in words(place) if _is_own(word)]


def words(text: str) -> list[str]:
    """The program and its arguments.

    Raises: PluginError, for what a shell could not take apart either.
    """
    try:
        found = shlex.split(text.removeprefix(PREFIX))
    except ValueError as error:
        raise PluginError(f"{text} is no command: {str(error).lower()}") from error
    if not found:
        raise PluginError("cmd: names no program: write cmd:./bot --flag")
    return found


def _found(word: str, base: Path) -> str:
    """A word as it is, unless it names a file."""
    return _absolute(word, base) if (base / word).is_file() else word


def _absolute(word: str, base: Path) -> str:
    """A path from the root on; a link keeps its name, which programs look at."""
    path = base / word
    return word if word.startswith(SYSTEM) else str(path.parent.resolve() / path.name)


def _is_own(word: str) -> bool:
    return word.startswith("/") and not word.startswith(SYSTEM) and Path(word).is_file()
