"""The child of a bot process: its program and pipes, from its start to its end."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from subprocess import Popen, TimeoutExpired

from arena.play.bot_processes.pipes import PipeOwner, Pipes, PipeSelector, describe_exit, start_child
from arena.play.isolation import stop


class Child:
    """A running child, whose pipes a selector watches for their owner."""

    def __init__(
        self, name: str, launch: Callable[[], Popen[bytes]], selector: PipeSelector, owner: PipeOwner
    ) -> None:
        """Start the child of the bot `name`.

        Raises:
            HostUnavailable: the machine cannot start another process.
            BotFailure: the program cannot be started on any machine.
        """
        self._process = start_child(name, launch)
        self.pid = self._process.pid
        self.pipes = Pipes(self._process)
        self._selector = selector
        selector.register(owner, self.pipes)

    def describe_exit(self) -> str:
        """Return how the child ended, which has closed its output."""
        return describe_exit(self._process)

    def stop(self, grace_s: float) -> None:
        """Stop the child; `grace_s` seconds remain to it to exit by itself."""
        with suppress(TimeoutExpired):
            self._process.wait(grace_s)
        self._selector.unregister(self.pipes)
        self.pipes.drain_all()
        stop(self._process)
