"""`arena table` and `arena plan`, and results adjusted for luck."""

import csv
import json
import os
import re
import shlex
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.output.texts.run import ending_text, run_table
from arena.tournament.formats import make_format
from arena.tournament.run import Run
from tests.cli.conftest import LIVES, Arena, make_run
from tests.tournament.fake_formats import config

ASPECTS = {
    "--show=matrix": "lives(tokens=1), 3 players\n\nbot",
    "--show=seats": "lives(tokens=1), 3 players\n\n  position",
    "--show=variants": "Elo by game and players\n\nbot",
    "--show=times": "lives(tokens=1), 3 players\n\nbot",
    "--show=exceptions": "lives(tokens=1), 3 players\n\nFit: not known yet; ",
    "--show=fair-play": "lives(tokens=1), 3 players\n\nNo two bots have twelve blocks together and ",
}


@pytest.mark.parametrize("aspect", ASPECTS)
def test_each_analysis_is_printed_in_every_format(arena: Arena, played: Path, aspect: str) -> None:
    assert arena("table", played, aspect).stdout.startswith(ASPECTS[aspect])
    assert arena("table", played, aspect, "--format", "md").exit_code == 0
    latex = arena("table", played, aspect, "--format", "latex").stdout
    lines = [line for line in latex.splitlines() if line and not line.startswith("% ")]
    assert ("\\bottomrule" in lines) == bool(lines)
    assert "tabular}{}" not in latex
    header, *rows = csv.reader(arena("table", played, aspect, "--format", "csv").stdout.splitlines())
    records = json.loads(arena("table", played, aspect, "--format", "json").stdout)
    assert len(records) == len(rows)
    assert all(list(record) == header for record in records)


@pytest.mark.parametrize("aspect", ASPECTS)
def test_each_analysis_can_be_of_one_game_and_explained(arena: Arena, played: Path, aspect: str) -> None:
    text = arena("table", played, aspect, "--variant", "pool", "--explain").stdout
    assert "pool" in text
    assert "lives" not in text
    assert len(text.splitlines()) > len(
        arena("table", played, aspect, "--variant", "pool").stdout.splitlines()
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("cycles", "exceptions"), ("fit", "exceptions"), ("collusion", "fair-play"), ("copies", "fair-play")],
)
def test_the_old_flag_of_an_analysis_prints_its_table(arena: Arena, played: Path, old: str, new: str) -> None:
    assert arena("table", played, f"--{old}").stdout == arena("table", played, "--show", new).stdout
    assert f"--{old}" not in arena("table", "--help").stdout


def test_tables_fit_the_terminal_unless_all_columns_are_requested(
    arena: Arena, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    everything = arena("table", played, "--wide").stdout
    assert max(map(len, everything.splitlines())) > 80
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, arena("table", played).stdout.splitlines())) <= 80
    assert arena("table", played, "--wide").stdout == everything
    monkeypatch.setenv("COLUMNS", "34")
    assert max(map(len, arena("table", played, "--show", "matrix").stdout.splitlines())) <= 34


def test_commands_without_a_folder_take_the_latest_run(arena: Arena, played: Path, here: Path) -> None:
    missing = arena("table")
    assert (missing.exit_code, "there is no run in results/ yet" in missing.stderr) == (2, True)
    for number, name in enumerate(("z-001", "a-002")):  # the second is the latest
        shutil.copytree(played, here / "results" / name)
        os.utime(here / "results" / name / "arena.db", (number, number))
    for words in ("table", "replay list", "replay show", "replay verify", "replay export"):
        result = arena(*words.split())
        assert result.exit_code == 0
        assert result.stderr.startswith("The latest run is results/a-002\n")
        assert result.stdout == arena(*words.split(), Path("results/a-002")).stdout
    assert arena("report").stdout == "results/a-002/report.html\n"


def test_seats_are_compared_with_control_blocks(arena: Arena, played: Path) -> None:
    text = arena("table", played, "--show", "seats", "--control", "7", "--variant", "pool").stdout
    assert text.splitlines()[-1].startswith("Control: ")
    rows = json.loads(arena("table", played, "--show", "seats", "--control", "7", "--format", "json").stdout)
    assert [row["blocks"] for row in rows] == [*[6] * 3, *[7] * 3] * 2
    assert arena("table", played, "--show", "seats", "--control", "7", "--variant", "pool").stdout == text


def test_plan_covers_adjacent_pairs_or_two_bots(arena: Arena, played: Path) -> None:
    plain = arena("plan", played, "--jobs", "1", "--explain").stdout
    assert plain.startswith("lives(tokens=1), 3 players\n\nbetter ")
    assert "\nneeded   Blocks each bot needs in all to separate " in plain
    rows = json.loads(arena("plan", played, "--json").stdout)
    assert [row["variant"] for row in rows] == [*["lives(tokens=1)"] * 2, *["pool"] * 2]
    [pair] = json.loads(arena("plan", played, "random", "greedy", "--variant", "pool", "--json").stdout)
    assert {pair["better"], pair["worse"]} == {"greedy", "random"}


def test_until_resolved_plays_until_bots_are_separated(arena: Arena, here: Path) -> None:
    call = ("run", "greedy", "random", "--players", "2", "--set", "tokens=1", "--seed", "x")
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


def test_empty_run_is_reported_as_empty(arena: Arena, here: Path) -> None:
    arena("run", "--blocks", "1", "--time-limit", "1e-9", "--jobs", "1", "--out", "it")
    for aspect in ("", *ASPECTS):
        shown = arena("table", "it", *([aspect] if aspect else []))
        assert (shown.exit_code, shown.stdout) == (0, "Nothing has been played yet.\n")
        latex = arena("table", "it", *([aspect] if aspect else []), "--format", "latex")
        assert latex.stdout == "Nothing has been played yet.\n"
    assert arena("plan", "it").stdout == "Nothing has been played yet.\n"


def test_standings_are_printed_before_ratings(arena: Arena, swiss: Path) -> None:
    text = arena("table", swiss, "--wide").stdout
    assert text.startswith("Swiss after 2 of 2 rounds\n\n  place  bot")
    assert text.index("sonneborn-berger") < text.index("lives(tokens=1), 2 players\n")
    assert "Elo is stretched, as results decided who met whom" in text
    assert arena("table", swiss, "--wide", "--format", "md").stdout.startswith(
        "Swiss after 2 of 2 rounds\n\n|   place | bot"
    )
    assert "Swiss" not in arena("table", swiss, "--variant", "pool").stdout


def test_standings_of_a_swiss_have_points_instead_of_elo(arena: Arena, swiss: Path) -> None:
    text = arena("table", swiss).stdout
    assert text.startswith("Swiss after 2 of 2 rounds\n\n  place  bot")
    assert not {"elo", "±", "los"} & {*text.split()}
    assert "--wide adds the ratings" in text
    for style in ("md", "latex"):
        assert "elo" not in arena("table", swiss, "--format", style).stdout
    assert "elo" in arena("table", swiss, "--format", "csv").stdout
    run = Run.open(swiss)
    run.use_results(replace(run.results(), faults=Counter({("greedy", "illegal"): 2})))
    assert "2 faults; --wide has them by bot." in run_table(run)


def test_programs_get_standings_and_pairings(arena: Arena, swiss: Path) -> None:
    fields = json.loads(arena("table", swiss, "--format", "json").stdout)
    assert list(fields) == ["standings", "pairings", "ratings"]
    assert fields["ratings"][0]["variant"] == "lives(tokens=1)"
    assert [row["place"] for row in fields["standings"]] == [1, 2, 3, 4]
    assert all(isinstance(row["score"], float) for row in fields["standings"])
    assert (
        json.loads(arena("table", swiss, "--show=standings", "--format=json").stdout) == fields["standings"]
    )
    assert json.loads(arena("table", swiss, "--show=rounds", "--format=json").stdout) == fields["pairings"]
    assert len(fields["pairings"]) == 8
    standings, ratings = arena("table", swiss, "--format", "csv").stdout.split("\n\n")
    assert f"{standings}\n" == (swiss / "standings.csv").read_text()
    assert ratings.startswith("variant,players,rank,bot,")
    assert arena("table", swiss, "--show", "rounds").stdout.startswith("Round 1\n\n  table  bot")


def test_each_column_of_the_standings_is_explained(arena: Arena, swiss: Path) -> None:
    shown = arena("table", swiss, "--explain").stdout
    header = re.split(" {2,}", shown.splitlines()[2].strip())
    told = shown[shown.index("The standings:") : shown.index("The ratings:")].splitlines()
    words = {re.split(" {2,}", line)[0] for line in told if line and line[0] != " "}
    assert set(header) <= words
    assert "The standings" not in arena("table", swiss, "--explain", "--variant", "pool").stdout


@pytest.mark.parametrize("format", ["swiss", "knockout", "comparison", "round-robin"])
def test_every_column_of_all_standings_is_documented(format: str) -> None:
    bots = 2 if format == "comparison" else 4
    made = config(bots, 2, format=format, **({"until_resolved": True} if format == "round-robin" else {}))
    board = make_format(made, "run").scoreboard()
    assert board is not None
    table = board.standings
    assert {*table.sheets[0].headings, *table.fields} - {*table.docs, "elo"} <= {"withdrawn", "error", "mark"}


def test_final_commands_name_the_lowest_bot_and_are_quoted(swiss: Path) -> None:
    run = Run.open(swiss)
    lowest = [row.bot for row in run.results().rows if row.rank][-1]
    text = ending_text(run, "done")
    [call] = [line for line in text.splitlines() if "--worst" in line]
    command, _, why = call.partition("   why ")
    assert shlex.split(command) == ["arena", "replay", "list", str(swiss), "--worst", lowest]
    assert why == f"{lowest} lost"


def test_every_table_for_people_is_below_the_title(arena: Arena, tmp_path: Path) -> None:
    games = '[[variants]]\nname = "lives"\nplayers = 2\ntokens = 1\n'
    cup = 'title = "Spring cup"\nformat = "swiss"\nrounds = 2\nblocks = 1\nbots = ["greedy", "random"]\n'
    (tmp_path / "cup.toml").write_text(cup + games)
    out = tmp_path / "cup"
    played = arena("run", tmp_path / "cup.toml", "--out", out, "--jobs", 1)
    assert played.stdout.startswith("Spring cup\n\nSwiss after ")
    for options in ((), ("--show=standings",), ("--show=rounds",), ("--show=matrix",)):
        assert arena("table", out, *options).stdout.startswith("Spring cup\n\n"), options
    assert arena("table", out, "--show", "standings", "--format", "csv").stdout.startswith("place,")


def test_plan_refuses_a_knockout(arena: Arena, tmp_path: Path) -> None:
    bots = ["greedy", "random", "stand-pat", "prudent"]
    make_run(tmp_path / "run", format="knockout", bots=bots, variants=[LIVES], max_blocks=8)
    result = arena("plan", tmp_path / "run")
    assert "\nA knockout plays no more blocks of eliminated bots" in result.stdout
    rows = json.loads(arena("plan", tmp_path / "run", "--json").stdout)
    assert {row["more"] for row in rows} <= {None, 0}


def test_explanation_does_not_mix_with_machine_readable_output(arena: Arena, played: Path) -> None:
    result = arena("table", played, "--format", "json", "--explain")
    assert json.loads(result.stdout)
    assert "elo" in result.stderr
    planned = arena("plan", played, "--json", "--explain")
    assert json.loads(planned.stdout)
    assert "needed" in planned.stderr


def test_an_anchor_has_the_elo_that_was_given(arena: Arena, played: Path) -> None:
    def table(*more: str) -> dict[tuple[str, str], dict[str, Any]]:
        result = arena("table", played, "--format", "json", *more)
        assert result.exit_code == 0, result.output
        rows = json.loads(result.stdout)
        return {(row["variant"], row["bot"]): row for row in rows}

    plain, anchored = table(), table("--anchor", "stand-pat=1000")
    for (variant, bot), row in anchored.items():
        if row["elo"] is not None and variant:
            lead = plain[variant, bot]["elo"] - plain[variant, "stand-pat"]["elo"]
            assert row["elo"] == pytest.approx(1000 + lead, abs=0.11)  # of rounded numbers
    assert all(row["error"] is None for (_, bot), row in anchored.items() if bot == "stand-pat")
    text = arena("table", played, "--anchor", "stand-pat=1000").stdout
    assert "Elo are relative to stand-pat at 1000." in text
    assert "– no error bar" not in text


def test_table_is_printed_in_every_format(arena: Arena, played: Path) -> None:
    lines, in_folder = arena("table", played, "--format", "csv").stdout, (played / "elo.csv").read_text()
    assert lines == in_folder
    assert arena("table", played, "--format", "md").stdout == (played / "elo.md").read_text()
    rows = json.loads(arena("table", played, "--format", "json").stdout)
    assert [row["variant"] for row in rows] == [*["lives(tokens=1)"] * 3, *["pool"] * 3, *["overall"] * 3]
    plain = arena("table", played).stdout
    assert plain.count("\n  rank  bot") == 3


def test_explain_documents_the_table(arena: Arena, played: Path) -> None:
    plain, explained = arena("table", played).stdout, arena("table", played, "--explain").stdout
    assert explained.startswith(f"{plain}\nrank     Place by Elo, the highest first")


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
    bots = ["greedy", "stand-pat"]
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


def test_a_plan_says_whether_the_adjustment_pays(arena: Arena, played: Path) -> None:
    text = " ".join(
        arena("plan", played, "--variant", "lives", "--adjust", "luck", "--jobs", "1").stdout.split()
    )
    assert "Adjusted for luck: a block is worth" in text
    assert ("ms: it pays." in text) != ("ms: it does not pay here" in text)
    assert "Adjusted" not in arena("plan", played, "--variant", "lives", "--jobs", "1").stdout


def test_of_a_game_without_tokens_nothing_is_adjusted(arena: Arena, tmp_path: Path) -> None:
    game = ("--variant", "ready-money", "--players", "2", "--blocks", "6", "--jobs", "1", "--seed", "2")
    made = arena("run", "greedy", "random", *game, "--adjust", "luck", "--out", tmp_path / "run")
    assert "not adjusted for luck" in made.stdout
    assert "s of work" not in made.stderr
    text = arena("plan", tmp_path / "run", "--adjust", "luck", "--jobs", "1").stdout
    assert "Not adjusted for luck: no seat drops out" in text
    assert "is worth 1.00" not in text


def test_a_run_of_bots_in_this_process_names_a_plan_that_is_not_refused(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class First:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    folder = tmp_path / "run"
    game = ("--variant", "lives", "--players", "2", "--set", "tokens=1", "--blocks", "6", "--jobs", "1")
    bots = ("greedy", f"{tmp_path}/mine.py:First", "--isolation", "inline")
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
