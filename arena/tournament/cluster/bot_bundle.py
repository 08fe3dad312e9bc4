"""The files of a bot on their way to a worker, and in the folder they have there, called by their content."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import PluginError
from arena.plugins import BotSpec, command, file, folder, kind
from arena.plugins.submissions.bot_files import Member
from arena.plugins.submissions.safe_copy import LARGEST, copy_members, make_read_only, remove_tree

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
    return kind(spec) not in ("built-in", "plug-in")


def parcel(spec: BotSpec, made_of: str) -> Parcel:
    """The files of a bot.

    Raises: PluginError, for more than a bot may be made of; OSError, where they cannot be read.
    """
    found = list(_files(spec))
    if (size := sum(path.stat().st_size for _, path in found)) > LARGEST:
        raise PluginError(f"{spec.name} is of {size >> 20} MiB: a worker is sent {LARGEST >> 20} at most")
    files = [Packed(name, folder.is_program(path), path.read_bytes()) for name, path in found]
    return Parcel(made_of, tuple(files))


def portable(spec: BotSpec, made_of: str) -> str:
    """How a bot that travels is named from the folder on that holds its parcel."""
    origin = kind(spec)
    if origin == "file":
        path, name = file.split(spec.source)
        return f"./{made_of}/{Path(path).name}:{name}"
    if origin == "folder":
        return f"./{made_of}"
    names = {str(path): f"./{made_of}/{name}" for name, path in _files(spec)}
    return command.PREFIX + shlex.join(names.get(word, word) for word in command.words(spec.source))


def lay_out(parcel: Parcel, base: Path) -> None:
    """Writes the files of a bot into a folder of their own, to be read only.

    Raises: PluginError, for files that are not safe to write; OSError, where there is no room.
    """
    place = base / parcel.content
    clear(place)
    place.mkdir()
    members = [Member(one.name, one.is_program, _opening(one.data)) for one in parcel.files]
    copy_members(members, place)
    make_read_only(place)


def clear(place: Path) -> None:
    """Removes a folder of bots' files, if it is there."""
    if place.exists():
        remove_tree(place)


def _files(spec: BotSpec) -> Iterator[tuple[str, Path]]:
    """The files of a bot that travels, by their names in its parcel."""
    origin = kind(spec)
    if origin == "file":
        path = Path(file.split(spec.source)[0])
        yield path.name, path
    elif origin == "folder":
        for name, path in folder.files(Path(spec.source)):
            yield name.removesuffix("*"), path
    else:
        for number, path in enumerate(command.files(spec.source)):
            if path.parent not in SYSTEM:
                yield f"{number}/{path.name}", path


def _opening(data: bytes) -> Callable[[], BytesIO]:
    return lambda: BytesIO(data)
