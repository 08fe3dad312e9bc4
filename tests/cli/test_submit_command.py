"""`arena submit`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


@pytest.fixture
def handed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a bot in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    (tmp_path / "mine.py").write_text(
        "class Shark:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    return tmp_path


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


def test_run_plays_submissions(arena: Arena, handed_in: Path) -> None:
    arena("submit", "mine.py:Shark")
    options = ["--players", "2", "--blocks", "1", "--jobs", "1", "--isolation", "inline", "--out", "run"]
    result = arena("run", "--bot", "submitted", "--bot", "greedy", *options)
    assert (result.exit_code, result.stderr.count("Traceback")) == (0, 0)
    rows = (handed_in / "run/matches.csv").read_text().splitlines()[1:]
    assert {(row.split(",")[5], row.split(",")[-1]) for row in rows} == {("shark", "0"), ("greedy", "0")}


def test_a_listed_bot_is_not_purged_by_its_hash(arena: Arena, handed_in: Path) -> None:
    assert arena("submit", "mine.py:Shark").exit_code == 0
    (fields,) = json.loads(arena("submit", "--list", "--json").stdout)
    refused = arena("submit", "--purge", fields["content"])
    assert refused.exit_code == 2
    assert "is a version of shark: purge shark, or --remove it first" in refused.stderr
    assert arena("submit", "--remove", "shark").exit_code == 0
    assert arena("submit", "--purge", fields["content"]).exit_code == 0
