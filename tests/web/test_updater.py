"""The updater of a server, seen from outside."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.league.accounts import Invitation
from arena.league.folder import LeagueFolder
from arena.web.jobs import WAITING
from benchmarks.kills import UPDATER, descendants
from benchmarks.server_process import ServerProcess, ask
from tests.web.conftest import BOT

pytestmark = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
PATIENCE_S = 120.0


def find_updater(server: ServerProcess) -> int:
    """Wait until the updater runs, and return its number."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for pid in descendants(server.pid, UPDATER):
            return pid
        time.sleep(0.02)
    raise AssertionError("there is no updater")


def await_line(server: ServerProcess, line: str) -> None:
    """Wait until the log has a line, or the server ends without it."""
    while line not in server.log.read_text():
        assert server.poll() is None, "the server did not wait"
        time.sleep(0.02)


@pytest.fixture
def waiting(league: LeagueFolder, invitations: dict[str, Invitation]) -> Iterator[tuple[ServerProcess, int]]:
    """A server that was ended and waits for its updater, and the number of the updater's process."""
    server = ServerProcess(league.path, "--update")
    server.start()
    updater = find_updater(server)
    os.kill(updater, signal.SIGSTOP)  # as if its blocks took long
    try:
        ask(f"{server.url}/api/hand-ins", invitations["ann"].token, BOT)
        os.kill(server.pid, signal.SIGTERM)
        await_line(server, WAITING)
        yield server, updater
    finally:
        with suppress(ProcessLookupError):
            os.kill(updater, signal.SIGKILL)
        server.wait()


def test_a_server_that_is_ended_waits_for_an_updater_that_pauses(waiting: tuple[ServerProcess, int]) -> None:
    server, updater = waiting
    os.kill(updater, signal.SIGKILL)
    assert server.wait() == 0
    assert not Path(f"/proc/{updater}").exists()


def test_a_server_that_is_interrupted_again_waits_for_nothing(waiting: tuple[ServerProcess, int]) -> None:
    server, _ = waiting
    deadline = time.monotonic() + PATIENCE_S
    while server.poll() is None and time.monotonic() < deadline:
        os.kill(server.pid, signal.SIGINT)
        time.sleep(0.05)
    assert server.poll() == -signal.SIGINT
