"""Runs whose processes are killed at random lose nothing: the short form of `benchmarks/kills.py`."""

import sys
from random import Random

import pytest

from benchmarks.kills import killed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to find the processes of a run")


def test_killed_runs_resume_to_the_same_bytes() -> None:
    killing = killed(3, 100, ("--jobs", "2"), Random("short"), latest_s=1.0)
    assert killing.kills.total() == 3
    assert killing.runs >= 1


@pytest.mark.full
@pytest.mark.parametrize(
    "options",
    [("--jobs", "1"), ("--jobs", "2"), ("--jobs", "2", "--start", "fork"), ("--jobs", "4")],
    ids=str,
)
def test_thirty_kills_lose_nothing(options: tuple[str, ...]) -> None:
    killing = killed(30, 800, options, Random("full"))
    assert min(killing.kills["parent"], killing.kills["worker"] or options == ("--jobs", "1")) > 0
