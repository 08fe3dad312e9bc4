"""Compiling with numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from numba import njit

from arena.source_digest import KERNEL, digest_sources

__all__ = ["KERNEL", "cached", "compiled", "digest_sources", "inlined"]

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "_nrt": False}
"""Options of all compiled functions: a division by zero gives no exception, and nothing counts references.

Compiled functions are passed arrays and allocate none, which numba checks. Counting the references to each
array at every call took two thirds of the time of a playout.
"""


def compiled(function: F) -> F:
    """Compile a function that other compiled functions call; it is compiled with the first that does.

    It has no wrapper for C, which nothing calls and which takes a tenth of the time to compile.
    """
    made: Any = njit(**OPTIONS | {"no_cfunc_wrapper": True})(function)
    typed: F = made
    return typed


def inlined(function: F) -> F:
    """Compile a function as a part of each function that calls it.

    Only such a function may be given other functions as an argument: numba stores no code on disk in which
    the address of a function is passed. It is not compiled on its own, so that a long one called once is
    compiled once.
    """
    made: Any = njit(**OPTIONS | {"inline": "always"})(function)
    typed: F = made
    return typed


def cached(function: F) -> F:
    """Compile an entry point, and keep the compiled code on disk for later processes.

    numba notices a change of the file of an entry point alone, not of the functions it calls: let the
    function have the result of `digest_sources` as a free variable, which is part of the key its code is kept
    under.
    """
    made: Any = njit(**OPTIONS | {"cache": True})(function)
    typed: F = made
    return typed
