"""`arena submit`, `arena bots` and `arena snapshot`, and a bot from `arena new` to a run."""

import csv
import importlib
import json
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


@pytest.fixture
def handed_in(here: Path) -> Path:
    """A working directory with a bot in it."""
    (here / "mine.py").write_text("class Shark:\n    def act(self, view):\n        return view.legal[0]\n")
    return here


def test_bot_is_submitted_listed_renamed_and_removed(arena: Arena, handed_in: Path) -> None:
    said = arena("submit", "mine.py:Shark", "--author", "Ann", "--team", "sea")
    assert said.stdout.startswith("Submitted shark, version 1, by Ann (")
    assert "arena check submitted:shark" in said.stdout
    assert (handed_in / "submissions/index.json").is_file()
    head, _, row = arena("submit", "--list").stdout.splitlines()
    assert head.split() == ["bot", "version", "hash", "author", "team", "games", "state"]
    assert [row.split()[i] for i in (0, 1, 3, 4, 5, 6)] == ["shark", "1", "Ann", "sea", "all", "ready"]
    arena("submit", "--rename", "shark", "whale")
    (fields,) = json.loads(arena("submit", "--list", "--json").stdout)
    assert (fields["name"], fields["author"], fields["team"], fields["error"]) == (
        "whale",
        "Ann",
        "sea",
        None,
    )
    assert arena("submit", "--remove", "whale").stdout.startswith(
        "Removed whale from the list in submissions"
    )
    assert arena("submit", "--list").stdout.startswith("No bots have been submitted yet")
    assert arena("submit", "mine.py:Shark").exit_code == 0
    assert arena("submit", "--purge", "shark").stdout == f"Deleted shark from {handed_in}/submissions\n"


def test_the_games_that_a_class_declares_are_listed(arena: Arena, handed_in: Path) -> None:
    code = (
        'class Solo:\n    variants = ("lives",)\n\n    def act(self, view):\n        return view.legal[0]\n'
    )
    (handed_in / "solo.py").write_text(code)
    assert arena("submit", "solo.py").exit_code == 0
    (fields,) = json.loads(arena("submit", "--list", "--json").stdout)
    assert fields["variants"] == ["lives"]


def test_several_bots_are_submitted_and_one_that_does_not_start_is_listed_as_such(
    arena: Arena, handed_in: Path
) -> None:
    (handed_in / "broken.py").write_text("import numpie\n\n\nclass Broken:\n    act = print\n")
    assert arena("submit", "mine.py:Shark", "broken.py:Broken").exit_code == 0
    table = arena("submit", "--list").stdout
    states = {line.split()[0]: line for line in table.splitlines()[2:]}
    assert states["shark"].endswith("ready")
    assert "ModuleNotFoundError: No module named 'numpie'" in states["broken"]
    errors = {row["name"]: row["error"] for row in json.loads(arena("submit", "--list", "--json").stdout)}
    assert errors["shark"] is None
    assert "No module named 'numpie'" in errors["broken"]


def test_why_a_bot_does_not_start_is_listed_without_the_folder_of_the_store(
    arena: Arena, handed_in: Path
) -> None:
    (handed_in / "mine").mkdir()
    (handed_in / "mine/bot.toml").write_text('name = "mine"\nclass = "bot.py:Minne"\n')
    (handed_in / "mine/bot.py").write_text("class Mine:\n    act = print\n")
    assert arena("submit", "mine").stderr.endswith("bot.py has no class Minne; the nearest is 'Mine'\n")
    (handed_in / "mine/bot.py").write_text("class Mine:\n    act = print\n\n\nMinne = 3\n")
    assert arena("submit", "mine").exit_code == 0
    for words in (("submit", "--list"), ("bots",)):
        row = next(line for line in arena(*words).stdout.splitlines() if line.startswith("mine "))
        assert "  bot.py:Minne is not a bot" in row


def test_store_is_set_by_option_or_environment(
    arena: Arena, handed_in: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena("submit", "mine.py:Shark", "--store", "here")
    monkeypatch.setenv("ARENA_STORE", "there")
    arena("submit", "mine.py:Shark", "--json")
    assert [(handed_in / name / "bots").is_dir() for name in ("here", "there", "submissions")] == [
        True, True, False,
    ]  # fmt: skip


def test_a_listed_bot_is_not_purged_by_its_hash(arena: Arena, handed_in: Path) -> None:
    assert arena("submit", "mine.py:Shark").exit_code == 0
    (fields,) = json.loads(arena("submit", "--list", "--json").stdout)
    refused = arena("submit", "--purge", fields["content"])
    assert refused.exit_code == 2
    assert "is a version of shark: purge shark, or --remove it first" in refused.stderr
    assert arena("submit", "--remove", "shark").exit_code == 0
    assert arena("submit", "--purge", fields["content"]).exit_code == 0


def test_bots_lists_the_origin_of_each_bot(arena: Arena) -> None:
    result = arena("bots")
    assert result.exit_code == 0
    [greedy] = [line.split() for line in result.stdout.splitlines() if line.startswith("greedy ")]
    assert greedy[-4:] == ["commerce-arena", version("commerce-arena"), "inline", "ok"]
    rows = {row["name"]: row for row in json.loads(arena("bots", "--json").stdout)}
    assert rows["greedy"]["origin"] == "bots.plain:Greedy"
    assert len({row["content"] for row in rows.values() if len(row["content"]) == 64}) == len(rows)


def test_submissions_are_listed_after_the_installed_bots(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.bots.discover", list)  # the installed ones take their time
    (here / "mine.py").write_text("class Shark:\n    def act(self, view):\n        return view.legal[0]\n")
    arena("submit", "mine.py:Shark", "--author", "Ann")
    (row,) = [row for row in json.loads(arena("bots", "--json").stdout) if row["kind"] == "folder"]
    assert (row["name"], row["version"], row["author"], row["error"]) == ("shark", "1", "Ann", None)
    assert row["origin"] == "submitted:shark"
    assert row["isolation"] not in ("", "inline")
    assert arena("bots").stdout.splitlines()[-1].split()[:2] == ["shark", row["content"][:12]]
    (here / "mine.py").write_text("import nowhere\nclass Shark: ...\n")
    arena("submit", "mine.py:Shark", "--author", "Ann")
    row = json.loads(arena("bots", "--json").stdout)[-1]
    assert (row["version"], "No module named 'nowhere'" in row["error"]) == ("2", True)
    for file in Path(here, "submissions/bots", row["content"]).iterdir():
        file.chmod(0o644)
        file.write_text("name = 7")
    assert json.loads(arena("bots", "--json").stdout)[-1]["error"].endswith("got `int` - at `name`")


def test_broken_plug_in_is_a_row_not_a_failure(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    info = tmp_path / "stranger-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[arena.bots]\nlost = nowhere:Bot\n")
    importlib.invalidate_caches()
    result = arena("bots", "--json")
    assert result.exit_code == 0
    row = json.loads(result.stdout)[-1]
    assert (row["name"], row["kind"], row["built_in"]) == ("lost", "plug-in", False)
    assert (row["distribution"], row["version"], row["origin"]) == ("stranger", "1.5", "nowhere:Bot")
    assert row["error"] == "ModuleNotFoundError: No module named 'nowhere'"
    assert "ModuleNotFoundError: No module named 'nowhere'" in arena("bots").stdout


CODE = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
QUICK = ("--set", "tokens=1", "--blocks", "1", "--jobs", "1", "--isolation", "inline", "--json")


def test_a_file_is_copied_under_the_next_number(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text(CODE)
    first = arena("snapshot", "mine.py")
    assert first.exit_code == 0
    assert first.stdout.startswith("Copied mine.py to snapshots/mine-1.")
    assert "  arena compare mine.py snapshots/mine-1   " in first.stdout
    assert arena("snapshot", "mine.py:Mine").stdout.startswith("Copied mine.py:Mine to snapshots/mine-2.")
    assert (here / "snapshots/mine-1/mine.py").read_text() == CODE
    unchanged = arena("compare", "mine.py", "snapshots/mine-1", *QUICK)
    assert "mine.py and mine-1 are the same bot, content " in unchanged.stderr
    (here / "mine.py").write_text(CODE.replace("0", "-1"))
    played = arena("compare", "mine.py", "snapshots/mine-1", *QUICK)
    assert "are the same bot" not in played.stderr
    assert json.loads(played.stdout)["bots"] == ["mine.py", "mine-1"]


def test_a_snapshot_of_a_folder_is_told_from_the_bot(arena: Arena, here: Path) -> None:
    (here / "shark").mkdir()
    (here / "shark/bot.toml").write_text('name = "shark"\nclass = "bot.py:Mine"\n')
    (here / "shark/bot.py").write_text(CODE)
    assert arena("snapshot", "./shark", "before").exit_code == 0
    assert (here / "snapshots/before/bot.toml").read_bytes() == (here / "shark/bot.toml").read_bytes()
    unchanged = arena("compare", "shark", "snapshots/before", *QUICK)
    assert "are the same bot" in unchanged.stderr
    (here / "shark/bot.py").write_text(CODE.replace("0", "-1"))
    played = arena("compare", "./shark", "snapshots/before", *QUICK)
    assert json.loads(played.stdout)["bots"] == ["shark", "before"]


def test_a_snapshot_is_never_overwritten(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text(CODE)
    assert arena("snapshot", "mine.py", "old").exit_code == 0
    (here / "mine.py").write_text(CODE.replace("0", "-1"))
    refused = arena("snapshot", "mine.py", "old")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("arena: snapshots/old already exists: give the snapshot another name")
    assert (here / "snapshots/old/mine.py").read_text() == CODE


def test_what_cannot_be_copied_is_refused(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text(CODE)
    assert "contains the folder snapshots" in arena("snapshot", ".").stderr
    assert not (here / "snapshots").exists()


PROGRAMS = {"python": [], "javascript": ["node"], "c": ["cc", "make"], "wasm": []}
CONFIG = """
bots = ["submitted", "greedy"]
blocks = 1
seed = "from nothing to a place in the table"
[limits]
decision_ms = 5000
start_ms = 60000
[[variants]]
name = "lives"
players = 2
tokens = 1
"""


@pytest.mark.parametrize(
    "language",
    [pytest.param(name, marks=pytest.mark.full if name == "javascript" else ()) for name in PROGRAMS],
)
def test_new_bot_is_checked_submitted_and_rated(arena: Arena, here: Path, language: str) -> None:
    for program in PROGRAMS[language]:
        if not shutil.which(program):
            pytest.skip(f"{program} is not here")
    assert arena("new", "mine", "--language", language).exit_code == 0
    games = ["--variant", "lives", "--variant", "cuccu", "--matches", "1"]
    card = json.loads(arena("check", "mine", *games, "--json").stdout)
    assert (card["ok"], card["flaws"], card["decisions"] > 0) == (True, [], True)
    assert card["isolation"] != "inline"
    submitted = json.loads(arena("submit", "mine", "--author", "Ann", "--json").stdout)
    assert (submitted["name"], submitted["author"], submitted["version"]) == ("mine", "Ann", 1)
    Path("config.toml").write_text(CONFIG)
    result = arena("run", "config.toml", "--jobs", "1", "--out", "run")
    assert result.exit_code == 0, result.output
    with Path("run/elo.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["variant"].startswith("lives")]
    assert sorted((row["bot"], row["faults"]) for row in rows) == [("greedy", "0"), ("mine", "0")]
    assert arena("verify", "run", "--jobs", "1").exit_code == 0
