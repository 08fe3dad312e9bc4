"""What is wrong with a value of a config, in the words of somebody who writes one."""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from arena.play.bot import MAX_COUNT

KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "an array",
    "object": "a table",
}
BOUNDS: Final = {
    ">= 0": "from 0 on",
    ">= 1": "from 1 on",
    f"<= {MAX_COUNT}": f"up to {MAX_COUNT:,}",
    "of length >= 1": "that is not empty",
    "of length 2": "of two",
}
CHOICES: Final = {"tables": f'"all" or a whole number from 1 to {MAX_COUNT:,}'}
"""Of the keys that take what no type says."""

EXPECTED = re.compile(r"Expected `(?P<kinds>[^`]+)`(?: (?P<bound>[^,]+))?")


def describe_validation_error(
    error: msgspec.ValidationError, table: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]
) -> str:
    """A type error: the key first, what it takes, and what stands there; `names` are those that keys take."""
    problem, _, path = str(error).partition(" - at `$.")
    key = path.rstrip("`")
    value = _value(table, key)
    if key in names and isinstance(value, str):
        return f"{key}: {value!r} is not one of: {', '.join(names[key])}"
    stands = "" if value is None else f", not {_shown(value)}"
    where = f"{key.removesuffix('[...]')}: {'each value ' if key.endswith('[...]') else ''}is"
    if key in CHOICES:
        return f"{where} {CHOICES[key]}{stands}"
    found = EXPECTED.match(problem)
    if not found:
        return f"{key}: {problem[0].lower()}{problem[1:]}"
    kinds = [KINDS.get(kind, kind) for kind in found["kinds"].split(" | ") if kind != "null"]
    bound = f" {BOUNDS.get(found['bound'], found['bound'])}" if found["bound"] else ""
    return f"{where} {' or '.join(kinds)}{bound}{stands}"


def _value(table: Mapping[str, Any], path: str) -> Any:
    """What stands at a path such as `variants[0].players`; None where that cannot be said."""
    value: Any = table
    for step in re.findall(r"\w+|\[\d+\]", path):
        try:
            value = value[int(step[1:-1])] if step[0] == "[" else value[step]
        except (KeyError, IndexError):
            return None
        except TypeError:  # one number stands for an array of one
            return value
    return None if path.endswith("[...]") else value


def _shown(value: Any) -> str:
    """A value as TOML has it, as far as it is short."""
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
