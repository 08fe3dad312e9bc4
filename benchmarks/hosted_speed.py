"""What do bots in processes of their own cost? Decisions per second, beside the same bots inline.

    .venv/bin/python -m benchmarks.hosted_speed
    .venv/bin/python -m benchmarks.hosted_speed --bot random --in-flight 32 --in-flight 512

Four seats of one bot, each with a process of its own, all on one core. CPU time of the arena and of the bots'
processes counts, that of the arena also alone: the ratio would be the limit if bots took no time.
Hosted and inline play alternate; medians of the rounds.
"""

from __future__ import annotations

import time
from itertools import count
from statistics import median
from typing import Final, NamedTuple

import click
from tabulate import tabulate

from arena.games import Rules, variant
from arena.play.bot_processes import ProcessPool, make_launch_spec
from arena.play.bot_processes.resource_watch import cpu_seconds
from arena.play.referee import raise_gc_threshold
from arena.plugins import BotSpec, InstalledBot
from arena.tournament.engine.cores import pin_to_one_core
from arena.tournament.engine.machine import UNHURRIED, SpeedTable, play_hosted

SEATS: Final = 4
IN_FLIGHT: Final = (128,)
COLUMNS: Final = (
    "in flight",
    "inline/s",
    "hosted/s",
    "ratio",
    "µs a decision",
    "the arena's",
    "the bots'",
    "limit of the ratio",
)


class Round(NamedTuple):
    """A measurement of hosted play beside one of inline play, in seconds of CPU time per decision."""

    inline: float
    arena: float
    bots: float

    @property
    def ratio(self) -> float:
        return self.inline / (self.arena + self.bots)


def measure_inline(table: SpeedTable, seconds: float) -> float:
    """Return the CPU time per decision in the arena's process."""
    decisions, start = 0, time.process_time()
    for number in count():
        decisions += table.count_decisions(number)
        if (spent := time.process_time() - start) >= seconds:
            break
    return spent / decisions


def measure_hosted(rules: Rules, bot: str, pool: ProcessPool, seconds: float, in_flight: int) -> list[float]:
    """Return the CPU time per decision of the arena and of the bots' processes."""

    def bots_time() -> float:
        return sum(cpu_seconds(process.pid) for process in pool if process.pid is not None)

    start, start_of_bots = time.process_time(), bots_time()
    decisions = play_hosted(rules, SEATS, bot, pool, count(), seconds, in_flight)
    return [(time.process_time() - start) / decisions, (bots_time() - start_of_bots) / decisions]


def measure_rounds(rules: Rules, bot: str, in_flight: int, seconds: float, rounds: int) -> list[Round]:
    """Measure inline and hosted play, alternating, after one of each to warm up."""
    spec = make_launch_spec(BotSpec(InstalledBot(bot), bot), "process")
    pool = ProcessPool({bot: spec}, UNHURRIED, SEATS)
    table = SpeedTable.of_bot(rules, bot)
    try:
        with pin_to_one_core(), raise_gc_threshold():
            rounds_measured = [
                Round(measure_inline(table, seconds), *measure_hosted(rules, bot, pool, seconds, in_flight))
                for _ in range(rounds + 1)
            ]
    finally:
        pool.close()
    return rounds_measured[1:]


@click.command(help=__doc__)
@click.option("--variant", "name", default="lives", show_default=True)
@click.option("--bot", default="greedy", show_default=True)
@click.option("--in-flight", "depths", type=int, multiple=True, default=IN_FLIGHT, show_default=True)
@click.option("--seconds", default=2.0, show_default=True, help="CPU time of the arena for a measurement.")
@click.option("--rounds", default=5, show_default=True)
def main(name: str, bot: str, depths: tuple[int, ...], seconds: float, rounds: int) -> None:
    rows = []
    for in_flight in depths:
        measured = measure_rounds(variant(name), bot, in_flight, seconds, rounds)
        inline, arena, bots = (median(figures) for figures in zip(*measured, strict=True))
        rows.append(
            [
                in_flight,
                f"{1 / inline:,.0f}",
                f"{1 / (arena + bots):,.0f}",
                f"{median(figures.ratio for figures in measured):.2f}",
                *(f"{1e6 * seconds:.1f}" for seconds in (arena + bots, arena, bots)),
                f"{median(figures.inline / figures.arena for figures in measured):.2f}",
            ]
        )
    click.echo(tabulate(rows, COLUMNS, disable_numparse=True, colalign=["right"] * len(COLUMNS)))


if __name__ == "__main__":
    main()
