"""Calls of commands, an empty folder for them, and runs that tests only read."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.play.game_conformance import check_game, worlds
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config

Arena = Callable[..., Result]


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Runs a command in this process; what it prints and its exit status are in the result.

    Without `--jobs` it plays here too: workers would import again what is imported here. Where a command
    measures how long blocks take, it plays for a twentieth of two seconds.
    """
    for module in ("run_execution", "reports"):
        monkeypatch.setattr(f"arena.cli.{module}.usable_cores", lambda: 1)
    monkeypatch.setattr("arena.tournament.review.forecast.TIMED_CHUNKS", 1)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def run(*args: str | Path, stdin: bytes | None = None, color: bool = False) -> Result:
        return CliRunner().invoke(
            main, [str(arg) for arg in args], input=stdin, color=color, prog_name="arena"
        )

    return run


def shorten_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the check of a game draw few worlds, in one position."""
    monkeypatch.setattr(
        check_game, "__kwdefaults__", {**(check_game.__kwdefaults__ or {}), "uniformity_tests": 1}
    )
    for limit in ("MIN_DRAWN", "MAX_DRAWN", "MARGINAL_DRAWN"):
        monkeypatch.setattr(worlds, limit, 200)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    return tmp_path


LIVES = {"name": "lives", "players": 2, "tokens": 1}


def make_run(folder: Path, **table: object) -> Path:
    """Play the run of a config; return its folder."""
    config = make_config({"seed": "any text", **table}, base=Path(), where="the test")
    Run.create(config, RunFolder.create(folder)).play(RunOptions())
    return folder


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run, which tests only read: three bots, six blocks of two games."""
    games = [{**LIVES, "players": 3}, {"name": "pool", "players": 3}]
    bots = ["greedy", "random", "stand-pat"]
    return make_run(tmp_path_factory.mktemp("results") / "small", bots=bots, variants=games, blocks=6)


@pytest.fixture(scope="session")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a Swiss tournament of four bots, which tests only read."""
    folder = tmp_path_factory.mktemp("results") / "it's swiss"
    games = [LIVES, {"name": "pool", "players": 2}]
    bots = ["greedy", "random", "stand-pat", "prudent"]
    return make_run(folder, format="swiss", rounds=2, blocks=1, bots=bots, variants=games)


@pytest.fixture(scope="session")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a comparison of two bots in a field of one, which tests only read."""
    folder = tmp_path_factory.mktemp("results") / "compared"
    bots = ["greedy", "stand-pat", "random"]
    return make_run(folder, format="comparison", bots=bots, variants=[LIVES], max_blocks=12, seed="why")
