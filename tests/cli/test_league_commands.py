"""`arena league`, from an empty folder to a final."""

import csv
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from arena.rating.elo_fit import find_center
from benchmarks.league_season import count_blocks, count_covered
from tests.cli.conftest import Arena

SMALL = """\
precision = 90
blocks = 12
check_matches = 1
[[variants]]
name = "lives"
players = 3
tokens = 1
"""


@pytest.fixture
def league(arena: Arena, tmp_path: Path) -> Path:
    folder = tmp_path / "ours"
    assert arena("league", "new", folder, "--title", "Ours", "--variant", "lives").exit_code == 0
    (folder / "league.toml").write_text(SMALL)
    return folder


def test_a_league_from_an_empty_folder_to_a_final(arena: Arena, league: Path) -> None:
    (league / "inbox/mine.py").write_text(
        "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    (league / "inbox/bad.py").write_text("class Bad:\n    def act(self, view):\n        return 'nonsense'\n")
    assert "as number 1" in arena("league", "submit", league, "greedy", "random").stdout
    result = arena("league", "update", league, "--jobs", 1, "--date", "2026-03-01", "-q")
    assert result.exit_code == 0, result.output
    assert "bad: rejected: its check found: invalid" in result.stdout
    assert "Update 1 of 2026-03-01: done" in result.stdout
    card = (league / "inbox/bad.py.rejected.txt").read_text(encoding="utf-8")
    assert "'nonsense' is not an action of this game" in card
    assert sorted(path.name for path in (league / "inbox").iterdir()) == ["bad.py", "bad.py.rejected.txt"]
    rows = json.loads(arena("league", "list", league, "--json").stdout)
    assert {row["bot"] for row in rows} == {"greedy", "random", "mine"}
    table = list(csv.DictReader(arena("league", "list", league, "--format", "csv").stdout.splitlines()))
    assert [(row["bot"], row["blocks"]) for row in table] == [
        (row["bot"], str(row["blocks"])) for row in rows
    ]
    listed = arena("league", "list", league, "--show", "submissions", "--format", "csv").stdout
    assert [row["state"] for row in csv.DictReader(io.StringIO(listed))].count("admitted") == 3
    cards = {row["bot"]: row for row in csv.DictReader(io.StringIO(listed))}
    assert "'nonsense' is not an action" in cards["bad"]["card"]
    assert cards["bad"]["time"]
    assert "'nonsense'" not in arena("league", "list", league, "--show", "submissions").stdout
    assert arena("league", "list", league, "--show", "faults").stdout == "Nothing yet.\n"
    assert "Nothing to do" in arena("league", "update", league, "--jobs", 1).stdout
    for command in (("rename", "mine", "yours"), ("withdraw", "random"), ("ban", "greedy")):
        assert arena("league", command[0], league, *command[1:]).exit_code == 0
    lonely = arena("league", "update", league, "--jobs", 1, "-q").stdout
    assert "lives(tokens=1), 3 players: 1 of the 3 bots that a table needs" in lonely
    bots = json.loads(arena("league", "list", league, "--show", "bots", "--json").stdout)
    assert {(row["bot"], row["state"]) for row in bots} == {
        ("greedy", "banned"),
        ("random", "withdrawn"),
        ("yours", "active"),
    }
    assert "withdraw" in arena("league", "list", league, "--show", "submissions").stdout
    assert arena("league", "final", league, "--top", 3).exit_code == 2
    few = arena("league", "final", league, "--top", 2)
    assert (few.exit_code, "players here: take --top" in few.stderr) == (2, True)


def test_ladders_have_ratings_adjusted_for_luck(arena: Arena, league: Path) -> None:
    arena(
        "league", "submit", league, "greedy", "prudent", "counter", "tuned"
    )  # none so far that it has a bound
    assert arena("league", "update", league, "--jobs", 1, "-q").exit_code == 0
    plain = json.loads(arena("league", "list", league, "--json").stdout)
    call = ("league", "list", league, "--jobs", "1")
    rows = json.loads(arena(*call, "--json", "--adjust", "luck").stdout)
    columns = ("luck elo", "luck comparison_error", "luck ratio", "luck error")
    assert [{key: row[key] for key in row if key not in columns} for row in rows] == plain
    assert any(row["luck elo"] != row["elo"] for row in rows)
    weights = find_center(np.array([row["elo"] for row in rows])).weights
    assert weights @ [row["luck elo"] - row["elo"] for row in rows] == pytest.approx(0, abs=0.2)  # rounded
    for row in rows:
        if row["luck ratio"]:
            for name in ("error", "comparison_error"):
                ends = [row[name] / (row["luck ratio"] + step) ** 0.5 for step in (0.005, -0.005)]
                assert ends[0] - 0.1 <= row[f"luck {name}"] <= ends[1] + 0.1  # rounded
    (league / "league.toml").write_text(f'adjust = "luck"\n{SMALL}')
    arena("league", "update", league, "--jobs", 1, "-q")
    assert "luck elo" in arena(*call).stdout
    assert "luck elo" not in arena(*call, "--adjust", "none").stdout
    refused = arena(*call, "--show", "bots", "--adjust", "luck")
    assert (refused.exit_code, "--adjust is for the ladders" in refused.stderr) == (2, True)


def test_a_final_is_played(arena: Arena, league: Path) -> None:
    arena("league", "submit", league, "greedy", "random", "counter")
    arena("league", "update", league, "--jobs", 1, "-q")
    final = ("--format", "swiss", "--top", "3", "--blocks", "1", "--jobs", "1", "-q")
    result = arena("league", "final", league, *final)
    assert result.exit_code == 0, result.output
    assert (league / "finals/001/report.html").exists()
    timed = arena("league", "final", league, "--top", "3", "--minutes", "0.05", "--jobs", "1")
    assert timed.exit_code == 0, timed.output
    assert "Estimate: " in timed.stderr
    for wrong in (("--format", "swiss", "--max-blocks", 9), ("--minutes", 1, "--time-limit", 9)):
        assert arena("league", "final", league, "--top", 3, *wrong).exit_code == 2
    assert "finals/1.html" in (league / "site/updates.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("new", "{league}"), "holds a league already"),
        (("update", "{league}/inbox"), "holds no league: create one with `arena league new"),
        (("update", "{league}", "--date", "today"), "'today' is not a date"),
        (("change", "{league}", "nobody", "--ban"), "no bot in the league is called 'nobody'"),
        (("submit", "{league}", "no/such"), "there is no folder"),
        (("submit", "{league}", "greedy", "--as", "a b"), "is not 1 to 40 letters"),
        (("submit", "{league}", "greedy", "random", "--as", "a"), "--as is for one BOT"),
        (("nothing",), "there is no command 'nothing'"),
    ],
)
def test_mistakes_are_one_line(arena: Arena, league: Path, words: tuple[str, ...], message: str) -> None:
    result = arena("league", *(word.format(league=league) for word in words))
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_watched_league_is_locked_and_ends_with_a_signal(arena: Arena, league: Path) -> None:
    arena("league", "submit", league, "greedy", "random", "counter")
    command = [sys.executable, "-m", "arena", "league", "update", str(league), "--jobs", "1", "--watch", "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert any("Update 1 of" in line for line in process.stdout)
        refused = arena("league", "update", league)
        process.terminate()
        process.communicate()
    assert "is being updated by another process; wait for its end, or stop it" in refused.stderr
    assert process.returncode == 0


@pytest.mark.full
def test_intervals_of_a_few_seasons_hold() -> None:
    held, made, _ = count_covered(3, 1, 60.0)
    assert made > 30
    assert held / made > 0.85


@pytest.mark.full
def test_intervals_hold_under_the_league_s_own_pairing() -> None:
    held, made, _ = count_covered(300, 1, 40.0)
    assert 0.93 <= held / made <= 0.97


@pytest.mark.full
def test_a_league_needs_fewer_blocks_than_random_tables() -> None:
    league, random = count_blocks(40, 1, 60.0, 1)
    assert league < 0.5 * random


def test_a_starter_kit_checks_a_bot_as_the_league_does(
    arena: Arena, league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = league / "league.toml"
    settings.write_text(settings.read_text().replace("[[", "[limits]\ndecision_ms = 70\n[[", 1))
    assert arena("league", "kit", league).exit_code == 0
    assert arena("league", "kit", league, "--out", tmp_path / "other.zip").exit_code == 0
    assert (tmp_path / "other.zip").read_bytes() == (league / "kit.zip").read_bytes()
    with zipfile.ZipFile(league / "kit.zip") as archive:
        archive.extractall(tmp_path / "kit")
    monkeypatch.chdir(tmp_path / "kit")
    readme = Path("README.md").read_text(encoding="utf-8")
    assert "- lives(tokens=1), 3 players" in readme
    assert "- 70 ms for a decision" in readme
    assert "- `greedy`" in readme
    assert "arena compare mybot random --game lives --players 3 --set tokens=1" in readme
    assert "precision" not in Path("league.toml").read_text()
    [command] = [line for line in readme.splitlines() if line.startswith("arena check")]
    result = arena(*command.split()[1:], "--isolation", "inline")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "Ready for a tournament.")
    assert "(allowed 70" in result.stdout  # on a busy machine the bank is named, too
