"""Work of the server that goes on beside its requests, here and in processes of their own."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final

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
