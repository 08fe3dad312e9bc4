"""Matches between hosted bots and others, for the tests."""

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
    """What became of a match."""

    actions: bytes
    payoffs: tuple[int, ...]
    faults: list[tuple[int, str, int]]


def of_file(name: str, file: str = "hostile_bots.py", level: Level = "process") -> LaunchSpec:
    """A Python bot of a file beside this one."""
    path = HERE / file
    return LaunchSpec(level, Program(home=path, arguments=(f"{path}:{name}",)), {})


def of_house(value: str) -> LaunchSpec:
    """A built-in bot in a process of its own."""
    return LaunchSpec("process", Program(installed=True, arguments=(value,)), {})


def of_script(*words: str) -> LaunchSpec:
    """A program beside this one that speaks lines of JSON."""
    return LaunchSpec(
        "process", Program(home=HERE, command=("python3", "-S", str(HERE / "program.py"), *words)), {}
    )


@contextmanager
def kept(lodgings: dict[str, LaunchSpec], limits: Limits, max_running: int = 16) -> Iterator[ProcessPool]:
    """Someone who keeps their hosts, until the end."""
    keeper = ProcessPool(lodgings, limits, max_running)
    try:
        yield keeper
    finally:
        keeper.close()


def played(
    rules: Rules, table: Sequence[Any], matches: int, limits: Limits | None = None, *, rotation: int = 0,
    keeper: ProcessPool | None = None,
) -> list[Played]:  # fmt: skip
    """Matches of a table, at each seat a lodging or the class of a bot that plays inline."""
    limits = limits or Limits()
    names = [f"bot {table.index(bot)}" for bot in table]
    lodgings = {name: bot for name, bot in zip(names, table, strict=True) if isinstance(bot, LaunchSpec)}
    if keeper is None:
        with kept(lodgings, limits) as keeper:
            return played(rules, table, matches, limits, rotation=rotation, keeper=keeper)
    found: dict[int, Played] = {}
    places = {
        seat: ProcessKey(name, rotation, names[:seat].count(name))
        for seat, name in enumerate(names)
        if name in lodgings
    }

    def sitting(number: int) -> MatchJob:
        def begin(hosts: list[BotProcess], tellings: MatchEncoder) -> tuple[Match, Sequence[Player]]:
            there = dict(zip(places, hosts, strict=True))
            seats: list[Player] = []
            for seat, bot in enumerate(table):
                info = information(rules, len(table), number, seat, limits)
                if seat in there:
                    seats.append(RemotePlayer(info, there[seat], tellings))
                else:
                    seats.append(LocalPlayer(make_factory(bot), info))
            return rules.match(len(table), f"match {number}"), seats

        def end(match: Match, seats: Sequence[Player]) -> None:
            faults = [(fault.seat, fault.kind, fault.deal) for seat in seats for fault in seat.faults]
            found[number] = Played(encode_actions(match), match.payoffs, faults)

        return MatchJob(tuple(places.values()), begin, end)

    play_jobs(map(sitting, range(matches)), keeper)
    return [found[number] for number in range(matches)]


def information(rules: Rules, players: int, number: int, seat: int, limits: Limits) -> Info:
    """What a bot is told when it is made."""
    return Info(
        variant=rules.name,
        options=dict(rules.overrides),
        seat=seat,
        players=players,
        key=f"{number}/{seat}",
        limits=limits,
    )
