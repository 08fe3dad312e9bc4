"""Work beside requests, in processes of its own: checks, places, reviews and updates.

Each kind of work is a class that starts its processes with the two functions at the top.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool

from arena import __version__
from arena.errors import ArenaError
from arena.league.accounts import ServerDatabase, change_hand_in, remove_unused
from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase
from arena.tournament.engine.cores import usable_cores
from arena.tournament.files import make_private_folder, replace_file
from arena.web.context import refuse_if
from arena.web.review_process import Review, ReviewProgress

log = logging.getLogger(__name__)


# --- tasks and processes ---

QUIET: Final = ("-W", "ignore:resource_tracker:UserWarning")
"""Options of Python for a process that may be killed: its semaphores are then removed without a warning."""


async def start_module(module: str, *arguments: str, **options: Any) -> Process:
    """Start a module in a process of its own, which ends when its standard input is closed.

    Args:
        module: Name of the module.
        arguments: Its arguments.
        options: Options of `asyncio.create_subprocess_exec`.
    """
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *QUIET, "-P", "-m", module, *arguments),
        stdin=PIPE,
        start_new_session=True,  # Ctrl-C is for the server, which closes the standard input
        **options,
    )


@asynccontextmanager
async def run_in_background(
    work: Callable[[], Coroutine[None, None, None]], workers: int = 1
) -> AsyncIterator[None]:
    """Run a function that never ends in some workers within the context; leaving it cancels them."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(work()) for _ in range(workers)]
        yield
        for task in tasks:
            task.cancel()


# --- checks ---
# Each hand-in is checked, then placed, by processes of their own.

Result = TypeVar("Result")
MAX_CHECK_ATTEMPTS: Final = 3
"""Attempts at a check, or at a place, that fails for a reason that is not the bot's."""
CHECK_RETRY_S: Final = 5.0
CHECK_TIMEOUT_S: Final = 900.0
MAX_CHECK_LINE_BYTES: Final = 1 << 20
CHECK_FAILED: Final = "The check could not be made. The organiser finds the reason in the server's log."


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


# --- updates ---
# The process has a low priority, and pauses while bots are checked.

UPDATE_RETRY_S: Final = 10.0
"""Seconds until another attempt, where another process updates the league or the settings are wrong."""
STOP_TIMEOUT_S: Final = 120.0
"""Seconds in which the process finishes the blocks that it plays."""
WAITING: Final = "the server ends when its updater has finished its blocks; Ctrl-C twice more ends it at once"


class Updater:
    """Keeps one process that updates a league, except while something waits to be checked or placed."""

    def __init__(self, league: LeagueFolder, queue: CheckQueue) -> None:
        self._league, self._queue = league, queue

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Update within the context; an update that was not finished is continued by the next one."""
        async with run_in_background(self._work):
            yield

    async def _work(self) -> None:
        while True:
            await self._queue.is_idle.wait()
            process = await start_module("arena.web.update_process", str(self._league.path))
            try:
                is_paused = await self._wait(process)
            finally:
                await _end(process)
            if not is_paused:
                log.warning("the updater ended with status %s", process.returncode)
                await asyncio.sleep(UPDATE_RETRY_S)

    async def _wait(self, process: asyncio.subprocess.Process) -> bool:
        """Wait until the process ends by itself, or something is handed in; return whether it was that."""
        ended = asyncio.ensure_future(process.wait())
        busy = asyncio.ensure_future(self._queue.is_busy.wait())
        try:
            await asyncio.wait((ended, busy), return_when=asyncio.FIRST_COMPLETED)
            return not ended.done()
        finally:
            ended.cancel()
            busy.cancel()


async def _end(process: asyncio.subprocess.Process) -> None:
    """End the process when the blocks that it plays are finished, also if the server stops meanwhile."""
    ending = asyncio.ensure_future(_finish(process))
    try:
        await asyncio.shield(ending)
    except asyncio.CancelledError:
        log.warning(WAITING)
        await ending
        raise


async def _finish(process: asyncio.subprocess.Process) -> None:
    assert process.stdin
    process.stdin.close()
    try:
        async with asyncio.timeout(STOP_TIMEOUT_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


# --- reviews ---
# Some wait, one is computed, and the latest are stored.

MAX_STORED: Final = 500
"""Limit on stored reviews; the oldest are removed."""
MAX_WAITING: Final = 12
MAX_WAITING_OF_ADDRESS: Final = 3
MAX_REVIEW_ATTEMPTS: Final = 2
"""Attempts at a review: a match may be too long for one."""
REVIEW_FAILED: Final = "The review could not be computed. The log of the server has the reason."
REVIEW_TIMEOUT_S: Final = 300.0
MAX_REVIEW_LINE_BYTES: Final = 1 << 26
REVIEW_RETRY_S: Final = 30.0


class WaitingReview:
    """A review that was asked for."""

    def __init__(self, record: bytes, address: str) -> None:
        self.record, self.address = record, address
        self.progress: ReviewProgress | None = None
        """Its progress; None while others are computed."""


class ReviewQueue:
    """Computes reviews one after another, each in a process of the lowest priority.

    Args:
        folder: Folder in which reviews are stored; None for one that is removed at the end.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._waiting: dict[str, WaitingReview] = {}
        self._failed: Counter[str] = Counter()
        self._news = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work within the context."""
        with TemporaryDirectory() as scratch:
            self._folder = self._folder or Path(scratch)
            async with run_in_background(self._work):
                yield

    def find(self, record: bytes) -> Review | None:
        """Return the stored review of a record, if there is one."""
        try:
            return msgspec.json.decode(self._path(record).read_bytes(), type=Review)
        except (OSError, msgspec.MsgspecError):
            return None

    def find_waiting(self, record: bytes) -> WaitingReview | None:
        """Return the review of a record that waits or is computed."""
        return self._waiting.get(_key(record))

    def find_problem(self, record: bytes) -> str:
        """Return why the last attempt to review a record failed; empty if it did not."""
        return REVIEW_FAILED if self._failed[_key(record)] else ""

    def ask(self, record: bytes, address: str) -> None:
        """Ask for the review of a record, unless it waits already or has failed too often."""
        key = _key(record)
        if key in self._waiting or self._failed[key] >= MAX_REVIEW_ATTEMPTS:
            return
        own = [waiting for waiting in self._waiting.values() if waiting.address == address]
        is_full = len(self._waiting) >= MAX_WAITING or len(own) >= MAX_WAITING_OF_ADDRESS
        refuse_if(REVIEW_RETRY_S * is_full, "Too many reviews wait.")
        self._waiting[key] = WaitingReview(record, address)
        self._news.set()

    async def _work(self) -> None:
        while True:
            self._news.clear()
            if not self._waiting:
                await self._news.wait()
                continue
            key, waiting = next(iter(self._waiting.items()))
            try:
                await self._compute(waiting)
            except (TimeoutError, OSError, ValueError, msgspec.MsgspecError) as error:
                log.error("a review failed: %s", str(error) or "it took too long")
                self._remember_problem(key)
            finally:
                del self._waiting[key]

    async def _compute(self, waiting: WaitingReview) -> None:
        process = await start_module(
            "arena.web.review_process", stdout=asyncio.subprocess.PIPE, limit=MAX_REVIEW_LINE_BYTES
        )
        assert process.stdin
        assert process.stdout
        line = b""
        try:
            async with asyncio.timeout(REVIEW_TIMEOUT_S):
                process.stdin.write(waiting.record + b"\n")
                await process.stdin.drain()
                async for line in process.stdout:
                    with suppress(msgspec.ValidationError):
                        waiting.progress = msgspec.json.decode(line, type=ReviewProgress)
                if await process.wait():
                    raise ValueError(f"its process ended with status {process.returncode}")
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        review = msgspec.json.decode(line, type=Review)
        await asyncio.to_thread(self._store, waiting.record, review)

    def _store(self, record: bytes, review: Review) -> None:
        path = self._path(record)
        make_private_folder(path.parent)
        with replace_file(path) as file:
            file.write(msgspec.json.encode(review))
        stored = sorted(path.parent.glob("*.json"), key=lambda review: review.stat().st_mtime)
        for old in stored[:-MAX_STORED]:
            old.unlink(missing_ok=True)

    def _path(self, record: bytes) -> Path:
        assert self._folder is not None
        return self._folder / f"{_key(record)}.json"

    def _remember_problem(self, key: str) -> None:
        self._failed[key] += 1
        while len(self._failed) > MAX_STORED:
            del self._failed[next(iter(self._failed))]


def _key(record: bytes) -> str:
    """Return the name of a record's review; other versions of the arena may play otherwise."""
    return sha256(__version__.encode() + b"\n" + record).hexdigest()
