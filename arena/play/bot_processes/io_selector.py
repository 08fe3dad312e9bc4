"""Which pipes have something to be read, or room to be written to."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import TYPE_CHECKING

from arena.play.bot_processes.pipes import Pipes

if TYPE_CHECKING:
    from arena.play.bot_processes.bot_process import BotProcess


class PipeSelector:
    """The pipes of all hosts of a worker that have a child."""

    def __init__(self) -> None:
        self._selector = DefaultSelector()

    def begin(self, host: BotProcess, pipes: Pipes) -> None:
        """Watches what a child writes."""
        self._selector.register(pipes.output, EVENT_READ, (host, pipes))
        self._selector.register(pipes.error, EVENT_READ, (host, pipes))

    def end(self, pipes: Pipes) -> None:
        """Watches them no more; to be called before they are closed."""
        for pipe in (pipes.output, pipes.error, pipes.input):
            with suppress(KeyError):
                self._selector.unregister(pipe)

    def wait(self, seconds: float | None, hosts: Iterable[BotProcess]) -> float:
        """Waits for a pipe and lets its host take what has come; gives the time when that was."""
        blocked = [host for host in hosts if host.is_live and host.pipes and host.pipes.unwritten]
        for host in blocked:
            assert host.pipes is not None
            self._selector.register(host.pipes.input, EVENT_WRITE, (host, host.pipes))
        ready = self._selector.select(seconds)
        now = time.monotonic()
        for host in blocked:
            assert host.pipes is not None
            self._selector.unregister(host.pipes.input)
        for key, _ in ready:
            host, pipes = key.data
            if host.pipes is pipes and host.is_live:  # else it was begun again since
                self._take(host, pipes, key.fd, now)
        return now

    def _take(self, host: BotProcess, pipes: Pipes, pipe: int, now: float) -> None:
        if pipe == pipes.output:
            host.receive(now)
        elif pipe == pipes.input:
            pipes.write_more()
        elif not host.drain(now) and host.pipes is pipes:
            self._selector.unregister(pipe)
