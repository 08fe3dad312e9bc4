"""A new league, and bots to drop into its inbox."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.league.folder import LeagueFolder
from arena.league.requests import Verdict
from arena.league.settings import Settings, read_settings
from arena.league.store import LadderRow, LeagueDatabase
from arena.tournament.store.played_blocks import Game

BOT = "class Bot:\n    def act(self, view):\n        return view.legal[{index}]\n"
Drop = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LeagueFolder:
    """A league whose deals are the same each time."""
    monkeypatch.setattr("arena.league.store.make_seed", lambda: "ab" * 16)
    return LeagueFolder.create(tmp_path / "league", variants=["lives"])


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
