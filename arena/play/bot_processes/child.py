"""The child of a bot process: its program and pipes, from its start to its end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from subprocess import Popen, TimeoutExpired
from typing import Final

from arena.play.bot_processes.cpu_usage import cpu_seconds
from arena.play.bot_processes.pipes import (
    PipeOwner,
    Pipes,
    PipeSelector,
    describe_exit,
    format_stack,
    request_stack,
    start_child,
)
from arena.play.faults import STACK, BotFailure, FaultKind
from arena.play.isolation import stop

STACK_TIMEOUT_S: Final = 0.3
"""Seconds that a child may take to write its stack."""


class Child:
    """A running child, whose pipes a selector watches for their owner."""

    def __init__(
        self,
        name: str,
        launch: Callable[[], Popen[bytes]],
        selector: PipeSelector,
        owner: PipeOwner,
        is_python: bool,
    ) -> None:
        """Start the child of the bot `name`; `is_python` says that it runs `arena.play.bot_runtime`.

        Raises:
            HostUnavailable: The machine cannot start another process.
            BotFailure: The program cannot be started on any machine.
        """
        self._process = start_child(name, launch)
        self.pid = self._process.pid
        self.pipes = Pipes(self._process)
        self._selector, self._is_python = selector, is_python
        selector.register(owner, self.pipes)

    def describe_exit(self) -> str:
        """Return how the child ended, which has closed its output."""
        return describe_exit(self._process)

    def describe_timeout(self, kind: FaultKind, text: str) -> BotFailure:
        """Return the failure of a child that is late, with its CPU time and what its code was doing."""
        cpu = f"{cpu_seconds(self.pid):.2f} s of CPU time since its start"
        stack = self._read_stack() if self._is_python else ""
        return BotFailure(kind, f"{text}; {cpu}{STACK if stack else ''}{stack}")

    def _read_stack(self) -> str:
        self.pipes.drain_all()
        written = self.pipes.read_stack(STACK_TIMEOUT_S) if request_stack(self.pid) else b""
        return format_stack(written)

    def stop(self, grace_s: float) -> None:
        """Stop the child; `grace_s` seconds remain to it to exit by itself."""
        with suppress(TimeoutExpired):
            self._process.wait(grace_s)
        self._selector.unregister(self.pipes)
        self.pipes.drain_all()
        stop(self._process)
