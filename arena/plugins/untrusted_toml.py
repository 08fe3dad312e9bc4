"""TOML of unknown origin: limits on what `tomllib` takes minutes or gigabytes for."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

MAX_KEY_PARTS: Final = 32
"""Of a dotted key: the time that `tomllib` takes grows with their cube."""
_PART: Final = r"""\.[ \t]*+(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
LONG_KEY: Final = re.compile(f"(?:{_PART}){{{MAX_KEY_PARTS}}}")


def parse_untrusted_toml(text: str, max_bytes: int) -> dict[str, Any]:
    """Return the table in TOML text.

    Raises: ValueError, if it is not TOML, is longer than `max_bytes`, or has a key of too many parts.
    """
    if len(text.encode()) > max_bytes:
        raise ValueError(f"it is larger than {max_bytes >> 10} KiB")
    if LONG_KEY.search(text):
        raise ValueError(f"a dotted key has more than {MAX_KEY_PARTS} parts")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
