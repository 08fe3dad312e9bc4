"""How fast matches are played, in decisions a second of CPU time."""

import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from arena.games import Match, Rules, deal
from arena.play import Info, LocalPlayer
from arena.play.bot import MAX_COUNT, BotFactory, make_factory
from arena.play.records.action_codec import decode_actions
from arena.play.records.record import to_record
from arena.play.referee import play, raise_gc_threshold
from arena.plugins import InstalledBot
from arena.tournament.machine.hosted_benchmark import hosted_rate, one_core
from arena.tournament.scheduling.schedule import RoundRobin
from arena.tournament.setup.config import DEFAULT_PLAYERS, make_config
from arena.tournament.storage.block_results import BlockResult
from arena.tournament.workers.block_player import BlockPlayer, RunPlan

T = TypeVar("T")
MEASUREMENT_CPU_S = 0.5
"""Of CPU time for a measurement."""
RUNS = 9
"""A measurement is the best of so many: others keep this machine busy too."""
TOGETHER = 8
"""Matches between two looks at the clock."""
WARM_UP = 3
"""Times as long a game is played first: the worth of a hand is worked out when it is first seen."""
SEED = "speed"


class Speed(msgspec.Struct, frozen=True):
    """Decisions a second of CPU time on one core, with the same bot in every seat; 0 if it cannot play."""

    variant: str
    players: int
    bot: str
    referee: float
    """Through the referee, with views, legality and the match's actions kept."""
    records: float
    """The same, and the full text record of each match."""
    blocks: float
    """In blocks, as a worker plays them."""
    compiled: bool
    """Whether what was measured is compiled, or the source itself."""
    hosted: float = 0.0
    """With each bot in a process of its own, 32 matches at a time; 0 if that was not measured."""


class _Way(NamedTuple, Generic[T]):
    """A way to play."""

    play: Callable[[int], T]
    """Plays what has this number."""
    decisions: Callable[[T], int]
    """How many there were in it, which is counted when the clock does not run."""


def measure_speed(rules: Rules, bot: str, seconds: float, *, hosted: bool = False) -> Speed:
    """The speed of a bot in a game at the usual table, or the largest if that is smaller."""
    with one_core(), raise_gc_threshold():
        players = min(DEFAULT_PLAYERS, rules.players[-1])
        table = _Table(rules, players, make_factory(InstalledBot(bot).load()))
        plain, recorded = _Way(table.play, _decisions), _Way(table.play_and_record, _decisions)
        _run(plain, WARM_UP * seconds, count())
        ways = (plain, recorded, _blocks(rules, players, bot))
        referee, records, blocks = (0.0 if table.faults else _rate(way, seconds) for way in ways)
        outside = hosted_rate(rules, players, bot, seconds) if hosted and not table.faults else 0.0
        return Speed(str(rules), players, bot, referee, records, blocks, is_compiled(), outside)


def is_compiled() -> bool:
    """Whether the rule book was compiled when the arena was installed: it plays the same matches, faster."""
    return not str(deal.__file__).endswith(".py")


def _rate(way: _Way[Any], seconds: float) -> float:
    """Decisions a second, in the best of some runs that take so long together."""
    numbers = count()
    return max(_run(way, seconds / RUNS, numbers) for _ in range(RUNS))


def _run(way: _Way[T], seconds: float, numbers: Iterator[int]) -> float:
    decisions, spent = 0, 0.0
    while spent < seconds:
        start = time.process_time()
        played = [way.play(number) for number in islice(numbers, TOGETHER)]
        spent += time.process_time() - start
        decisions += sum(map(way.decisions, played))
    return decisions / spent


class _Table:
    """Matches of one bot against itself."""

    def __init__(self, rules: Rules, players: int, make: BotFactory) -> None:
        self._rules, self._players, self._make = rules, players, make
        self.faults = 0
        """Matches in which it had some."""

    def play(self, number: int) -> Match:
        """Plays the match of a number."""
        match = self._rules.match(self._players, f"{SEED}/{number}")
        seats = [LocalPlayer(self._make, self._info(number, seat)) for seat in range(self._players)]
        play(match, seats)
        self.faults += any(seat.faults for seat in seats)
        return match

    def play_and_record(self, number: int) -> Match:
        """Plays it and writes its record."""
        match = self.play(number)
        msgspec.json.encode(to_record(match, bots=["bot"] * self._players, seed=SEED))
        return match

    def _info(self, number: int, seat: int) -> Info:
        key = f"{SEED}/{number}/{seat}"
        return Info.of(self._rules, seat=seat, players=self._players, key=key)


def _decisions(match: Match) -> int:
    return sum(len(deal.action_indices) for deal in match.finished_deals)


def _blocks(rules: Rules, players: int, bot: str) -> _Way[BlockResult]:
    """Playing the blocks of a tournament between namesakes."""
    bots = [{"bot": bot, "name": f"{bot} {seat}"} for seat in range(players)]
    game = {"name": rules.name, "players": players, **rules.overrides}
    table = {"bots": bots, "variants": [game], "blocks": MAX_COUNT}
    config = make_config(table, base=Path(), where="speed")
    schedule, player = RoundRobin(config, SEED), BlockPlayer(RunPlan.from_config(config, SEED))

    def decisions(result: BlockResult) -> int:
        return sum(sum(1 for _ in decode_actions(match.actions)) for match in result.matches)

    return _Way(lambda number: player.play(schedule[number]), decisions)
