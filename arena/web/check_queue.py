"""The queue of hand-ins: each is checked, then placed, by processes of their own."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool

from arena.errors import ArenaError
from arena.league.accounts import ServerDatabase, change_hand_in, remove_unused
from arena.league.settings import LeagueFolder
from arena.league.store import LeagueDatabase
from arena.tournament.engine.machine import usable_cores
from arena.web.background_tasks import run_in_background, start_module

Result = TypeVar("Result")
MAX_CHECK_ATTEMPTS: Final = 3
"""Attempts at a check, or at a place, that fails for a reason that is not the bot's."""
CHECK_RETRY_S: Final = 5.0
CHECK_TIMEOUT_S: Final = 900.0
MAX_CHECK_LINE_BYTES: Final = 1 << 20
CHECK_FAILED: Final = "The check could not be made. The organiser finds the reason in the server's log."

log = logging.getLogger(__name__)


class Event(NamedTuple):
    """Something that happened in a check."""

    kind: str
    data: Any


@dataclass
class HandInProgress:
    """Progress of a hand-in that is waiting or being checked."""

    events: list[Event] = field(default_factory=list)
    is_over: bool = False
    result: asyncio.Future[Any] | None = None
    """Last message to those who follow, read once for all of them."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, event: Event) -> None:
        """Add an event, and wake those who follow."""
        self.events.append(event)
        self.wake()

    def wake(self) -> None:
        """Wake those who follow."""
        self.changed.set()
        self.changed = asyncio.Event()


class _Job(NamedTuple):
    action: str
    """`check` or `place`."""
    number: int


class CheckQueue:
    """Checks hand-ins, several at a time, those that were handed in first before all others."""

    def __init__(self, league: LeagueFolder) -> None:
        self._league = league
        self._progress: dict[int, HandInProgress] = {}
        self._active: set[int] = set()
        self._attempts: Counter[_Job] = Counter()
        self._choosing = asyncio.Lock()
        self._news = asyncio.Event()
        self.is_idle, self.is_busy = asyncio.Event(), asyncio.Event()
        """One is set while nothing waits to be checked or placed, the other while something does."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work within the context; what was not finished is done by the next server."""
        await self._call(lambda database: remove_unused(self._league, database))
        # Connections stay open. When the last one is closed, SQLite empties its log with several syncs, and
        # the league's database changes its journal mode, for which readers would have to wait.
        with ServerDatabase.open(self._league), LeagueDatabase.open(self._league.path, "rw"):
            async with run_in_background(self._work, max(1, usable_cores() // 2)):
                yield

    def wake(self) -> None:
        """Look for new hand-ins."""
        self._set_busy(True)
        self._news.set()

    def progress_of(self, number: int) -> HandInProgress:
        """Return the progress of a hand-in that is not finished."""
        return self._progress.setdefault(number, HandInProgress())

    def _set_busy(self, is_busy: bool) -> None:
        for event, is_set in ((self.is_idle, not is_busy), (self.is_busy, is_busy)):
            event.set() if is_set else event.clear()

    async def _work(self) -> None:
        while True:
            self._news.clear()
            async with self._choosing:
                job = await self._call(self._next_job)
                if job:
                    self._active.add(job.number)
            if job is None:
                if not self._active:
                    self._set_busy(False)
                await self._news.wait()
                continue
            self._set_busy(True)
            try:
                await self._do(job)
            except ArenaError as error:
                log.error("hand-in %d: %s", job.number, error)
                await asyncio.sleep(CHECK_RETRY_S)
            finally:
                self._active.discard(job.number)
                self._news.set()  # another worker may have found this one active, and nothing else

    def _next_job(self, database: ServerDatabase) -> _Job | None:
        """Return what is to be done next: all checks come before all places."""
        for action, condition in (
            ("check", "state = 'received'"),
            ("place", "state = 'passed' AND places = ''"),
        ):
            for [number] in database.rows(f"SELECT number FROM hand_in WHERE {condition} ORDER BY number"):
                job = _Job(action, number)
                if number not in self._active and self._attempts[job] < MAX_CHECK_ATTEMPTS:
                    return job
        return None

    async def _do(self, job: _Job) -> None:
        progress = self.progress_of(job.number)
        progress.add(Event("state", "checking" if job.action == "check" else "placing"))
        is_done = await self._run(job, progress)
        if not is_done:
            self._attempts[job] += 1
            if self._attempts[job] < MAX_CHECK_ATTEMPTS:
                await asyncio.sleep(CHECK_RETRY_S)
                return
            changes = (
                {"state": "failed", "reason": CHECK_FAILED} if job.action == "check" else {"places": "[]"}
            )
            await self._call(lambda database: change_hand_in(database, job.number, **changes))
        query = "SELECT state = 'passed' AND places = '' FROM hand_in WHERE number = ?"
        [(is_waiting,)] = await self._call(lambda database: database.rows(query, job.number))
        if not is_waiting:
            progress.is_over = True
            self._progress.pop(job.number, None)
        progress.wake()

    async def _run(self, job: _Job, progress: HandInProgress) -> bool:
        """Run the process of a job, and return whether it succeeded."""
        process = await start_module(
            *("arena.web.check_process", job.action, str(self._league.path), str(job.number)),
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_CHECK_LINE_BYTES,
        )
        assert process.stdout
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                async for line in process.stdout:
                    progress.add(msgspec.convert(tuple(msgspec.json.decode(line).values()), Event))
                return await process.wait() == 0
        except (TimeoutError, ValueError, msgspec.MsgspecError) as error:
            log.error("hand-in %d: %s", job.number, str(error) or "its check took too long")
            return False
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def _call(self, function: Callable[[ServerDatabase], Result]) -> Result:
        def call() -> Result:
            with ServerDatabase.open(self._league) as database:
                return function(database)

        return await run_in_threadpool(call)
