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
ARENAS = """
import ctypes, os, select, signal, sys
from tests.play.isolation.test_survivors import launch_survivor
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
signal.alarm(40)
kills = int(sys.argv.pop())
for kill in range(kills):
    if os.fork() == 0:
        launch_survivor(*sys.argv[1:])
        select.select([], [], [], kill * 0.048 / kills)
        os.kill(os.getpid(), signal.SIGKILL)
try:
    while True:
        os.wait()
except ChildProcessError:
    print("all have ended")
"""
"""Arenas that are killed while a bot starts; whatever outlives one gets this process as its parent."""


def launch_survivor(level: Level, form: str, mark: str) -> subprocess.Popen[bytes]:
    if form == "module":
        program = Program(home=STRANGER, module="survivor", arguments=(mark,))
    else:
        program = Program(home=STRANGER, command=("python3", "-I", "survivor.py", mark))
    return start(level, program, Limits())


def start_survivor(level: Level, form: str, mark: str) -> subprocess.Popen[bytes]:
    """Start the bot, and wait until it has done all that it can to survive."""
    process = launch_survivor(level, form, mark)
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


@pytest.mark.parametrize("kills", [4, pytest.param(12, marks=pytest.mark.full)])
@pytest.mark.parametrize("form", ["module", "command"])
def test_nothing_outlives_an_arena_killed_while_it_starts(
    level: Level, form: str, kills: int, tmp_path: Path
) -> None:
    arguments = (level, form, str(tmp_path), str(kills))
    arenas = subprocess.run(
        [sys.executable, "-c", ARENAS, *arguments], capture_output=True, text=True, cwd=ROOT
    )
    for pid in find_processes(str(tmp_path)):
        os.kill(pid, 9)
    assert arenas.stdout == "all have ended\n", arenas.stderr
