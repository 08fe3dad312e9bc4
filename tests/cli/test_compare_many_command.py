"""`arena compare` of three or more bots."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

GAME = ("--set", "tokens=1", "--players", "2", "--seed", "any text", "--jobs", "1")
CALL = ("compare", "greedy", "random", "prudent", "stand-pat", *GAME)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_best_is_found_and_every_column_explained(arena: Arena, here: Path) -> None:
    result = arena(*CALL, "--explain")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("Playing at most 10,000 blocks: 1 job, 4 bots inline.\n")
    assert result.stdout.startswith(
        "4 bots at lives(tokens=1), 2 players: in pairs drawn for each block, each "
    )
    best = next(line.split()[1] for line in result.stdout.splitlines() if line.startswith("      1  "))
    assert (
        f"\n\n{best} is the best.\nA bot that is the best, alone or tied, is left in at least 95 of 100 "
        in result.stdout
    )
    assert "\n\nCompare by behind: the scores" in result.stdout
    columns = ("place", "bot", "score", "behind", "±", "payoff", "faults", "blocks", "worse_than")
    explained = result.stdout.partition("Its seed is any text\n")[2].splitlines()
    assert [line.split()[0] for line in explained if line[:1].strip()] == list(columns)
    assert list(here.iterdir()) == []


def test_same_seed_gives_the_same_result_for_any_number_of_workers(arena: Arena) -> None:
    call = (*CALL, "--rank", "--blocks", "60", "--json")
    first, second = arena(*call), arena(*call, "--jobs", "2")
    assert first.stdout == second.stdout
    fields = json.loads(first.stdout)
    assert (fields["goal"], fields["bots"]) == ("rank", ["greedy", "random", "prudent", "stand-pat"])
    assert {row["bot"] for row in fields["candidates"]} == set(fields["bots"])


def test_resumed_selection_ends_with_the_bytes_of_one_in_one_go(arena: Arena, here: Path) -> None:
    whole = arena(*CALL, "--out", "whole", "--blocks", "60")
    stopped = arena(*CALL, "--out", "parts", "--blocks", "60", "--time-limit", "1e-9")
    assert (whole.exit_code, stopped.exit_code) == (0, 1)
    assert stopped.stderr.endswith("Stopped early; resume with `arena resume parts`.\n")
    resumed = arena("resume", "parts", "--jobs", "2")
    assert resumed.exit_code == 0, resumed.output
    assert resumed.stdout.startswith(whole.stdout.partition("\n\nCompare by")[0])
    for name in ("matches.csv", "standings.csv", "elo.csv", "run.toml"):
        assert (here / "whole" / name).read_bytes() == (here / "parts" / name).read_bytes()
    assert arena("verify", "parts").exit_code == 0
    assert arena("table", "parts", "--standings").stdout.startswith("Selection of the best of 4 at lives(")


def test_settings_of_one_bot_are_compared_in_a_field(arena: Arena) -> None:
    bots = [f"rollout(playouts={n})" for n in (1, 2, 3)]
    call = ("compare", *bots, "--name", "one", "--field", "greedy,random", *GAME, "--blocks", "2", "--json")
    result = arena(*call)
    assert result.exit_code == 0, result.output
    fields = json.loads(result.stdout)
    assert (fields["bots"], fields["field"]) == (["one", *bots[1:]], ["greedy", "random"])
    assert (fields["blocks"], fields["matches"], fields["left"]) == (2, 2 * 3 * 2, fields["bots"])


def test_settings_change_what_a_bot_does_in_a_comparison_of_two_as_well(arena: Arena) -> None:
    result = arena(
        "compare", "rollout(playouts=1)", "rollout(playouts=2)", *GAME, "--blocks", "2", "--out", "run"
    )
    assert result.stdout.startswith("rollout(playouts=1) against rollout(playouts=2) at lives")
    assert "playouts = 2" in Path("run/run.toml").read_text()


def test_one_bot_under_several_names_is_told_to_be_one(arena: Arena) -> None:
    names = ("--name", "a", "--name", "b", "--name", "c")
    result = arena("compare", "greedy", "greedy", "greedy", *names, *GAME, "--blocks", "4")
    assert result.exit_code == 0, result.output
    assert "a, b, c are the same bot, content " in result.stderr
    assert "Not resolved: stopped at the maximum of blocks. The best is one of these 3: " in result.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["greedy", "random", "greedy"], "greedy and greedy are the same bot, content "),
        (
            ["greedy", "random", "prudent", "--sprt", "0,9"],
            "--sprt compares two bots; more are compared without",
        ),
        (
            ["greedy", "random", "prudent", "--alone"],
            "--alone compares two bots; --field BOT seats each of more ",
        ),
        (["greedy", "random", "prudent", "--best", "--rank"], "--best and --rank are different goals"),
        (
            ["greedy", "random", "prudent", *(4 * ["--name", "x"])],
            "Invalid value for '--name': 4 names for 3 bots",
        ),
        (["greedy", "random", "rollout(playouts=)"], "rollout(playouts=): the settings are not valid TOML"),
        (["greedy", "random", "rollout(playouts=4"], "rollout(playouts=4: a bracket is missing, ')': write"),
        (
            ["greedy", "random", "rollout playouts=4)"],
            "rollout playouts=4): a bracket is missing, '(': write",
        ),
        (["greedy", "random", "prudent", "--field", "greedy"], "greedy is named twice: a field takes other"),
    ],
)
def test_impossible_selection_is_refused(arena: Arena, here: Path, args: list[str], message: str) -> None:
    result = arena("compare", *args)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"arena: {message}")
    assert result.stderr.count("\n") == 1
    assert list(here.iterdir()) == []
