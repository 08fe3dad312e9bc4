"""Copying files that nobody has looked at yet into a folder that cannot grow, be left, or be changed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arena.errors import PluginError
from arena.plugins.submissions.bot_files import Member

LARGEST: Final = 20 << 20
"""Bytes of all files of a bot."""
MOST: Final = 2000
"""Files of a bot."""
PIECE: Final = 1 << 20


def copy_members(members: Iterable[Member], folder: Path) -> None:
    """Writes files into an empty folder, whatever sizes they claim.

    Raises: PluginError, for a name that leads out of it or stands twice, for too many files or bytes.
    """
    left = LARGEST
    for number, member in enumerate(members, 1):
        if number > MOST:
            raise PluginError(f"a bot is made of at most {MOST:,} files")
        _check_safe(member.name)
        path = folder / member.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            left -= _copy(member, path, left)
        except (FileExistsError, NotADirectoryError):
            raise PluginError(f"the file name {member.name!r} stands twice") from None
        path.chmod(0o555 if member.is_program else 0o444)


def make_read_only(folder: Path) -> None:
    """Takes the permission to write from a folder and all folders in it."""
    for root, _, _ in os.walk(folder, topdown=False):
        os.chmod(root, 0o555)


def remove_tree(folder: Path) -> None:
    """Removes a folder that was made read-only."""
    for root, _, _ in os.walk(folder):
        os.chmod(root, 0o755)
    shutil.rmtree(folder)


def _copy(member: Member, path: Path, left: int) -> int:
    """Writes a file, and gives its size."""
    size = 0
    with member.open() as source, path.open("xb") as target:
        while piece := source.read(PIECE):
            size += len(piece)
            if size > left:
                raise PluginError(f"the files are larger than {LARGEST >> 20} MiB in all")
            target.write(piece)
    return size


def _check_safe(name: str) -> None:
    parts = name.split("/")
    if (
        not name.isprintable()
        or "\\" in name
        or name.endswith("*")
        or any(part in ("", ".", "..") or len(part.encode()) > 200 for part in parts)
        or len(name.encode()) > 1000
        or ":" in parts[0]
    ):
        raise PluginError(f"the file name {name[:200]!r} is not safe to write elsewhere")
