"""No process of a bot outlives its stop or the arena, whatever it does to survive."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.play import Limits
from arena.play.isolation import Level, Program, start, stop
from tests.play.isolation.processes import find_processes

STRANGER = Path(__file__).with_name("stranger")
ROOT = Path(__file__).parents[3]
ARENA = """
import sys
from pathlib import Path
from tests.play.isolation.test_survivors import start_survivor
process = start_survivor(*sys.argv[1:])
print("here", flush=True)
process.wait()
"""
"""An arena's process that starts a survivor and waits."""


def start_survivor(level: Level, form: str, mark: str) -> subprocess.Popen[bytes]:
    """Start the bot, and wait until it has done all that it can to survive."""
    if form == "module":
        program = Program(home=STRANGER, module="survivor", arguments=(mark,))
    else:
        program = Program(home=STRANGER, command=("python3", "-I", "survivor.py", mark))
    process = start(level, program, Limits())
    assert process.stdout is not None
    assert process.stdout.readline() == b"here\n"
    return process


@contextmanager
def watch_processes(mark: str) -> Iterator[list[int]]:
    """Yield descriptors of all processes with the mark, ready to read when these have ended."""
    watches = [os.pidfd_open(pid) for pid in find_processes(mark)]
    assert watches
    try:
        yield watches
    finally:
        for watch in watches:
            os.close(watch)
        for pid in find_processes(mark):
            os.kill(pid, 9)


@pytest.mark.parametrize("form", ["module", "command"])
def test_nothing_outlives_its_stop(level: Level, form: str, tmp_path: Path) -> None:
    process = start_survivor(level, form, str(tmp_path))
    with watch_processes(str(tmp_path)) as watches:
        stop(process)
        assert select.select(watches, [], [], 0)[0] == watches  # it has waited for them


@pytest.mark.parametrize("form", ["module", "command"])
def test_nothing_outlives_a_killed_arena(level: Level, form: str, tmp_path: Path) -> None:
    mark = str(tmp_path)
    arena = subprocess.Popen(
        [sys.executable, "-c", ARENA, level, form, mark], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert arena.stdout is not None
    assert arena.stdout.readline() == b"here\n"
    with watch_processes(mark) as watches:
        arena.kill()
        arena.communicate()
        for watch in watches:
            assert select.select([watch], [], [], 10)[0] == [watch]
