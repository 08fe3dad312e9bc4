"""Attributes that cannot be changed, where the rules are not compiled: compiled classes declare them `Final`.

Plain classes would need a `__setattr__`, for which mypyc would make the compiled ones slow.
"""

from __future__ import annotations

from typing import Any

import msgspec


def forbid_changes(cls: Any) -> None:
    """Let attributes of the instances of a class be set once, unless their names begin with `_`."""
    if not hasattr(cls, "__mypyc_attrs__"):
        cls.__setattr__ = _set_once
        cls.__delattr__ = _refuse_to_delete


def make_struct(cls: Any) -> Any:
    """Return a plain class of `__slots__` as a struct with the same fields, made faster and unchangeable.

    A compiled class, which is both by itself, is returned as it is.
    """
    if hasattr(cls, "__mypyc_attrs__"):
        return cls
    fields = [name for name in cls.__init__.__annotations__ if name != "return"]
    defaults = cls.__init__.__defaults__ or ()
    required = fields[: len(fields) - len(defaults)]
    optional = [(name, Any, value) for name, value in zip(fields[len(required) :], defaults, strict=True)]
    kept = {
        name: value for name, value in vars(cls).items() if name not in (*fields, "__slots__", "__init__")
    }
    return msgspec.defstruct(
        cls.__name__,
        [*required, *optional],
        namespace=kept,
        module=cls.__module__,
        frozen=True,
        eq=False,
        gc=False,
    )


def _set_once(instance: object, name: str, value: object) -> None:
    if hasattr(instance, name) and not name.startswith("_"):
        _refuse_to_delete(instance, name)
    object.__setattr__(instance, name, value)


def _refuse_to_delete(instance: object, name: str) -> None:
    raise AttributeError(f"{type(instance).__name__} cannot be changed: {name} is not writable")
