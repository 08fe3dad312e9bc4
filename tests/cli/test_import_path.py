"""The arena imports no module of a stranger's folder it is run in."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NAMES = (
    "threading",
    "json",
    "random",
    "typing",
    "signal",
    "logging",
    "tempfile",
    "socket",
    "queue",
    "msgspec",
    "numpy",
    "click",
    "bots",
)
GAME = Path(__file__).parents[2] / "examples/game/game.py"
CALL = ("run", "-q", "greedy", "random", "--set", "tokens=1", "--blocks", "2", "--jobs", "2", "--out")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder with namesakes of modules that leave a mark when they are imported."""
    folder = tmp_path / "bot"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(
            f"open({str(tmp_path / name)!r} + '.mark', 'w')\nraise SystemExit(9)\n"
        )
    return folder


def play(folder: Path, *command: str) -> list[str]:
    """Run the arena in the folder and return the marks."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    result = subprocess.run(
        command, cwd=folder, env=environment, input="", capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    return sorted(path.name for path in folder.parent.glob("*.mark"))


@pytest.mark.parametrize(
    "start",
    [
        "forkserver",
        pytest.param("spawn", marks=pytest.mark.full),
        pytest.param("fork", marks=pytest.mark.full),
    ],
)
def test_workers_import_nothing_from_the_working_directory(hostile: Path, start: str) -> None:
    arena = str(Path(sys.executable).with_name("arena"))
    assert play(hostile, arena, *CALL, str(hostile.parent / "run"), "--start", start) == []


def test_module_entry_imports_nothing_from_the_working_directory(hostile: Path) -> None:
    assert play(hostile, sys.executable, "-m", "arena", *CALL, str(hostile.parent / "run")) == []


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["bots"], marks=pytest.mark.full),
        pytest.param(["new", "mine"], marks=pytest.mark.full),
        ["check", "./mybot.py:Bot", "--variant", "lives", "--matches", "1"],
        pytest.param(["check", str(GAME), "--minutes", "0.02"], marks=pytest.mark.full),
        pytest.param(["submit", "./mybot.py:Bot", "--name", "mine"], marks=pytest.mark.full),
        pytest.param(["play", "lives"], marks=pytest.mark.full),
        ["run", "-q", "--blocks", "1", "--set", "tokens=1", "./mybot.py:Bot", "greedy"],
    ],
    ids=lambda words: words[0],
)
def test_commands_import_nothing_from_the_working_directory(hostile: Path, words: list[str]) -> None:
    """Nor do the processes of bots: their own folder comes last."""
    (hostile / "mybot.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    assert play(hostile, str(Path(sys.executable).with_name("arena")), *words) == []
