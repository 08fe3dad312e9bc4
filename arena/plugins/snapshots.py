"""Copies of bots kept to compare later versions with."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from arena.errors import PluginError
from arena.plugins.bot_source import BotSource
from arena.plugins.bot_spec import BotSpec
from arena.plugins.file_bots import FolderBot
from arena.plugins.manifest import check_name
from arena.plugins.submissions.files import copy_files, files_of


def take_snapshot(bot: BotSpec, name: str, folder: Path) -> Path:
    """Copy a bot into a new folder `name` in `folder`, read-only, and return that.

    Without a name it is called after the bot's file or folder, with the next free number. A bot that has no
    `bot.toml` gets one with that name.

    Raises:
        PluginError: For an installed bot, a name that is taken or cannot be a bot's, or files that cannot be
            copied.
        OSError: If the copy cannot be written.
    """
    name = name or _next_name(bot, folder)
    check_name(name)
    place = folder / name
    if place.exists():
        raise PluginError(f"{place} already exists: give the snapshot another name, or delete that one")
    if isinstance(bot.source, FolderBot) and folder.resolve().is_relative_to(bot.source.path):
        raise PluginError(
            f"{bot.source} contains the folder {folder}: take the snapshot from outside, or with --out DIR"
        )
    files = list(files_of(bot, name))
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as scratch:
        copy = Path(scratch, "bot")
        copy.mkdir()
        copy_files(files, copy)
        copy.rename(place)
    return place


def _next_name(bot: BotSpec, folder: Path) -> str:
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", _stem(bot.source)).strip("._-")[:30] or "bot"
    numbers = [
        int(match[1])
        for path in folder.glob("*")
        if (match := re.fullmatch(rf"{re.escape(stem)}-(\d{{1,9}})", path.name))
    ]
    return f"{stem}-{max(numbers, default=0) + 1}"


def _stem(source: BotSource) -> str:
    return source.label or next((path.stem for _, path in source.files()), "")
