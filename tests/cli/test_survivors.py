"""No process of a bot outlives the command that started it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.play.isolation import Level, probe
from tests.play.isolation.processes import find_processes

STRANGER = Path(__file__).parents[1] / "play/isolation/stranger/survivor.py"
BOT = """
class Survivor:
    def __init__(self):
        clear_death_signal()
        with suppress(OSError):
            fork_twice()

    def act(self, view):
        return view.legal[-1]
"""


@pytest.fixture
def survivor(tmp_path: Path) -> Iterator[Path]:
    """A bot's file that does what it can to survive; what survives the test is killed."""
    file = tmp_path / "survivor.py"
    file.write_text(STRANGER.read_text(encoding="utf-8").rpartition('if __name__ == "__main__"')[0] + BOT)
    yield file
    for pid in find_processes(str(file)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("level", ["process", pytest.param("landlock", marks=pytest.mark.full), "sandbox"])
@pytest.mark.parametrize("command", ["run", "check"])
def test_nothing_survives_a_command(level: Level, command: str, survivor: Path, tmp_path: Path) -> None:
    if not (support := probe(level)).usable:
        pytest.skip(f"{level} is not usable here: {support.reason}")
    bot = f"{survivor}:Survivor"
    words = {
        "run": ["--bot", bot, "--bot", "greedy", "--blocks", "2", "--players", "2", "--jobs", "1"],
        "check": [bot],
    }[command]
    done = subprocess.run(
        [sys.executable, "-m", "arena", command, *words, "--variant", "lives", "--isolation", level],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert find_processes(str(survivor)) == []
