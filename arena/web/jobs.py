"""Work beside requests, in child processes: checks, places, reviews and updates.

`ProcessQueue` runs the processes; each kind of work is a subclass that says what is to be done next.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from arena import __version__
from arena.errors import ArenaError
from arena.league.accounts import ServerDatabase, change_hand_in, find_hand_in, remove_unused
from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase
from arena.tournament.engine.cores import usable_cores
from arena.tournament.files import make_private_folder, replace_file
from arena.web.context import call_database, refuse_if
from arena.web.review_process import Review, ReviewProgress

log = logging.getLogger(__name__)
Job = TypeVar("Job", bound=Hashable)


# --- tasks and processes ---

QUIET: Final = ("-W", "ignore:resource_tracker:UserWarning")
"""Options of Python for a process that may be killed: its semaphores are then removed without a warning."""


async def start_module(*command: str, **options: Any) -> Process:
    """Start a module by its name and arguments in a process that ends when its standard input is closed."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, *QUIET, "-P", "-m", *command),
        stdin=PIPE,
        start_new_session=True,  # Ctrl-C is for the server, which closes the standard input
        **options,
    )


async def run_module(
    *command: str, take: Callable[[bytes], object], text: bytes = b"", timeout_s: float, max_line_bytes: int
) -> bytes:
    """Have a module read a text and write lines, of which each is taken; return the last one.

    Raises:
        OSError: If it does not start or takes too long.
        ValueError: If it fails or writes a longer line.
    """
    process = await start_module(*command, stdout=PIPE, limit=max_line_bytes)
    assert process.stdin
    assert process.stdout
    line = b""
    try:
        async with asyncio.timeout(timeout_s):
            with suppress(ConnectionError):  # it has ended already: what it wrote and its status say how
                process.stdin.write(text)
                await process.stdin.drain()
            async for line in process.stdout:
                take(line)
            if await process.wait():
                raise ValueError(f"its process ended with status {process.returncode}")
        return line
    finally:
        await end_process(process)


async def end_process(process: Process, patience_s: float = 0.0) -> None:
    """Close the standard input of a process, and kill it if it does not end within some seconds."""
    assert process.stdin
    process.stdin.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(patience_s):
            await process.wait()
    if process.returncode is None:
        process.kill()
    while process.stdout and await process.stdout.read(1 << 16):
        pass  # asyncio would wait until what it wrote is read, and leaves its end of the pipe open
    await process.wait()


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


# --- queue ---

MAX_FAILED: Final = 500
"""Limit on failed jobs that are remembered, the latest."""


class ProcessQueue(Generic[Job]):
    """Jobs that child processes do, one each; a subclass chooses, runs and finishes them.

    Args:
        max_running: Jobs at the same time.
    """

    kind: str
    """Name of a job in the log, before its own."""
    max_attempts: int | None = None
    """Attempts at a job that fails for a reason that may pass; None for any number."""
    retry_s: float = 0.0
    """Pause after a failure, in seconds."""

    def __init__(self, max_running: int = 1) -> None:
        self._max_running = max_running
        self._running: set[Job] = set()
        self._failures: Counter[Job] = Counter()
        self._choosing = asyncio.Lock()
        self._news = asyncio.Event()
        self.is_idle, self.is_busy = asyncio.Event(), asyncio.Event()
        """One is set while there is nothing to do, the other while there is something."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work within the context."""
        async with run_in_background(self._work, self._max_running):
            yield

    def wake(self) -> None:
        """Look for new jobs."""
        self._set_busy(True)
        self._news.set()

    async def _choose(self) -> Job | None:
        """Return the next job that is not running, if there is one."""
        raise NotImplementedError

    async def _run(self, job: Job) -> None:
        """Have a process do a job; raise OSError or ValueError if it fails."""
        raise NotImplementedError

    async def _finish(self, job: Job, is_done: bool) -> None:
        """Take note of an attempt at a job."""

    def _is_given_up(self, job: Job) -> bool:
        return self.max_attempts is not None and self._failures[job] >= self.max_attempts

    def _set_busy(self, is_busy: bool) -> None:
        for event, is_set in ((self.is_idle, not is_busy), (self.is_busy, is_busy)):
            event.set() if is_set else event.clear()

    async def _work(self) -> None:
        while True:
            self._news.clear()
            async with self._choosing:
                job = await self._choose()
                if job is not None:
                    self._running.add(job)
            if job is None:
                if not self._running:
                    self._set_busy(False)
                await self._news.wait()
                continue
            self._set_busy(True)
            try:
                await self._finish(job, await self._attempt(job))
            except ArenaError as error:
                log.error("%s %s: %s", self.kind, job, error)
                await asyncio.sleep(self.retry_s)
            finally:
                self._running.discard(job)
                self._news.set()  # another worker may have found this one running, and nothing else

    async def _attempt(self, job: Job) -> bool:
        try:
            await self._run(job)
            return True
        except (OSError, ValueError) as error:  # TimeoutError and msgspec.DecodeError among them
            log.error("%s %s: %s", self.kind, job, str(error) or "it took too long")
        self._failures[job] += 1
        if len(self._failures) > MAX_FAILED:
            del self._failures[next(iter(self._failures))]
        if not self._is_given_up(job):
            await asyncio.sleep(self.retry_s)
        return False


# --- checks ---
# Each hand-in is checked, then placed, by processes of their own.

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


class _Check(NamedTuple):
    action: str
    """`check` or `place`."""
    number: int

    def __str__(self) -> str:
        return str(self.number)


class CheckQueue(ProcessQueue[_Check]):
    """Checks hand-ins, several at a time, those that were handed in first before all others."""

    kind, max_attempts, retry_s = "hand-in", 3, 5.0

    def __init__(self, league: LeagueFolder) -> None:
        super().__init__(max(1, usable_cores() // 2))
        self._league = league
        self._progress: dict[int, HandInProgress] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work within the context; what was not finished is done by the next server."""
        await call_database(self._league, lambda database: remove_unused(self._league, database))
        # Connections stay open. When the last one is closed, SQLite empties its log with several syncs, and
        # the league's database changes its journal mode, for which readers would have to wait.
        with ServerDatabase.open(self._league), LeagueDatabase.open(self._league.path, "rw"):
            async with super().running():
                yield

    def progress_of(self, number: int) -> HandInProgress:
        """Return the progress of a hand-in that is not finished."""
        return self._progress.setdefault(number, HandInProgress())

    async def _choose(self) -> _Check | None:
        """Return what is to be done next: all checks come before all places."""
        running = {job.number for job in self._running}

        def read(database: ServerDatabase) -> list[_Check]:
            query = """SELECT state, number FROM hand_in WHERE state = 'received'
                       OR (state = 'passed' AND places = '') ORDER BY state DESC, number"""
            actions = {"received": "check", "passed": "place"}
            return [_Check(actions[state], number) for state, number in database.query(query)]

        jobs = await call_database(self._league, read)
        may_run = (job for job in jobs if job.number not in running and not self._is_given_up(job))
        return next(may_run, None)

    async def _run(self, job: _Check) -> None:
        progress = self.progress_of(job.number)
        progress.add(Event("state", "checking" if job.action == "check" else "placing"))
        command = "arena.web.check_process", job.action, str(self._league.path), str(job.number)

        def take(line: bytes) -> None:
            progress.add(msgspec.convert(tuple(msgspec.json.decode(line).values()), Event))

        await run_module(*command, take=take, timeout_s=900.0, max_line_bytes=1 << 20)

    async def _finish(self, job: _Check, is_done: bool) -> None:
        failed = {"state": "failed", "reason": CHECK_FAILED} if job.action == "check" else {"places": "[]"}

        def finish(database: ServerDatabase) -> bool:
            if not is_done and self._is_given_up(job):
                change_hand_in(database, job.number, **failed)
            return find_hand_in(database, job.number).is_waiting

        progress = self.progress_of(job.number)
        if not await call_database(self._league, finish):
            progress.is_over = True
            self._progress.pop(job.number, None)
        progress.wake()


# --- updates ---
# The process has a low priority, and pauses while bots are checked.

STOP_TIMEOUT_S: Final = 120.0
"""Seconds in which the process finishes the blocks that it plays."""
WAITING: Final = "the server ends when its updater has finished its blocks; Ctrl-C twice more ends it at once"


class Updater(ProcessQueue[Path]):
    """Keeps one process that updates a league, except while something waits to be checked or placed.

    An update that was not finished is continued by the next process.
    """

    kind, retry_s = "updater of", 10.0  # another process updates the league, or the settings are wrong

    def __init__(self, league: LeagueFolder, checks: CheckQueue) -> None:
        super().__init__()
        self._league, self._checks = league, checks

    async def _choose(self) -> Path:
        await self._checks.is_idle.wait()
        return self._league.path

    async def _run(self, job: Path) -> None:
        """Update until something is handed in; raise ValueError if the process ends by itself before that."""
        process = await start_module("arena.web.update_process", str(job))
        ended = asyncio.ensure_future(process.wait())
        busy = asyncio.ensure_future(self._checks.is_busy.wait())
        try:
            await asyncio.wait((ended, busy), return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                raise ValueError(f"its process ended with status {process.returncode}")
        finally:
            ended.cancel()
            busy.cancel()
            ending = asyncio.ensure_future(end_process(process, STOP_TIMEOUT_S))
            try:
                await asyncio.shield(ending)
            except asyncio.CancelledError:
                log.warning(WAITING)
                await ending
                raise


# --- reviews ---
# Some wait, one is computed, and the latest are stored.

MAX_STORED: Final = 500
"""Limit on stored reviews; the oldest are removed."""
MAX_WAITING: Final = 12
MAX_WAITING_OF_ADDRESS: Final = 3
REVIEW_FAILED: Final = "The review could not be computed. The log of the server has the reason."
REVIEW_WAIT_S: Final = 30.0
"""Seconds after which somebody who was refused a review may ask again."""


@dataclass
class WaitingReview:
    """A review that was asked for."""

    record: bytes
    address: str
    progress: ReviewProgress | None = None
    """Its progress; None while others are computed."""


class ReviewQueue(ProcessQueue[str]):
    """Computes reviews one after another, each in a process of the lowest priority.

    Args:
        folder: Folder in which reviews are stored; None for one that is removed at the end.
    """

    kind, max_attempts = "review", 2  # a match may be too long for one

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        self._folder = folder
        self._waiting: dict[str, WaitingReview] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Work within the context."""
        with TemporaryDirectory() as scratch:
            self._folder = self._folder or Path(scratch)
            async with super().running():
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
        return REVIEW_FAILED if self._failures[_key(record)] else ""

    def ask(self, record: bytes, address: str) -> None:
        """Ask for the review of a record, unless it waits already or has failed too often."""
        key = _key(record)
        if key in self._waiting or self._is_given_up(key):
            return
        own = [waiting for waiting in self._waiting.values() if waiting.address == address]
        is_full = len(self._waiting) >= MAX_WAITING or len(own) >= MAX_WAITING_OF_ADDRESS
        refuse_if(REVIEW_WAIT_S * is_full, "Too many reviews wait.")
        self._waiting[key] = WaitingReview(record, address)
        self.wake()

    async def _choose(self) -> str | None:
        return next(iter(self._waiting), None)

    async def _run(self, job: str) -> None:
        waiting = self._waiting[job]

        def take(line: bytes) -> None:
            with suppress(msgspec.ValidationError):
                waiting.progress = msgspec.json.decode(line, type=ReviewProgress)

        text = waiting.record + b"\n"
        last = await run_module(
            "arena.web.review_process", take=take, text=text, timeout_s=300.0, max_line_bytes=1 << 26
        )
        await asyncio.to_thread(self._store, waiting.record, msgspec.json.decode(last, type=Review))

    async def _finish(self, job: str, is_done: bool) -> None:
        """Forget that it waits: whoever asked for one that failed may ask again."""
        del self._waiting[job]

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


def _key(record: bytes) -> str:
    """Return the name of a record's review; other versions of the arena may play otherwise."""
    return sha256(__version__.encode() + b"\n" + record).hexdigest()
