"""Compiling with numba."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, TypeVar

from numba import config, njit, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from arena.source_digest import KERNEL, digest_sources

__all__ = ["KERNEL", "cached", "compiled", "digest_sources", "inlined"]

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
"""Options of all compiled functions: a division by zero gives no exception, nothing counts references, and
none has a wrapper for C, which nothing would call.

Compiled functions are passed arrays and allocate none, which numba checks. Counting the references to each
array at every call took two thirds of the time of a playout.
"""


class KernelLibrary(JITCodeLibrary):
    """Code of a function that other compiled functions call, which is no machine code yet.

    It is optimized and translated once, in the entry point, whose code contains that of all functions it
    calls. numba would do both for each function as well, again with all that it calls: half of the time.
    """

    @property
    def codegen(self) -> Any:
        """Itself, for numba to set the environment of the function."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Ignore the environment, which only code that uses Python objects would read."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: no function has an address."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


class KernelCompiler(Compiler):
    """Compiles a function into a `KernelLibrary`."""

    def define_pipelines(self) -> Any:
        state: Any = self.state
        make_library: Any = KernelLibrary
        state.library = make_library(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()  # type: ignore[no-untyped-call]


class KernelFunction(CPUDispatcher):
    """Function that other compiled functions call.

    It has no wrapper for Python, which takes a quarter of the time to compile, and without which numba ends
    the process at a call from Python: such a call, as of a test, goes through a function compiled for it.
    """

    def __call__(self, *arguments: Any) -> Any:
        return self.entry(*arguments)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile one version for all signed integers; numba has others for constants and for fewer bits."""
        widened = {name: _widen(argument) for name, argument in kws.items()}
        return super().get_call_template(tuple(map(_widen, args)), widened)

    @cached_property
    def entry(self) -> Any:
        """The same function with a wrapper for Python."""
        function, compile_entry = self, njit(**OPTIONS)
        return compile_entry(lambda *arguments: function(*arguments))


def _widen(argument: Any) -> Any:
    """Return the type that an argument is converted to."""
    general: Any = types.unliteral(argument)  # type: ignore[no-untyped-call]
    return types.int64 if general in (types.int8, types.int16, types.int32) else general


def compiled(function: F) -> F:
    """Compile a function that other compiled functions call; it is compiled with the first that does."""
    if config.DISABLE_JIT:  # type: ignore[attr-defined] # read from the environment
        return function
    options = {**OPTIONS, "nopython": True, "boundscheck": None, "no_cpython_wrapper": True}
    made: Any = KernelFunction(function, targetoptions=options, pipeline_class=KernelCompiler)
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


def entry_point(*sources: str) -> Callable[[F], F]:
    """Return a decorator that compiles an entry point and keeps its code on disk for later processes.

    numba compiles again when the time or size of the entry point's file has changed. Here it does so when the
    text of that file has, of what all families share, or of the files `sources`.
    """

    def compile_entry(function: F) -> F:
        made: Any = njit(**OPTIONS | {"cache": True})(function)
        if not config.DISABLE_JIT:  # type: ignore[attr-defined] # read from the environment
            kept = made._cache._cache_file
            kept._source_stamp = digest_sources(KERNEL, function.__code__.co_filename, *sources)
        typed: F = made
        return typed

    return compile_entry


def cached(function: F) -> F:
    """Compile an entry point, and keep the compiled code on disk for later processes.

    numba notices a change of the file of an entry point alone, not of the functions it calls: let the
    function have the result of `digest_sources` as a free variable, which is part of the key its code is kept
    under.
    """
    made: Any = njit(**OPTIONS | {"cache": True})(function)
    typed: F = made
    return typed
