"""The entries of bots in configs that the arena writes, and reading them again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import ConfigError, suggest_nearest
from arena.plugins import RESERVED_KEYS, BotSpec, CommandBot, FileBot, FolderBot, InstalledBot, restore_source
from arena.plugins.bot_spec import check_display_name
from arena.plugins.submissions import SubmissionStore, content_hash, find_content, is_reference, portable_text


def restore_bot(entry: object, base: Path) -> BotSpec:
    """Return the bot that a config written by `Config.toml` names, whether it still exists or not."""
    if not isinstance(entry, Mapping):
        return BotSpec(restore_source(str(entry)), str(entry))
    text, name, team = (str(entry.get(key, "")) for key in RESERVED_KEYS)
    settings = {key: entry[key] for key in sorted(entry) if key not in RESERVED_KEYS}
    check_display_name(name)
    return BotSpec(restore_source(text), name, settings, team)


def find_bots(table: Mapping[str, Any], folder: Path, stores: Sequence[Path], place: Path) -> dict[str, Any]:
    """Return the table of a config written by `Config.toml` for a folder, with absolute paths of its bots.

    Args:
        table: The config's table.
        folder: Folder to which its paths are relative.
        stores: Folders searched for the files of submissions, which are named by their hashes.
        place: Folder to which those paths are relative that lead out of `folder`.

    Raises:
        PluginError: For a reference that is not a hash.
    """
    entries = table.get("bots")
    if not isinstance(entries, list):
        return dict(table)
    return {**table, "bots": [_find_bot(entry, folder, stores, place) for entry in entries]}


def bot_table(bot: BotSpec, folder: Path | None) -> str | dict[str, Any]:
    """Return a config's entry of a bot; paths are relative to `folder`, without one absolute."""
    text = portable_text(bot.source, folder) if folder else str(bot.source)
    if bot == BotSpec(bot.source, name=text):
        return text
    team = {"team": bot.team} if bot.team else {}
    return {"bot": text, "name": bot.name, **team, **bot.settings}


def leave_out(bots: Sequence[BotSpec], names: Sequence[str], submissions: Path) -> list[BotSpec]:
    """Return the bots but those of some names; `submissions` is the store of those that are left out already.

    Raises:
        ConfigError: For a name that no bot has.
    """
    known = {bot.name for bot in bots}
    if not known.issuperset(names):
        known.update(submission.name for submission in SubmissionStore(submissions).submissions())
    for name in names:
        if name not in known:
            raise ConfigError(f"without: no bot is called {name!r}; {suggest_nearest(name, known)}")
    return [bot for bot in bots if bot.name not in names]


def relative_store(bots: Sequence[BotSpec], folder: Path) -> str:
    """Return the store of the first submission among bots, relative to a folder; empty without one."""
    for bot in bots:
        if content_hash(bot.source):
            return Path(os.path.relpath(Path(str(bot.source)).parents[1], folder.resolve())).as_posix()
    return ""


def _find_bot(entry: object, folder: Path, stores: Sequence[Path], place: Path) -> object:
    text = entry.get("bot") if isinstance(entry, Mapping) else entry
    if not isinstance(text, str):
        return entry
    source = str(_find_source(text, place if "../" in text else folder, stores))
    if source == text:
        return entry
    return {"name": text, **(entry if isinstance(entry, Mapping) else {}), "bot": source}


def _find_source(
    text: str, folder: Path, stores: Sequence[Path]
) -> InstalledBot | FileBot | FolderBot | CommandBot:
    """Return the source that a text names, with absolute paths."""
    if is_reference(text):
        return FolderBot(str(find_content(text.partition(":")[2], stores)))
    source = restore_source(text)
    match source:
        case FileBot() | FolderBot():
            path = os.path.normpath(folder.resolve() / source.path)
            source = msgspec.structs.replace(source, path=path)
        case CommandBot():
            return CommandBot.parse(text, folder)
    sha = content_hash(source)
    if sha and not Path(str(source)).is_dir():  # the databases of version 0.1 have absolute paths
        return FolderBot(str(find_content(sha, [*stores, Path(str(source)).parents[1]])))
    return source
