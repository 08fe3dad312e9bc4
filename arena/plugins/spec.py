"""A bot named by a config or a command line, and what its source says of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from arena.errors import PluginError
from arena.plugins import command, file, folder, installed
from arena.plugins.source import Kind, Launch, Source
from arena.plugins.supported_games import check_variants

if TYPE_CHECKING:
    from arena.games import Rules

RESERVED = ("bot", "name", "team")


class BotSpec(msgspec.Struct, frozen=True):
    """A contestant as a small value from which any process can make the bot."""

    source: str  # "greedy", "/absolute/path/bot.py:Class", "/absolute/folder" or "cmd:/absolute/bot --flag"
    name: str  # as printed in tables, unique in a run
    settings: dict[str, Any] = {}
    team: str = ""


def parse_bot(entry: object, base: Path) -> BotSpec:
    """The bot that a config or a command line names, by text or by a table with settings.

    Files are looked for from `base` on. No code of the bot's is run.
    Raises: PluginError, for a bot that is not there.
    """
    table = {"bot": entry} if isinstance(entry, str) else entry
    if not isinstance(table, Mapping) or "bot" not in table:
        raise PluginError(f'{entry!r} is no bot: write "greedy", or {{bot = "greedy"}} and its settings')
    texts = {key: table.get(key, "") for key in RESERVED}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise PluginError(f"{key} is a text, not {text!r}")
    settings = {key: table[key] for key in sorted(table) if key not in RESERVED}
    _refuse_slips(settings, table)
    _refuse_large(settings)
    text = texts["bot"]
    source = _source(text, base)
    place = source.place(text, base)
    name = texts["name"] or _printed(source.name(text, place), settings)
    if not name.strip() or ("name" in table and not texts["name"]):
        raise PluginError("name is empty: leave it out, or write a text that can be told from others")
    if not name.isprintable():
        raise PluginError(f"{name!r} is no name: it has characters that do not print")
    return BotSpec(place, name, settings, texts["team"] or source.team(place))


def kind(spec: BotSpec) -> Kind:
    """Where a bot comes from, which decides how far it is trusted.

    Raises: PluginError, for a name that is not installed.
    """
    return _source(spec.source).kind(spec.source)


def load(spec: BotSpec) -> type[Any]:
    """The bot's class, its module imported into this process.

    Raises: PluginError, with what was wrong, for a bot that does not load or is not one.
    """
    return _source(spec.source).load(spec.source)


def content(spec: BotSpec) -> str:
    """The sha256, in hexadecimal, of what a bot is made of, wherever it lies; its settings are not in it.

    Raises: PluginError, for a bot that is not there; OSError, for files that cannot be read.
    """
    return _source(spec.source).content(spec.source)


def launch(spec: BotSpec) -> Launch:
    """What it takes to start a bot in a process of its own.

    Raises: PluginError, for a bot that is not there.
    """
    return _source(spec.source).launch(spec.source)


def declared(spec: BotSpec) -> tuple[str, ...]:
    """The games a bot claims to play, as far as they can be read without running it; empty for all.

    Raises: PluginError, for a bot that is not there, or a declaration that names no games.
    """
    return _source(spec.source).variants(spec.source)


def claimed(spec: BotSpec) -> tuple[Rules, ...]:
    """The games a bot claims to play, in the order of all games.

    Raises: PluginError, for a bot that is not there, or a declaration that names no games.
    """
    from arena.games import VARIANTS  # here, so that a listing of bots needs no rules

    names = check_variants(declared(spec))
    return tuple(rules for rules in VARIANTS if not names or rules.name in names)


def _source(text: str, base: Path = Path()) -> Source:
    """What kind of source a text, or a place, speaks of."""
    if text.startswith(command.PREFIX):
        return command
    if text.endswith(".py") or ":" in text:
        return file
    if "/" in text or text in (".", ".."):
        return folder
    is_folder = (base / text / "bot.toml").is_file() and all(one.name != text for one in installed.points())
    return folder if is_folder else installed


def _refuse_slips(settings: Mapping[str, object], table: Mapping[str, object]) -> None:
    """Refuses a setting that is a slip of the pen for a reserved key that is not there."""
    for key in settings:
        for word in RESERVED:
            if word not in table and _is_slip(key.lower(), word):
                raise PluginError(
                    f"{key} is no key of the arena's, and would be a setting of the bot; is {word} meant?"
                )


def _refuse_large(settings: Mapping[str, object]) -> None:
    """Refuses numbers that no message to a bot can hold."""
    for key, value in settings.items():
        try:
            msgspec.msgpack.encode(value)
        except OverflowError:
            raise PluginError(f"{key}: a whole number has 64 bits at most") from None


def _is_slip(key: str, word: str) -> bool:
    """Whether a key is a word but for a letter too much, one too few, or two in the wrong order."""
    swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    return key == word or key in swapped or word in _shortened(key) or key in _shortened(word)


def _shortened(text: str) -> set[str]:
    """A text without one of its letters."""
    return {text[:i] + text[i + 1 :] for i in range(len(text))}


def _printed(text: str, settings: Mapping[str, object]) -> str:
    """The name of a bot that was not given one."""
    if not settings:
        return text
    values = (f"{key}={_value(value)}" for key, value in settings.items())
    return f"{text}({', '.join(values)})"


def _value(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
