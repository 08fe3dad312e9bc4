"""Zip archives whose bytes depend on their content alone."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Final, NamedTuple

from arena.tournament.files.run_folder import replace_file

DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Date of every file in an archive: the earliest that the format can hold."""


class ArchivedFile(NamedTuple):
    """A file of an archive: its name there, its content or the file that has it, and if it is a program."""

    name: str
    content: bytes | Path
    is_program: bool = False


def write_archive(path: Path, files: Iterable[ArchivedFile]) -> None:
    """Write files into a zip archive, sorted by name; equal files make equal bytes.

    Raises:
        StoreError: If the archive cannot be written.
        OSError: For a file that cannot be read.
    """
    with replace_file(path) as target:
        write_files(target, files)


def write_files(target: IO[bytes], files: Iterable[ArchivedFile]) -> None:
    """Write files into a zip archive as `write_archive` does, into an open file."""
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(files, key=lambda file: file.name):
            info = zipfile.ZipInfo(file.name, DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, also on Windows, for the permissions
            info.external_attr = (0o100755 if file.is_program else 0o100644) << 16
            with archive.open(info, "w", force_zip64=True) as inside:
                if isinstance(file.content, bytes):
                    inside.write(file.content)
                else:
                    with file.content.open("rb") as source:
                        while chunk := source.read(1 << 20):
                            inside.write(chunk)
