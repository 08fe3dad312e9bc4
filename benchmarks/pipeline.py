"""Measure the share of the referee's speed left in a whole run, and what a second worker adds.

    .venv/bin/python benchmarks/pipeline.py

Four random bots play `lives`, once as `arena bench` does it and then as runs: start, schedule, store, tables
and replays, by turns with one worker and with two. Best of some rounds, on a machine with nothing else to do.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import click

from arena.games import variant
from arena.play.records.action_codec import decode_actions
from arena.tournament.machine.benchmark import measure_speed
from arena.tournament.storage.block_results import unpack
from arena.tournament.storage.store import Store

CONFIG = """\
bots = [
    { bot = "random", name = "one" },
    { bot = "random", name = "two" },
    { bot = "random", name = "three" },
    { bot = "random", name = "four" },
]
isolation = "inline"

[[variants]]
name = "lives"
players = 4
"""
BENCH_S = 2.0


class Run(NamedTuple):
    """The cost of a run, and its number of decisions."""

    decisions: int
    wall: float
    """Seconds, from its start to its end."""


def played(folder: Path, config: Path, blocks: int, jobs: int) -> Run:
    """Plays a run in a process of its own and counts what was decided."""
    words = ["run", str(config), "--seed", "pipeline", "--blocks", str(blocks), "--jobs", str(jobs)]
    start = time.monotonic()
    command = [sys.executable, "-m", "arena", *words, "--out", str(folder), "-q"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    wall = time.monotonic() - start
    with Store.open(folder) as store:
        decisions = sum(
            sum(1 for _ in decode_actions(match.actions))
            for block in store.blocks()
            for match in unpack(block).matches
        )
    shutil.rmtree(folder)
    return Run(decisions, wall)


@click.command()
@click.option("--blocks", default=25_000, show_default=True, help="Blocks of a run, of four matches each.")
@click.option("--rounds", default=3, show_default=True, help="Runs in each way.")
def main(blocks: int, rounds: int) -> None:
    """Compare whole runs with the referee alone."""
    folder = Path(tempfile.mkdtemp(prefix="pipeline-"))
    config = folder / "config.toml"
    config.write_text(CONFIG)
    try:
        alone, one, two = 0.0, [], []
        for number in range(rounds):
            alone = max(alone, measure_speed(variant("lives"), "random", BENCH_S).referee)
            one.append(played(folder / f"one-{number}", config, blocks, 1))
            two.append(played(folder / f"two-{number}", config, blocks, 2))
    finally:
        shutil.rmtree(folder)
    best_one, best_two = (min(runs, key=lambda run: run.wall) for runs in (one, two))
    click.echo(f"the referee alone {alone:,.0f} decisions/s; a run has {best_one.decisions:,}")
    for name, run in (("--jobs 1", best_one), ("--jobs 2", best_two)):
        rate = run.decisions / run.wall
        click.echo(
            f"{name}: {run.wall:.2f} s, {rate:,.0f} decisions/s, {rate / alone:.0%} of the referee alone"
        )
    click.echo(f"--jobs 2 plays {best_one.wall / best_two.wall:.2f} times as fast as --jobs 1")


if __name__ == "__main__":
    main()
