"""The updater: updates of the league in a process of low priority, which pauses while bots are checked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from arena.league.settings import LeagueFolder
from arena.web.background_tasks import run_in_background, start_module
from arena.web.check_queue import CheckQueue

UPDATE_RETRY_S: Final = 10.0
"""Seconds until another attempt, where another process updates the league or the settings are wrong."""
STOP_TIMEOUT_S: Final = 120.0
"""Seconds in which the process finishes the blocks that it plays."""
WAITING: Final = "the server ends when its updater has finished its blocks; Ctrl-C twice more ends it at once"

log = logging.getLogger(__name__)


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
