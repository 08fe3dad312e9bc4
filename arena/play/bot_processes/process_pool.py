"""Who keeps the hosts of a worker: one for each bot, rotation and copy at the table, so many at a time.

So no host meets a deal twice, and none holds two seats of a match.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from subprocess import TimeoutExpired
from typing import NamedTuple

from arena.play.bot import Limits
from arena.play.bot_processes.bot_process import BotProcess
from arena.play.bot_processes.io_selector import PipeSelector
from arena.play.bot_processes.json_protocol import JsonProtocol
from arena.play.bot_processes.launch_spec import LaunchSpec
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol
from arena.play.bot_processes.view_encoder import SymbolEncoder
from arena.play.isolation import start

FAREWELL_S = 0.3
"""In which all hosts that are told that the work is done may end by themselves."""
TRIES = 3
"""Hosts of a bot that may fail to start before no more are tried."""


class ProcessKey(NamedTuple):
    """Which host is meant."""

    bot: str
    """By the name it has in the run."""
    rotation: int
    copy: int
    """Which of the seats of the same bot at that table it has, from 0."""


class ProcessPool:
    """The hosts of one worker, so many with a child. An idle one is stopped when another needs its room."""

    def __init__(self, lodgings: Mapping[str, LaunchSpec], limits: Limits, max_running: int) -> None:
        self.symbols = SymbolEncoder()
        self._lodgings, self._limits, self._most = lodgings, limits, max_running
        self._hosts: dict[ProcessKey, BotProcess] = {}
        """The one used last stands last."""
        self._users: Counter[ProcessKey] = Counter()
        self._watch = PipeSelector()

    def acquire(self, places: Sequence[ProcessKey], now: float) -> list[BotProcess] | None:
        """The hosts of a table, each started if it was not there; None while there is no room for them.

        Raises: MachineFault.
        """
        missing = [place for place in places if not self._is_there(place)]
        room = self._most - sum(host.is_live for host in self)
        idle = [place for place, host in self._hosts.items() if host.is_live and not self._users[place]]
        idle = [place for place in idle if place not in places]
        if len(missing) > room + len(idle):
            return None
        for place in idle[: max(len(missing) - room, 0)]:
            self._hosts.pop(place).stop()
        for place in missing:
            self._hosts[place] = self._begun(place, now)
        for place in places:
            self._users[place] += 1
            self._hosts[place] = self._hosts.pop(place)
        return [self._hosts[place] for place in places]

    def release(self, places: Iterable[ProcessKey]) -> None:
        """Their match is over."""
        self._users.subtract(places)

    def __iter__(self) -> Iterator[BotProcess]:
        return iter(self._hosts.values())

    def wait(self, seconds: float | None) -> float:
        """Waits for something to come in and takes it; gives the time when it came.

        Raises: MachineFault.
        """
        return self._watch.wait(seconds, self)

    def close(self) -> None:
        """Ends all hosts, each after a moment in which it may end by itself."""
        for host in self:
            if host.is_live and host.pipes:
                host.pipes.part(host.protocol.bye())
        until = time.monotonic() + FAREWELL_S
        for host in self:
            if host.process is not None:
                with suppress(TimeoutExpired):
                    host.process.wait(max(until - time.monotonic(), 0.0))
            host.stop()
        self._hosts.clear()
        self._users.clear()

    def _is_there(self, place: ProcessKey) -> bool:
        host = self._hosts.get(place)
        return host is not None and (host.is_live or host.failure is not None)

    def _begun(self, place: ProcessKey, now: float) -> BotProcess:
        lodging = self._lodgings[place.bot]
        host = BotProcess(
            place.bot,
            partial(start, lodging.level, lodging.program, self._limits),
            JsonProtocol() if lodging.program.command else MsgpackProtocol(self.symbols),
            self._limits,
            lodging.settings,
            self._watch,
        )
        failed = [one.failure for one in self if one.name == place.bot and one.failure is not None]
        if len(failed) >= TRIES:
            host.failure = failed[0]
        else:
            host.start(now)
        return host
