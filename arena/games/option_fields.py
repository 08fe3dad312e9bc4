"""Options of a variant: dataclass fields of its rules, and of the rules' parts, that a config may set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

from arena.errors import UnknownOption, suggest_nearest

T = TypeVar("T")


def option(
    default: Any,
    doc: str,
    *,
    choices: tuple[Any, ...] = (),
    low: int = 0,
    high: int = 1000,
    needs: str = "",
) -> Any:
    """Declare a dataclass field that a config may set by its name.

    Args:
        default: Its value, which has the type of all values.
        doc: What it does, in a line.
        choices: The values that a text or number can have; () for any.
        low: The least value of a number.
        high: The largest value of a number.
        needs: Another field, without which (None, False or empty) there is no such option.
    """
    limits = {"choices": choices, "low": low, "high": high}
    return field(default=default, metadata={"doc": doc, "needs": needs, **limits})


Offers = tuple[str, ...] | Mapping[str, Mapping[str, Any]]
"""Names of options; a mapping has what differs from their declaration: `choices`, `low`, `high`, `doc`."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the rules that serves several variants.

    Attributes:
        offers: The options of a variant, of the fields that are declared by `option`.
    """

    offers: Offers = field(default=(), hash=False)


def list_options(rules: object) -> Iterator[tuple[Field[Any], Any]]:
    """Yield the options of rules and then of their parts, each with its value, in order of declaration.

    Two parts can have options of one name (the settlement and the one in its place): that of the first.
    """
    assert is_dataclass(rules)
    names = set()
    for rules_field in _list_own_options(rules):
        names.add(rules_field.name)
        yield rules_field, getattr(rules, rules_field.name)
    for rules_field in fields(rules):
        part = getattr(rules, rules_field.name)
        for option_field, value in list_options(part) if is_dataclass(part) else ():
            if option_field.name not in names:
                names.add(option_field.name)
                yield option_field, value


def _list_own_options(rules: Any) -> Iterator[Field[Any]]:
    """Yield the options of rules without those of their parts, or of one part, as it offers them."""
    offers = rules.offers if isinstance(rules, Part) else None
    for rules_field in fields(rules):
        needed = rules_field.metadata.get("needs")
        if needed is None or (needed and not getattr(rules, needed)):
            continue
        if offers is None:
            yield rules_field
        elif rules_field.name in offers:
            changes = offers[rules_field.name] if isinstance(offers, Mapping) else {}
            offered = copy(rules_field)
            offered.metadata = MappingProxyType({**rules_field.metadata, **changes})
            yield offered


def normalize_values(rules: object, changes: dict[str, Any]) -> dict[str, Any]:
    """Return the options with numbers as text where text is chosen from: `three_alike=30.5` is `"30.5"`."""
    choices = {rules_field.name: rules_field.metadata["choices"] for rules_field, _ in list_options(rules)}
    return {
        name: str(value) if type(value) in (int, float) and str(value) in choices.get(name, ()) else value
        for name, value in changes.items()
    }


def override(rules: T, changes: dict[str, Any]) -> T:
    """Return the same rules with these options set.

    Raises:
        UnknownOption: There is no such option, or it cannot have such a value.
    """
    known = {rules_field.name: rules_field for rules_field, _ in list_options(rules)}
    for name, value in changes.items():
        if name not in known:
            raise UnknownOption(f"no option {name!r}: {suggest_nearest(name, known)}")
        _check(known[name], value)
    return _replace(rules, dict(changes))


def _replace(rules: T, left: dict[str, Any]) -> T:
    """Return the same with those options set that are left, and remove them from `left`."""
    assert is_dataclass(rules)
    names = [rules_field.name for rules_field in _list_own_options(rules)]
    new: dict[str, Any] = {name: left.pop(name) for name in names if name in left}
    for rules_field in fields(rules):
        part = getattr(rules, rules_field.name)
        if is_dataclass(part):
            new[rules_field.name] = _replace(part, left)
    changed: T = replace(rules, **new)  # type: ignore[type-var]
    return changed


def _check(rules_field: Field[Any], value: Any) -> None:
    wanted, choices = type(rules_field.default), rules_field.metadata["choices"]
    low, high = rules_field.metadata["low"], rules_field.metadata["high"]
    if choices:
        if type(value) is not wanted or value not in choices:
            raise UnknownOption(
                f"{rules_field.name} is one of {', '.join(map(repr, choices))}, not {value!r}"
            )
    elif type(value) is not wanted:
        kind = {bool: "true or false", int: "a whole number", str: "a text"}[wanted]
        raise UnknownOption(f"{rules_field.name} is {kind}, not {value!r}")
    elif wanted is int and not low <= value <= high:
        raise UnknownOption(f"{rules_field.name} is from {low} to {high}, not {value}")


def format_option(value: object) -> str:
    """Return the value of an option as a name of a variant has it: `lives(pooled=true)`."""
    return str(value).lower() if isinstance(value, bool) else str(value)
