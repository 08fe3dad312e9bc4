"""Measures how long a bot's process takes to start, until it is ready, at each available isolation level.

    .venv/bin/python -m benchmarks.process_start
    taskset -c 0 .venv/bin/python -m benchmarks.process_start --starts 100 --bot greedy

The levels take turns, so that other load on the machine affects all of them.
"""

from __future__ import annotations

import time
from statistics import median, quantiles

import click

from arena.play import Limits
from arena.play.bot_processes import LaunchSpec, make_launch_spec
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol, SymbolEncoder
from arena.play.isolation import LEVELS, probe, start, stop
from arena.plugins import BotSpec, InstalledBot


def measure_start(spec: LaunchSpec) -> float:
    """Return the seconds that one start takes.

    Raises:
        BotFailure: If the bot does not start.
    """
    protocol, limits, data = MsgpackProtocol(SymbolEncoder()), Limits(), b""
    begun = time.perf_counter()
    process = start(spec.level, spec.program, limits)
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(protocol.hello("bot", limits, {}))
        while protocol.read_ready(data := process.stdout.read(1 << 16)) is None:
            assert data, "the process ended"
        return time.perf_counter() - begun
    finally:
        stop(process)


@click.command()
@click.option("--starts", default=30, show_default=True, help="At each level.")
@click.option("--bot", default="greedy", show_default=True, help="An installed bot.")
def main(starts: int, bot: str) -> None:
    """Start processes and print milliseconds by level: the median and the 90th percentile."""
    results = [probe(level.name) for level in LEVELS.values() if level.has_process]
    for result in results:
        if not result.usable:
            click.echo(f"{result.level:>10}  not available: {result.reason}")
    installed = BotSpec(InstalledBot(bot), bot)
    specs = [make_launch_spec(installed, result.level) for result in results if result.usable]
    for spec in specs:
        measure_start(spec)  # fills the file cache
    taken = [[measure_start(spec) for spec in specs] for _ in range(starts)]
    for spec, row in zip(specs, zip(*taken, strict=True), strict=True):
        p90 = quantiles(row, n=10)[-1]
        click.echo(f"{spec.level:>10}  {1000 * median(row):5.1f} ms  {1000 * p90:5.1f} ms")


if __name__ == "__main__":
    main()
