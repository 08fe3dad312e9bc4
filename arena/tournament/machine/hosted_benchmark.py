"""How fast matches are played between bots that each have a process of their own."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from arena.games import Match, Rules
from arena.play import Info, Limits
from arena.play.bot_processes import (
    BotProcess,
    MatchEncoder,
    MatchJob,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    make_launch_spec,
    play_jobs,
)
from arena.play.bot_processes.time_control import cpu_seconds
from arena.play.players import Player
from arena.plugins import BotSpec, InstalledBot

IN_FLIGHT = 32
"""Matches that are played at the same time."""
RUNS = 3
"""A measurement is the best of so many: others keep this machine busy too."""
LONGER = 2
"""Times as long a run lasts as one without hosts: at its beginning and its end they wait for one another."""
WARM_UP = 2
"""Times as long it is played first."""
PATIENT = Limits(decision_ms=10_000, start_ms=60_000)


def hosted_rate(rules: Rules, players: int, bot: str, seconds: float) -> float:
    """Decisions a second of CPU time, the arena's and the bots' together; each seat has a host.

    Raises: PluginError; ConfigError.
    """
    keeper = ProcessPool(
        {bot: make_launch_spec(BotSpec(InstalledBot(bot), bot), "process")}, PATIENT, players
    )
    numbers = count()
    try:
        _decisions(rules, players, bot, keeper, numbers, WARM_UP * seconds)
        return max(_run(rules, players, bot, keeper, numbers, LONGER * seconds) for _ in range(RUNS))
    finally:
        keeper.close()


def _run(
    rules: Rules, players: int, bot: str, keeper: ProcessPool, numbers: Iterator[int], seconds: float
) -> float:
    before, start = _cpu(keeper), time.process_time()
    decisions = _decisions(rules, players, bot, keeper, numbers, seconds)
    return decisions / (time.process_time() - start + _cpu(keeper) - before)


def _decisions(
    rules: Rules, players: int, bot: str, keeper: ProcessPool, numbers: Iterator[int], seconds: float
) -> int:
    """How many decisions are taken while the arena works for so long."""
    until = time.process_time() + seconds
    found: list[int] = []

    def begin(hosts: list[BotProcess], tellings: MatchEncoder) -> tuple[Match, Sequence[Player]]:
        seed = f"speed/{next(numbers)}"
        infos = [
            Info.of(rules, seat=seat, players=players, key=f"{seed}/{seat}", limits=PATIENT)
            for seat in range(players)
        ]
        seats = [RemotePlayer(info, host, tellings) for info, host in zip(infos, hosts, strict=True)]
        return rules.match(players, seed), seats

    def end(match: Match, seats: Sequence[Player]) -> None:
        found.append(sum(len(deal.action_indices) for deal in match.finished_deals))

    sitting = MatchJob(tuple(ProcessKey(bot, 0, copy) for copy in range(players)), begin, end)
    play_jobs((sitting for _ in iter(lambda: time.process_time() < until, False)), keeper, IN_FLIGHT)
    return sum(found)


def _cpu(keeper: ProcessPool) -> float:
    return sum(cpu_seconds(host.pid) for host in keeper if host.pid is not None)


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process, and what it starts, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
