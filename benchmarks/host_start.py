"""How long does a host take to start? From nothing to its ready message, at each level that can be had.

    .venv/bin/python benchmarks/host_start.py
    taskset -c 0 .venv/bin/python benchmarks/host_start.py --starts 100 --bot mine.py:Cautious

The levels take turns, so that whatever else the machine does at the time is shared among them.
"""

from __future__ import annotations

import time
from statistics import median, quantiles

import click

from arena.play import Limits
from arena.play.bot_processes import LaunchSpec, make_launch_spec
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol
from arena.play.bot_processes.view_encoder import SymbolEncoder
from arena.play.isolation import LEVELS, probe, start, stop
from arena.plugins import BotSpec, InstalledBot


def seconds(lodging: LaunchSpec) -> float:
    """How long one start takes.

    Raises: Failed.
    """
    protocol, limits, said = MsgpackProtocol(SymbolEncoder()), Limits(), b""
    begun = time.perf_counter()
    process = start(lodging.level, lodging.program, limits)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(protocol.hello("bot", limits, {}))
        while protocol.read_ready(said := process.stdout.read(1 << 16)) is None:
            assert said, "it ended"
        return time.perf_counter() - begun
    finally:
        stop(process)


@click.command()
@click.option("--starts", default=30, show_default=True, help="At each level.")
@click.option("--bot", default="greedy", show_default=True)
def main(starts: int, bot: str) -> None:
    """Start hosts, and print the milliseconds by level: the median and the 90th percentile."""
    found = [probe(level) for level in LEVELS if level != "inline"]
    for one in found:
        if not one.usable:
            click.echo(f"{one.level:>10}  cannot be had: {one.reason}")
    lodgings = [make_launch_spec(BotSpec(InstalledBot(bot), bot), one.level) for one in found if one.usable]
    taken = {home.level: [] for home in lodgings}
    for home in lodgings:
        seconds(home)
    for _ in range(starts):
        for home in lodgings:
            taken[home.level].append(seconds(home))
    for level, row in taken.items():
        click.echo(f"{level:>10}  {1000 * median(row):5.1f} ms  {1000 * quantiles(row, n=10)[-1]:5.1f} ms")


if __name__ == "__main__":
    main()
