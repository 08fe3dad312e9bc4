"""The files of a bot on their way to a worker, and in the folder they have there, called by their content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import PluginError
from arena.plugins import BotSource, BotSpec, CommandBot, FileBot, FolderBot, InstalledBot
from arena.plugins.files import is_program
from arena.plugins.submissions.bot_files import (
    MAX_BOT_BYTES,
    BotFile,
    copy_files,
    make_read_only,
    remove_tree,
)

SYSTEM: Final = (Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"))
"""Whose programs do not travel: a worker has its own."""


class Packed(msgspec.Struct, frozen=True):
    """A file."""

    name: str
    is_program: bool
    data: bytes


class Parcel(msgspec.Struct, frozen=True):
    """The files of a bot."""

    content: str
    """The hash of what the bot is made of."""
    files: tuple[Packed, ...]

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(len(one.data) for one in self.files)


def travels(spec: BotSpec) -> bool:
    """Whether a bot is made of files that a worker is sent, and not installed there."""
    return not isinstance(spec.source, InstalledBot)


def parcel(spec: BotSpec, made_of: str) -> Parcel:
    """The files of a bot.

    Raises: PluginError, for more than a bot may be made of; OSError, where they cannot be read.
    """
    found = list(_files(spec.source))
    if (size := sum(path.stat().st_size for _, path in found)) > MAX_BOT_BYTES:
        raise PluginError(
            f"{spec.name} is of {size >> 20} MiB: a worker is sent {MAX_BOT_BYTES >> 20} at most"
        )
    files = [Packed(name, is_program(path), path.read_bytes()) for name, path in found]
    return Parcel(made_of, tuple(files))


def portable(source: BotSource, made_of: str) -> BotSource:
    """The source of a bot that travels, relative to the folder that holds its parcel."""
    names = {str(path): f"./{made_of}/{name}" for name, path in _files(source)}
    match source:
        case FileBot():
            return FileBot(names[source.path], source.class_name)
        case CommandBot():
            return CommandBot(tuple(names.get(word, word) for word in source.words))
        case _:
            return FolderBot(f"./{made_of}")


def lay_out(parcel: Parcel, base: Path) -> None:
    """Writes the files of a bot into a folder of their own, to be read only.

    Raises: PluginError, for files that are not safe to write; OSError, where there is no room.
    """
    place = base / parcel.content
    clear(place)
    place.mkdir()
    members = [BotFile(one.name, one.is_program, _opening(one.data)) for one in parcel.files]
    copy_files(members, place)
    make_read_only(place)


def clear(place: Path) -> None:
    """Removes a folder of bots' files, if it is there."""
    if place.exists():
        remove_tree(place)


def _files(source: BotSource) -> Iterator[tuple[str, Path]]:
    """The files of a bot that travels, by their names in its parcel."""
    if isinstance(source, CommandBot):
        for number, (name, path) in enumerate(source.files()):
            if path.parent not in SYSTEM:
                yield f"{number}/{name}", path
    else:
        yield from source.files()


def _opening(data: bytes) -> Callable[[], BytesIO]:
    return lambda: BytesIO(data)
