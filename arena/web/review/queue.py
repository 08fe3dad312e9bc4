"""The reviews that wait, the one that is computed, and those that are stored."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from arena import __version__
from arena.tournament.files import make_private_folder, replace_file
from arena.web.background_tasks import run_in_background, start_module
from arena.web.rate_limits import refuse_if
from arena.web.review.process import Review, ReviewProgress

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

log = logging.getLogger(__name__)


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
        """Ask for the review of a record, unless it waits already or has failed too often.

        Raises:
            HTTPException: 429 if too many wait.
        """
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
            "arena.web.review.process", stdout=asyncio.subprocess.PIPE, limit=MAX_REVIEW_LINE_BYTES
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
