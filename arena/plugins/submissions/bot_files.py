"""The files somebody hands in, from a folder, a Python file or a command; not trusted yet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple, Protocol

import tomli_w

from arena.errors import PluginError
from arena.plugins import command, file, folder
from arena.plugins.manifest import MANIFEST
from arena.plugins.spec import BotSpec, kind


class Open(Protocol):
    """Opens a file to be read once."""

    def __call__(self) -> AbstractContextManager[IO[bytes]]: ...


class Member(NamedTuple):
    """A file of a bot: its name from the bot's folder on, whether it is a program, and its bytes."""

    name: str
    is_program: bool
    open: Open


def members_of(spec: BotSpec, name: str) -> Iterator[Member]:
    """The files of a bot that lies in a folder, a file, or behind a command; a `bot.toml` where it has none.

    Raises: PluginError, for an installed bot, and for what cannot be copied.
    """
    origin = kind(spec)
    if origin == "folder":
        for listed, found in folder.files(Path(spec.source)):
            yield _of_file(found, listed.removesuffix("*"))
    elif origin == "file":
        path, target = file.split(spec.source)
        yield _of_file(Path(path), Path(path).name)
        yield _manifest({"name": name, "class": f"{Path(path).name}:{target}"})
    elif origin == "command":
        yield from _of_command(spec, name)
    else:
        raise PluginError(f"{spec.name} is installed here: a config names it as it is")


def _of_file(path: Path, name: str) -> Member:
    return Member(name, folder.is_program(path), lambda: _opened(path))


def _opened(path: Path) -> IO[bytes]:
    """The file, unless it has become a link meanwhile."""
    return os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb")


def _of_command(spec: BotSpec, name: str) -> Iterator[Member]:
    """The files that the words of a command name, and the command with their names in the folder."""
    files = command.files(spec.source)
    names = [path.name for path in files]
    if not files or len(set(names)) < len(names):
        raise PluginError(
            f"{spec.name} does not name its files plainly: put them into a folder with a {MANIFEST} "
            'that says command = ["./bot"], and submit the folder'
        )
    yield from (_of_file(path.resolve(), path.name) for path in files)
    words = [Path(word).name if Path(word) in files else word for word in command.words(spec.source)]
    if Path(command.words(spec.source)[0]) in files:
        words[0] = f"./{words[0]}"
    yield _manifest({"name": name, "command": words})


def _manifest(table: dict[str, object]) -> Member:
    text = tomli_w.dumps(table).encode()
    return Member(MANIFEST, False, lambda: BytesIO(text))
