"""A new league and one after an update, and bots to drop into its inbox."""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import copytree
from typing import Any, cast

import pytest

from arena.league import inbox
from arena.league.folder import LeagueFolder
from arena.league.requests import (
    Admission,
    Aliases,
    Check,
    Verdict,
    choose_alias,
    list_renames,
    request_change,
    submit,
)
from arena.league.settings import Settings, make_settings, read_settings
from arena.league.store import LadderRow, LeagueDatabase, LeagueRequest, RequestKind
from arena.league.update import Ending, UpdateOptions, update_league
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.store.played_blocks import Game
from benchmarks.kills import SETTINGS

BOT = "class Bot:\n    def act(self, view):\n        return view.legal[{index}]\n"
BOTS = ("greedy", "random", "counter", "prudent")
Drop = Callable[..., Path]


class StopAfter(StopRequest):
    """A stop that is requested after some questions whether it is."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self._left = questions

    @property
    def is_requested(self) -> bool:
        self._left -= 1
        return self._left < 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LeagueFolder:
    """A league whose deals are the same each time."""
    monkeypatch.setattr("arena.league.store.make_seed", lambda: "ab" * 16)
    return LeagueFolder.create(tmp_path / "league", variants=["lives"])


@pytest.fixture
def league(folder: LeagueFolder) -> LeagueFolder:
    """A league to which four bots were submitted."""
    folder.settings.write_text(SETTINGS)
    add(folder, *BOTS)
    return folder


@pytest.fixture(scope="session")
def played_league(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """The same league after its first update, played once: to be copied, not changed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.league.store.make_seed", lambda: "ab" * 16)
        folder = LeagueFolder.create(tmp_path_factory.mktemp("played") / "league", variants=["lives"])
        folder.settings.write_text(SETTINGS)
        add(folder, *BOTS)
        assert update(folder) == "done"
    return folder


@pytest.fixture
def updated(folder: LeagueFolder, played_league: LeagueFolder) -> LeagueFolder:
    """A copy of the league after its first update."""
    copytree(played_league.path, folder.path, dirs_exist_ok=True)
    return folder


@pytest.fixture
def database(folder: LeagueFolder) -> Iterator[LeagueDatabase]:
    with LeagueDatabase.open(folder.path, "rw") as database:
        yield database


@pytest.fixture
def settings(folder: LeagueFolder) -> Settings:
    return read_settings(folder.path)


class Inbox:
    """An inbox, and what the updates of its league make of what is dropped into it.

    A step is one line: `ann/shark 1` drops a Python file whose code is the first, `folder ann/shark 1 author
    Ann` a folder with a line in its bot.toml, `submit greedy house` submits an installed bot under a name,
    `ban ann`, `withdraw ann` and `rename ann ben` are requests, `alias ann heron` sets an alias, and
    `aliases off` is a setting. `{guest}` is the alias that ann has at first.
    """

    def __init__(self, folder: LeagueFolder, database: LeagueDatabase) -> None:
        self.folder, self.database = folder, database
        self.table: dict[str, Any] = {"variants": [{"name": "lives"}]}

    @property
    def settings(self) -> Settings:
        return make_settings(self.table, "here")

    @property
    def bots(self) -> list[str]:
        """Name and current version of each bot, and its state if it is not active."""
        bots = self.database.read_bots()
        return [f"{bot.name} {bot.version} {bot.state}".removesuffix(" active") for bot in bots]

    def drop_folder(self, name: str, index: int = 0, manifest: str = "") -> Path:
        path = self.folder.inbox / name
        path.mkdir(parents=True)
        (path / "bot.toml").write_text(f'name = "{path.name}"\nclass = "bot.py:Bot"\n{manifest}')
        (path / "bot.py").write_text(BOT.format(index=index))
        return path

    def collect_new(self) -> int:
        return inbox.collect(self.folder, self.database, self.settings)

    def collect(self, **changes: str) -> list[LeagueRequest]:
        """Queue what was dropped, with changes as if it was applied; return all requests so far."""
        self.collect_new()
        requests = self.database.read_requests()
        for request in requests if changes else ():
            self.database.change_request(request.number, **changes)
        return requests

    def settle(self) -> None:
        inbox.settle(self.folder, self.database, self.settings)

    def apply(self, check: Check | None = None) -> list[LeagueRequest]:
        """Apply all that waits; return all requests so far."""
        admission = Admission(self.folder, self.database, self.settings, check or admit_all)
        for request in self.database.read_requests("state = 'waiting'"):
            admission.apply(self.database.read_requests("number = ?", request.number)[0], 1)
        self.settle()
        return self.database.read_requests()

    def update(self, *steps: str, check: Check | None = None) -> list[LeagueRequest]:
        """Take steps, and update the league without playing; return all requests so far."""
        guest = Aliases.read(self.database, self.settings).list_all("ann")[0]
        for step in steps:
            self._take(step.replace("{guest}", guest))
        self.collect()
        for rename in list_renames(self.database, self.settings):
            self.database.add_request(rename)
        return self.apply(check)

    def _take(self, step: str) -> None:
        match step.split():
            case ["folder", name, index, *line]:
                self.drop_folder(name, int(index), f'{line[0]} = "{line[1]}"\n' if line else "")
            case ["submit", bot, name]:
                submit(self.folder, self.database, bot, self.folder.path, name=name)
            case ["aliases", word]:
                self.table["aliases"] = word == "on"
            case ["alias", submitter, alias]:
                choose_alias(self.database, self.settings, submitter, alias)
            case ["withdraw" | "ban" | "rename" as kind, name, *new]:
                aliases = Aliases.read(self.database, self.settings)
                request_change(self.database, cast(RequestKind, kind), name, "".join(new), aliases)
            case [name, index]:
                drop_file(self.folder, name, int(index))
            case _:
                raise ValueError(step)


@pytest.fixture
def box(folder: LeagueFolder, database: LeagueDatabase) -> Inbox:
    return Inbox(folder, database)


@pytest.fixture
def drop(folder: LeagueFolder) -> Drop:
    """Write a bot in a file to the inbox; bots of different indices have different files."""

    return partial(drop_file, folder)


def drop_file(folder: LeagueFolder, name: str, index: int = 0) -> Path:
    path = folder.inbox / f"{name}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(BOT.format(index=index))
    return path


def admit_all(*_: object) -> Verdict:
    """Find nothing wrong with any bot."""
    return Verdict("", "a card")


def make_row(game: Game, version: int, place: int | None, elo: float | None, **fields: Any) -> LadderRow:
    """Return the row of a version in the ladder of the first update."""
    return LadderRow(
        **{
            "variant": game[0],
            "players": game[1] or None,
            "version": version,
            "place": place,
            "rank": None if place is None else str(place),
            "bot": f"v{version}",
            "elo": elo,
            "error": None,
            "league_update": 1,
            "blocks": 1,
            **fields,
        }
    )


def add(folder: LeagueFolder, *bots: str) -> None:
    with LeagueDatabase.open(folder.path, "rw") as database:
        for bot in bots:
            submit(folder, database, bot, folder.path)


def update(
    folder: LeagueFolder,
    *,
    more: bool = False,
    jobs: int = 1,
    stop: StopRequest | None = None,
    cluster: Cluster | None = None,
) -> Ending:
    run = RunOptions(jobs=jobs, log_level=logging.WARNING, cluster=cluster)
    options = UpdateOptions(run=run, date="2026-01-01", more=more, confirmed="inline")
    return update_league(folder, options, lambda *_: "a card", stop or StopRequest())


def content(folder: LeagueFolder) -> list[str]:
    with LeagueDatabase.open(folder.path) as database:
        return list(database.comparable_rows())


def copy(folder: LeagueFolder, name: str) -> LeagueFolder:
    copytree(folder.path, folder.path.parent / name)
    return LeagueFolder(folder.path.parent / name)
