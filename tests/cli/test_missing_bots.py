"""Runs whose bots no longer exist: they can be read and verified, but not resumed."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

INLINE = ("--isolation", "inline")
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
def gone(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of three bots, one of which was deleted since."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    Path("it.toml").write_text(CONFIG)
    assert arena("run", "it.toml", *INLINE, "--jobs", "1", "--out", "run").exit_code == 0
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
    assert arena("table", gone, "--matrix").exit_code == 0


def test_run_with_a_missing_bot_cannot_be_resumed(arena: Arena, gone: Path) -> None:
    shutil.rmtree(gone)
    Path("mine.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    call = ("run", "it.toml", *INLINE, "--jobs", "1", "--out", "run", "--time-limit", "1e-9")
    assert arena(*call).exit_code == 1
    Path("mine.py").unlink()
    refused = arena("resume", gone, *INLINE, "--jobs", "1")
    assert refused.exit_code == 2
    assert "Traceback" not in refused.stderr
    assert "mine" in refused.stderr.splitlines()[-1]
