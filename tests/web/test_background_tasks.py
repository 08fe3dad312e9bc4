"""Processes beside the server."""

import asyncio

from arena.web.background_tasks import start_module
from tests.web.conftest import run_async


def test_a_killed_process_leaves_no_warning_about_its_semaphores() -> None:
    """Python's resource tracker outlives a process, and removes its semaphores."""

    async def run() -> tuple[bytes, bytes]:
        pipe = asyncio.subprocess.PIPE
        process = await start_module("tests.web.leaking_process", stdout=pipe, stderr=pipe)
        return await process.communicate()

    assert run_async(run()) == (b"registered\n", b"")
