"""Runs whose processes are killed at random lose nothing: the short form of `benchmarks/kills.py`."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.kills import killed

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to find the processes of a run")


def test_killed_runs_resume_to_the_same_bytes() -> None:
    killing = killed(2, 100, ("--jobs", "2"), Random("short"), latest_s=1.0)
    assert killing.kills.total() == 2
    assert killing.runs >= 1


def test_killed_exports_are_repeated_to_the_same_bytes() -> None:
    command = [sys.executable, "-m", "benchmarks.kill_loop", "--kills", "1", "--only", "replay export"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("every file was the same\n")


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [("--jobs", "1"), ("--jobs", "2"), ("--jobs", "2", "--start", "fork"), ("--jobs", "4")],
    ids=str,
)
def test_thirty_kills_lose_nothing(options: tuple[str, ...]) -> None:
    killing = killed(30, 800, options, Random("full"))
    assert min(killing.kills["parent"], killing.kills["worker"] or options == ("--jobs", "1")) > 0
