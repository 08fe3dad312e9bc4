"""Processes beside the server; the queue of checks, with processes that do nothing."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from arena.league.accounts import HandIn, ServerDatabase, find_hand_in, hand_in
from arena.league.folder import LeagueFolder
from arena.web import jobs
from arena.web.jobs import CheckQueue, Event, start_module
from tests.web.conftest import run_async

PROCESS = """
import sqlite3, sys
from pathlib import Path

action, path, number = sys.argv[1:]
with Path(path, "calls").open("a") as calls:
    calls.write(f"{action} {number}\\n")
print('{"event": "game", "data": "lives"}', flush=True)
if Path(path, "fails").exists():
    sys.exit(1)
changes = "state = 'passed', name = 'ann'" if action == "check" else "places = '[]'"
database = sqlite3.connect(Path(path, "server.db"), timeout=60)
with database:
    database.execute(f"UPDATE hand_in SET {changes} WHERE number = ?", (number,))
database.close()
"""
"""Stands for `arena.web.check_process`, and imports nothing of the arena, which would take long."""


@pytest.fixture
def run(league: LeagueFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run something while a queue works, whose processes only say that they were called."""
    script = tmp_path / "process.py"
    script.write_text(PROCESS)
    create = asyncio.create_subprocess_exec

    def create_other(*command: str, **options: Any) -> Any:
        module = command.index("-m")
        assert command[module + 1] == "arena.web.check_process"
        return create(sys.executable, str(script), *command[module + 2 :], **options)

    monkeypatch.setattr("asyncio.create_subprocess_exec", create_other)
    monkeypatch.setattr(CheckQueue, "retry_s", 0.0)

    def run(body: Callable[[CheckQueue], Coroutine[Any, Any, None]]) -> None:
        async def work() -> None:
            queue = CheckQueue(league)
            async with queue.running(), asyncio.timeout(60):
                await body(queue)

        run_async(work())

    return run


def hand_in_bots(league: LeagueFolder, *bots: bytes) -> None:
    with ServerDatabase.open(league) as database:
        for bot in bots:
            hand_in(league, database, "ann", "", ".py", bot)


def read(league: LeagueFolder, number: int) -> HandIn:
    with ServerDatabase.open(league) as database:
        return find_hand_in(database, number)


def calls(league: LeagueFolder) -> list[str]:
    return (league.path / "calls").read_text().splitlines()


async def wait(queue: CheckQueue) -> None:
    await queue.is_idle.wait()


def test_checks_come_before_places_and_old_ones_first(
    run: Callable[..., None], league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "usable_cores", lambda: 1)
    hand_in_bots(league, b"1", b"2")
    run(wait)
    assert calls(league) == ["check 1", "check 2", "place 1", "place 2"]
    assert not read(league, 2).is_waiting


def test_what_is_handed_in_meanwhile_is_checked(run: Callable[..., None], league: LeagueFolder) -> None:
    seen: list[Event] = []

    async def body(queue: CheckQueue) -> None:
        await queue.is_idle.wait()
        await asyncio.to_thread(hand_in_bots, league, b"1")
        progress = queue.progress_of(1)
        queue.wake()
        assert queue.is_busy.is_set()
        while not progress.is_over:
            await progress.changed.wait()
        seen.extend(progress.events)

    run(body)
    game = Event("game", "lives")
    assert seen == [Event("state", "checking"), game, Event("state", "placing"), game]


def test_a_check_that_cannot_be_made_is_given_up(run: Callable[..., None], league: LeagueFolder) -> None:
    (league.path / "fails").touch()
    hand_in_bots(league, b"1")
    run(wait)
    assert calls(league) == ["check 1"] * 3
    checked = read(league, 1)
    assert (checked.state, checked.reason) == ("failed", jobs.CHECK_FAILED)


def test_what_a_server_left_unfinished_is_finished_by_the_next(
    run: Callable[..., None], league: LeagueFolder
) -> None:
    hand_in_bots(league, b"1")

    async def leave(queue: CheckQueue) -> None:
        progress = queue.progress_of(1)
        while not progress.events:
            await progress.changed.wait()

    run(leave)
    run(wait)
    assert read(league, 1).state == "passed"


# --- processes ---


def test_a_killed_process_leaves_no_warning_about_its_semaphores() -> None:
    """Python's resource tracker outlives a process, and removes its semaphores."""

    async def run() -> tuple[bytes, bytes]:
        here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        process = await start_module("tests.web.leaking_process", stdout=PIPE, stderr=PIPE, env=here)
        return await process.communicate()

    assert run_async(run()) == (b"registered\n", b"")


def test_a_process_imports_nothing_from_the_working_directory(tmp_path: Path) -> None:
    for name in ("this", "runpy", "random", "json", "typing"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)\n")

    async def run() -> bytes:
        process = await start_module("this", stdout=PIPE, cwd=tmp_path)
        output, _ = await process.communicate()
        return output

    assert run_async(run()).startswith(b"The Zen of Python")


def test_a_process_that_reads_nothing_is_no_failure() -> None:
    """A text larger than a pipe holds cannot be written to a process that has ended."""
    lines: list[bytes] = []
    options: dict[str, Any] = {"text": bytes(1 << 20), "timeout_s": 60.0, "max_line_bytes": 100}
    process = jobs.run_module("this", take=lines.append, **options)
    assert run_async(process) == lines[-1]
    assert lines[0].startswith(b"The Zen of Python")


def test_a_process_that_writes_too_long_a_line_is_ended() -> None:
    process = jobs.run_module("this", take=str, timeout_s=60.0, max_line_bytes=10)
    with pytest.raises(ValueError, match="limit"):
        run_async(process)
