"""Measures how fast matches are played, in decisions per second of CPU time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from arena.games import Match, Rules
from arena.play import Info, Limits, LocalPlayer
from arena.play.bot import MAX_COUNT, BotFactory, make_factory
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
from arena.play.bot_processes.cpu_usage import cpu_seconds
from arena.play.players import Player
from arena.play.records.action_codec import decode_actions
from arena.play.records.record_builder import to_record
from arena.play.referee import play, raise_gc_threshold
from arena.plugins import BotSpec, InstalledBot
from arena.tournament.machine.compilation import is_compiled
from arena.tournament.machine.cpu import pin_to_one_core
from arena.tournament.scheduling.schedule import RoundRobin
from arena.tournament.setup.config import make_config
from arena.tournament.setup.variant_entries import DEFAULT_PLAYERS
from arena.tournament.storage.block_result_encoding import BlockResult
from arena.tournament.workers.block_player import BlockPlayer, RunPlan

T = TypeVar("T")
MEASUREMENT_CPU_S = 0.5
RUNS, HOSTED_RUNS = 9, 3
"""Repetitions of a measurement, of which the best counts, because others use this machine, too."""
WARM_UP, HOSTED_WARM_UP = 3, 2
"""Warm-up, as a multiple of the measured time, which fills the caches of hand values."""
HOSTED_FACTOR = 2
"""Length of a hosted run, as a multiple: at its start and end the processes wait for one another."""
MATCHES_PER_CHECK = 8
"""Between two looks at the clock."""
HOSTED_IN_FLIGHT = 32
UNHURRIED = Limits(decision_ms=10_000, start_ms=60_000)
SEED = "speed"


class Speed(msgspec.Struct, frozen=True):
    """Decisions per second of CPU time on one core, the same bot in every seat; 0 if it cannot play."""

    variant: str
    players: int
    bot: str
    referee: float
    """Through the referee: views, checks of legality, and the match's actions kept."""
    records: float
    """The same, and the full text record of each match."""
    blocks: float
    """Matches a second in blocks, as a worker plays them."""
    compiled: bool
    """True if compiled modules were measured."""
    hosted: float = 0.0
    """Speed with each bot in a process of its own, 32 matches at a time; 0 if that was not measured."""


class _Workload(NamedTuple, Generic[T]):
    """Something to measure."""

    play: Callable[[int], T]
    """Plays the item of that number."""
    count_decisions: Callable[[T], int]
    """Counts the decisions in it while the clock is stopped."""


def measure_speed(rules: Rules, bot: str, seconds: float, *, hosted: bool = False) -> Speed:
    """Measure a bot in a variant, at the default table size or the largest if that is smaller.

    Args:
        rules: The variant.
        bot: The name of an installed bot.
        seconds: CPU time for each measurement.
        hosted: Whether to measure bots in processes of their own as well.
    """
    with pin_to_one_core(), raise_gc_threshold():
        table = SpeedTable.of_bot(rules, bot)
        players = table.players
        plain = _Workload(table.play, _count_decisions)
        recorded = _Workload(table.play_and_record, _count_decisions)
        _run(plain, WARM_UP * seconds, count())
        workloads = (plain, recorded, _blocks(rules, players, bot))
        referee, records, blocks = (
            0.0 if table.faults else _rate(workload, seconds) for workload in workloads
        )
        outside = _hosted_rate(rules, players, bot, seconds) if hosted and not table.faults else 0.0
        return Speed(str(rules), players, bot, referee, records, blocks, is_compiled(), outside)


def _rate(workload: _Workload[Any], seconds: float) -> float:
    """Return decisions per second in the best of some runs that take this long together."""
    numbers = count()
    return max(_run(workload, seconds / RUNS, numbers) for _ in range(RUNS))


def _run(workload: _Workload[T], seconds: float, numbers: Iterator[int]) -> float:
    decisions, spent = 0, 0.0
    while spent < seconds:
        start = time.process_time()
        played = [workload.play(number) for number in islice(numbers, MATCHES_PER_CHECK)]
        spent += time.process_time() - start
        decisions += sum(map(workload.count_decisions, played))
    return decisions / spent


class SpeedTable:
    """Matches of one bot against itself."""

    def __init__(self, rules: Rules, players: int, make: BotFactory) -> None:
        self._rules, self.players, self._make = rules, players, make
        self.faults = 0
        """Matches in which it had some."""

    @classmethod
    def of_bot(cls, rules: Rules, bot: str) -> SpeedTable:
        """Return a table of an installed bot, of the default size or the largest if that is smaller."""
        return cls(rules, min(DEFAULT_PLAYERS, rules.players[-1]), make_factory(InstalledBot(bot).load()))

    def play(self, number: int) -> Match:
        match = self._rules.match(self.players, f"{SEED}/{number}")
        infos = _infos(self._rules, self.players, number)
        players = [LocalPlayer(self._make, info) for info in infos]
        play(match, players)
        self.faults += any(player.faults for player in players)
        return match

    def play_and_record(self, number: int) -> Match:
        match = self.play(number)
        msgspec.json.encode(to_record(match, bots=["bot"] * self.players, seed=SEED))
        return match

    def count_decisions(self, number: int) -> int:
        """Play a match; return the number of decisions."""
        return _count_decisions(self.play(number))

    def count_recorded(self, number: int) -> int:
        """Play a match and write its record; return the number of decisions."""
        return _count_decisions(self.play_and_record(number))


def _infos(rules: Rules, players: int, number: int, limits: Limits | None = None) -> list[Info]:
    return [
        Info.of(rules, seat=seat, players=players, key=f"{SEED}/{number}/{seat}", limits=limits)
        for seat in range(players)
    ]


def _count_decisions(match: Match) -> int:
    return sum(len(deal.action_indices) for deal in match.finished_deals)


def _blocks(rules: Rules, players: int, bot: str) -> _Workload[BlockResult]:
    """Return the workload of playing a tournament's blocks between copies of a bot."""
    bots = [{"bot": bot, "name": f"{bot} {seat}"} for seat in range(players)]
    game = {"name": rules.name, "players": players, **rules.overrides}
    table = {"bots": bots, "variants": [game], "blocks": MAX_COUNT}
    config = make_config(table, base=Path(), where="speed")
    schedule, player = RoundRobin(config, SEED), BlockPlayer(RunPlan.from_config(config, SEED))

    def count_decisions(result: BlockResult) -> int:
        return sum(sum(1 for _ in decode_actions(match.actions)) for match in result.matches)

    return _Workload(lambda number: player.play(schedule[number]), count_decisions)


def _hosted_rate(rules: Rules, players: int, bot: str, seconds: float) -> float:
    """Return decisions per second of all CPU time, each seat's bot in a process of its own."""
    spec = make_launch_spec(BotSpec(InstalledBot(bot), bot), "process")
    pool = ProcessPool({bot: spec}, UNHURRIED, players)
    numbers = count()

    def cpu_time() -> float:
        return time.process_time() + sum(
            cpu_seconds(process.pid) for process in pool if process.pid is not None
        )

    def run(factor: int) -> float:
        before = cpu_time()
        decisions = play_hosted(rules, players, bot, pool, numbers, factor * seconds, HOSTED_IN_FLIGHT)
        return decisions / (cpu_time() - before)

    try:
        run(HOSTED_WARM_UP)
        return max(run(HOSTED_FACTOR) for _ in range(HOSTED_RUNS))
    finally:
        pool.close()


def play_hosted(
    rules: Rules,
    players: int,
    bot: str,
    pool: ProcessPool,
    numbers: Iterator[int],
    seconds: float,
    in_flight: int,
) -> int:
    """Play with bots in processes of their own; return the number of decisions.

    Args:
        rules: The variant.
        players: Number of seats, all of one bot.
        bot: The bot's name in the pool.
        pool: Its processes.
        numbers: Numbers of the matches, which seed them.
        seconds: CPU time of the arena after which no match begins.
        in_flight: Number of matches played at a time.
    """
    until = time.process_time() + seconds
    decisions: list[int] = []

    def begin(processes: list[BotProcess], encoder: MatchEncoder) -> tuple[Match, Sequence[Player]]:
        number = next(numbers)
        infos = _infos(rules, players, number, UNHURRIED)
        seats = [RemotePlayer(info, process, encoder) for info, process in zip(infos, processes, strict=True)]
        return rules.match(players, f"{SEED}/{number}"), seats

    def end(match: Match, seats: Sequence[Player]) -> None:
        decisions.append(_count_decisions(match))

    job = MatchJob(tuple(ProcessKey(bot, 0, copy) for copy in range(players)), begin, end)
    play_jobs((job for _ in iter(lambda: time.process_time() < until, False)), pool, in_flight)
    return sum(decisions)
