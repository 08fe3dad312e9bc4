"""A new league and one after an update, and bots to drop into its inbox."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from arena.league.folder import LeagueFolder
from arena.league.requests import Verdict, submit
from arena.league.settings import Settings, read_settings
from arena.league.store import LadderRow, LeagueDatabase
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


@pytest.fixture
def drop(folder: LeagueFolder) -> Drop:
    """Write a bot in a file to the inbox; bots of different indices have different files."""

    def write(name: str, index: int = 0) -> Path:
        path = folder.inbox / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(BOT.format(index=index))
        return path

    return write


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
