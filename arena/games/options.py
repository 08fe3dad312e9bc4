"""Options of a variant: dataclass fields of its rules and of their organs that a house rule may set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from arena.errors import UnknownOption, suggest_nearest

T = TypeVar("T")


def option(default: Any, doc: str, *, choices: tuple[Any, ...] = (), low: int = 0, high: int = 1000) -> Any:
    """A dataclass field that a config may override by its name, with what it does in a line."""
    return field(default=default, metadata={"doc": doc, "choices": choices, "low": low, "high": high})


def list_options(rules: object) -> Iterator[tuple[Field[Any], Any]]:
    """The options of rules and then of their organs, each with its value, in the order they are written."""
    assert is_dataclass(rules)
    organs = []
    for one in fields(rules):
        value = getattr(rules, one.name)
        if "doc" in one.metadata:
            yield one, value
        elif is_dataclass(value):
            organs.append(value)
    for organ in organs:
        yield from list_options(organ)


def override(rules: T, changes: dict[str, Any]) -> T:
    """The same rules with these options set.

    Raises: UnknownOption if there is no such option, or it cannot have such a value.
    """
    known = {one.name: one for one, _ in list_options(rules)}
    for name, value in changes.items():
        if name not in known:
            raise UnknownOption(f"no option {name!r}: {suggest_nearest(name, known)}")
        _check(known[name], value)
    return _set(rules, changes)


def _set(rules: T, changes: dict[str, Any]) -> T:
    assert is_dataclass(rules)
    new: dict[str, Any] = {}
    for one in fields(rules):
        value = getattr(rules, one.name)
        if "doc" in one.metadata:
            if one.name in changes:
                new[one.name] = changes[one.name]
        elif is_dataclass(value):
            new[one.name] = _set(value, changes)
    changed: T = replace(rules, **new)  # type: ignore[type-var]
    return changed


def _check(one: Field[Any], value: Any) -> None:
    wanted, choices = type(one.default), one.metadata["choices"]
    if choices:
        if type(value) is not wanted or value not in choices:
            raise UnknownOption(f"{one.name} is one of {', '.join(map(repr, choices))}, not {value!r}")
    elif type(value) is not wanted:
        kind = {bool: "true or false", int: "a whole number", str: "a text"}[wanted]
        raise UnknownOption(f"{one.name} is {kind}, not {value!r}")
    elif wanted is int and not one.metadata["low"] <= value <= one.metadata["high"]:
        raise UnknownOption(
            f"{one.name} is from {one.metadata['low']} to {one.metadata['high']}, not {value}"
        )
