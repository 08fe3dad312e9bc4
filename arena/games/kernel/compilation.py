"""Compiling with numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

from arena.source_digest import KERNEL, digest_sources

__all__ = ["KERNEL", "cached", "compiled", "digest_sources", "inlined"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function that other compiled functions call; it is compiled with the first that does.

    It has no wrapper for C, which nothing calls and which takes a tenth of the time to compile.
    """
    options: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True}  # the latter is untyped
    made: Any = njit(**options)(function)
    typed: F = made
    return typed


def inlined(function: F) -> F:
    """Compile a function as a part of each function that calls it.

    Only such a function may be given other functions as an argument: numba stores no code on disk in which
    the address of a function is passed. It is not compiled on its own, so that a long one called once is
    compiled once.
    """
    made: Any = njit(error_model="numpy", inline="always")(function)
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
