"""The bot processes of one worker."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from arena.play.bot import Limits
from arena.play.bot_processes.bot_process import BotProcess
from arena.play.bot_processes.json_protocol import JsonProtocol
from arena.play.bot_processes.launch_spec import LaunchSpec
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol
from arena.play.bot_processes.pipes import PipeSelector
from arena.play.bot_processes.resource_watch import WATCH_EVERY_S, RestartBudget
from arena.play.bot_processes.unresponsive_bots import BotTrial
from arena.play.bot_processes.view_encoder import SymbolEncoder
from arena.play.isolation import start

GOODBYE_S = 0.3
"""Seconds that all processes together may take to exit by themselves."""
MAX_FAILED_STARTS = 3
"""Failed starts of a bot's processes after which no more are tried."""


class ProcessKey(NamedTuple):
    """The identity of a process: no process meets a deal twice or holds two seats of a match."""

    bot: str
    """Name in the run."""
    rotation: int
    copy: int
    """Number among the seats of the same bot at a table, from 0."""


class ProcessPool:
    """At most `max_running` bot processes; an idle one is stopped when another needs its place."""

    def __init__(self, specs: Mapping[str, LaunchSpec], limits: Limits, max_running: int) -> None:
        self.symbols = SymbolEncoder()
        self._specs, self._limits, self._max_running = specs, limits, max_running
        self._processes: dict[ProcessKey, BotProcess] = {}
        """Least recently used first."""
        self._users: Counter[ProcessKey] = Counter()
        self._selector = PipeSelector()
        self._watched_at = 0.0
        self._budgets = {bot: RestartBudget(limits) for bot in specs}
        self._trials = {bot: BotTrial() for bot in specs}
        self._stopped_deducted_s, self._stopped_repeats = 0.0, 0
        self._is_stopping = False

    @property
    def deducted_s(self) -> float:
        """Time that bots or the arena waited for a CPU and that was charged to no bot, in all."""
        return self._stopped_deducted_s + sum(process.time_control.deducted_s for process in self)

    @property
    def repeats(self) -> int:
        """Starts and decisions that were repeated because the machine may have failed a bot, in all."""
        return self._stopped_repeats + sum(process.repeats for process in self)

    def __iter__(self) -> Iterator[BotProcess]:
        return iter(self._processes.values())

    def acquire(self, keys: Sequence[ProcessKey], now: float) -> list[BotProcess] | None:
        """Return the processes of a match, started if necessary; None while too many others are in use.

        Raises:
            HostUnavailable: If the machine cannot start another process.
        """
        missing = [key for key in keys if not self._is_available(key)]
        room = self._max_running - sum(process.is_running for process in self)
        idle = [
            key
            for key, process in self._processes.items()
            if process.is_running and not self._users[key] and key not in keys
        ]
        if len(missing) > room + len(idle):
            return None
        for key in idle[: max(len(missing) - room, 0)]:
            self._forget(key).stop()
        for key in missing:
            self._check_stopping()
            if key in self._processes:
                self._forget(key)
            self._processes[key] = self._start(key, now)
        for key in keys:
            self._users[key] += 1
            self._processes[key] = self._processes.pop(key)
        return [self._processes[key] for key in keys]

    def release(self, keys: Iterable[ProcessKey]) -> None:
        """Give back the processes of a finished match."""
        self._users.subtract(keys)

    def wait(self, seconds: float | None) -> float:
        """Wait for input from any process, process it, and return the monotonic time when it came.

        Raises:
            HostUnavailable: If a process crashed and the machine cannot start another one.
        """
        now = self._selector.wait(seconds, self)
        self._check_stopping()
        if now - self._watched_at > WATCH_EVERY_S:
            self._watched_at = now
            for process in self:
                process.watch(now)
        return now

    def stop(self) -> None:
        """End the play of another thread, within a few milliseconds, by a KeyboardInterrupt there.

        That thread kills the processes: they get no moment in which they may exit by themselves.
        """
        self._is_stopping = True

    def _check_stopping(self) -> None:
        if self._is_stopping:
            raise KeyboardInterrupt

    def close(self) -> None:
        """Stop all processes, after a moment in which they may exit by themselves."""
        for process in self:
            process.say_goodbye()
        until = time.monotonic() + (0.0 if self._is_stopping else GOODBYE_S)
        for process in self:
            process.stop(grace_s=max(until - time.monotonic(), 0.0))
        for key in list(self._processes):
            self._forget(key)
        self._users.clear()

    def _forget(self, key: ProcessKey) -> BotProcess:
        process = self._processes.pop(key)
        self._stopped_deducted_s += process.time_control.deducted_s
        self._stopped_repeats += process.repeats
        return process

    def _is_available(self, key: ProcessKey) -> bool:
        process = self._processes.get(key)
        return process is not None and (process.is_running or process.failure is not None)

    def _start(self, key: ProcessKey, now: float) -> BotProcess:
        spec = self._specs[key.bot]
        process = BotProcess(
            key.bot,
            partial(start, spec.level, spec.program, self._limits),
            JsonProtocol() if spec.program.command else MsgpackProtocol(self.symbols),
            self._limits,
            spec.settings,
            self._selector,
            self._budgets[key.bot],
            self._trials[key.bot],
        )
        failures = [
            process.failure for process in self if process.name == key.bot and process.failure is not None
        ]
        if stopped := self._trials[key.bot].failure:
            process.failure = stopped
        elif len(failures) >= MAX_FAILED_STARTS:
            process.failure = failures[0]
        else:
            process.start(now)
        return process
