"""`run.toml` and the report name bots so that the run can be played again in another place."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

BOT = "class Shark:\n    def act(self, view):\n        return view.legal[0]\n"
INLINE = ("--isolation", "inline")
CONFIG = """bots = ["submitted:shark", {bot = "bots/mine.py:Shark", name = "file"}, "random"]
blocks = 2
seed = "k3Jx9QmW2vTz7RbY5nLc8PfA"
[[variants]]
name = "lives"
players = 3
tokens = 1
"""


@pytest.fixture
def here(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bot, its submission, and a finished run of both in `results/it`."""
    folder = tmp_path / "here"
    (folder / "bots").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    (folder / "bots/mine.py").write_text(BOT)
    (folder / "it.toml").write_text(CONFIG)
    assert arena("submit", "bots/mine.py:Shark").exit_code == 0
    result = arena("run", "it.toml", *INLINE, "--jobs", "1", "--out", "results/it")
    assert result.exit_code == 0, result.stderr
    return folder


def test_run_folder_has_no_absolute_paths(here: Path) -> None:
    for name in ("run.toml", "report.html", "elo.csv", "matches.csv"):
        assert str(here) not in (here / "results/it" / name).read_text()
    assert '"../../bots/mine.py:Shark"' in (here / "results/it/run.toml").read_text()


def test_run_is_played_again_elsewhere(
    arena: Arena, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there"
    there.mkdir()
    for name in ("bots", "submissions", "results"):
        shutil.copytree(here / name, there / name)
    shutil.rmtree(here / "bots")
    monkeypatch.chdir(there)
    result = arena("run", "results/it/run.toml", *INLINE, "--jobs", "1", "--out", "results/again")
    assert result.exit_code == 0, result.stderr
    for name in ("run.toml", "report.html", "matches.csv", "replays.jsonl.zst"):
        assert Path("results/again", name).read_bytes() == Path("results/it", name).read_bytes()
    assert arena("verify", "results/again", "--jobs", "1").exit_code == 0


def test_missing_submission_is_named_by_its_hash(arena: Arena, here: Path) -> None:
    refused = arena("run", "results/it/run.toml", "--store", "elsewhere", "--out", "results/again")
    assert refused.exit_code == 2
    assert "no submission in " in refused.stderr
    assert "has the hash " in refused.stderr
