"""Faults of bots in a run: each distinct one is shown once, with its count."""

import json
from pathlib import Path

import pytest

from arena.tournament.run import Run
from tests.cli.conftest import Arena

RAISING = """\
class Mine:
    def act(self, view):
        raise ValueError(f"nothing to do in deal {view.deal}")
"""
RUN = ("run", "--bot", "mine.py:Mine", "--bot", "greedy", "--players", "2", "--seed", "1", "--out", "run")
REASON = "ValueError: nothing to do in deal 0 (mine.py:3)"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot that always raises."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(RAISING)
    return tmp_path


@pytest.mark.parametrize(
    ("level", "jobs", "times"), [("inline", "1", 36), ("inline", "2", 36), ("process", "2", 24)]
)
def test_distinct_failure_is_shown_once_with_its_count(
    arena: Arena, here: Path, level: str, jobs: str, times: int
) -> None:
    result = arena(*RUN, "--isolation", level, "--jobs", jobs, "--blocks", "6")
    assert result.exit_code == 0, result.output
    assert result.stderr.count("ValueError: nothing to do") == 1
    assert (here / "run/arena.log").read_text().count("ValueError: nothing to do") == 1
    faults = Run.open(here / "run").results().faults["mine.py:Mine", "crash"]
    assert (
        faults == times
    )  # three in each of two matches of six blocks, or until it is disqualified after four
    (line,) = [line for line in result.stdout.splitlines() if "ValueError" in line]
    assert line.split(maxsplit=3) == ["mine.py", "crash", str(times), REASON]
    page = (here / "run/report.html").read_text()
    assert REASON in page


def test_disqualified_bot_is_marked(arena: Arena, here: Path) -> None:
    result = arena(*RUN, "--isolation", "process", "--jobs", "1", "--blocks", "34", "--set", "tokens=1")
    assert "disqualified" in result.stdout
    assert "from block 16 on" in result.stdout
    page = (here / "run/report.html").read_text()
    assert "from block 16 on" in page
    assert "mine.py (disqualified)</th>" in page
    assert "Mine leads" not in result.stderr
    matrix = arena("table", "run", "--matrix").stdout
    heading = next(line for line in matrix.splitlines() if line.startswith("bot"))
    assert heading.endswith("  mine.py (disqualified)")
    for aspect in ("--matrix", "--variants", "--show=exceptions", "--times"):
        rows = json.loads(arena("table", "run", aspect, "--format", "json").stdout)
        marks = {(row["bot"], row["mark"]) for row in rows}
        assert marks <= {("mine.py:Mine", "disqualified"), ("greedy", "")}
        assert marks
        assert all((row["other_mark"] == "") == (row["other"] == "greedy") for row in rows if "other" in row)


def test_a_fault_has_the_hint_that_a_check_gives(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text("class Mine:\n    def act(self, view):\n        input()\n")
    result = arena(*RUN, "--isolation", "process", "--jobs", "1", "--blocks", "1")
    assert "\nHint for mine.py:Mine: nobody answers input(): remove it.\n" in result.stdout


@pytest.mark.parametrize("option", [(), ("--dry-run",)])
def test_a_bot_that_does_not_start_has_the_hint_that_a_check_gives(
    arena: Arena, here: Path, option: tuple[str, ...]
) -> None:
    (here / "shared.py").write_text("")
    (here / "mine.py").write_text(f"import shared\n{RAISING}")
    result = arena(*RUN, "--isolation", "process", "--jobs", "1", "--blocks", "1", *option)
    assert "    Hint: shared.py is beside the bot, but a bot in a single file has no other" in result.output


@pytest.mark.parametrize("command", ["check", "compare"])
def test_a_file_of_a_bot_in_a_folder_names_the_folder(arena: Arena, here: Path, command: str) -> None:
    (here / "base.py").write_text(RAISING)
    (here / "derived.py").write_text("from base import Mine\n\n\nclass Derived(Mine):\n    pass\n")
    (here / "bot.toml").write_text('name = "derived"\nclass = "derived.py:Derived"\n')
    others = ("greedy", "--variant", "lives") if command == "compare" else ()
    result = arena(command, "derived.py", *others)
    assert result.exit_code == 2
    assert "imports base.py, but a bot in a single file has no other file: name the folder" in result.stderr


def test_strict_run_stops_at_the_first_fault(arena: Arena, here: Path) -> None:
    result = arena(*RUN, "--isolation", "inline", "--jobs", "1", "--blocks", "5000", "--strict")
    assert result.exit_code == 1
    assert "stopped early; resume with" in result.stdout.lower()
    assert REASON in result.stdout
    assert 0 < Run.open(here / "run").count_blocks() < 5000


def test_failures_of_a_bot_are_bounded(arena: Arena, here: Path) -> None:
    code = RAISING.replace('f"nothing to do in deal {view.deal}"', "chr(0x4E00 + hash(self) // 16 % 20000)")
    (here / "mine.py").write_text(code)
    assert arena(*RUN, "--isolation", "inline", "--jobs", "1", "--blocks", "20").exit_code == 0
    failures = Run.open(here / "run").results().failures
    assert len(failures) <= 21
    assert sum(failures.values()) == 120
