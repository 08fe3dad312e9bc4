"""Runs with worker processes, each in a process of its own: whatever happens, the same bytes come out."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from arena.tournament.store.store import Store

ROOT = Path(__file__).parents[3]
BLOCKS = 100
STARTS = ["fork", "forkserver", pytest.param("spawn", marks=pytest.mark.full)]
USUAL_START = [pytest.param("fork", marks=pytest.mark.full), *STARTS[1:]]


def begin(folder: Path, *options: str) -> subprocess.Popen[str]:
    """A run in a process group of its own, as a terminal would have it."""
    command = [sys.executable, "-m", "tests.tournament.pool_run", str(folder), *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def finish(folder: Path, *options: str) -> None:
    """A run that is left to its end."""
    with begin(folder, *options) as process:
        said, errors = process.communicate()
    assert (process.returncode, said.splitlines()[-1:]) == (0, [f"done {BLOCKS}"]), errors
    assert "Traceback" not in errors


def wait_for(stream: IO[str] | None, word: str) -> None:
    """Reads on to the line that holds the word."""
    assert stream is not None
    assert any(word in line for line in stream), f"{word!r} was never said"


def interrupt(process: subprocess.Popen[str]) -> None:
    """Effects of Ctrl-C: the signal goes to the run and to all its workers."""
    os.killpg(process.pid, signal.SIGINT)


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """matches.csv of a run by one process that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    finish(folder, "--jobs=1")
    return (folder / "matches.csv").read_bytes()


@pytest.mark.parametrize("start", STARTS)
def test_two_jobs_write_the_same_bytes_as_one(start: str, tmp_path: Path, undisturbed: bytes) -> None:
    finish(tmp_path, "--start", start)
    assert (tmp_path / "matches.csv").read_bytes() == undisturbed
    assert undisturbed.count(b"\n") == 1 + BLOCKS * 4 * 4


@pytest.mark.parametrize("start", STARTS)
def test_a_killed_worker_costs_nothing(start: str, tmp_path: Path, undisturbed: bytes) -> None:
    finish(tmp_path, "--start", start, "--play=play_and_kill_worker")
    assert (tmp_path / "matches.csv").read_bytes() == undisturbed
    log = (tmp_path / "arena.log").read_text()
    assert log.count("a worker died") == 1


def test_a_block_that_always_kills_its_worker_ends_the_run_with_its_name(tmp_path: Path) -> None:
    with begin(tmp_path, "--play=play_and_always_kill_worker") as process:
        _, errors = process.communicate()
    assert process.returncode == 1
    assert "ArenaError: 3 workers died over blocks" in errors
    with Store.open(tmp_path) as store:
        assert 7 not in store.done()


@pytest.mark.parametrize("start", USUAL_START)
def test_a_killed_run_leaves_no_worker_and_is_gone_on_with(
    start: str, tmp_path: Path, undisturbed: bytes
) -> None:
    with begin(tmp_path, "--start", start, "--play=play_and_hang") as process:
        wait_for(process.stdout, "hanging")
        process.kill()
        process.communicate()  # comes to the end of the pipe when no worker has it any more
    finish(tmp_path, "--start", start)
    assert (tmp_path / "matches.csv").read_bytes() == undisturbed


@pytest.mark.parametrize("jobs", ["--jobs=1", "--jobs=2"])
def test_ctrl_c_stores_what_is_in_hand(jobs: str, tmp_path: Path) -> None:
    with begin(tmp_path, jobs, "--blocks=1000000000") as process:
        wait_for(process.stdout, "playing")
        interrupt(process)
        said, errors = process.communicate()
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    with Store.open(tmp_path) as store:
        assert said == f"interrupted {store.count()}\n"
        assert store.count() > 0


@pytest.mark.parametrize("start", USUAL_START)
def test_a_second_ctrl_c_stops_at_once(start: str, tmp_path: Path, undisturbed: bytes) -> None:
    with begin(tmp_path, "--start", start, "--play=play_and_hang") as process:
        wait_for(process.stdout, "hanging")
        interrupt(process)
        stopping = (
            "stopping (SIGINT) when the blocks in play are finished; press Ctrl-C again to stop at once"
        )
        wait_for(process.stderr, stopping)
        interrupt(process)
        process.communicate()  # no worker hangs on
    assert process.returncode == -signal.SIGINT
    finish(tmp_path, "--start", start)
    assert (tmp_path / "matches.csv").read_bytes() == undisturbed
