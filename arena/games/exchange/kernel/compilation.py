"""Compiling with numba."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])

KERNEL: Final = Path(__file__).parent
"""The folder of the compiled rules."""


def compiled(function: F) -> F:
    """Compile a function that other compiled functions call; it is compiled with the first that does."""
    made: Any = njit(error_model="numpy")(function)
    typed: F = made
    return typed


def cached(function: F) -> F:
    """Compile an entry point, and keep the compiled code on disk for later processes.

    numba notices a change of the file of an entry point alone, not of the functions it calls: let the
    function have the result of `digest_sources` as a free variable, which is part of the key its code is kept
    under.
    """
    made: Any = njit(error_model="numpy", cache=True)(function)
    typed: F = made
    return typed


def digest_sources(*paths: Path) -> int:
    """Return a number that changes with files, and with the Python files of folders."""
    digest = blake2b(digest_size=7)
    for path in paths:
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return int.from_bytes(digest.digest(), "big")
