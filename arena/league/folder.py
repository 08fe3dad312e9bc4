"""The folder of a league."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self

import tomli_w

from arena.errors import StoreError
from arena.league.settings import SETTINGS, TEMPLATE, Settings, make_settings
from arena.league.store import DATABASE, LeagueDatabase
from arena.play.isolation.bot_users import can_open_folders, is_root
from arena.plugins.bot_files import ContentStore
from arena.plugins.games import copy_game, find_place, load_games
from arena.tournament.files import FILE_MODE, FOLDER_MODE, hide_path, replace_file
from arena.tournament.setup.bots import GAMES_FOLDER, house_game_table

DEFAULT_VARIANTS: Final = ("lives", "thirty-one")
INBOX_MODE: Final = 0o711
"""Permissions of a new inbox: submitters enter their folders in it, which only the owner may list."""


class LeagueFolder:
    """Paths of a league: its settings, its database, and what is put in and written."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.settings = self.path / SETTINGS
        self.database = self.path / DATABASE
        self.bots = self.path / "bots"
        self.inbox = self.path / "inbox"
        self.handed_in = self.path / "handed-in"
        self.site = self.path / "site"
        self.site_lock = self.path / ".site.lock"
        self.settings_lock = self.path / ".settings.lock"
        self.organiser = self.path / "organiser"
        self.finals = self.path / "finals"
        self.grades = self.path / "grades"
        self.reviews = self.path / "reviews"
        self.log = self.path / "league.log"
        self.seal = self.path / "seal.json"
        self.seal_signature = self.path / "seal.json.sig"
        self.contents = ContentStore(self.path)

    @classmethod
    def create(cls, path: Path, title: str = "", variants: Sequence[str] = DEFAULT_VARIANTS) -> Self:
        """Create a league in a new or empty folder, or in one with nothing but settings."""
        folder = cls(path)
        games = [{"name": name} for name in variants]
        settings = make_settings({"title": title, "variants": games}, "the command line", Path())
        path.mkdir(parents=True, exist_ok=True)
        parts = {f"{name}.part" for name in (SETTINGS, DATABASE)} | {f"{DATABASE}.part-journal"}
        unfinished = {SETTINGS, "inbox", GAMES_FOLDER, *parts}
        if folder.database.exists():
            raise StoreError(f"{path} holds a league already: update it with `arena league update {path}`")
        if held := sorted(entry.name for entry in path.iterdir() if entry.name not in unfinished):
            raise StoreError(f"{path} is not empty, it contains {held[0]}: a league needs its own folder")
        if not folder.settings.exists():
            with replace_file(folder.settings) as file:
                file.write(_settings_text(settings, _copy_games(settings, folder.path)).encode())
        folder.inbox.mkdir(mode=INBOX_MODE, exist_ok=True)
        LeagueDatabase.create(folder.path)
        return folder

    def make_private(self) -> None:
        """Let nobody but the owner read what is not for all, also in a league of an earlier version.

        Left as they are: the site, the starter kit, the games, and the settings, which an update hides if
        they name submitters; and the inbox, which has the permissions that the organiser gives it.
        """
        hide_path(self.bots, bots_mode())
        for path in (self.handed_in, self.organiser, self.finals, self.grades, self.reviews):
            hide_path(path, FOLDER_MODE)
        if not os.path.lexists(self.log):
            self.log.touch(FILE_MODE)
        for path in (self.log, self.seal, self.site_lock, self.settings_lock):
            hide_path(path, FILE_MODE)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Return the folder of an existing league."""
        folder = cls(path)
        if not folder.database.exists():
            raise StoreError(f"{path} holds no league: create one with `arena league new {path}`")
        return folder


def bots_mode() -> int:
    """Return the permissions of the folder with the files of bots.

    Bots of an arena that root started run as other users. Where the machine does not let it open a closed
    folder to them, as in most containers, they enter the folder, which nobody else can list.
    """
    return 0o711 if is_root() and not can_open_folders() else FOLDER_MODE


def _copy_games(settings: Settings, folder: Path) -> dict[str, str]:
    """Copy the games that are not installed into a league's folder; return what names each there."""
    names = {}
    for entry in settings.variants:  # they may be of one file
        if place := find_place(entry.rules):
            target = folder / GAMES_FOLDER / Path(place).name
            if not target.exists():
                copy_game(place, target)
            load_games(str(target))
            names[entry.name] = f"{GAMES_FOLDER}/{target.name}:{entry.name}"
    return names


def _settings_text(settings: Settings, names: Mapping[str, str]) -> str:
    text = TEMPLATE.read_text(encoding="utf-8")
    if settings.title:
        text = text.replace('#title = ""', tomli_w.dumps({"title": settings.title}).strip())
    about = "# The games, each with the sizes of its tables and its options (`arena variants` lists them)."
    entries = [
        f'[[variants]]\nname = "{names.get(entry.name, entry.name)}"\nplayers = [4]\n'
        for entry in settings.variants
    ]
    entries += [f"[[games]]\n{tomli_w.dumps(house_game_table(game))}" for game in settings.games]
    return f"{text}{about}\n" + "\n".join(entries)
