"""Code that a stranger's config or run folder names runs with the user's rights only if the user says so."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena import run_tournament
from arena.errors import ConfigError
from arena.play.isolation import Level, LevelSelector, ProbeResult
from arena.tournament.engine.block_player import get_block_player
from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from tests.cli.conftest import Arena

BOT = """from contextlib import suppress
from pathlib import Path

with suppress(OSError):  # where another user has made it
    Path({canary!r}).touch()


class Bot:
    def act(self, view):
        return view.legal[0]
"""
SEED = "a8f5f167f44f4964e6c998dee827110c"  # twin and random are not separated with confidence 99.9999 %
GAME = f'blocks = 4\nseed = "{SEED}"\n[[variants]]\nname = "lives"\nplayers = 2\ntokens = 1\n'
CONTROLS = "\x1b[2J\x9b5n\u202eabc\u2028x\x07"
LEVELS = pytest.mark.parametrize("level", ["inline", "process"])
RESUME = ("resume", "run", "--jobs", "1")
SEATS = ("table", "run", "--show", "seats", "--control", "2")
BOTS = {
    "file": "bots/mine.py:Bot",
    "folder": "bots/mine",
    "submitted": "submitted:mine",
    "command": "cmd:bots/it",
}


@pytest.fixture
def canary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file that the bots write where they are imported or started with the user's rights.

    As root they become another user at `process`, who may write in the folder too.
    """
    with TemporaryDirectory(prefix="arena-test-") as name:
        Path(name).chmod(0o777)
        monkeypatch.chdir(name)
        yield _write_bots(Path(name, "canary"))


def _write_bots(path: Path) -> Path:
    folder = Path("bots/mine")
    folder.mkdir(parents=True)
    for file in (Path("bots/mine.py"), folder / "bot.py"):
        file.write_text(BOT.format(canary=str(path)))
    (folder / "bot.toml").write_text('name = "mine"\nclass = "bot.py:Bot"\n')
    Path("bots/it").write_text(f"#!/bin/sh\n: > {path}\n")
    Path("bots/it").chmod(0o755)
    return path


@pytest.fixture
def seen(canary: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], bool]:
    """Tells whether a bot has run with the user's rights since the last call."""

    def pop() -> bool:
        has_run = canary.exists()
        canary.unlink(missing_ok=True)
        get_block_player.cache_clear()  # keeps classes
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "")).startswith(str(canary.parent)):
                del sys.modules[name]
        return has_run

    return pop


def write_config(level: str, bot: str = BOTS["file"]) -> None:
    Path("it.toml").write_text(
        f'bots = ["{bot}", {{bot = "{bot}", name = "twin"}}, "random"]\nisolation = "{level}"\n{GAME}'
    )


def rewrite_facts(level: str) -> None:
    """Let the run's config ask for `auto`, while its stored levels are another."""
    with closing(sqlite3.connect("run/arena.db", isolation_level=None)) as connection:
        ((config,),) = connection.execute("SELECT value FROM fact WHERE name = 'config'")
        changed = config.replace(f'isolation = \\"{level}\\"', 'isolation = \\"auto\\"')
        assert changed != config
        connection.execute("UPDATE fact SET value = ? WHERE name = 'config'", (changed,))


@LEVELS
@pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
def test_config_cannot_ask_for_the_users_rights(
    arena: Arena, seen: Callable[[], bool], level: str, bot: str
) -> None:
    if bot == BOTS["submitted"]:
        assert arena("submit", "bots/mine").exit_code == 0
    write_config(level, bot)
    for call in (("run", "it.toml", "--jobs", "1"), ("check", bot, "--config", "it.toml", "--matches", "1")):
        refused = arena(*call)
        assert (refused.exit_code, seen()) == (2, False), refused.stderr
        if (level, bot) != ("inline", BOTS["command"]):
            assert f"add --isolation {level}" in refused.stderr
    assert not Path("results").exists()


@pytest.mark.parametrize("level", ["inline", pytest.param("process", marks=pytest.mark.full)])
@pytest.mark.parametrize("is_hidden", [False, pytest.param(True, marks=pytest.mark.full)])
def test_run_folder_cannot_ask_for_the_users_rights(
    arena: Arena, seen: Callable[[], bool], level: str, is_hidden: bool
) -> None:
    write_config(level)
    confirmed = ("--isolation", level)
    begun = arena("run", "it.toml", *confirmed, "--jobs", "1", "--blocks", "12", "--out", "run")
    assert (begun.exit_code, seen()) == (0, True)
    shorten_run()
    if is_hidden:
        rewrite_facts(level)
    calls = (
        SEATS,
        ("plan", "run", "twin", "random", "--confidence", "99.9999", "--jobs", "1"),
        RESUME,
        ("run", "run/run.toml", "--jobs", "1"),
    )
    for call in calls[: 3 if is_hidden else 4]:
        refused = arena(*call)
        assert (refused.exit_code, seen()) == (2, False), call
        assert f"add --isolation {level}" in refused.stderr
    for call in calls:
        allowed = arena(*call, *confirmed)
        assert allowed.exit_code == 0, (call, allowed.stderr)


def shorten_run() -> None:
    """Take some blocks from a finished run, for `arena resume` to play."""
    with closing(sqlite3.connect("run/arena.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM block WHERE place >= 24")


def test_reading_a_run_folder_runs_no_code(arena: Arena, seen: Callable[[], bool]) -> None:
    write_config("inline")
    run = ("run", "it.toml", "--isolation", "inline", "--jobs", "1", "--out", "run")
    assert (arena(*run).exit_code, seen()) == (0, True)
    for call in (
        ("table", "run"),
        *(
            ("table", "run", option)
            for option in (
                "--show=matrix",
                "--show=seats",
                "--show=variants",
                "--show=exceptions",
                "--show=fair-play",
            )
        ),
        ("watch", "run", "--once"),
        ("report", "run"),
        ("report", "run", "--bot", "twin"),
        ("verify", "run", "--jobs", "1"),
        *(("replay", name, "run") for name in ("list", "show", "verify", "export")),
        ("replay", "show", "run", "--html", "--out", "page.html", "--shadow", "greedy"),
        ("run", "greedy", "random", "--players", "2", "--jobs", "1", "--reuse", "run"),
    ):
        result = arena(*call)
        assert (result.exit_code, seen()) == (0, False), (call, result.stderr)
    for level in ("auto", "inline"):
        arena("replay", "show", "run", "--html", "--shadow", BOTS["file"], "--isolation", level)
        assert not seen()


def test_python_asks_for_the_users_rights_in_code_only(seen: Callable[[], bool], tmp_path: Path) -> None:
    write_config("inline")
    with pytest.raises(ConfigError, match="add --isolation inline"):
        run_tournament("it.toml", tmp_path / "a")
    assert not seen()
    run = run_tournament("it.toml", tmp_path / "a", isolation="inline").run
    assert seen()
    again = Run.open(run.folder.path)
    with pytest.raises(ConfigError, match="add --isolation inline"):
        again.play(RunOptions())
    table = {"bots": [BOTS["file"], "random"], "variants": [{"name": "lives", "players": 2}], "blocks": 1}
    run_tournament({**table, "isolation": "inline"}, tmp_path / "b")
    assert seen()


def test_config_may_ask_for_process_where_nothing_stronger_is_available(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find_process_only(level: Level) -> ProbeResult:
        return ProbeResult(level, level == "process")

    monkeypatch.setattr("arena.play.isolation.level_selector.probe", find_process_only)
    LevelSelector().refuse_unconfirmed("mine", "file", "process", None)
    with pytest.raises(ConfigError, match="add --isolation inline"):
        LevelSelector().refuse_unconfirmed("mine", "file", "inline", None)
    LevelSelector().refuse_unconfirmed("mine", "plug-in", "inline", None)


@pytest.mark.parametrize("fact", ["bots", "isolation", "rules"])
def test_database_that_lacks_a_bot_is_refused(arena: Arena, seen: Callable[[], bool], fact: str) -> None:
    write_config("inline")
    options = ("--isolation", "inline", "--jobs", "1", "--blocks", "1", "--out", "run")
    assert arena("run", "it.toml", *options).exit_code == 0
    assert seen()
    with closing(sqlite3.connect("run/arena.db", isolation_level=None)) as connection:
        connection.execute("UPDATE fact SET value = '{}' WHERE name = ?", (fact,))
    for call in (RESUME, SEATS, ("table", "run"), ("verify", "run", "--jobs", "1")):
        refused = arena(*call)
        assert (refused.exit_code, seen()) == (1, False), call
        assert "is damaged: it lacks" in refused.stderr


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("authors", {"greedy": CONTROLS}),
        ("rules", {"lives": 1, CONTROLS: 1}),
        ("bots", {"greedy": CONTROLS, "random": ""}),
        ("seed", CONTROLS),
        ("versions", {CONTROLS: CONTROLS}),
    ],
)
def test_text_from_a_database_cannot_steer_the_terminal(
    arena: Arena, canary: Path, fact: str, value: object
) -> None:
    options = ("--players", "2", "--blocks", "1", "--jobs", "1", "--out", "run")
    assert arena("run", "greedy", "random", *options).exit_code == 0
    with closing(sqlite3.connect("run/arena.db", isolation_level=None)) as connection:
        connection.execute("UPDATE fact SET value = ? WHERE name = ?", (json.dumps(value), fact))
    for call in (("table", "run"), ("table", "run", "--format", "md"), ("watch", "run", "--once"), SEATS):
        printed = arena(*call, color=True)
        assert all(char.isprintable() or char == "\n" for char in printed.output), call
    assert arena("resume", "run").exit_code == (1 if fact == "seed" else 0)
