"""TOML of unknown origin: limits on what `tomllib` takes minutes or gigabytes for."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

MAX_KEY_PARTS: Final = 32
"""Maximum number of parts of a dotted key: the time that `tomllib` takes grows with their cube."""
MAX_LEVELS: Final = 64
"""Maximum depth of nested arrays and tables: writing them takes a call or more for each level."""
_PART: Final = r"""\.[ \t]*+(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
LONG_KEY: Final = re.compile(f"(?:{_PART}){{{MAX_KEY_PARTS}}}")


def parse_untrusted_toml(text: str, max_bytes: int) -> dict[str, Any]:
    """Return the table in TOML text.

    Raises:
        ValueError: If it is not TOML, is longer than `max_bytes`, or has a key of too many parts.
    """
    if len(text.encode()) > max_bytes:
        raise ValueError(f"it is larger than {max_bytes >> 10} KiB")
    if LONG_KEY.search(text):
        raise ValueError(f"a dotted key has more than {MAX_KEY_PARTS} parts")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_describe(error, text)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if _is_deeper(table, MAX_LEVELS):
        raise ValueError(f"it is nested more than {MAX_LEVELS} levels deep")
    return table


def _describe(error: tomllib.TOMLDecodeError, text: str) -> str:
    """Return an error's message with its line at the end."""
    problem, _, place = str(error).rpartition(" (at ")
    match = re.match(r"line (\d+)", place)
    line = int(match[1]) if match else text.rstrip().count("\n") + 1
    return f"{problem[:1].lower()}{problem[1:]} (line {line})"


def _is_deeper(value: object, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not levels or any(_is_deeper(part, levels - 1) for part in parts)
