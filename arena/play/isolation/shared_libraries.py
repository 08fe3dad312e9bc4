"""The shared libraries that a program and its extension modules need, from their ELF headers.

Only the files' own lists are read; nothing is loaded or run.
Source: elf(5), System V Application Binary Interface, chapter 5.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from glob import glob
from itertools import chain
from pathlib import Path

MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little-endian
LOADED, DYNAMIC = 1, 2  # types of segments
NEEDED, STRING_TABLE = 1, 5  # tags of the dynamic section
HEADER_BYTES, MAX_NAME_BYTES = 64, 256
MAX_SEGMENTS, MAX_SECTION_BYTES = 64, 1 << 16
"""Limits on what is read of a file: a bot's own may claim anything."""
FOLDERS = ("/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib", "/lib/*-linux-gnu", "/lib64", "/lib")
"""Folders in which the system's loader looks, as patterns."""
LOADED_BY_NAME = ("libgcc_s.so.1",)
"""Libraries that the C library loads when a thread is cancelled or an exception passes."""


def find_libraries(programs: Iterable[Path], extra_folders: Iterable[str] = ()) -> list[Path]:
    """Return the libraries that programs and libraries need, and those need in turn, sorted.

    Args:
        programs: Executables and libraries.
        extra_folders: Folders with libraries beside the system's.
    """
    folders = list(dict.fromkeys(map(os.path.realpath, chain(*map(glob, FOLDERS), extra_folders))))
    names = list(dict.fromkeys(chain(LOADED_BY_NAME, *map(needed_names, programs))))
    paths: dict[Path, None] = {}
    for name in names:  # grows
        for path in (Path(folder, name) for folder in folders):
            if path.is_file() and path not in paths:
                paths[path] = None
                names += [other for other in needed_names(path) if other not in names]
    return sorted(paths)


@cache
def needed_names(file: Path) -> Sequence[str]:
    """Return the names of the libraries that an ELF file asks for; none if it is not one, or is damaged."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # it may be a pipe
        try:
            return list(_read_names(descriptor))
        finally:
            os.close(descriptor)
    except (OSError, OverflowError, ValueError, struct.error):
        return []


def _read_names(file: int) -> Iterator[str]:
    """Yield plain names only: a path could lead to a file that no bot may read."""
    header = os.pread(file, HEADER_BYTES, 0)
    if not header.startswith(MAGIC):
        return
    (start,) = struct.unpack_from("<Q", header, 32)
    size, number = struct.unpack_from("<HH", header, 54)
    table = os.pread(file, size * min(number, MAX_SEGMENTS), start)
    segments = [struct.unpack_from("<IIQQQQ", table, place) for place in range(0, len(table), size)]
    kinds = [segment[0] for segment in segments]
    if DYNAMIC not in kinds:
        return
    _, _, offset, _, _, length = segments[kinds.index(DYNAMIC)]
    section = os.pread(file, min(length, MAX_SECTION_BYTES) // 16 * 16, offset)
    entries = list(struct.iter_unpack("<qQ", section))
    address = dict(entries).get(STRING_TABLE, -1)
    strings = [
        address - begin + offset
        for kind, _, offset, begin, _, length in segments
        if kind == LOADED and begin <= address < begin + length
    ]
    for place in [value for tag, value in entries if tag == NEEDED and strings]:
        name = os.pread(file, MAX_NAME_BYTES, strings[0] + place).partition(b"\0")[0].decode()
        if name and "/" not in name:
            yield name
