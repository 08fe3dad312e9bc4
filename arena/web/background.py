"""Work of the server that goes on beside its requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager


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
