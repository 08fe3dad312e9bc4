"""Errors about keys of a config: unknown ones, misplaced ones, and those with a wrong value."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from arena.errors import (
    ConfigError,
    InvalidRules,
    PluginError,
    UnknownOption,
    UnknownVariant,
    suggest_nearest,
)

MISPLACED = (
    "{0} belongs above the first [table]: in TOML a key belongs to the last [table] or [[table]] above it"
)
"""Advice for a key of the file that was written below a table."""


def refuse_unknown(
    table: Mapping[str, Any], known: Iterable[str], prefix: str = "", top_keys: Container[str] = ()
) -> None:
    """Raise ConfigError for a key that is none of those known, with what would be right.

    `top_keys` are keys of the file that are not in a table.
    """
    for key in table:
        if key not in known and key in top_keys:
            raise ConfigError(f"{prefix}{key}: {MISPLACED.format(key)}")
        if key not in known:
            raise ConfigError(f"{prefix}{key}: there is no such key; {suggest_nearest(key, known)}")


@contextmanager
def naming_key(key: str) -> Iterator[None]:
    """Turn an error about the value of a key into a ConfigError that names the key."""
    try:
        yield
    except (PluginError, UnknownVariant, UnknownOption, InvalidRules) as error:
        raise ConfigError(f"{key}: {error}") from error
