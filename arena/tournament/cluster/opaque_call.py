"""Calls as bytes: to unpickle them is to make the call.

So a scheduler, and a worker that is yet to be asked, may be without the arena: dask itself finds no name of
ours in what it is given to run, and the name that is not there is an error of the call alone.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

unseal = pickle.loads


class _Call:
    """Is pickled as a call of a function that a module has."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._parts = (function, args)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._parts


def sealed(function: Callable[..., Any], *args: Any) -> bytes:
    """The call, which `unseal` makes and gives the result of."""
    return pickle.dumps(_Call(function, args))
