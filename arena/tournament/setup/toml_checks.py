"""Reading TOML files, and collecting all errors in them with the key, the line or the option of each.

The origin of a config turns a key into the line of its file or the option of the command line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin

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
from arena.plugins.bot_source import is_named_pipe
from arena.plugins.manifest import parse_untrusted_toml

# --- config keys ---

MISPLACED = (
    "{0} belongs above the first [table]: in TOML a key belongs to the last [table] or [[table]] above it"
)
"""Advice for a key of the file that was written below a table."""


def list_unknown(
    table: Mapping[str, Any], known: Iterable[str], prefix: str = "", top_keys: Container[str] = ()
) -> Iterator[str]:
    """Yield an error for each key that is none of those known, with what would be right.

    `top_keys` are keys of the file that are not in a table.
    """
    for key in table:
        if key not in known and key in top_keys:
            yield f"{prefix}{key}: {MISPLACED.format(key)}"
        elif key not in known:
            yield f"{prefix}{key}: there is no such key; {suggest_nearest(key, known)}"


def refuse_unknown(table: Mapping[str, Any], known: Iterable[str], prefix: str = "") -> None:
    """Raise ConfigError for a key that is none of those known."""
    for error in list_unknown(table, known, prefix):
        raise ConfigError(error)


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


TOKEN: Final = re.compile(
    r"""^[ \t]*(?P<header>\[\[?)(?P<table>[^\[\]\n]+)\]\]? | ^[ \t]*(?P<key>[^\s=\[\]{},\#]+)[ \t]*=
    | (?P<text>\"{3}(?:\\.|[^\\])*?\"{3,5} | \'{3}.*?\'{3,5} | "(?:\\.|[^"\\\n])*" | \'[^\'\n]*\')
    | (?P<comment>\#[^\n]*) | [\[\]{},\n] | [^\s\[\]{},\#"\']+""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""A header of a table, the key of a statement, a text, a comment, or another part of a value."""


def find_line(text: str, key: str) -> int | None:
    """Return the line, from 1, of a key such as `variants[0].players` in TOML, or of the table it is in.

    None for a key that is not in the text.
    """
    lines = _find_lines(text)
    while key and key not in lines:
        key = _parent(key)
    return lines.get(key)


@lru_cache(1)
def _find_lines(text: str) -> dict[str, int]:
    """Return the lines of the tables, keys and entries of arrays in TOML, but for those in inline tables."""
    lines: dict[str, int] = {}
    sizes: Counter[str] = Counter()  # of arrays of tables, so far
    table = key = ""
    line, depth, entries = 1, 0, 0
    is_entry_next = False
    for token in TOKEN.finditer(text):
        found = ""
        if depth == 1 and is_entry_next and not token["comment"] and token[0] not in "\n]":
            found = f"{key}[{entries}]"
            entries, is_entry_next = entries + 1, False
        if not depth and token["header"]:
            table = ""
            parts = _plain_key(token["table"]).split(".")
            for place, part in enumerate(parts, 1):
                table = f"{table}.{part}".removeprefix(".")
                sizes[table] += token["header"] == "[[" and place == len(parts)
                table += f"[{sizes[table] - 1}]" if sizes[table] else ""
            found = table
        elif not depth and token["key"]:
            found = key = f"{table}.{_plain_key(token['key'])}".removeprefix(".")
            entries = 0
        elif not token["text"] and not token["comment"]:
            depth += sum(map(token[0].count, "[{")) - sum(map(token[0].count, "]}"))
            is_entry_next |= depth == 1 and token[0] in ("[", ",")
        while found:
            lines.setdefault(found, line)
            found = _parent(found)
        line += token[0].count("\n")
    return lines


def _plain_key(key: str) -> str:
    return ".".join(part.strip(" \t\"'") for part in key.split("."))


def _parent(key: str) -> str:
    """Return the key of the table or array that a key is in; empty for one at the top."""
    return key[: max(key.rfind("."), key.rfind("["), 0)]


def _last_part(key: str) -> str:
    return re.sub(r"\[\d+\]", "", key).rpartition(".")[2]


# --- collected errors ---

MAX_ERRORS: Final = 50


class ConfigErrors:
    """The errors of a table of keys and values, of each key the first that is found.

    Args:
        origin: The origin of the table.
        keys: All keys that it may have.
    """

    def __init__(self, origin: ConfigOrigin, keys: Iterable[str]) -> None:
        self.origin = origin
        self._keys = tuple(keys)
        self._found: dict[str, ConfigError] = {}

    def add(self, message: str) -> None:
        """Collect an error whose message begins with its key."""
        error = self.origin.locate(ConfigError(message))
        if len(self._found) < MAX_ERRORS and str(error) not in map(str, self._found.values()):
            self._found.setdefault(error.key or "", error)

    @contextmanager
    def collect(self, key: str = "") -> Iterator[None]:
        """Collect an error that is raised, which is about the value of `key` unless it names one."""
        try:
            with naming_key(key):
                yield
        except ConfigError as error:
            self.add(str(error))

    def is_wrong(self, *keys: str) -> bool:
        """Return whether there is an error of one of the keys, or of a part of its value."""
        return any(re.match(rf"{re.escape(key)}(\W|$)", found) for key in keys for found in self._found)

    def by_line(self) -> list[ConfigError]:
        """Return the errors in the order of their lines, those without a line first."""
        return sorted(self._found.values(), key=lambda error: error.line or 0)

    def refuse(self) -> None:
        """Raise the first error, if there are any."""
        for error in self.by_line():
            raise error

    def check_keys(
        self, table: Mapping[str, Any], known: Iterable[str] | None = None, prefix: str = ""
    ) -> None:
        """Collect the keys of a table that are unknown; `known` are by default those of the whole table."""
        for message in list_unknown(table, self._keys if known is None else known, prefix, self._keys):
            self.add(message)

    def read(
        self, table: Mapping[str, Any], struct: type[msgspec.Struct], prefix: str = ""
    ) -> dict[str, Any]:
        """Return those fields of a struct that the table has, but for values that are wrong."""
        values = {}
        for field in msgspec.structs.fields(struct):
            key, kind, value = f"{prefix}{field.name}", field.type, table.get(field.name)
            if isinstance(value, Mapping) and isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                self.check_keys(value, kind.__struct_fields__, f"{key}.")
                values[field.name] = kind(**self.read(value, kind, f"{key}."))
            elif field.name in table and _is_of(value, kind):
                values[field.name] = msgspec.convert(value, kind)
            elif field.name in table:
                self.add(_describe_problem(key, value, kind))
        return values


# --- types of values ---
# What a value should have been is told from the types of the struct, in terms of the file.

TYPE_NAMES: Final = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    tuple: "an array",
}
EACH: Final = "each value"


def _is_of(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _describe_problem(key: str, value: object, kind: Any) -> str:
    """Return what a key takes instead of a value that is not of its type."""
    if get_origin(kind) in (Union, UnionType):
        [kind] = [part for part in get_args(kind) if part is not NoneType]
    kind, bounds = get_args(kind) if get_origin(kind) is Annotated else (kind, msgspec.Meta())
    parts = get_args(kind)
    if isinstance(value, list) and get_origin(kind) is tuple:
        for place, entry in enumerate(value):
            if not _is_of(entry, parts[0]):
                return _describe_problem(f"{key}[{place}]", entry, parts[0])
    if isinstance(value, Mapping) and get_origin(kind) is dict:
        wrong = next(entry for entry in value.values() if not _is_of(entry, parts[1]))
        return _describe_problem(f"{key}: {EACH}", wrong, parts[1])
    problem = f"{key} must be {_describe_type(value, kind, bounds)}"
    return problem if key.endswith(EACH) else f"{problem}, not {_format_value(value)}"


def _describe_type(value: object, kind: Any, bounds: msgspec.Meta) -> str:
    """Return what is wrong with a value: its type, or only its size."""
    if bounds.description:
        return bounds.description
    base = get_origin(kind) or kind
    if base is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if isinstance(value, list) and base is tuple:
        return "an array that is not empty" if Ellipsis in get_args(kind) else "an array of two"
    if isinstance(value, str) and base is str:
        return f"a text of at most {bounds.max_length} characters"
    if isinstance(value, int | float) and base in (int, float) and type(value) in (base, int):
        if bounds.ge is not None and value < bounds.ge:
            return f"{bounds.ge} or more"
        if bounds.gt is not None and value <= bounds.gt:
            return f"more than {bounds.gt}"
        if bounds.lt is not None and value >= bounds.lt:
            return f"less than {bounds.lt}"
        if bounds.le is not None and value > bounds.le:
            return f"at most {bounds.le:,}"
    return TYPE_NAMES.get(base, "a table")


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
