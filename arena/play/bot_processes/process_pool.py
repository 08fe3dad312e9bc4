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
from typing import Any, NamedTuple

from arena.play.bot import Limits
from arena.play.bot_processes.bot_process import Host
from arena.play.bot_processes.io_selector import Watch
from arena.play.bot_processes.json_protocol import Lines
from arena.play.bot_processes.msgpack_protocol import Compact
from arena.play.bot_processes.symbol_table import Numbering
from arena.play.isolation import Level, Program, start

FAREWELL_S = 0.3
"""In which all hosts that are told that the work is done may end by themselves."""
TRIES = 3
"""Hosts of a bot that may fail to start before no more are tried."""


class Place(NamedTuple):
    """Which host is meant."""

    bot: str
    """By the name it has in the run."""
    rotation: int
    copy: int
    """Which of the seats of the same bot at that table it has, from 0."""


class Lodging(NamedTuple):
    """Where a bot lives, and as what."""

    level: Level
    program: Program
    settings: dict[str, Any]


class Keeper:
    """The hosts of one worker, so many with a child. An idle one is stopped when another needs its room."""

    def __init__(self, lodgings: Mapping[str, Lodging], limits: Limits, most: int) -> None:
        self.numbering = Numbering()
        self._lodgings, self._limits, self._most = lodgings, limits, most
        self._hosts: dict[Place, Host] = {}
        """The one used last stands last."""
        self._users: Counter[Place] = Counter()
        self._watch = Watch()

    def take(self, places: Sequence[Place], now: float) -> list[Host] | None:
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

    def release(self, places: Iterable[Place]) -> None:
        """Their match is over."""
        self._users.subtract(places)

    def __iter__(self) -> Iterator[Host]:
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
                host.pipes.part(host.dialect.bye())
        until = time.monotonic() + FAREWELL_S
        for host in self:
            if host.process is not None:
                with suppress(TimeoutExpired):
                    host.process.wait(max(until - time.monotonic(), 0.0))
            host.stop()
        self._hosts.clear()
        self._users.clear()

    def _is_there(self, place: Place) -> bool:
        host = self._hosts.get(place)
        return host is not None and (host.is_live or host.failed is not None)

    def _begun(self, place: Place, now: float) -> Host:
        lodging = self._lodgings[place.bot]
        host = Host(
            place.bot,
            partial(start, lodging.level, lodging.program, self._limits),
            Lines() if lodging.program.command else Compact(self.numbering),
            self._limits,
            lodging.settings,
            self._watch,
        )
        failed = [one.failed for one in self if one.name == place.bot and one.failed is not None]
        if len(failed) >= TRIES:
            host.failed = failed[0]
        else:
            host.start(now)
        return host
