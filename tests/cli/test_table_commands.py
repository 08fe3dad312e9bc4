"""What a run's results say: its tables, what is missing of it, and going on until it is clear."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

ASPECTS = {
    "--matrix": "lives(tokens=1), 3 players\n\nbot",
    "--seats": "lives(tokens=1), 3 players\n\n  seat",
    "--variants": "Elo by game and players\n\nbot",
    "--cycles": "lives(tokens=1), 3 players\n\n3 pairs looked at; ",
    "--third": "lives(tokens=1), 3 players\n\nNo bot has six blocks both with ",
}


@pytest.mark.parametrize("aspect", ASPECTS)
def test_each_table_has_a_form_for_everybody(arena: Arena, played: Path, aspect: str) -> None:
    assert arena("table", played, aspect).stdout.startswith(ASPECTS[aspect])
    assert arena("table", played, aspect, "--format", "md").exit_code == 0
    header, *rows = csv.reader(arena("table", played, aspect, "--format", "csv").stdout.splitlines())
    records = json.loads(arena("table", played, aspect, "--format", "json").stdout)
    assert len(records) == len(rows)
    assert all(list(record) == header for record in records)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_each_table_is_of_one_game_if_that_is_said_and_explains_itself(
    arena: Arena, played: Path, aspect: str
) -> None:
    text = arena("table", played, aspect, "--variant", "pool", "--explain").stdout
    assert "pool" in text
    assert "lives" not in text
    assert len(text.splitlines()) > len(
        arena("table", played, aspect, "--variant", "pool").stdout.splitlines()
    )
    refused = arena("table", played, aspect, "--variant", "pole")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "arena: this run has no 'pole'; the nearest is 'pool'\n",
    )


def test_seats_can_be_held_against_a_control_run(arena: Arena, played: Path) -> None:
    text = arena("table", played, "--seats", "--control", "7", "--variant", "pool").stdout
    assert text.splitlines()[-1].startswith("Control: ")
    rows = json.loads(arena("table", played, "--seats", "--control", "7", "--format", "json").stdout)
    assert [row["blocks"] for row in rows] == [*[6] * 3, *[7] * 3] * 2
    assert arena("table", played, "--seats", "--control", "7", "--variant", "pool").stdout == text


def test_a_plan_for_each_and_the_next_or_for_two(arena: Arena, played: Path) -> None:
    plain = arena("plan", played, "--jobs", "1", "--explain").stdout
    assert plain.startswith("lives(tokens=1), 3 players\n\nbetter ")
    assert "\nneeded   How many it takes in all" in plain
    rows = json.loads(arena("plan", played, "--json").stdout)
    assert [row["variant"] for row in rows] == [*["lives(tokens=1)"] * 2, *["pool"] * 2]
    [pair] = json.loads(arena("plan", played, "random", "greedy", "--variant", "pool", "--json").stdout)
    assert {pair["better"], pair["worse"]} == {"greedy", "random"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["greedy"], "name two bots, or none for each and the next."),
        (["greedy", "greedy"], "greedy cannot be told from itself: name two bots"),
        (["greedy", "nobody"], "no bot in the run is called 'nobody'; "),
        (["--confidence", "100"], "Invalid value for '--confidence': "),
        (["--variant", "pole"], "this run has no 'pole'; the nearest is 'pool'"),
    ],
)
def test_a_plan_that_cannot_be_made_is_refused(
    arena: Arena, played: Path, args: list[str], message: str
) -> None:
    result = arena("plan", played, *args)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"arena: {message}")


def test_a_run_goes_on_until_its_ranking_is_resolved(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call = ("run", "--bot", "greedy", "--bot", "random", "--players", "2", "--set", "tokens=1", "--seed", "x")
    result = arena(*call, "--blocks", "8", "--until-resolved", "--jobs", "1", "--out", "it")
    assert result.exit_code == 0
    assert result.stdout.startswith("Resolved after ")
    assert (
        Path("it/standings.csv")
        .read_text()
        .startswith("variant,players,better,worse,elo,error,los,resolved\n")
    )
    refused = arena(*call, "--until-resolved", "--out", "it")
    assert refused.exit_code == 1


def test_nothing_played_is_said_to_be_nothing(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    arena("run", "--blocks", "1", "--time-limit", "1e-9", "--jobs", "1", "--out", "it")
    for aspect in ("", *ASPECTS):
        shown = arena("table", "it", *([aspect] if aspect else []))
        assert (shown.exit_code, shown.stdout) == (0, "Nothing has been played yet.\n")
    assert arena("plan", "it").stdout == "Nothing has been played yet.\n"


def test_an_explanation_leaves_what_programs_read_whole(arena: Arena, played: Path) -> None:
    result = arena("table", played, "--format", "json", "--explain")
    assert json.loads(result.stdout)
    assert "elo" in result.stderr
