"""The part of a run sent to a cluster worker before it plays: the plan, and the files of its bots.

Unpacking it runs none of it: it is text, and files as bytes.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import ConfigError, PluginError
from arena.game_source_files import digest_game, list_game_files
from arena.plugins import BotSource, BotSpec, CommandBot, FileBot, FolderBot, InstalledBot, parse_source
from arena.plugins.bot_files import MAX_BOT_BYTES, BotFile, copy_files, make_read_only, remove_tree
from arena.plugins.bot_source import open_without_links
from arena.plugins.games import find_places, load_games
from arena.plugins.sources import is_program
from arena.tournament.engine.block_player import (
    RunPlan,
)
from arena.tournament.store.metadata import digest_variants

log = logging.getLogger(__name__)


MAX_RUN_BYTES: Final = 100 << 20
"""Maximum total size of the files of all bots of a run, in bytes."""
SYSTEM_FOLDERS: Final = (Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"))
"""Programs in them are not sent: a worker has its own."""


class BundledFile(msgspec.Struct, frozen=True):
    """A file of a bot."""

    name: str
    is_program: bool
    data: bytes


class BotBundle(msgspec.Struct, frozen=True):
    """The files of a bot that is not installed."""

    digest: str
    """The name of the folder that they are extracted to."""
    files: tuple[BundledFile, ...]


class GameBundle(msgspec.Struct, frozen=True):
    """The files of a game that is not installed."""

    name: str
    """The name of its file or folder."""
    is_folder: bool
    digest: str
    files: tuple[BundledFile, ...]


class RunBundle(msgspec.Struct, frozen=True):
    """A run as it is sent to workers."""

    token: str
    """Names the run's folder, plugin and resource on a worker."""
    plan: RunPlan
    """The paths of its bots are relative to that folder."""
    bots: tuple[BotBundle, ...]
    games: tuple[GameBundle, ...]
    digests: dict[str, str]
    """Bot name -> hash of all that the bot is made of, also of installed ones."""
    rules: dict[str, int]
    """Variant -> version of its rules."""
    codes: dict[str, str]
    """Variant -> hash of the code of its game, if that is not the arena's own."""
    min_processes: int
    """Processes that the bots of one table may take."""


def build_bundle(plan: RunPlan, min_processes: int = 0) -> RunBundle:
    """Collect what a worker needs to play a plan."""
    digests = {spec.name: spec.source.digest() for spec in plan.bots}
    uploads = {digests[spec.name]: spec for spec in plan.bots if needs_upload(spec)}
    bots = tuple([bundle_bot(spec, digest) for digest, spec in uploads.items()])
    games = tuple([bundle_game(place) for place in find_places(entry.rules for entry in plan.variants)])
    files = [file for bot in bots for file in bot.files] + [file for game in games for file in game.files]
    if (size := sum(len(file.data) for file in files)) > MAX_RUN_BYTES:
        raise ConfigError(
            f"the files of bots and games have {size >> 20} MiB in all: a worker is sent "
            f"{MAX_RUN_BYTES >> 20} at most"
        )
    moved = [
        msgspec.structs.replace(spec, source=relocate(spec.source, f"./{digests[spec.name]}"))
        if needs_upload(spec)
        else spec
        for spec in plan.bots
    ]
    plan = msgspec.structs.replace(plan, bots=tuple(moved))
    rules = {str(entry.rules): entry.rules.version for entry in plan.variants}
    codes = digest_variants(plan.variants)
    return RunBundle(secrets.token_hex(8), plan, bots, games, digests, rules, codes, min_processes)


def extract(bundle: RunBundle, folder: Path) -> RunPlan:
    """Write the files of bots and games, read-only, into a new folder; return the plan with paths there.

    The games are imported: whoever may submit work to this worker can run any code on it.
    """
    folder.mkdir(mode=0o700)
    for bot in bundle.bots:
        bot_folder = folder / bot.digest
        bot_folder.mkdir()
        copy_files(
            [BotFile(file.name, file.is_program, partial(BytesIO, file.data)) for file in bot.files],
            bot_folder,
        )
        make_read_only(bot_folder)
    for game in bundle.games:
        load_games(str(extract_game(game, folder / "games" / game.digest)))
    specs = [
        msgspec.structs.replace(spec, source=parse_source(str(spec.source), folder))
        for spec in bundle.plan.bots
    ]
    return msgspec.structs.replace(bundle.plan, bots=tuple(specs))


def bundle_game(place: str) -> GameBundle:
    """Return the files of a game that is not installed, by its path."""
    path = Path(place)
    files = tuple([BundledFile(name, False, file.read_bytes()) for name, file in list_game_files(path)])
    return GameBundle(path.name, path.is_dir(), digest_game(place), files)


def extract_game(game: GameBundle, folder: Path) -> Path:
    """Write the files of a game, read-only, into a new folder; return the path of the game there."""
    target = folder / game.name if game.is_folder else folder
    target.mkdir(parents=True)
    files = [BotFile(file.name, file.is_program, partial(BytesIO, file.data)) for file in game.files]
    copy_files(files, target)
    make_read_only(folder)
    return folder / game.name


def remove_folder(folder: Path) -> None:
    """Remove the files of a run, if there are any."""
    if folder.exists():
        remove_tree(folder)


def needs_upload(spec: BotSpec) -> bool:
    """Return whether another machine does not have a bot's files."""
    return not isinstance(spec.source, InstalledBot)


def bundle_bot(spec: BotSpec, digest: str) -> BotBundle:
    """Return the files of a bot."""
    files, left = [], MAX_BOT_BYTES
    for name, path in _bot_files(spec.source):
        real = path.resolve() if isinstance(spec.source, CommandBot) else path  # a command may name a link
        with open_without_links(real) as file:
            data = file.read(left + 1)
        if (left := left - len(data)) < 0:
            raise PluginError(
                f"{spec.name} has more than {MAX_BOT_BYTES >> 20} MiB of files: a worker is sent no more"
            )
        files.append(BundledFile(name, is_program(real), data))
    return BotBundle(digest, tuple(files))


def relocate(source: BotSource, folder: str) -> InstalledBot | FileBot | FolderBot | CommandBot:
    """Return the source of a bot whose files were copied into a folder, by their names in its bundle."""
    paths = {str(path): f"{folder}/{name}" for name, path in _bot_files(source)}
    match source:
        case FileBot():
            return FileBot(paths[source.path], source.class_name)
        case CommandBot():
            return CommandBot(tuple(paths.get(word, word) for word in source.words))
        case _:
            return FolderBot(folder)


def _bot_files(source: BotSource) -> Iterator[tuple[str, Path]]:
    """Yield the files of an uploaded bot, by their names in its bundle."""
    if isinstance(source, CommandBot):
        for number, (name, path) in enumerate(source.files()):
            if path.parent not in SYSTEM_FOLDERS:
                yield f"{number}/{name}", path
    else:
        yield from source.files()
