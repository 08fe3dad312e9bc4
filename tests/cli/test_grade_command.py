"""`arena grade`: how far up the ladder of built-in bots a bot is."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from arena.games import VARIANTS
from arena.play.bot import Info, Limits
from arena.plugins import InstalledBot
from arena.tournament.setup.command_line import read_ladder
from bots.expert import make_searcher
from tests.cli.conftest import Arena
from tests.strangers.loading import GOLF, forget_games

GAME = "trade-and-barter"
"""A game whose rungs play fast: random, simple, thirty."""
ROOT = Path(__file__).parents[2]
SLOW_S = 60
SLOW = f"""import sys, time
class Bot:
    def act(self, view):
        print("decides", file=sys.stderr, flush=True)
        time.sleep({SLOW_S})
        return view.legal[-1]
"""
"""A bot that takes much longer than a test, and says when it has begun."""
CRASH = "class Bot:\n    def act(self, view):\n        raise RuntimeError\n"
PASSIVE = "class Bot:\n    def act(self, view):\n        return view.legal[-1]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def grade(arena: Arena, *arguments: str) -> Result:
    common = ("--seed", "any text", "--jobs", "1", "--blocks", "40", "--game", GAME, "--players", "2")
    return arena("grade", *common, *arguments)


def test_grade_of_a_rung_is_the_rung_below(arena: Arena) -> None:
    result = grade(arena, "simple", "--at-least", "random")
    assert result.exit_code == 0
    assert "simple beats random" in result.stdout
    assert "rung 1 of 3 at trade-and-barter, 2 players." in result.stdout  # without simple itself
    assert result.stderr.startswith(
        "1 of 1: simple at trade-and-barter, 2 players\nTiming a block against each rung.\n"
    )
    assert "At most 120 blocks, about" in result.stderr
    folder = "results/grade-simple-trade-and-barter-2-001"
    assert result.stdout.endswith(  # of one grading, no note on several
        f" Its seed is any text.\n\nThe run is in {folder}. Where simple loses to thrifty: "
        f"arena why simple thrifty {folder}\n\n"
    )
    assert arena("why", "simple", "thrifty").exit_code == 0
    verified = arena("verify", folder)
    assert verified.exit_code == 0, verified.output


def test_the_same_files_get_the_same_grade_and_another_seed_draws_fresh_deals(arena: Arena) -> None:
    def play(*options: str) -> dict[str, Any]:
        common = ("--jobs", "1", "--blocks", "8", "--game", GAME, "--players", "2", "--isolation", "inline")
        [graded] = json.loads(arena("grade", "own.py", *common, "-q", "--json", *options).stdout)
        return {**graded, "folder": None}

    Path("own.py").write_text(PASSIVE)
    first = play()
    assert play() == first
    assert play("--seed", "x")["results"] != first["results"]
    Path("own.py").write_text(f"# a comment\n{PASSIVE}")
    assert play()["seed"] != first["seed"]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let gradings begin, however slow the machine is."""
    monkeypatch.setattr("arena.cli.designs.GRACE_S", 1000.0)


@pytest.mark.usefixtures("patience")
def test_a_grading_stopped_before_the_answer_has_a_status_of_its_own(arena: Arena) -> None:
    stopped = grade(arena, "simple", "--at-least", "random", "--time-limit", "0.000001", "--json")
    assert stopped.exit_code == 3
    assert [grading["done"] for grading in json.loads(stopped.stdout)] == [False]
    stopped = grade(arena, "simple", "--time-limit", "0.000001")
    assert stopped.exit_code == 1  # as every command
    assert "simple at trade-and-barter, 2 players: stopped before the first look" in stopped.stdout
    assert "Its seed is any text." in stopped.stdout


@pytest.mark.usefixtures("patience")
def test_what_a_stopped_grading_has_not_decided_is_open_in_the_row_of_each_bot(arena: Arena) -> None:
    options = ("--game", GAME, "--jobs", "1", "--time-limit", "0.000001", "--csv", "grades.csv", "--json")
    stopped = arena("grade", "simple", "stand-pat", *options)
    assert stopped.exit_code == 1
    rows = list(csv.DictReader(Path("grades.csv").read_text().splitlines()))
    assert [(row["bot"], row["rung"], row["beats"], row["done"]) for row in rows] == [
        ("simple", "", "", "no"),
        ("stand-pat", "", "", "no"),
    ]
    for row, fields in zip(rows, json.loads(stopped.stdout), strict=True):
        assert fields["rung"] is None
        assert [rung["beaten"] for rung in fields["results"]] == [None]
        assert row["seed"] == fields["seed"] != ""  # as drawn


def test_bot_that_was_not_reached_before_an_interrupt_has_a_row(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "arena.cli.run_execution.refuse_broken_bots", lambda *_, **__: signal.raise_signal(signal.SIGTERM)
    )
    stopped = grade(arena, "simple", "stand-pat", "--csv", "grades.csv")  # the second signal interrupts
    assert stopped.exit_code == 1
    assert "stand-pat at trade-and-barter, 2 players: not begun." in stopped.stdout
    rows = list(csv.DictReader(Path("grades.csv").read_text().splitlines()))
    assert [(row["bot"], row["rung"], row["done"], row["seed"]) for row in rows] == [
        ("simple", "", "no", "any text"),
        ("stand-pat", "", "no", "any text"),
    ]
    assert len(rows[1]["hash"]) == 64


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize(
    ("number", "options"),
    [
        (signal.SIGTERM, ()),
        pytest.param(signal.SIGINT, ("--quiet",), marks=pytest.mark.full),
        pytest.param(signal.SIGTERM, ("--quiet",), marks=pytest.mark.full),
        pytest.param(signal.SIGINT, (), marks=pytest.mark.full),
    ],
)
def test_signal_ends_a_grading_whose_blocks_take_long(
    tmp_path: Path, number: signal.Signals, options: tuple[str, ...]
) -> None:
    Path("slow.py").write_text(SLOW)
    command = [
        sys.executable,
        "-m",
        "arena",
        "grade",
        "slow.py",
        "--game",
        GAME,
        "--jobs",
        "1",
        "--seed",
        "s",
    ]
    environment = {**os.environ, "TMPDIR": str(tmp_path / "scratch"), "PYTHONPATH": str(ROOT)}
    (tmp_path / "scratch").mkdir()
    level = ("--isolation", "inline", "--at-least", "random", "--json", "--seed", "s")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, *level, *options], stdout=pipe, stderr=pipe, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        while process.stderr.readline() != "decides\n":  # in the timed block, or with --quiet in the first
            assert process.poll() is None
        process.send_signal(number)
        started = time.monotonic()
        output, errors = process.communicate()
    assert time.monotonic() - started < SLOW_S / 2
    assert process.returncode == 3, errors
    [grading] = json.loads(output)
    assert (grading["done"], grading["seed"], grading["rung"]) == (False, "s", None)
    assert list((tmp_path / "scratch").iterdir()) == []


def test_time_limit_counts_the_timing_of_blocks(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("slow.py").write_text(SLOW)
    started = time.monotonic()
    stopped = grade(arena, "slow.py", "--isolation", "inline", "--time-limit", "0.1")
    assert time.monotonic() - started < SLOW_S / 2
    assert stopped.exit_code == 1
    assert stopped.stdout.startswith("slow.py at trade-and-barter, 2 players: ")


@pytest.mark.parametrize(
    ("bots", "fields", "status"),
    [
        (["simple"], {"beats": ["random"], "done": False}, 0),
        (["simple"], {"beats": [], "done": True}, 1),
        (["simple"], {"beats": [], "done": False}, 3),
        (["simple", "stand-pat"], {"beats": ["random"], "done": False}, 0),
    ],
)
def test_a_grading_stopped_after_the_answer_has_the_status_of_that(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, bots: list[str], fields: dict[str, object], status: int
) -> None:
    monkeypatch.setattr("arena.cli.designs._Grading.play", lambda *_: False)
    monkeypatch.setattr("arena.cli.designs._Grading.fields", lambda *_: fields)
    assert grade(arena, *bots, "--at-least", "random").exit_code == status


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--at-least", "simpel"), "no rung 'simpel' at trade-and-barter; from the weakest, it has random, "),
        (("--at-least", ""), "ladder-1 has no rung '' at trade-and-barter"),
        (("--game", "poool"), "no variant 'poool'"),
        (("--blocks", "5"), "5 is not in the range x>=6"),
        (("--csv", "nowhere/grades.csv"), "there is no folder nowhere for grades.csv: make it first"),
        (("--csv", "."), ". is a folder: name a file with --csv"),
    ],
)
def test_an_impossible_grading_is_refused_before_the_play(
    arena: Arena, options: tuple[str, ...], message: str
) -> None:
    result = grade(arena, "simple", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_progress_names_the_rung_and_no_leader(arena: Arena) -> None:
    progress = grade(arena, "random").stderr.splitlines()[-1]  # it loses to simple
    assert ", against simple: " in progress
    assert "leads" not in progress


@pytest.mark.parametrize(
    ("code", "level"),
    [
        pytest.param(CRASH, "process", marks=pytest.mark.full),
        pytest.param(CRASH, "inline", marks=pytest.mark.full),
        (f"raise RuntimeError\n{CRASH}", "process"),
    ],
)
def test_a_disqualified_bot_beats_no_rung(arena: Arena, code: str, level: str) -> None:
    Path("bad.py").write_text(code)
    options = ("--isolation", level, "--keep-going", "--at-least", "random", "--csv", "grades.csv", "-q")
    result = grade(arena, "bad.py", *options)
    assert result.exit_code == 1
    assert (
        "bad.py is disqualified: it lost 8 of 8 matches by its faults; rung 0 of 4 at trade-and-barter, "
        "2 players." in result.stdout
    )
    [row] = csv.DictReader(Path("grades.csv").read_text().splitlines())
    assert (row["rung"], row["beats"], row["next"], row["done"]) == ("0", "", "random", "yes")
    assert row["disqualified"] == "yes"
    [fields] = json.loads(grade(arena, "bad.py", *options, "--json").stdout)
    assert (fields["rung"], fields["beats"], fields["disqualified"]) == (0, [], True)
    assert [rung["beaten"] for rung in fields["results"]] == [False]


@pytest.mark.parametrize(("game", "is_warned"), [("extended", True), ("cuccu", False)])
def test_expert_without_its_search_is_no_whole_rung(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, game: str, is_warned: bool
) -> None:
    monkeypatch.setattr("arena.cli.designs.find_spec", lambda _: None)
    result = arena("grade", "random", "--game", game, "--blocks", "6", "--jobs", "1", "-q")
    warning = "expert searches at this game with numba, and is weaker here than its rung"
    assert (warning in result.stderr) == is_warned


def test_the_ladder_says_where_expert_needs_numba() -> None:
    pytest.importorskip("numba")
    ladder = read_ladder()
    infos = {
        rules.name: Info.of(rules, seat=0, players=min(4, rules.players[-1]), key="any", limits=Limits())
        for rules in VARIANTS
        if "expert" in ladder.rungs[rules.name]
    }
    searched = {name for name, info in infos.items() if make_searcher(info) is not None}
    assert searched == set(ladder.needs_numba["expert"])


def test_programs_get_every_number(arena: Arena) -> None:
    result = grade(arena, "simple", "--json", "-q", "--csv", "grades.csv")
    [grading] = json.loads(result.stdout)
    assert grading["ladder"] == "ladder-1"
    assert (grading["rung"], grading["rungs"], grading["beats"]) == (1, 3, ["random"])
    assert [rung["bot"] for rung in grading["results"]] == ["random", "thrifty"]
    assert grading["results"][0]["beaten"] is True
    [row] = csv.DictReader(Path("grades.csv").read_text().splitlines())
    assert (row["bot"], row["beats"], row["next"], row["done"]) == ("simple", "random", "thrifty", "yes")
    assert float(row["score"]) == pytest.approx(grading["results"][1]["score"])


def test_kept_grading_is_resumed_by_the_same_command(arena: Arena) -> None:
    Path("mine.py").write_text(PASSIVE)
    options = ("mine.py", "--isolation", "inline", "--out", "kept")
    assert grade(arena, *options, "--time-limit", "0.000001").exit_code == 1
    resumed = grade(arena, *options)
    assert resumed.exit_code == 0
    assert resumed.stdout == grade(arena, *options).stdout
    by_default = grade(arena, "mine.py", "--isolation", "inline").stdout
    assert resumed.stdout.partition("The run is")[0] == by_default.partition("The run is")[0]
    assert grade(arena, *options, "--blocks", "50").exit_code == 2
    Path("mine.py").write_text(f"{PASSIVE}\n# another version")
    changed = grade(arena, *options)
    assert (changed.exit_code, changed.stdout) == (2, "")
    assert "changed since this run began" in changed.stderr


def test_several_bots_and_games_have_a_row_each(arena: Arena) -> None:
    common = ("--seed", "x", "--jobs", "1", "--blocks", "32", "--players", "2", "-q", "--csv", "grades.csv")
    result = arena("grade", "random", "stand-pat", "--game", "pool", "--game", "lives", *common)
    assert result.exit_code == 0
    assert result.stdout.count("That holds for each of the 4 gradings, not for all together") == 1
    rows = list(csv.DictReader(Path("grades.csv").read_text().splitlines()))
    assert [(row["bot"], row["variant"]) for row in rows] == [
        (bot, game) for bot in ("random", "stand-pat") for game in ("pool", "lives")
    ]


def test_ladder_has_every_game_and_is_that_of_the_bots_here() -> None:
    ladder = read_ladder()
    assert sorted(ladder.rungs) == sorted(rules.name for rules in VARIANTS)
    for bots in ladder.rungs.values():
        assert len(bots) == len(set(bots)) >= 3
    used = {bot for bots in ladder.rungs.values() for bot in bots}
    changed = {bot for bot in used if InstalledBot(bot).digest() != ladder.hashes[bot]}
    assert not changed, "run `python -m benchmarks.freeze_ladder` when the rungs' order has been shown again"


def test_a_game_in_a_file_has_the_rungs_that_play_any_game(arena: Arena) -> None:
    shutil.copy(GOLF, "golf.py")
    common = ("--seed", "any text", "--jobs", "1", "--blocks", "6", "--players", "2", "--isolation", "inline")
    with forget_games():
        result = arena("grade", "random", "--game", "golf.py", *common)
    assert result.exit_code == 0, result.output
    assert "rung 0 of 1 at golf, 2 players." in result.stdout  # rollout: golf has no heuristic


def test_a_grading_under_another_spelling_of_the_path_is_continued(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    call = ("grade", "./mine.py", "--game", GAME, "--blocks", "6", "--out", "g", "--isolation", "inline")
    with monkeypatch.context() as earlier:  # names were as written
        earlier.setattr("arena.plugins.bot_spec.spell_name", lambda name, base: name)
        first = arena(*call, "--json")
    again = arena(*call, "--json")
    assert json.loads(again.stdout)[0]["bot"] == "./mine.py"
    assert again.stdout == first.stdout
