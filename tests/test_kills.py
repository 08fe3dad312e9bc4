"""Jobs killed at random are continued to the same result: `benchmarks/kills.py`, briefly and at length."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FULL = (
    "workers records --kills 2",
    "league server --kills 1 --rounds 1",
    "run --kills 30",
    "workers --kills 30 --jobs 2",
    "workers --kills 30 --jobs 2 --start fork",
    "workers --kills 30 --jobs 4",
    "bots --kills 30",
    "shards --kills 30 --rounds 16",
    "league --kills 50 --jobs 1",
    "league --kills 50 --jobs 2",
    "server --kills 50",
    "updates --kills 50",
)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to find the processes of a run")
@pytest.mark.parametrize(
    "words",
    [
        "workers --kills 1",
        *(pytest.param(words, marks=pytest.mark.full) for words in FULL),
    ],
)
def test_killed_jobs_are_continued_to_the_same_result(words: str) -> None:
    command = [sys.executable, "-m", "benchmarks.kills", *words.split()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    targets = words.split("--")[0].split()
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == targets
    assert done.stdout.count("all was the same") == len(targets)
