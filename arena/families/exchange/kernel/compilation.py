"""Compiling with numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

from arena.source_digest import KERNEL, digest_sources

__all__ = ["KERNEL", "cached", "compiled", "digest_sources"]

F = TypeVar("F", bound=Callable[..., Any])


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
