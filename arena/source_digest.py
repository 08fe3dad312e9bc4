"""A digest of source files, for code that is compiled from them and kept."""

from hashlib import blake2b
from pathlib import Path
from typing import Final

KERNEL: Final = Path(__file__).parent / "games" / "kernel"
"""Folder of what the compiled play of all families shares."""


def digest_sources(*paths: Path | str) -> int:
    """Return a number that changes with files, and with the Python files of folders."""
    digest = blake2b(digest_size=7)
    for path in map(Path, paths):
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return int.from_bytes(digest.digest(), "big")


def find_kernel(family: str) -> Path:
    """Return the folder of a family's compiled play."""
    return Path(__file__).parent / "families" / family / "kernel"
