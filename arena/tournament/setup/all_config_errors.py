"""All errors of a config at once: what is wrong is replaced, and the rest is checked again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.errors import ConfigError, PluginError
from arena.games.registry import list_variants
from arena.plugins.bot_spec import check_display_name
from arena.tournament.setup.config import FORMULA_SIGNS, Config, make_config
from arena.tournament.setup.config_origin import ConfigOrigin

MAX_ERRORS: Final = 50
PART: Final = re.compile(r"(?P<key>[\w-]+)(\[(?P<index>\d+)\])?")
ARRAYS: Final = ("bots", "variants")
"""Keys of a config that are required, and whose entries are replaced one by one."""
NAMING_KEYS: Final = ("hero", "withdrawn", "without", "bots", "blocks_with")
"""Keys whose values are names of bots, which cannot be checked where a bot is wrong."""


def find_config_errors(
    table: Mapping[str, Any], base: Path, origin: ConfigOrigin, submissions: Path
) -> tuple[list[ConfigError], Config | None]:
    """Return the errors in a config's table by their lines and, if there are none, the config.

    The arguments are those of `make_config`. An error that only shows once another is corrected is not found.
    """
    errors: list[ConfigError] = []
    has_wrong_bots = False
    left: dict[str, Any] = dict(table)
    while len(errors) < MAX_ERRORS:
        try:
            config = make_config(left, base=base, where=origin, submissions=submissions)
        except ConfigError as error:
            steps = [(part["key"], part["index"]) for part in PART.finditer(error.key or "")]
            is_about_names = has_wrong_bots and bool(steps) and steps[-1][0] in NAMING_KEYS
            if any(str(error) == str(known) for known in errors):
                break  # what was replaced is still wrong
            if not is_about_names or steps[0][0] == "bots":
                errors.append(error)
            has_wrong_bots |= bool(steps) and steps[0][0] == "bots"
            if not steps or not _replace(left, steps):
                break
        else:
            return _by_line(errors), None if errors else config
    return _by_line(errors), None


def _by_line(errors: list[ConfigError]) -> list[ConfigError]:
    """Return the errors in the order of their lines; those without a line first."""
    return sorted(errors, key=lambda error: error.line or 0)


def _replace(table: dict[str, Any], steps: list[tuple[str, str | None]], *, is_inner: bool = False) -> bool:
    """Put something right in the place of a key, or remove it; return whether there was anything to replace.

    `is_inner` is whether the table is an entry of another, such as a game, whose `bots` are names.
    """
    (key, index), *inner = steps
    value = table.get(key)
    if index is not None and isinstance(value, list) and int(index) < len(value):
        entries = list(value)
        entry = entries[int(index)]
        if inner and isinstance(entry, Mapping):
            entry = entries[int(index)] = dict(entry)
            table[key] = entries
            return _replace(entry, inner, is_inner=True)
        if key in ARRAYS and not is_inner:
            entries[int(index)] = _placeholder(key, int(index), entries)
            table[key] = entries
            return True
    if inner and isinstance(value, Mapping):
        copy = table[key] = dict(value)
        return _replace(copy, inner, is_inner=True)
    if key in ARRAYS and not is_inner:
        table[key] = [_placeholder(key, number, []) for number in range(8 if key == "bots" else 1)]
        return True
    return table.pop(key, None) is not None


def _placeholder(key: str, index: int, entries: list[Any]) -> dict[str, str]:
    """Return an entry that is right: a bot of the same name if possible, or a game that is not listed."""
    if key == "bots":
        return {"bot": "random", "name": _find_name(entries[index] if entries else "") or f"bot {index}"}
    listed = {entry.get("name") for entry in entries if isinstance(entry, Mapping)}
    return {"name": next(rules.name for rules in list_variants() if rules.name not in listed)}


def _find_name(entry: Any) -> str:
    """Return the name of a bot, or the text that names it, so that further errors name it so, too.

    Empty for what cannot be a name.
    """
    name = entry.get("name", entry.get("bot")) if isinstance(entry, Mapping) else entry
    if not isinstance(name, str) or not name.strip() or name.startswith(FORMULA_SIGNS):
        return ""
    try:
        check_display_name(name)
    except PluginError:
        return ""
    return name
