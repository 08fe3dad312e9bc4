"""Options of a variant: dataclass fields of its rules, and of the rules' parts, that a config may set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from arena.errors import UnknownOption, suggest_nearest

T = TypeVar("T")


def option(default: Any, doc: str, *, choices: tuple[Any, ...] = (), low: int = 0, high: int = 1000) -> Any:
    """Declare a dataclass field that a config may set by its name; `doc` says in a line what it does."""
    return field(default=default, metadata={"doc": doc, "choices": choices, "low": low, "high": high})


def list_options(rules: object) -> Iterator[tuple[Field[Any], Any]]:
    """Yield the options of rules and then of their parts, each with its value, in order of declaration."""
    assert is_dataclass(rules)
    parts = []
    for one in fields(rules):
        value = getattr(rules, one.name)
        if "doc" in one.metadata:
            yield one, value
        elif is_dataclass(value):
            parts.append(value)
    for part in parts:
        yield from list_options(part)


def normalize_values(rules: object, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the options with numbers as text where text is chosen from: `three_alike=30.5` is `"30.5"`."""
    choices = {one.name: one.metadata["choices"] for one, _ in list_options(rules)}
    return {
        name: str(value) if type(value) in (int, float) and str(value) in choices.get(name, ()) else value
        for name, value in changes.items()
    }


def override(rules: T, changes: dict[str, Any]) -> T:
    """Return the same rules with these options set.

    Raises:
        UnknownOption: there is no such option, or it cannot have such a value.
    """
    known = {one.name: one for one, _ in list_options(rules)}
    for name, value in changes.items():
        if name not in known:
            raise UnknownOption(f"no option {name!r}: {suggest_nearest(name, known)}")
        _check(known[name], value)
    return _replace(rules, changes)


def _replace(rules: T, changes: dict[str, Any]) -> T:
    assert is_dataclass(rules)
    new: dict[str, Any] = {}
    for one in fields(rules):
        value = getattr(rules, one.name)
        if "doc" in one.metadata:
            if one.name in changes:
                new[one.name] = changes[one.name]
        elif is_dataclass(value):
            new[one.name] = _replace(value, changes)
    changed: T = replace(rules, **new)  # type: ignore[type-var]
    return changed


def _check(one: Field[Any], value: Any) -> None:
    wanted, choices = type(one.default), one.metadata["choices"]
    low, high = one.metadata["low"], one.metadata["high"]
    if choices:
        if type(value) is not wanted or value not in choices:
            raise UnknownOption(f"{one.name} is one of {', '.join(map(repr, choices))}, not {value!r}")
    elif type(value) is not wanted:
        kind = {bool: "true or false", int: "a whole number", str: "a text"}[wanted]
        raise UnknownOption(f"{one.name} is {kind}, not {value!r}")
    elif wanted is int and not low <= value <= high:
        raise UnknownOption(f"{one.name} is from {low} to {high}, not {value}")
