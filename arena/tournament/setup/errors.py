"""Reading TOML files, and errors in them that name the key, the line or the option.

The origin of a config turns a key into the line of its file or the option of the command line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena.errors import (
    ConfigError,
    InvalidRules,
    PluginError,
    UnknownOption,
    UnknownVariant,
    suggest_nearest,
)
from arena.games import Rules
from arena.play.bot import MAX_COUNT
from arena.plugins.bot_source import is_named_pipe
from arena.plugins.manifest import parse_untrusted_toml

# --- config keys ---
# Unknown keys, misplaced ones, and those with a wrong value.

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


# --- config origin ---

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


# --- validation errors ---
# Type errors are described in terms of the config file.

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


# --- toml reading ---
# Files are read and parsed within limits, with errors that name the file.

MAX_CONFIG_BYTES: Final = 1 << 20


def read_text(path: Path) -> str:
    """Return the text of a file, as much of it as a config may have and a byte more."""
    if is_named_pipe(path):
        raise ConfigError(f"{path}: is a named pipe: write its text into a file")
    try:
        with path.open("rb") as file:
            return file.read(MAX_CONFIG_BYTES + 1).decode()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not text in UTF-8") from error


def parse_toml(text: str, where: str) -> dict[str, Any]:
    """Return the table in TOML text."""
    try:
        return parse_untrusted_toml(text, MAX_CONFIG_BYTES)
    except ValueError as error:  # also of numbers with thousands of digits
        raise ConfigError(f"{where} is not valid TOML: {error}") from error
