"""A digest of source files, for code that is compiled from them and kept."""

from hashlib import blake2b
from pathlib import Path
from typing import Final

KERNEL: Final = Path(__file__).parent / "games" / "kernel"
"""Folder of what the compiled play of all families shares."""
FAMILIES: Final = Path(__file__).parent / "families"
BARTER_KERNEL: Final = FAMILIES / "barter" / "kernel"
CAMBIO_KERNEL: Final = FAMILIES / "cambio" / "kernel"
COX_KERNEL: Final = FAMILIES / "cox" / "kernel"
CUCKOO_KERNEL: Final = FAMILIES / "cuckoo" / "kernel"
DRAW_KERNEL: Final = FAMILIES / "draw" / "kernel"
EXCHANGE_KERNEL: Final = FAMILIES / "exchange" / "kernel"


def digest_sources(*paths: Path) -> int:
    """Return a number that changes with files, and with the Python files of folders."""
    digest = blake2b(digest_size=7)
    for path in paths:
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return int.from_bytes(digest.digest(), "big")
