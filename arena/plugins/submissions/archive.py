"""The files in a zip archive that somebody hands in."""

from __future__ import annotations

import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO

from arena.errors import PluginError
from arena.plugins.submissions.bot_files import Member
from arena.plugins.submissions.safe_copy import LARGEST

BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError),
)
"""What is raised by archives that are damaged, or were made to look so."""
ADDED = ("__pycache__", "__MACOSX")


def members_in(path: Path) -> Iterator[Member]:
    """The files in an archive; where all lie in one folder, from there on.

    Raises: PluginError, for an archive that is damaged or too large, a link, or what is encrypted.
    """
    if path.stat().st_size > LARGEST:
        raise PluginError(f"{path.name} is larger than {LARGEST >> 20} MiB")
    with _whole(path.name):
        archive = zipfile.ZipFile(path)
    with archive:
        infos = [info for info in archive.infolist() if not _is_passed_over(info.filename)]
        tops = {info.filename.partition("/")[0] for info in infos}
        inside = f"{tops.pop()}/" if len(tops) == 1 else ""
        for info in infos:
            mode = info.external_attr >> 16
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                raise PluginError(
                    f"{info.filename!r} is a link or a device: a bot is made of files and folders"
                )
            if info.flag_bits & 1:
                raise PluginError(f"{info.filename!r} is encrypted")
            name = info.filename.removeprefix(inside)
            yield Member(name, bool(mode & 0o111), partial(_unpacked, path.name, archive, info))


def _unpacked(name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """A file, of one that is too large no more than shows it."""
    with _whole(name), archive.open(info) as file:
        return BytesIO(file.read(LARGEST + 1))


@contextmanager
def _whole(name: str) -> Iterator[None]:
    try:
        yield
    except BROKEN as error:
        raise PluginError(f"{name} is not a whole zip archive: {error}") from error


def _is_passed_over(name: str) -> bool:
    """Whether this is no file of a bot: a folder, hidden, or put there by Python or a Mac."""
    if name.endswith("/"):
        return True
    parts = [part for part in name.split("/") if part.strip(".")]
    return any(part.startswith(".") or part in ADDED for part in parts)
