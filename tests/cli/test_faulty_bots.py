"""Bots that fail in a run, that do not start, and that are gone when their run is read."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.tournament.run import Run
from tests.cli.conftest import Arena

RAISING = """\
class Mine:
    def act(self, view):
        raise ValueError(f"nothing to do in deal {view.deal}")
"""
RUN = ("run", "mine.py:Mine", "greedy", "--players", "2", "--seed", "1", "--out", "run")
REASON = "ValueError: nothing to do in deal 0 (mine.py:3)"


@pytest.fixture(autouse=True)
def bots(here: Path) -> None:
    """Put a bot that always raises and bots that do not start into the folder."""
    for name, code in {"mine.py": RAISING, **BROKEN}.items():
        (here / name).write_text(code)


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
    # Three in each of two matches of six blocks, or until it is disqualified after four.
    assert faults == times
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
    matrix = arena("table", "run", "--show", "matrix").stdout
    heading = next(line for line in matrix.splitlines() if line.startswith("bot"))
    assert heading.endswith("  mine.py (disqualified)")
    for aspect in ("--show=matrix", "--show=variants", "--show=exceptions", "--show=times"):
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
    result = arena(*RUN, "--isolation", "inline", "--jobs", "1", "--blocks", "5000", "--on-fault", "stop")
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


BROKEN = {
    "typo.py": "class Mine:\n    def act(self, view):\n        return view.legal[0]\n",
    "syntax.py": "class Mine:\n    def act(self, view)\n        return view.legal[0]\n",
    "missing.py": "import numpie\n\n\nclass Mine:\n    def act(self, view):\n        return view.legal[0]\n",
    "unmade.py": "class Mine:\n    def __init__(self, info):\n        self.depth = info.settings['depth']\n\n"
    "    def act(self, view):\n        return view.legal[0]\n",
}
PLAY = ("run", "greedy", "--players", "2", "--blocks", "1", "--jobs", "1", "--out", "run")


@pytest.mark.parametrize("level", ["process", "inline"])
@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("typo.py:Mime", "has no class Mime; the nearest is 'Mine'"),
        ("syntax.py:Mine", "SyntaxError: expected ':'"),
        ("missing.py:Mine", "No module named 'numpie'"),
        ("unmade.py:Mine", "KeyError: 'depth'"),
    ],
)
def test_run_with_a_bot_that_cannot_start_is_refused(
    arena: Arena, here: Path, level: str, bot: str, why: str
) -> None:
    result = arena(*PLAY, bot, "--isolation", level)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith("arena: ")
    assert why in last
    assert "Traceback" not in last
    assert not (here / "run").exists()


def test_all_bots_that_cannot_start_are_named_with_their_tracebacks(arena: Arena) -> None:
    result = arena(*PLAY, "missing.py:Mine", "unmade.py:Mine", "--isolation", "process")
    *details, last = result.stderr.splitlines()
    assert last.startswith("arena: 2 of 3 bots do not start: missing.py:Mine (")
    assert last.endswith(
        "; fix them, leave them out with --without missing.py:Mine --without unmade.py:Mine, or play on with "
        "--on-fault keep"
    )
    assert any(line.strip() == "self.depth = info.settings['depth']" for line in details)


@pytest.mark.parametrize("words", [["bots"], ["bots/broken.py", "bots/good.py", "bots/none.py", "greedy"]])
def test_a_folder_of_bots_is_played_and_all_that_are_broken_are_named(
    arena: Arena, here: Path, words: list[str]
) -> None:
    (here / "bots/folder").mkdir(parents=True)
    good = "class Good:\n    def act(self, view):\n        return view.legal[0]\n"
    for name in ("good.py", "_shared.py", "test_good.py", "folder/bot.py"):
        (here / "bots" / name).write_text(good)
    (here / "bots/broken.py").write_text("def (\n")
    (here / "bots/none.py").write_text("x = 1\n")
    (here / "bots/notes.txt").write_text("notes")
    common = ("run", *words, "--isolation", "inline", "--blocks", "2", "--players", "2", "--jobs", "1")
    refused = arena(*common)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines() == [
        "bots/broken.py: broken.py, line 1: invalid syntax",
        "bots/none.py: none.py has no class with a method act(self, view), which makes a bot",
        "arena: 2 of 4 bots cannot be played: fix them, or leave them out with --without bots/broken.py "
        "--without bots/none.py",
    ]
    played = arena(*common, "--on-fault", "keep", "--out", "rest")
    assert played.exit_code == 0, played.output
    assert played.stderr.startswith(
        "bots/broken.py is left out: broken.py, line 1: invalid syntax\nbots/none.py is "
    )
    played = arena(*common, "--without", "bots/broken.py", "--without", "none.py", "--out", "some")
    assert played.exit_code == 0, played.output
    one_less = "folder" if words == ["bots"] else "greedy"
    names = {line.split(",")[5] for line in (here / "some/matches.csv").read_text().splitlines()[1:]}
    assert names == {"bots/good.py", one_less}


def test_run_says_that_a_dry_run_lists_all_errors(arena: Arena, here: Path) -> None:
    (here / "wrong.toml").write_text(
        'bots = ["greedy", "gredy"]\nblocks = "many"\n[[variants]]\nname = "livs"\nplayers = 2\n'
    )
    assert arena("run", "wrong.toml").stderr.endswith("; --dry-run lists all 3 errors\n")
    assert len(arena("run", "wrong.toml", "--dry-run").stdout.splitlines()) == 3


def test_keep_going_plays_with_bots_that_cannot_start(arena: Arena, here: Path) -> None:
    result = arena(*PLAY, "unmade.py:Mine", "--isolation", "process", "--on-fault", "keep")
    assert result.exit_code == 0, result.output
    rows = (here / "run/matches.csv").read_text().splitlines()
    assert {row.endswith(",1") for row in rows if ",unmade.py:Mine," in row} == {True}


def test_keep_going_leaves_out_bots_of_a_config_that_cannot_be_read(arena: Arena, here: Path) -> None:
    (here / "c.toml").write_text(
        'bots = ["greedy", "syntax.py", "random"]\nblocks = 1\nvariants = [{name = "lives", players = 2}]\n'
    )
    call = ("run", "c.toml", "--jobs", "1", "--out", "run")
    assert arena(*call).exit_code == 2
    result = arena(*call, "--on-fault", "keep")
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("syntax.py is left out: syntax.py, line 2: expected ':'\n")
    assert "syntax.py" not in (here / "run/matches.csv").read_text()
    alone = arena("run", "syntax.py", "greedy", "--on-fault", "keep")
    assert (alone.exit_code, "syntax.py, line 2: expected ':'" in alone.stderr) == (2, True)


def test_compare_and_resume_refuse_bots_that_cannot_start(arena: Arena, here: Path) -> None:
    compared = arena("compare", "greedy", "typo.py:Mime", "--isolation", "process")
    assert compared.exit_code == 2
    assert "the nearest is 'Mine'" in compared.stderr
    stopped = arena(*PLAY, "unmade.py:Mine", "--on-fault", "keep", "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert arena("resume", "run", "--jobs", "1").exit_code == 2
    assert arena("resume", "run", "--jobs", "1", "--on-fault", "keep").exit_code == 0


CONFIG = """\
bots = [
    { bot = "mine.py:Bot", name = "mine", team = "us", patience = 3 },
    "greedy",
    "random",
]
blocks = 2
seed = "any text"
[[variants]]
name = "lives"
players = 2
tokens = 1
"""


@pytest.fixture
def gone(arena: Arena) -> Path:
    """A run of three bots, one of which was deleted since."""
    Path("mine.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    Path("it.toml").write_text(CONFIG)
    assert arena("run", "it.toml", "--isolation", "inline", "--jobs", "1", "--out", "run").exit_code == 0
    Path("mine.py").unlink()
    return Path("run")


def test_run_with_a_missing_bot_can_be_read_and_verified(arena: Arena, gone: Path) -> None:
    verified = arena("verify", gone, "--jobs", "1")
    assert (verified.exit_code, verified.stdout.count("all true")) == (0, 1)
    table = arena("table", gone)
    assert table.exit_code == 0
    assert "Changed since: mine; " in table.stdout
    for call in (("replay", "list", gone), ("replay", "verify", gone), ("replay", "export", gone)):
        assert arena(*call).exit_code == 0
    assert arena("table", gone, "--show", "matrix").exit_code == 0


def test_run_with_a_missing_bot_cannot_be_resumed(arena: Arena, gone: Path) -> None:
    with closing(sqlite3.connect(gone / "arena.db")) as connection, connection:
        connection.execute("DELETE FROM block WHERE place = 2")
    refused = arena("resume", gone, "--isolation", "inline", "--jobs", "1")
    assert refused.exit_code == 2
    assert "Traceback" not in refused.stderr
    assert "mine" in refused.stderr.splitlines()[-1]
