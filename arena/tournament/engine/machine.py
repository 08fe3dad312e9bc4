"""The machine: whether the rule book is compiled, checks of it, and how fast it plays."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar

import msgspec

from arena.errors import PluginError
from arena.games import Match, Rules, deal
from arena.installed import BUILT_IN_DISTRIBUTION
from arena.play import Info, Limits, LocalPlayer
from arena.play.bot import DEFAULT_LIMITS, MAX_COUNT, BotFactory, make_factory
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
from arena.play.bot_processes.resource_watch import cpu_seconds
from arena.play.isolation import LEVELS, ProbeResult, probe
from arena.play.players import Player
from arena.play.records.action_codec import decode_actions
from arena.play.records.match_to_record import to_record
from arena.play.referee import play, raise_gc_threshold
from arena.plugins import BotSpec, InstalledBot
from arena.plugins.sources import WASM_PACKAGE, check_wasm_runtime
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.cores import pin_to_one_core, usable_cores
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.config import DEFAULT_PLAYERS, make_config
from arena.tournament.store.codec import BlockResult

# --- compilation ---

FAILURE: Final = Path(deal.__file__).with_name("compile_failure.txt")
"""File that a build leaves when nothing could be compiled."""
IS_CHECKOUT: Final = (FAILURE.parents[2] / "setup.py").exists()
"""True if the arena runs from its sources."""


def is_compiled() -> bool:
    """Return whether the rule book was compiled when the arena was installed."""
    return not str(deal.__file__).endswith(".py")


def read_compile_failure(file: Path = FAILURE) -> str:
    """Return the first line of the reason that a build left behind; empty if there is none."""
    try:
        return file.read_text(encoding="utf-8").partition("\n")[0]
    except OSError:
        return ""


def _advise_compiling(failure: str, *, is_checkout: bool) -> str:
    """Return how to compile the rule book.

    Args:
        failure: Why the last build could not; empty if it was not asked to.
        is_checkout: Whether the arena runs from its sources.
    """
    if is_checkout:
        return "repair that, then run `make plain compiled`" if failure else "run `make compiled`"
    again = "`pip install --force-reinstall --no-deps` the arena"
    if failure:
        return f"repair that, then {again} with ARENA_COMPILE=require, which stops at the error"
    return f"{again} without ARENA_COMPILE=no"


def notice_if_uncompiled() -> str:
    """Return a sentence for long runs that play uncompiled; empty if they do not."""
    if is_compiled():
        return ""
    return "The rules are not compiled, so games take about twice as long: `arena doctor` says what helps."


# --- checks ---
# Each check says what to do about a problem.

State = Literal["ok", "warn", "bad"]

MIN_PYTHON: Final = (3, 11)
NEWEST_TESTED_PYTHON: Final = (3, 14)
MIN_SQLITE: Final = (3, 37)
"""The first with strict tables."""
MAX_CLOCK_STEP_S: Final = 1e-4
"""A coarser clock cannot measure time limits."""
MAX_LOAD_SHARE: Final = 0.5
"""Largest load, as a share of the cores, at which other programs take no time from bots."""
LONG_RUN_BYTES, ANY_RUN_BYTES = 2 << 30, 100 << 20
"""Free disk space: with less than the first a long run may fail, with less than the second any."""
BYTES_PER_CORE: Final = 512 << 20
CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
MEMINFO: Final = Path("/proc/meminfo")


class Finding(msgspec.Struct, frozen=True):
    """The result of one check; `bad` prevents runs."""

    name: str
    state: State
    found: str
    advice: str = ""
    """Advice, unless the state is ok."""


def examine_machine(folder: Path) -> Iterator[Finding]:
    """Check everything, for runs whose results go into this folder."""
    yield _python(sys.version_info[:3])
    yield from _packages()
    yield _compiled(is_compiled(), read_compile_failure(), is_checkout=IS_CHECKOUT)
    yield _sqlite(sqlite3.sqlite_version_info)
    yield from (_level(probe(level.name)) for level in LEVELS.values())
    yield from _fuel()
    yield _cores()
    yield _load()
    yield _clock(time.perf_counter)
    yield _disk(folder)
    yield _memory()


def _python(version: tuple[int, ...]) -> Finding:
    text = f"{platform.python_implementation()} {'.'.join(map(str, version))}"
    if version < MIN_PYTHON:
        return Finding("Python", "bad", text, "install Python 3.11 or newer")
    if version[:2] > NEWEST_TESTED_PYTHON:
        return Finding("Python", "warn", text, f"not tested; use 3.11 to 3.{NEWEST_TESTED_PYTHON[1]}")
    return Finding("Python", "ok", text)


def _compiled(compiled: bool, failure: str, *, is_checkout: bool) -> Finding:
    """Report whether the rules are compiled; `failure` is why the build could not."""
    if compiled:
        return Finding("rule book", "ok", "compiled")
    problem = f"not compiled, because the build failed: {failure}" if failure else "not compiled"
    advice = _advise_compiling(failure, is_checkout=is_checkout)
    return Finding("rule book", "warn", problem, f"to play twice as fast, {advice}")


def _packages() -> Iterator[Finding]:
    """Check what the arena requires, without its extras."""
    from packaging.requirements import Requirement  # here, as a run needs the cores and no requirements

    for text in importlib.metadata.requires(BUILT_IN_DISTRIBUTION) or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            requirement.marker = None
            yield _package(str(requirement))


def _package(text: str) -> Finding:
    """Check a requirement such as `click>=8.1`."""
    from packaging.requirements import Requirement

    requirement = Requirement(text)
    advice = f"pip install '{requirement}'"
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(requirement.name, "bad", "is not installed", advice)
    if not requirement.specifier.contains(version, prereleases=True):
        return Finding(requirement.name, "bad", f"{version} is too old", advice)
    return Finding(requirement.name, "ok", version)


def _sqlite(version: tuple[int, ...]) -> Finding:
    text = ".".join(map(str, version))
    if version < MIN_SQLITE:
        return Finding("SQLite", "bad", f"{text} is too old", "install a Python with SQLite 3.37 or newer")
    return Finding("SQLite", "ok", text)


def _level(result: ProbeResult) -> Finding:
    name = f"isolation {result.level}"
    if result.usable:
        return Finding(name, "ok", "available")
    state: State = "warn" if LEVELS[result.level].is_confined else "bad"
    return Finding(name, state, result.reason, result.fix)


def _fuel() -> Iterator[Finding]:
    """Report how long the fuel of a decision lasts here, where WebAssembly modules can be played."""
    try:
        check_wasm_runtime()
    except PluginError:
        return
    from arena.play.bot_runtime.wasm_runtime import measure_fuel  # here: it needs a package of its own

    seconds = measure_fuel(DEFAULT_LIMITS.fuel)
    text = f"{DEFAULT_LIMITS.fuel:,}, for a decision, are {1000 * seconds:.0f} ms of a loop"
    yield Finding("fuel", "ok", f"{text} by {WASM_PACKAGE} {importlib.metadata.version(WASM_PACKAGE)}")


def _cores() -> Finding:
    there, ours = os.cpu_count() or 1, usable_cores()
    allowed = _quota()
    if allowed is not None and allowed < ours:
        jobs = max(1, int(allowed))
        text = f"{ours}, limited to the CPU time of {allowed:g}"
        return Finding("cores", "warn", text, f"--jobs {jobs}: more would only wait")
    return Finding("cores", "ok", f"{ours}" if ours == there else f"{ours} of {there} usable")


def _quota() -> float | None:
    """Return how many cores' time a container may use; None without a limit."""
    try:
        most, _, period = CPU_QUOTA.read_text().partition(" ")
        return None if most == "max" else int(most) / int(period)
    except (OSError, ValueError):
        return None


def _load() -> Finding:
    if not hasattr(os, "getloadavg"):
        return Finding("load", "ok", "unknown here")
    load, cores = os.getloadavg()[0], usable_cores()
    text = f"{load:.1f} of {cores} cores are busy"
    if load > MAX_LOAD_SHARE * cores:
        return Finding(
            "load", "warn", text, "stop other programs or use fewer --jobs: bots may lose time to them"
        )
    return Finding("load", "ok", text)


def _clock(clock: Callable[[], float]) -> Finding:
    step = min(_steps(clock))
    text = f"steps of {step * 1e6:.2g} µs"
    if step > MAX_CLOCK_STEP_S:
        return Finding("clock", "warn", text, "set the time limits in [limits] well above it")
    return Finding("clock", "ok", text)


def _steps(clock: Callable[[], float]) -> Iterator[float]:
    for _ in range(100):
        start = clock()
        while (now := clock()) == start:
            pass
        yield now - start


def _disk(folder: Path) -> Finding:
    there = next(parent for parent in (folder.resolve(), *folder.resolve().parents) if parent.exists())
    free = shutil.disk_usage(there).free
    text = f"{_size(free)} free for {folder}"
    if not os.access(there, os.W_OK):
        return Finding("disk", "bad", f"{there} is not writable", "use another folder, or --out")
    if free < LONG_RUN_BYTES:
        state: State = "bad" if free < ANY_RUN_BYTES else "warn"
        return Finding("disk", state, text, "free some space: a million matches take a gigabyte")
    return Finding("disk", "ok", text)


def _memory() -> Finding:
    try:
        lines = MEMINFO.read_text().splitlines()
    except OSError:
        return Finding("memory", "ok", "unknown here")
    [kilobytes] = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    text, cores = f"{_size(kilobytes << 10)} available", usable_cores()
    if kilobytes << 10 < BYTES_PER_CORE * cores:
        fewer = max(1, (kilobytes << 10) // BYTES_PER_CORE)
        return Finding("memory", "warn", text, f"--jobs {fewer}, or fewer bots in processes of their own")
    return Finding("memory", "ok", text)


def _size(number: int) -> str:
    return f"{number / (1 << 30):.1f} GiB" if number >= 1 << 30 else f"{number / (1 << 20):.0f} MiB"


# --- match speed ---
# Speed is in decisions per second of CPU time.

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
