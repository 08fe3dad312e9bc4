"""The origin of a config, by which its errors name the line of a file or the option of a command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from arena.errors import ConfigError
from arena.games import Rules

KEY: Final = re.compile(r"[\w-]+(\[\d+\]|\.[\w-]+)*")
MAX_SEARCHED_BYTES: Final = 1 << 16
"""Maximum size of a file in which the lines of keys are searched."""


RUN_OPTIONS: Final = {
    "bots": "--bot",
    "without": "--without",
    "variants": "--game",
    "players": "--players",
    "blocks": "--blocks",
    "seed": "--seed",
    "isolation": "--isolation",
    "until_resolved": "--until-resolved",
    "adjust": "--adjust",
}
"""The options of `arena run`, by the keys of a config that they set."""


class ConfigOrigin(NamedTuple):
    """A file, options of a command line, or a file some of whose keys options override."""

    name: str = ""
    """The start of messages about keys that come from no option; empty for none."""
    text: str = ""
    """The TOML of a file."""
    options: Mapping[str, str] = {}
    """The option that set each key, such as `--blocks`; for a key of a game by its last part."""

    def locate(self, error: ConfigError) -> ConfigError:
        """Return an error whose message begins with its key, as one that says where the key is."""
        message = str(error)
        match = KEY.match(message)
        key = error.key or (match[0] if match else "")
        if option := self.options.get(_last_part(key)):
            return ConfigError(option + message.removeprefix(key), key=key)
        line = find_line(self.text, key)
        place = f" (line {line})" if line else ""
        return ConfigError(f"{f'{self.name}: ' if self.name else ''}{message}{place}", key=key, line=line)

    def describe_missing_bots(self, rules: Rules, players: int, bots: int) -> str:
        """Return what is wrong with a table of more players than there are bots, and what would be right."""
        there_are = "you named" if "bots" in self.options else "there are"
        if bots < 2:
            return f"a table of {players} needs {players} bots, but {there_are} {bots}"
        if bots < rules.players[0]:
            missing = rules.players[0] - bots
            return f"{rules} is for {rules.player_range}, but {there_are} {bots} bots: name {missing} more"
        if "players" in self.options:
            return f"a table of {players} needs {players} bots, but {there_are} {bots}: use --players {bots}"
        setting = f"add --players {bots}" if "bots" in self.options else f"set players = {bots}, or add bots"
        return f"{rules} is set for {players} players, but {there_are} {bots} bots: {setting}"


COMMAND_LINE: Final = ConfigOrigin(
    options={
        **{key: option for key, option in RUN_OPTIONS.items() if key not in ("bots", "blocks")},
        "max_blocks": "--blocks",
        "sprt": "--sprt",
        "fixed": "--fixed",
        "alone": "--alone",
    }
)
"""The origin of a config that is made of the options of a comparison."""


def find_line(text: str, key: str) -> int | None:
    """Return the line, from 1, of a key such as `variants[0].players` in TOML, or of the table it is in.

    None for a key that is not in the text, or in a text that is too long to search.
    """
    table = _parse(text) if 0 < len(text) <= MAX_SEARCHED_BYTES else None
    path = [int(part) if part.isdigit() else part for part in re.findall(r"[\w-]+", key)]
    while path and not (table and _has(table, path)):
        path.pop()
    return _search(text.splitlines(), path) if path else None


def _search(lines: Sequence[str], path: Sequence[str | int]) -> int:
    """Return the first line with which the lines up to it have a key, which all lines together have."""
    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        for number in (*range(middle, high), *range(middle - 1, low, -1)):
            if (table := _parse("\n".join(lines[:number]))) is not None:
                break
        else:
            return low + 1
        if _has(table, path):
            high = number
        else:
            low = number
    return high


def _parse(text: str) -> dict[str, Any] | None:
    """Return the table of a text, also of one that ends within an array; None for no TOML."""
    for end in ("", "\n]"):
        try:
            return tomllib.loads(text + end)
        except (ValueError, RecursionError):
            continue
    return None


def _has(value: Any, path: Sequence[str | int]) -> bool:
    for part in path:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _last_part(key: str) -> str:
    return re.sub(r"\[\d+\]", "", key).rpartition(".")[2]
