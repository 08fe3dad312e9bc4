"""`--adjust luck` of `arena run` and `arena table`."""

import csv
import json
from pathlib import Path

from tests.cli.conftest import Arena

FIELDS = ["luck_elo", "luck_comparison_error", "luck_ratio", "luck_error"]


def test_a_table_has_plain_and_adjusted_ratings(arena: Arena, played: Path) -> None:
    plain = arena("table", played, "--variant", "lives", "--format", "csv").stdout
    adjusted = arena(
        "table", played, "--variant", "lives", "--format", "csv", "--adjust", "luck", "--jobs", "1"
    )
    header, *rows = csv.reader(adjusted.stdout.splitlines())
    assert header[-5:] == [*FIELDS, "error"]
    assert [[*row[:-5], row[-1]] for row in [header, *rows]] == list(csv.reader(plain.splitlines()))
    assert any(row[-5] != row[header.index("elo")] for row in rows)
    text = arena("table", played, "--adjust", "luck", "--jobs", "1", "--wide", "--explain").stdout
    assert "luck elo    luck ±    luck ratio" in text
    assert "what its cards, played by a fixed" in " ".join(text.split())
    records = json.loads(arena("table", played, "--adjust", "luck", "--jobs", "1", "--format", "json").stdout)
    assert all(set(FIELDS) <= record.keys() for record in records)


def test_a_run_remembers_that_it_is_adjusted(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    games = ["--variant", "lives", "--variant", "ready-money", "--players", "2", "--blocks", "2"]
    bots = ["--bot", "greedy", "--bot", "stand-pat"]
    made = arena("run", *bots, *games, "--seed", "s", "--out", folder, "--jobs", "1", "--adjust", "luck")
    assert made.exit_code == 0
    assert "luck elo" in made.stdout
    assert "ready-money, 2 players: not adjusted for luck" in " ".join(made.stdout.split())
    assert f"s of work; `arena plan {folder} --adjust luck` says whether" in made.stderr
    assert 'adjust = "luck"' in (folder / "run.toml").read_text()
    assert "luck elo" in arena("table", folder, "--jobs", "1", "--wide").stdout
    assert "luck elo" not in arena("table", folder, "--adjust", "none", "--wide").stdout
    assert "luck" not in (folder / "elo.csv").read_text()
    page = (folder / "report.html").read_text()
    assert "luck ratio" in page
    assert "less what the cards were worth to each bot when a fixed baseline played them" in page
    assert arena("report", folder).exit_code == 0
    assert (folder / "report.html").read_text() == page


def test_where_there_is_nothing_to_adjust_no_cost_is_shown(arena: Arena, tmp_path: Path) -> None:
    game = ["--variant", "ready-money", "--players", "2", "--blocks", "1", "--adjust", "luck"]
    made = arena("run", "--bot", "greedy", "--bot", "random", *game, "--out", tmp_path / "run", "--jobs", "1")
    assert "not adjusted for luck" in made.stdout
    assert "s of work" not in made.stderr


def test_a_plan_says_whether_the_adjustment_pays(arena: Arena, played: Path) -> None:
    text = " ".join(
        arena("plan", played, "--variant", "lives", "--adjust", "luck", "--jobs", "1").stdout.split()
    )
    assert "Adjusted for luck: a block is worth" in text
    assert ("ms: it pays." in text) != ("ms: it does not pay here" in text)
    assert "Adjusted" not in arena("plan", played, "--variant", "lives", "--jobs", "1").stdout


def test_a_plan_of_a_game_without_tokens_says_that_nothing_is_adjusted(arena: Arena, tmp_path: Path) -> None:
    game = ("--variant", "ready-money", "--players", "2", "--blocks", "6", "--jobs", "1", "--seed", "2")
    assert arena("run", "--bot", "greedy", "--bot", "random", *game, "--out", tmp_path / "run").exit_code == 0
    text = arena("plan", tmp_path / "run", "--adjust", "luck", "--jobs", "1").stdout
    assert "Not adjusted for luck: no seat drops out" in text
    assert "is worth 1.00" not in text


def test_a_run_of_bots_in_this_process_names_a_plan_that_is_not_refused(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class First:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    folder = tmp_path / "run"
    game = ("--variant", "lives", "--players", "2", "--set", "tokens=1", "--blocks", "6", "--jobs", "1")
    bots = ("--bot", "greedy", "--bot", f"{tmp_path}/mine.py:First", "--isolation", "inline")
    made = arena("run", *bots, *game, "--adjust", "luck", "--out", folder)
    command = f"arena plan {folder} --adjust luck --isolation inline"
    assert f"`{command}`" in made.stderr
    assert "adjusting for luck" in made.stderr
    refused = arena("plan", folder, "--adjust", "luck", "--jobs", "1")
    assert "add --isolation inline" in refused.stderr
    assert "6 of 6 blocks" not in refused.stderr
    assert arena(*command.split()[1:], "--jobs", "1").exit_code == 0


COMPARE = ("compare", "greedy", "stand-pat", "--players", "2", "--seed", "s", "--jobs", "1")


def test_a_comparison_prints_the_plain_score_and_the_adjusted_one(arena: Arena, tmp_path: Path) -> None:
    plain = arena(*COMPARE, "--blocks", "32").stdout
    printed = arena(*COMPARE, "--blocks", "32", "--adjust", "luck", "--explain", "--out", tmp_path / "run")
    lines = [line for line in printed.stdout.splitlines() if line.startswith("luck ")]
    assert [line.partition("  ")[0] for line in lines[:3]] == ["luck score", "luck Elo", "luck ratio"]
    assert {" ".join(line.split()) for line in plain.splitlines()} <= {
        " ".join(line.split()) for line in printed.stdout.splitlines()
    }
    assert "the score alone decided when to stop" in printed.stdout
    assert "luck elo" in arena("table", tmp_path / "run", "--jobs", "1", "--wide").stdout
    result = json.loads(arena(*COMPARE, "--blocks", "32", "--adjust", "luck", "--json").stdout)
    assert result["luck"]["error"] < 2 * result["error"]
    assert "luck" not in json.loads(arena(*COMPARE, "--blocks", "32", "--json").stdout)


def test_a_comparison_says_where_there_is_nothing_to_adjust(arena: Arena) -> None:
    call = ("compare", "greedy", "random", "--variant", "ready-money", "--players", "2", "--blocks", "6")
    result = arena(*call, "--adjust", "luck", "--jobs", "1")
    assert "ready-money, 2 players: not adjusted for luck. Nobody drops out" in result.stdout
    assert "luck score" not in result.stdout
    refused = arena(*call, "prudent", "--adjust", "luck")
    assert (refused.exit_code, "--adjust compares two bots" in refused.stderr) == (2, True)
