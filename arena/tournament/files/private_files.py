"""Folders and files that only their owner may read, whatever the umask."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600


def make_private_folder(path: Path, mode: int = FOLDER_MODE) -> None:
    """Create a folder that only its owner may read; one that exists is made private."""
    path.mkdir(mode=mode, exist_ok=True)
    hide_path(path, mode)


def hide_path(path: Path, mode: int) -> None:
    """Give a path these permissions, unless it is missing or another user's."""
    with suppress(FileNotFoundError, PermissionError):
        path.chmod(mode)


def open_private(path: str, flags: int) -> int:
    """Open a file, an `opener` for `open`: a new one can be read by its owner only."""
    return os.open(path, flags, FILE_MODE)
