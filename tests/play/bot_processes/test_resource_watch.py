"""Bots that compute out of turn are stopped meanwhile, and those whose restarts cost too much are out."""

import logging
import time
from pathlib import Path

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.bot_processes import LaunchSpec, ProcessPool
from arena.play.bot_processes.bot_process import MAX_LOST_MATCHES
from arena.play.isolation import Level, Program, probe, tree_pids
from bots.plain import Greedy
from tests.play.bot_processes.hosted_matches import open_pool, play_matches, spec_of_file

LIVES = variant("lives", tokens=1)
SLOW_STARTER = """
import os, time
while time.process_time() < 0.4:  # time in which it waits for a core is not its own
    pass
class Mortal:
    def act(self, view):
        os._exit(3)
"""


@pytest.mark.parametrize("level", ["process", "landlock", "sandbox"])
def test_bot_that_computes_out_of_turn_is_stopped_while_it_is_not_asked(level: Level) -> None:
    if not (support := probe(level)).usable:
        pytest.skip(f"{level} is not usable here: {support.reason}")
    spinner = spec_of_file("Spinner", level=level)
    limits = Limits(decision_ms=10_000, start_ms=30_000)
    with open_pool({"bot 0": spinner}, limits) as pool:
        for _ in range(2):  # it answers again after it was stopped
            played = play_matches(LIVES, [spinner, Greedy, Greedy], 1, limits, pool=pool)
            assert [match.faults for match in played] == [[]]
            wait_until_stopped(pool)


def test_bot_with_too_many_threads_is_ended(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of threads that the kernel allows a user is shared by all bots of one user."""
    monkeypatch.setattr("arena.play.bot_processes.resource_watch.MAX_THREADS", 2)
    caplog.set_level(logging.INFO, "arena")
    spinner, limits = spec_of_file("Spinner"), Limits(decision_ms=10_000, start_ms=30_000)
    with open_pool({"bot 0": spinner}, limits) as pool:
        play_matches(LIVES, [spinner, Greedy, Greedy], 1, limits, pool=pool)
        until = time.monotonic() + 30
        while "threads (allowed 64)" not in caplog.text:
            pool.wait(0.05)
            assert time.monotonic() < until


def wait_until_stopped(pool: ProcessPool) -> None:
    """Wait until the innermost process of the only bot is stopped."""
    (process,) = pool
    assert process.pid is not None
    *_, innermost = tree_pids(process.pid)
    until = time.monotonic() + 30
    while Path(f"/proc/{innermost}/stat").read_text().rpartition(") ")[2][0] != "T":
        pool.wait(0.05)
        assert time.monotonic() < until


@pytest.mark.full
def test_bot_that_starts_slowly_and_crashes_is_out(tmp_path: Path) -> None:
    file = tmp_path / "mortal.py"
    file.write_text(SLOW_STARTER)
    tmp_path.chmod(0o755)
    mortal = LaunchSpec("process", Program(home=file, arguments=(f"{file}:Mortal",)), {})
    matches = play_matches(LIVES, [mortal, Greedy, Greedy], 12, Limits(start_ms=600, faults=1))
    assert [match.faults[0][1] for match in matches] == ["crash"] * MAX_LOST_MATCHES + ["no-start"] * 4
