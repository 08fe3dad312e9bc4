"""Plays matches between bots in processes of their own and inline bots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from arena.games import Match, Rules
from arena.play import Info, Limits, LocalPlayer
from arena.play.bot import make_factory
from arena.play.bot_processes import (
    BotProcess,
    LaunchSpec,
    MatchEncoder,
    MatchJob,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
    play_jobs,
)
from arena.play.isolation import Level, Program
from arena.play.players import Player
from arena.play.records.action_codec import encode_actions

HERE = Path(__file__).parent


class Played(NamedTuple):
    """The outcome of a match."""

    actions: bytes
    payoffs: tuple[int, ...]
    faults: list[tuple[int, str, int]]


def spec_of_file(name: str, file: str = "hostile_bots.py", level: Level = "process") -> LaunchSpec:
    """Return the spec of a Python bot in a file beside this one."""
    path = HERE / file
    return LaunchSpec(level, Program(home=path, arguments=(f"{path}:{name}",)), {})


def spec_of_built_in(value: str) -> LaunchSpec:
    """Return the spec of a built-in bot in a process of its own."""
    return LaunchSpec("process", Program(installed=True, arguments=(value,)), {})


def spec_of_script(*words: str, level: Level = "process") -> LaunchSpec:
    """Return the spec of the program beside this file that uses the JSON protocol."""
    return LaunchSpec(
        level, Program(home=HERE, command=("python3", "-S", str(HERE / "program.py"), *words)), {}
    )


@contextmanager
def open_pool(specs: dict[str, LaunchSpec], limits: Limits, max_running: int = 16) -> Iterator[ProcessPool]:
    """Open a pool and close it at the end."""
    pool = ProcessPool(specs, limits, max_running)
    try:
        yield pool
    finally:
        pool.close()


def play_matches(
    rules: Rules, table: Sequence[Any], matches: int, limits: Limits | None = None, *, rotation: int = 0,
    pool: ProcessPool | None = None, in_flight: int = 128,
) -> list[Played]:  # fmt: skip
    """Matches of a table, at each seat a spec or the class of a bot that plays inline."""
    limits = limits or Limits()
    names = [f"bot {table.index(bot)}" for bot in table]
    specs = {name: bot for name, bot in zip(names, table, strict=True) if isinstance(bot, LaunchSpec)}
    if pool is None:
        with open_pool(specs, limits) as pool:
            return play_matches(
                rules, table, matches, limits, rotation=rotation, pool=pool, in_flight=in_flight
            )
    played: dict[int, Played] = {}
    keys = {
        seat: ProcessKey(name, rotation, names[:seat].count(name))
        for seat, name in enumerate(names)
        if name in specs
    }

    def job(number: int) -> MatchJob:
        def begin(hosts: list[BotProcess], encoder: MatchEncoder) -> tuple[Match, Sequence[Player]]:
            there = dict(zip(keys, hosts, strict=True))
            seats: list[Player] = []
            for seat, bot in enumerate(table):
                info = make_info(rules, len(table), number, seat, limits)
                if seat in there:
                    seats.append(RemotePlayer(info, there[seat], encoder))
                else:
                    seats.append(LocalPlayer(make_factory(bot), info))
            return rules.match(len(table), f"match {number}"), seats

        def end(match: Match, seats: Sequence[Player]) -> None:
            faults = [(fault.seat, fault.kind, fault.deal) for seat in seats for fault in seat.faults]
            played[number] = Played(encode_actions(match), match.payoffs, faults)

        return MatchJob(tuple(keys.values()), begin, end)

    play_jobs(map(job, range(matches)), pool, in_flight)
    return [played[number] for number in range(matches)]


def make_info(rules: Rules, players: int, number: int, seat: int, limits: Limits) -> Info:
    """Return the information a bot is created with."""
    return Info(
        variant=rules.name,
        options=dict(rules.overrides),
        seat=seat,
        players=players,
        key=f"{number}/{seat}",
        limits=limits,
    )
