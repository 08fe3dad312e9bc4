"""Requests to a league: submissions and changes, queued in order until the next update applies them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arena.errors import PluginError
from arena.league.aliases import Aliases
from arena.league.bot_names import find_alike, find_bot, parse_name
from arena.league.folder import LeagueFolder, bots_mode
from arena.league.store import Bot, LeagueDatabase, LeagueRequest, RequestKind
from arena.plugins import InstalledBot
from arena.plugins.bot_spec import parse_source
from arena.plugins.manifest import name_of_file
from arena.plugins.name_folding import check_not_installed
from arena.tournament.files import make_private_folder

MAX_REASON_CHARS: Final = 300
CHOOSE_ANOTHER: Final = (
    "choose another, as the name of the file, in its bot.toml, or with --name (in `arena league`: --as)"
)
"""Advice about a name that is taken."""


def submit(
    folder: LeagueFolder,
    database: LeagueDatabase,
    text: str,
    base: Path,
    *,
    name: str = "",
    submitter: str = "",
    announce: Callable[[str], None] = lambda line: None,
) -> LeagueRequest:
    """Queue a bot: its files are copied now, and checked by the next update.

    `text` names an installed bot, a folder, a file and class, a command or a zip archive.

    Raises:
        PluginError: For what is not a bot, cannot be copied, or has no name for this league.
    """
    request = copy_bot(folder, text, base, name=name, submitter=submitter, announce=announce)
    return read_back(database, database.add_request(request, time.time()))


def copy_bot(
    folder: LeagueFolder,
    text: str,
    base: Path,
    *,
    name: str = "",
    submitter: str = "",
    announce: Callable[[str], None] = lambda line: None,
) -> LeagueRequest:
    """Copy a bot into the league, and return the request for it, which is not queued yet.

    Raises:
        BotNameError: For a name that it cannot have.
        PluginError: For what is not a bot, or cannot be copied.
    """
    if (installed := _installed(text, base)) is not None:
        chosen = parse_name(name or installed.entry_name)
        return LeagueRequest(
            name=chosen, digest=installed.digest(), source=str(installed), submitter=submitter
        )
    if text.endswith(".py"):
        name = name or name_of_file(Path(text).stem, is_ascii=False)
    ascii_name = name if name.isascii() else name_of_file(name, is_ascii=True)  # a bot.toml takes no others
    given = _name_without_manifest(text, ascii_name)
    make_private_folder(folder.bots, bots_mode())
    with folder.contents.copied(text, base, name=given, announce=announce) as copied:
        chosen = parse_name(name or copied.manifest.name)
        check_not_installed(chosen, CHOOSE_ANOTHER)
        digest = folder.contents.move_in(copied.folder)
    return LeagueRequest(name=chosen, digest=digest, source=f"bots/{digest}", submitter=submitter)


def request_change(
    database: LeagueDatabase, kind: RequestKind, name: str, new_name: str = "", aliases: Aliases | None = None
) -> LeagueRequest:
    """Queue the withdrawal, the ban or another name of a bot; with aliases in place of its owner's name.

    Raises:
        PluginError: For a bot that is not in the league, or a new name that is taken.
    """
    bot = find_bot(database.bots(), name)
    if kind == "rename":
        request = LeagueRequest(kind=kind, name=parse_name(new_name), submitter=bot.owner)
        new_name = aliases.rename(request).name if aliases else request.name
        check_not_installed(new_name, CHOOSE_ANOTHER)
        refuse_taken(database.bots(), new_name, bot)
    return read_back(
        database,
        database.add_request(LeagueRequest(kind=kind, name=bot.name, new_name=new_name), time.time()),
    )


def refuse_taken(bots: Sequence[Bot], name: str, own: Bot) -> None:
    """Raise PluginError if another bot has the name, or one that looks like it."""
    others = [bot for bot in bots if bot.number != own.number]
    if (taken := find_alike(others, name)) is not None:
        raise PluginError(f"{name} is taken: a bot is called {taken.name}")


def read_back(database: LeagueDatabase, number: int) -> LeagueRequest:
    """Return a stored request."""
    [request] = database.requests("number = ?", number)
    return request


def _installed(text: str, base: Path) -> InstalledBot | None:
    if not text.replace("-", "").replace("_", "").isalnum() or (base / text).exists():
        return None
    source = parse_source(text, base)
    return source if isinstance(source, InstalledBot) else None


def _name_without_manifest(text: str, name: str) -> str:
    """Return the name to write where a bot has no `bot.toml`: those that have one are copied unchanged."""
    return name if text.startswith("cmd:") or text.endswith(".py") or ".py:" in text else ""
