"""The bot processes of one worker, and how each bot is launched."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.errors import PluginError
from arena.game_source_files import find_game_paths
from arena.play.bot import Limits
from arena.play.bot_processes.bot_process import BotHealth, BotProcess
from arena.play.bot_processes.json_protocol import JsonProtocol
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol, SymbolEncoder
from arena.play.bot_processes.pipes import PipeSelector
from arena.play.bot_processes.resource_watch import WATCH_EVERY_S
from arena.play.isolation import LEVELS, Level, Program, start
from arena.plugins import BotSpec
from arena.plugins.sources import WASM_PACKAGE

# --- launch ---


class LaunchSpec(NamedTuple):
    """Settings to launch a bot's process."""

    level: Level
    program: Program
    settings: dict[str, Any]


def make_launch_spec(spec: BotSpec, level: Level, folder: str = "") -> LaunchSpec:
    """Return how to launch a bot at an isolation level; `folder` is its `Info.folder`, empty for none.

    Raises:
        PluginError: If the bot does not exist, or has files that no single folder holds.
    """
    way = spec.source.launch()
    games, packages = ((), ()) if way.command else find_game_paths()
    program = Program(
        home=_home(spec.name, way.reads),
        parts=tuple(map(Path, way.parts)),
        packages=Path(way.packages) if way.packages else None,
        command=way.command,
        arguments=() if way.command else (way.target,),
        games=games,
        game_packages=packages,
        installed=spec.source.kind == "plug-in",
        built_in=spec.source.kind == "built-in",
        run_folder=Path(folder) if folder else None,
        environment=() if LEVELS[level].is_confined else spec.source.environment,
        wasm_package=WASM_PACKAGE if spec.source.kind == "module" else "",
    )
    return LaunchSpec(level, program, spec.settings)


def _home(name: str, reads: Sequence[str]) -> Path | None:
    """Return the file or folder that holds all that the bot reads."""
    if not reads:
        return None
    home = Path(os.path.commonpath(reads)).resolve()
    if home in (Path(home.anchor), Path.home()):
        raise PluginError(
            f"{name} names files that lie too far apart: a bot can read only one folder, so put them into one"
        )
    return home


# --- pool ---

MODULE_DECISION_MS = 60_000
"""Time for a decision of a WebAssembly module: its fuel is used up long before, on any machine."""
GOODBYE_S = 0.3
"""Seconds that all processes together may take to exit by themselves."""


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
        self._health = {bot: BotHealth(limits) for bot in specs}
        self.repeats = 0
        """Matches that were begun again because a process ended, in all."""
        self._stopped_deducted_s = 0.0
        self._is_stopping = False

    @property
    def deducted_s(self) -> float:
        """Time that bots or the arena waited for a CPU and that was charged to no bot, in all."""
        return self._stopped_deducted_s + sum(process.time_control.deducted_s for process in self)

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

    def drop(self, keys: Iterable[ProcessKey]) -> None:
        """Stop processes that have met deals of matches to be begun again; no match uses any process now."""
        self._users.clear()
        for key in dict.fromkeys(keys):
            self._forget(key).stop()

    def wait(self, seconds: float | None) -> float:
        """Wait for input from any process, process it, and return the monotonic time when it came.

        Raises:
            HostUnavailable: If a process did not start and the machine cannot start another one.
            Unavailable: If a bot that is not confined has raised it.
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
        return process

    def _is_available(self, key: ProcessKey) -> bool:
        process = self._processes.get(key)
        return process is not None and (process.is_running or process.failure is not None)

    def _start(self, key: ProcessKey, now: float) -> BotProcess:
        spec, limits = self._specs[key.bot], self._limits
        if spec.program.wasm_package:
            limits = msgspec.structs.replace(limits, decision_ms=max(limits.decision_ms, MODULE_DECISION_MS))
        process = BotProcess(
            key.bot,
            partial(start, spec.level, spec.program, limits),
            JsonProtocol() if spec.program.command else MsgpackProtocol(self.symbols),
            limits,
            spec.settings,
            self._selector,
            self._health[key.bot],
            folder=str(spec.program.run_folder or ""),
            is_confined=LEVELS[spec.level].is_confined,
        )
        if process.failure is None:
            process.start(now)
        return process
