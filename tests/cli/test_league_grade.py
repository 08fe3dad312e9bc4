"""`arena league grade`: a row for each student's bot and milestone, from runs that are kept."""

import csv
import io
import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.errors import StoreError
from arena.league.results import LeagueResults
from arena.league.runs import plan_comparisons
from arena.league.store import LeagueDatabase
from tests.cli.conftest import Arena

pytestmark = pytest.mark.xdist_group("graded league")  # played once

SETTINGS = """\
precision = 90
blocks = 12
check_matches = 1
isolation = "inline"
[[variants]]
name = "lives"
players = 2
tokens = 1
"""
BOT = "class Bot:\n    def act(self, view):\n        return {action}\n"
SLOW_S = 60
OPTIONS = ("--jobs", "1", "--blocks", "8", "--isolation", "inline", "-q")
KNOCKS = 'min(view.legal, key=lambda action: action.kind != "knock")'


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of two students and two built-in bots, after its first update and its first grades."""
    folder = tmp_path_factory.mktemp("league") / "course"
    run("league", "new", folder, "--title", "Course", "--variant", "lives")
    (folder / "league.toml").write_text(SETTINGS)
    (folder / "inbox/ann.py").write_text(BOT.format(action=KNOCKS))
    (folder / "inbox/ben.py").write_text(BOT.format(action="view.legal[0]"))
    run("league", "submit", folder, "greedy", "random")
    update(folder)
    grade(folder)
    return folder


@pytest.fixture
def league(graded: Path, tmp_path: Path) -> Path:
    """A copy of that league."""
    return Path(shutil.copytree(graded, tmp_path / "course", symlinks=True))


def run(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)), prog_name="arena")
    assert result.exit_code == 0, result.output
    return result


def update(league: Path) -> None:
    run("league", "update", league, "--jobs", "1", "--isolation", "inline", "-q")


def grade(league: Path) -> list[dict[str, str]]:
    out = league.parent / "grades.csv"
    run("league", "grade", league, "--against", "greedy", *OPTIONS, "--out", out)
    return list(csv.DictReader(io.StringIO(out.read_text())))


def test_each_student_has_a_row_for_each_milestone(league: Path) -> None:
    rows = grade(league)
    assert [(row["bot"], row["against"]) for row in rows] == [("ann", "greedy"), ("ben", "greedy")]
    for row in rows:
        assert (row["game"], row["players"], row["version"]) == ("lives(tokens=1)", "2", "1")
        assert 0 <= float(row["score"]) < 50
        assert (row["passed"], row["blocks"]) == ("no", "8")


def test_bot_that_loses_all_by_its_faults_passes_nothing(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.tournament.formats.comparison.ComparisonResult.is_beaten", True)
    broken = league.parent / "broken"
    action = f"1 / 0 if os.path.exists({str(broken)!r}) else {KNOCKS}"
    (league / "league.toml").write_text(SETTINGS + "[limits]\nfaults = 1\n")
    (league / "inbox/ben.py").write_text(f"import os\n{BOT.format(action=action)}")
    update(league)
    broken.touch()
    ann, ben = grade(league)
    assert (ann["passed"], ann["mark"]) == ("yes", "")
    assert (ben["passed"], ben["mark"]) == ("no", "disqualified")
    assert int(ben["faults"]) > 0
    content = write_gradescope(league)["ben.json"]
    assert content["score"] == 0
    assert content["output"].startswith("Graded: ben, version 2")
    assert "compared" not in content["output"]
    assert "the bot lost too many matches by its faults" in content["tests"][0]["output"]


def test_only_what_is_missing_is_played(league: Path) -> None:
    kept = {path.name: path.stat().st_mtime_ns for path in (league / "grades").iterdir()}
    assert len(kept) == 2
    rows = grade(league)
    assert {path.name: path.stat().st_mtime_ns for path in (league / "grades").iterdir()} == kept
    (league / "inbox/ben.py").write_text(BOT.format(action="view.legal[-1]"))
    update(league)
    again = grade(league)
    assert again[0] == rows[0]
    assert [(row["version"], row["try"]) for row in again] == [("1", "1"), ("2", "2")]
    assert len(list((league / "grades").iterdir())) == 3


def test_each_version_is_a_try_of_its_submitter_and_takes_more_to_pass(league: Path) -> None:
    (league / "inbox/ann.py").write_text(BOT.format(action="view.legal[-1]"))
    update(league)

    def plan(confidence: float = 95.0) -> dict[str, tuple[int, float, float | None]]:
        planned = plan_comparisons(league, ["greedy"], (), 8, confidence)
        return {
            own.entry.bot.name: (own.number, round(own.confidence, 3), own.config.keys.confidence)
            for own in planned
        }

    expected = {"ann": (2, 99.167, 98.333333333), "ben": (1, 97.5, None)}
    assert plan() == plan() == expected
    expected |= {"ann": (3, 99.583, 99.166666667), "ben": (2, 99.167, 98.333333333)}
    for one_author in ("UPDATE bot SET owner = 'cara'", "UPDATE bot SET owner = ''"):
        with LeagueDatabase.open(league, "rw") as database, database.transaction() as connection:
            connection.execute("DROP TABLE grade_try")  # as before tries were counted
            connection.execute(one_author)
            connection.execute("UPDATE version SET author = 'Cara'")
        assert plan() == expected
    assert plan(70)["ben"] == (2, 95.0, 90.0)


def test_comparison_that_was_stopped_is_no_grade_yet(arena: Arena, league: Path) -> None:
    (league / "inbox/ben.py").write_text(BOT.format(action="view.legal[-1]"))
    update(league)
    out = league.parent / "grades.csv"
    call = ("league", "grade", league, "--against", "greedy", *OPTIONS, "--time-limit", "1e-6", "--out", out)
    assert arena(*call).exit_code == 1
    passed = {row["bot"]: row["passed"] for row in csv.DictReader(io.StringIO(out.read_text()))}
    assert passed == {"ann": "no", "ben": ""}


def test_grades_are_kept_where_the_pages_cannot_be_written(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr("arena.cli.league.write_site", fail)
    files = [league.parent / name for name in ("new.csv", "gradescope")]
    options = (*OPTIONS, "--out", files[0], "--gradescope", files[1])
    failed = arena("league", "grade", league, "--against", "random", *options)
    assert (failed.exit_code, "the disk is full" in failed.stderr) == (1, True)
    assert len(list(csv.DictReader(io.StringIO(files[0].read_text())))) == 2
    assert len(list(files[1].iterdir())) == 2
    with LeagueResults.open(league) as results:
        assert [grade.milestone for grade in results.grades].count("random") == 2


def test_bot_that_is_out_has_a_row_without_a_score(league: Path) -> None:
    run("league", "withdraw", league, "ben")
    update(league)
    [row] = [row for row in grade(league) if row["bot"] == "ben"]
    assert (row["score"], row["passed"], row["mark"]) == ("", "no", "withdrawn")


def test_time_limit_ends_comparisons_whose_blocks_take_long(
    arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.league._play_missing", lambda *_: time.sleep(SLOW_S))
    out = league.parent / "grades.csv"
    started = time.monotonic()
    stopped = arena(
        "league", "grade", league, "--against", "random", "--time-limit", "0.1", "--out", out, "-q"
    )
    assert time.monotonic() - started < SLOW_S / 2
    assert stopped.exit_code == 1
    assert "Stopped early; the same command resumes it." in stopped.stderr
    assert [row["passed"] for row in csv.DictReader(io.StringIO(out.read_text()))] == ["", ""]


def test_unknown_milestone_or_game_is_refused(arena: Arena, league: Path) -> None:
    assert arena("league", "grade", league, "--against", "gredy").exit_code == 2
    refused = arena("league", "grade", league, "--against", "greedy", "--variant", "poool")
    assert refused.exit_code == 2
    assert "the league has no 'poool'" in refused.stderr


def write_gradescope(league: Path) -> dict[str, dict[str, Any]]:
    folder = league.parent / "gradescope"
    run("league", "grade", league, "--against", "greedy", *OPTIONS, "--gradescope", folder)
    return {path.name: json.loads(path.read_text()) for path in folder.iterdir()}


def test_gradescope_gets_a_file_for_each_student(league: Path) -> None:
    files = write_gradescope(league)
    assert sorted(files) == ["ann.json", "ben.json"]
    [row, _] = grade(league)
    for name, content in files.items():
        assert content["score"] == 0
        [test] = content["tests"]
        assert test["name"] == "Beat greedy at lives(tokens=1), 2 players"
        assert (test["score"], test["max_score"], test["status"]) == (0, 1, "failed")
        other = {"ann.json": "ben", "ben.json": "ann"}[name]
        assert other not in json.dumps(content)
    assert f"Score: {float(row['score']):.1f} %" in files["ann.json"]["tests"][0]["output"]
    assert "in 8 blocks" in files["ann.json"]["tests"][0]["output"]


def test_submitter_without_a_bot_has_a_file_and_no_points(league: Path) -> None:
    (league / "league.toml").write_text(SETTINGS + '[submitters]\n"x y/é" = ["x"]\n'.replace("/", ":"))
    update(league)
    content = write_gradescope(league)["x%20y%3Aé.json"]
    assert content["score"] == 0
    assert content["output"] == "You have no bot in the league that plays a graded game."
    assert [test["output"] for test in content["tests"]] == ["Not compared."]
    [row] = [row for row in grade(league) if row["submitter"]]
    assert (row["submitter"], row["bot"], row["passed"], row["mark"]) == ("x y:é", "", "no", "no bot")


def test_students_whose_files_would_be_one_are_refused(arena: Arena, league: Path) -> None:
    (league / "league.toml").write_text(SETTINGS + '[submitters]\nCy = ["cy"]\ncy = ["cy-*"]\n')
    update(league)
    folder = league.parent / "gradescope"
    refused = arena("league", "grade", league, "--against", "greedy", *OPTIONS, "--gradescope", folder)
    assert refused.exit_code == 2
    assert "Cy and cy differ only in case" in refused.stderr
    assert not folder.exists()
