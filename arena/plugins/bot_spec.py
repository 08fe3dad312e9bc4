"""A bot named by a text with its settings."""

from __future__ import annotations

import errno
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from difflib import SequenceMatcher
from pathlib import Path, PurePath
from typing import Any

import msgspec

from arena.errors import PluginError
from arena.plugins.manifest import NAME
from arena.plugins.sources import PREFIX, CommandBot, FileBot, FolderBot, InstalledBot, bot_entry_points

RESERVED_KEYS = ("bot", "name", "team")
"""Keys of a bot's table in a config that are not settings of the bot."""

MAX_FILE_BYTES = 255
"""Maximum length of a name that was chosen, in bytes: what file systems allow for a file's."""
MAX_NAME_CHARS = 1000
MAX_SETTINGS = 1000
BOT_PATH = re.compile(r"(?!cmd:)(?P<path>.*?\.py)(?P<class>:\w+)?(?P<settings>\(.*\))?")
VERSION_CHARS = 7
"""Digits of a hash in the name of a bot's version."""


class BotSpec(msgspec.Struct, frozen=True):
    """A contestant as a small value from which any process can make the bot."""

    source: InstalledBot | FileBot | FolderBot | CommandBot
    name: str
    """The name printed in tables, unique in a run."""
    settings: dict[str, Any] = {}
    team: str = ""


def parse_bot(entry: object, base: Path) -> BotSpec:
    """Return the bot that a config or a command line names, by text or by a table with settings.

    Files are looked for in `base`. The bot's code is not run.

    Raises:
        PluginError: For a bot that does not exist or a table that is wrong.
    """
    table = {"bot": entry} if isinstance(entry, str) else entry
    if not isinstance(table, Mapping) or "bot" not in table:
        raise PluginError(f'{entry!r} is not a bot: write "greedy", or {{bot = "greedy"}} and its settings')
    texts = {key: table.get(key, "") for key in RESERVED_KEYS}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise PluginError(f"{key} is a text, not {text!r}")
    if not texts["team"].isprintable():
        raise PluginError(f"team: {texts['team'][:60]!r} has characters that do not print")
    settings = {key: table[key] for key in sorted(table) if key not in RESERVED_KEYS}
    if "\0" in texts["bot"] or len(settings) > MAX_SETTINGS:
        raise PluginError(f"a bot has no null character in its text, and at most {MAX_SETTINGS} settings")
    _refuse_misspelled(settings, table)
    _refuse_large(settings)
    source = parse_source(texts["bot"], base)
    if len(texts["name"].encode(errors="replace")) > MAX_FILE_BYTES:
        raise PluginError(f"name: {texts['name'][:60]!r}… has more than {MAX_FILE_BYTES} bytes")
    name = texts["name"] or spell_name(_with_settings(source.default_name(texts["bot"]), settings), base)
    if not name.strip() or ("name" in table and not texts["name"]):
        raise PluginError("name is empty: leave it out, or write a visible name")
    check_display_name(name)
    return BotSpec(source, name, settings, texts["team"] or source.team)


def spell_name(name: str, base: Path) -> str:
    """Return a bot's name, of a file with the one spelling of its path that is relative to `base`.

    Names are part of the address of each deal: another spelling would play other cards. A path that leads
    down from `base` without detours stays as it is. Links to files have names of their own.

    Example:
        >>> spell_name("./bots/mine.py:Mine", Path()), spell_name("greedy", Path())
        ('bots/mine.py:Mine', 'greedy')
    """
    match = BOT_PATH.fullmatch(name)
    if not match:
        return name
    path = os.path.relpath(base / match["path"], base)
    if ".." in (*PurePath(match["path"]).parts, *PurePath(path).parts):
        folder, file = os.path.split(base / match["path"])
        path = os.path.relpath(os.path.join(os.path.realpath(folder), file), os.path.realpath(base))
    return PurePath(path).as_posix() + name[match.end("path") :]


def check_display_name(name: str) -> None:
    """Refuse a name that tables cannot print.

    Raises:
        PluginError: If it has characters that do not print, or too many.
    """
    if not name.isprintable():
        raise PluginError(f"{name!r} cannot be a name: it has characters that do not print")
    if len(name) > MAX_NAME_CHARS:
        raise PluginError(f"{name[:60]}… cannot be a name: it has more than {MAX_NAME_CHARS:,} characters")


def label_versions(bots: Sequence[BotSpec]) -> list[BotSpec]:
    """Return the bots; those of one name but different content are called after their folders or files.

    So `pybot` in ./old and ./new become `old` and `new`. Where these names are equal too, or taken, each gets
    a suffix from the hash of its files: `pybot@1a2b3c4`.

    Raises:
        OSError: For files that cannot be read.
    """
    times = Counter(bot.name for bot in bots)
    hashes = [bot.source.digest()[:VERSION_CHARS] if times[bot.name] > 1 else "" for bot in bots]
    versions: dict[str, dict[str, BotSpec]] = {}
    for bot, sha in zip(bots, hashes, strict=True):
        versions.setdefault(bot.name, {}).setdefault(sha, bot)
    labels = {
        (name, sha): _label(bot, sha) if len(contents) > 1 else name
        for name, contents in versions.items()
        for sha, bot in contents.items()
    }
    uses = Counter(labels.values())
    repeated = {name for (name, _), label in labels.items() if uses[label] > 1}
    return [
        msgspec.structs.replace(
            bot, name=f"{bot.name}@{sha}" if _is_ambiguous(bot, repeated, versions) else labels[bot.name, sha]
        )
        for bot, sha in zip(bots, hashes, strict=True)
    ]


def _is_ambiguous(bot: BotSpec, repeated: Set[str], versions: Mapping[str, Mapping[str, BotSpec]]) -> bool:
    return bot.name in repeated and len(versions[bot.name]) > 1


def _label(bot: BotSpec, sha: str) -> str:
    """Return the name of one of several versions of a bot: its folder's or file's, with its settings."""
    if not re.fullmatch(NAME, bot.source.label):
        return f"{bot.name}@{sha}"
    settings = _with_settings("", bot.settings)
    return bot.source.label + (settings if bot.name.endswith(settings) else "")


def parse_source(text: str, base: Path) -> InstalledBot | FileBot | FolderBot | CommandBot:
    """Return the source of the bot that `text` names; files are looked for in `base`.

    Raises:
        PluginError: For a bot that does not exist.
    """
    kind = _source_class(text)
    try:
        if kind is InstalledBot and text and (base / text).is_dir():
            kind = InstalledBot if any(point.name == text for point in bot_entry_points()) else FolderBot
        return kind.parse(text, base)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        reason = f"{text[:60]!r}… is not a bot: a file's name has at most {MAX_FILE_BYTES} bytes"
        raise PluginError(reason) from None


def restore_source(text: str) -> InstalledBot | FileBot | FolderBot | CommandBot:
    """Return the source whose `str()` is `text`, whether the bot still exists or not."""
    return _source_class(text).restore(text)


def _source_class(text: str) -> type[InstalledBot | FileBot | FolderBot | CommandBot]:
    if text.startswith(PREFIX):
        return CommandBot
    if text.endswith(".py") or ":" in text:
        return FileBot
    return FolderBot if "/" in text or text in (".", "..") else InstalledBot


def _refuse_misspelled(settings: Mapping[str, object], table: Mapping[str, object]) -> None:
    """Refuse a setting that looks like a reserved key that is missing."""
    for key in settings:
        for word in RESERVED_KEYS:
            if word not in table and _is_misspelling(key.lower(), word):
                raise PluginError(
                    f"unknown key {key!r} (it would be passed on as a bot setting); did you mean {word!r}?"
                )


def _refuse_large(settings: Mapping[str, object]) -> None:
    """Refuse numbers that no message to a bot can hold."""
    for key, value in settings.items():
        try:
            msgspec.msgpack.encode(value)
        except OverflowError:
            raise PluginError(f"{key}: a whole number has 64 bits at most") from None


def _is_misspelling(key: str, word: str) -> bool:
    """Return whether a key is a word with a letter too many, too few, or two of them swapped."""
    similarity = SequenceMatcher(None, key, word).ratio()
    is_swapped = sorted(key) == sorted(word) and similarity > 0.6
    return is_swapped or (similarity >= 0.8 and abs(len(key) - len(word)) <= 1)


def _with_settings(text: str, settings: Mapping[str, object]) -> str:
    """Return the name of a bot that was not given one."""
    if not settings:
        return text
    values = (f"{key}={format_setting(value)}" for key, value in settings.items())
    return f"{text}({', '.join(values)})"


def format_setting(value: object) -> str:
    """Return the value of a setting or an option as a command line has it: JSON, of a text itself."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def label_bots(names: Iterable[str]) -> dict[str, str]:
    """Return what tables and lines print for each bot of a field: of a path the shortest end that is its own.

    So `/home/ann/bots/mine.py:Mine` is `mine.py`; with another `mine.py` it is `bots/mine.py`, with another
    class of the file `mine.py:Mine`. Other names stay as they are.

    Example:
        >>> label_bots(["greedy", "/home/ann/mine.py:Mine", "../ben/mine.py"])
        {'greedy': 'greedy', '/home/ann/mine.py:Mine': 'ann/mine.py', '../ben/mine.py': 'ben/mine.py'}
    """
    ends = {name: _list_ends(name) for name in dict.fromkeys(names)}
    uses = Counter(end for own in ends.values() for end in own)
    return {name: next((end for end in own if uses[end] == 1), name) for name, own in ends.items()}


def find_labelled(names: Sequence[str], text: str) -> str:
    """Return the name of a field that a text is, or the label of; the text itself if there is none."""
    names_of = {label: name for name, label in label_bots(names).items()}
    return text if text in names else names_of.get(text, spell_name(text, Path()))


def _list_ends(name: str) -> list[str]:
    """Return the ends of a bot's name that is a path, the shortest first; of any other name itself alone."""
    match = BOT_PATH.fullmatch(name)
    if not match:
        return [name]
    parts, settings = match["path"].split("/"), match["settings"] or ""
    classes = ("", match["class"]) if match["class"] else ("",)
    ends = ["/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1)]
    return [f"{end}{class_name}{settings}" for class_name in classes for end in ends]


def name_file_of_bot(name: str) -> str:
    """Return a bot's name, which may be a path, as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", PurePath(name).name)
