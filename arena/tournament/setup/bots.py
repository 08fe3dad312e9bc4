"""The bots and the house games that configs name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import ConfigError, PluginError, UnknownVariant, suggest_nearest
from arena.games import Rules, variant
from arena.games.option_fields import list_options
from arena.games.registry import list_families, parse_variant
from arena.plugins import RESERVED_KEYS, BotSpec, CommandBot, FileBot, FolderBot, InstalledBot, restore_source
from arena.plugins.bot_spec import check_display_name
from arena.plugins.games import find_loaded_game, is_game_path
from arena.plugins.submission_store import (
    SubmissionStore,
    content_hash,
    find_content,
    is_reference,
    portable_text,
)
from arena.tournament.setup.toml_checks import naming_key, parse_toml, read_text, refuse_unknown

# --- bot entries ---
# Entries of bots in configs that the arena writes, and reading them again.


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
    """Return the bots without those of these names; `submissions` is the store of bots left out already."""
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


# --- house games ---
# House games that a config lists, or that files `games/*.toml` beside it describe.

GAMES_FOLDER: Final = "games"


class HouseGame(msgspec.Struct, frozen=True, kw_only=True):
    """An installed variant with options of its own, under another name."""

    name: str
    base: str
    """The variant with its options, as printed."""
    title: str = ""
    page: str = ""
    """Rule page in Markdown; empty for that of the installed variant, with the options named."""


OWN_KEYS: Final = HouseGame.__struct_fields__


def house_game_table(game: HouseGame) -> dict[str, str]:
    """Return the keys and values of a house game as in a config file."""
    return {key: value for key, value in msgspec.structs.asdict(game).items() if value}


class HouseGames:
    """The house games of a config and its folder; a game that the config lists is not looked for in files.

    Args:
        listed: The value of the config's key `games`.
        folder: The folder whose `games/*.toml` list further ones; None for no files.
    """

    def __init__(self, listed: object = (), folder: Path | None = None) -> None:
        self._folder = folder
        self.untrusted: dict[str, str] = {}
        """Reasons why games in files are not known, by name: their bases are code that was not loaded."""
        self._listed = self._parse_games(listed)

    @cached_property
    def _in_files(self) -> dict[str, HouseGame]:
        all_games: dict[str, HouseGame] = {}
        for file in sorted((self._folder / GAMES_FOLDER).glob("*.toml")) if self._folder else ():
            try:
                table = parse_toml(read_text(file), str(file))
                refuse_unknown(table, ("games",))
                games = self._parse_games(table.get("games", []), is_lenient=True)
                for name in games.keys() & all_games.keys():
                    raise ConfigError(f"games: another file in {file.parent} has {name}, too")
            except ConfigError as error:
                place = "" if str(error).startswith(str(file)) else f"{file}: "
                raise ConfigError(f"{place}{error}") from error
            all_games |= games
        return all_games

    def find(self, name: str) -> HouseGame | None:
        """Return the house game of a name; None for an installed variant, or if there is none."""
        if name in self._listed:
            return self._listed[name]
        if is_game_path(name) or any(name in family.variants for family in list_families().values()):
            return None
        game = self._in_files.get(name)
        if name in self.untrusted:
            raise ConfigError(self.untrusted[name])
        return game

    def all(self) -> list[HouseGame]:
        """Return all house games, those listed first."""
        return list({**self._in_files, **self._listed}.values())

    def select(self, names: Iterable[str]) -> list[HouseGame]:
        """Return the house games of these names, each once."""
        by_name = {name: self.find(name) for name in names}
        return [game for game in by_name.values() if game]

    def rules(self, name: str, options: Mapping[str, Any] = {}) -> Rules:
        """Return the rules of a game by name, with options set; a house game has its title and page."""
        game = self._listed.get(name) if "base" in options else self.find(name)
        if game is None or options.get("base", game.base) != game.base:
            return self._installed(name, options)
        rules = variant(name, **{"base": game.base, **options})
        described = replace(rules, title=game.title or rules.title, page=game.page)
        described.overrides.update(rules.overrides)
        return described

    def _installed(self, name: str, options: Mapping[str, Any]) -> Rules:
        if is_game_path(name):
            name = find_loaded_game(name, self._folder or Path()).name
        try:
            return variant(name, **options)
        except UnknownVariant as error:
            if "base" in options or not (names := [game.name for game in self.all()]):
                raise
            raise UnknownVariant(f"{error}; house games: {', '.join(names)}") from error

    def _parse_games(self, listed: object, is_lenient: bool = False) -> dict[str, HouseGame]:
        """Return house games by name; if lenient, one whose base is code not loaded becomes `untrusted`."""
        if not isinstance(listed, Sequence) or isinstance(listed, str):
            raise ConfigError("games: write [[games]], with two brackets, above each house game")
        games: dict[str, HouseGame] = {}
        for place, table in enumerate(listed):
            try:
                game = _parse_game(f"games[{place}]", table, self._folder or Path())
            except PluginError as error:
                if not is_lenient:
                    raise ConfigError(f"games[{place}]: {error}") from error
                self.untrusted[str(table["name"])] = str(error)
                continue
            if game.name in games:
                raise ConfigError(f"games[{place}]: {game.name} is defined twice")
            games[game.name] = game
        return games


def _parse_game(key: str, table: object, folder: Path) -> HouseGame:
    if not isinstance(table, Mapping) or not {"name", "base"} <= table.keys():
        raise ConfigError(f'{key} must be a table with a name and a base, such as base = "thirty-one"')
    own = {name: value for name, value in table.items() if name in OWN_KEYS}
    for name, value in own.items():
        text = value.replace("\n", "") if name == "page" and isinstance(value, str) else value
        if not isinstance(text, str) or not text.isprintable():
            raise ConfigError(f"{key}.{name} must be a text that can be printed")
    own["base"] = _name_loaded_game(own["base"], folder)
    with naming_key(key):
        base = parse_variant(own["base"])
        refuse_unknown(table, (*OWN_KEYS, *[option.name for option, _ in list_options(base)]), f"{key}.")
        options = {name: value for name, value in table.items() if name not in OWN_KEYS}
        rules = variant(own["name"], base=str(variant(base.name, **{**base.overrides, **options})))
    return HouseGame(**{**own, "base": rules.base})


def _name_loaded_game(base: str, folder: Path) -> str:
    """Return a base that names a game by its file or folder with the name of the game instead."""
    path, bracket, options = base.partition("(")
    return f"{find_loaded_game(path, folder).name}{bracket}{options}" if is_game_path(path) else base
