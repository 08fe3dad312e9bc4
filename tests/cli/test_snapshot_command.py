"""`arena snapshot`: copies of bots that later versions are compared with."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

CODE = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
QUICK = ("--set", "tokens=1", "--blocks", "1", "--jobs", "1", "--isolation", "inline", "--json")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
