"""A small finished run of one game of each family, at tables of two and three."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena import RunData, load_run, run_tournament
from arena.tournament.store.codec import digest

GAMES = ("lives", "bastard-brag", "trade-and-barter", "thirty-one", "cuccu", "cambio", "cox")


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the run."""
    folder = tmp_path_factory.mktemp("results") / "families"
    small = {"lives": {"tokens": 1}, "thirty-one": {"tokens": 1}, "cuccu": {"tokens": 1}}
    config = {
        "bots": ["random", {"bot": "random", "name": "other"}, "stand-pat"],
        "variants": [{"name": name, "players": [2, 3], **small.get(name, {})} for name in GAMES],
        "blocks": 1,
        "seed": "any text",
    }
    run_tournament(config, folder)
    return folder


@pytest.fixture
def run(run_folder: Path) -> RunData:
    """The results of the run."""
    return load_run(run_folder)


@pytest.fixture
def changed(run_folder: Path, tmp_path: Path) -> Callable[..., RunData]:
    """Return a function that changes a copy of the run's database and loads it."""

    def change(statement: str, *values: object) -> RunData:
        folder = shutil.copytree(run_folder, tmp_path / "changed")
        with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
            connection.create_function("digest", 2, digest)
            connection.execute(statement, values)
        return load_run(folder)

    return change
