"""Validation errors in config-file terms."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from arena.play.bot import MAX_COUNT

TYPE_NAMES: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "an array",
    "object": "a table",
}
BOUND_NAMES: Final = {
    ">= 0": "0 or more",
    ">= 1": "1 or more",
    f"<= {MAX_COUNT}": f"at most {MAX_COUNT:,}",
    "of length >= 1": "that is not empty",
    "of length 2": "of two",
}
CHOICES: Final = {"tables": f'"all" or a whole number from 1 to {MAX_COUNT:,}'}
"""Descriptions of keys whose types do not describe them."""

EXPECTED_TYPE = re.compile(r"Expected `(?P<kinds>[^`]+)`(?: (?P<bound>[^,]+))?")


def describe_validation_error(
    error: msgspec.ValidationError, table: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]
) -> str:
    """Return a type error as text: the key, what it takes, and its value; `names` are the values of keys."""
    problem, _, path = str(error).partition(" - at `$.")
    key = path.rstrip("`")
    value = _value_at(table, key)
    if key in names and isinstance(value, str):
        return f"{key} must be one of {', '.join(names[key])}, not {value!r}"
    match = EXPECTED_TYPE.match(problem)
    if not match and key not in CHOICES:
        return f"{key}: {problem[0].lower()}{problem[1:]}"
    actual = "" if value is None else f", not {_format_value(value)}"
    where = f"{key.removesuffix('[...]')}: each value" if key.endswith("[...]") else key
    return f"{where} must be {CHOICES.get(key) or (_describe_type(match) if match else '')}{actual}"


def _describe_type(expected: re.Match[str]) -> str:
    """Return the type that was expected, and its bounds; of a number out of bounds only these."""
    bound = BOUND_NAMES.get(expected["bound"] or "", expected["bound"] or "")
    if bound.startswith(("at most", *"0123456789")):
        return bound
    kinds = [TYPE_NAMES.get(kind, kind) for kind in expected["kinds"].split(" | ") if kind != "null"]
    return f"{' or '.join(kinds)} {bound}".rstrip()


def _value_at(table: Mapping[str, Any], path: str) -> Any:
    """Return the value at a path such as `variants[0].players`; None where that is unknown."""
    value: Any = table
    for step in re.findall(r"\w+|\[\d+\]", path):
        try:
            value = value[int(step[1:-1])] if step[0] == "[" else value[step]
        except (KeyError, IndexError):
            return None
        except TypeError:  # one number means an array of one
            return value
    return None if path.endswith("[...]") else value


def _format_value(value: Any) -> str:
    """Return a value as in TOML, truncated."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
