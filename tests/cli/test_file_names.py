"""File names that are not UTF-8: one line that says so, exit status 2, and nothing written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

BOT = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
ROOT = Path(__file__).parents[2]


def run_arena(folder: bytes, *words: bytes) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, in a process of its own, which gets the bytes as they are."""
    call = [sys.executable.encode(), b"-m", b"arena", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run(call, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "words",
    [
        (b"run", b"--bot", b"\xff.py:Mine", b"--blocks", b"1"),
        (b"run", b"--blocks", b"1", b"--out", b"\xff"),
        (b"table", b"\xff"),
        (b"check", b"\xff.py:Mine"),
        (b"submit", b"\xff.py:Mine"),
        (b"replay", b"verify", b"\xff.py"),
    ],
    ids=lambda words: b" ".join(words).decode(errors="backslashreplace"),
)
def test_argument_that_is_not_utf8_is_refused(tmp_path: Path, words: tuple[bytes, ...]) -> None:
    folder = os.fsencode(tmp_path)
    Path(os.fsdecode(folder + b"/\xff.py")).write_text(BOT)
    done = run_arena(folder, *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a file name that ends in '\\udcff' is not UTF-8: rename" in done.stderr
    assert len(os.listdir(folder)) == 1


@pytest.mark.parametrize(
    "words",
    [
        pytest.param((b"run", b"--blocks", b"1"), marks=pytest.mark.full),
        (b"bots",),
        (b"run", b"--bot", b"mine.py:Mine"),
    ],
)
def test_command_in_a_folder_that_is_not_utf8(tmp_path: Path, words: tuple[bytes, ...]) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/mine.py")).write_text(BOT)
    done = run_arena(folder, *words)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "is not UTF-8: rename" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", ["a\x1b[31m", "a\r", "a\nb", "a\x9b31m", "a\u202eb"], ids=ascii)
def test_name_that_steers_the_terminal_is_refused(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A folder of somebody else may have it, and the shell completes it."""
    monkeypatch.chdir(tmp_path)
    refused = arena("run", "--blocks", "1", "--out", f"results/{name}")
    assert refused.exit_code == 2
    assert "has control characters: rename the file or folder" in refused.stderr
    (tmp_path / "results" / name).mkdir(parents=True)
    (tmp_path / "results" / name / "arena.db").touch()
    latest = arena("table")
    assert latest.exit_code == 2
    assert "has control characters: rename it" in latest.stderr
    assert name not in refused.output + latest.output


def test_name_in_any_language_is_accepted(arena: Arena, tmp_path: Path) -> None:
    folder = tmp_path / "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u00a0\U0001f3b4"
    assert arena("run", "-q", "--blocks", "1", "--jobs", "1", "--out", folder).exit_code == 0
