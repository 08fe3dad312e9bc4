"""File names that are not UTF-8: one line that says so, exit status 2, and nothing written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    "words", [(b"run", b"--blocks", b"1"), (b"bots",), (b"run", b"--bot", b"mine.py:Mine")]
)
def test_command_in_a_folder_that_is_not_utf8(tmp_path: Path, words: tuple[bytes, ...]) -> None:
    folder = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/mine.py")).write_text(BOT)
    done = run_arena(folder, *words)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "is not UTF-8: rename" in done.stderr.splitlines()[-1]
