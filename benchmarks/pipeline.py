"""Measure the share of the bare referee's speed that is left in a whole run, and what a second worker adds.

    .venv/bin/python -m benchmarks.pipeline

Four random bots play `lives`: as many matches by the referee alone, with views, checks of legality and
records, as then in runs with one worker and with two, from the start of the process to the last file. All
figures but wall times are CPU times, which other programs disturb less. Medians of some rounds.

Two referees alone at the same time show what a second core of this machine adds at most, as they share its
memory and perhaps its caches. A first run, not measured, writes the bytecode of all imported packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import click

from arena.games import variant
from arena.play.referee import raise_gc_threshold
from arena.tournament.engine.machine import SpeedTable

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
SEATS = 4
COMMAND = """\
import json, resource, sys
from arena.cli import main
try:
    main()
finally:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(json.dumps([one.ru_utime + one.ru_stime for one in used]))
"""
"""Runs the arena and prints the CPU seconds of its own process and of its workers."""


class Run(NamedTuple):
    """The cost of a run in seconds."""

    main: float
    """CPU time of the arena's process."""
    workers: float
    """CPU time of its workers."""
    wall: float

    @property
    def cpu(self) -> float:
        return self.main + self.workers


class Alone(NamedTuple):
    """The cost of matches played by the referee alone, in seconds."""

    cpu: float
    wall: float


def play_alone(matches: int) -> Alone:
    """Play matches by the referee alone."""
    table = SpeedTable.of_bot(variant("lives"), "random")
    start, start_cpu = time.monotonic(), time.process_time()
    with raise_gc_threshold():
        for number in range(matches):
            table.play_and_record(number)
    return Alone(time.process_time() - start_cpu, time.monotonic() - start)


def measure_second_core(matches: int) -> tuple[float, float]:
    """Play as many matches in one process, and in each of two at once.

    Returns:
        The matches per second of two processes as a multiple of those of one, by wall time and by CPU time;
        2 where they do not slow each other down.
    """
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(play_alone, [100, 100]))  # both are started, and have imported all
        alone = pool.submit(play_alone, matches).result()
        two = list(pool.map(play_alone, [matches, matches]))
    return (
        2 * alone.wall / max(run.wall for run in two),
        2 * alone.cpu / mean(run.cpu for run in two),
    )


def play_run(folder: Path, config: Path, blocks: int, jobs: int) -> Run:
    """Play a run in a process of its own; its workers are started by it, so that their time is known."""
    words = ["run", str(config), "--seed", "pipeline", "--blocks", str(blocks), "--jobs", str(jobs)]
    words += ["--start", "spawn", "--out", str(folder), "-q"]
    start = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.run(
        [sys.executable, "-c", COMMAND, *words], stdout=subprocess.PIPE, check=True, env=environment
    )
    wall = time.monotonic() - start
    shutil.rmtree(folder)
    main, workers = json.loads(process.stdout.splitlines()[-1])
    return Run(main, workers, wall)


@click.command()
@click.option("--blocks", default=6_000, show_default=True, help="Blocks of a run, of four matches each.")
@click.option("--rounds", default=5, show_default=True, help="Measurements in each way, alternating.")
def main(blocks: int, rounds: int) -> None:
    """Compare whole runs with the referee alone."""
    folder = Path(tempfile.mkdtemp(prefix="pipeline-"))
    config = folder / "config.toml"
    config.write_text(CONFIG)
    alone: list[float] = []
    second_core: list[tuple[float, float]] = []
    runs: dict[int, list[Run]] = {1: [], 2: []}
    try:
        play_run(folder / "run", config, blocks=10, jobs=2)
        for _ in range(rounds):
            alone.append(play_alone(SEATS * blocks).cpu)
            second_core.append(measure_second_core(SEATS * blocks))
            for jobs, own_runs in runs.items():
                own_runs.append(play_run(folder / "run", config, blocks, jobs))
    finally:
        shutil.rmtree(folder)
    click.echo(f"the referee alone: {median(alone):.2f} s for {SEATS * blocks:,} matches")
    by_wall, by_cpu = (median(ratios) for ratios in zip(*second_core, strict=True))
    click.echo(f"two at once play {by_wall:.2f} times as many by wall time, {by_cpu:.2f} times by CPU time")
    for jobs, own_runs in runs.items():
        share = median(single / run.cpu for single, run in zip(alone, own_runs, strict=True))
        click.echo(
            f"--jobs {jobs}: {median(run.cpu for run in own_runs):.2f} s, of which the arena's process "
            f"{median(run.main for run in own_runs):.2f} s; {share:.0%} of the referee's speed a core; "
            f"{median(run.wall for run in own_runs):.2f} s of wall time"
        )
    faster = median(first.wall / two.wall for first, two in zip(*runs.values(), strict=True))
    click.echo(f"--jobs 2 is {faster:.2f} times as fast as --jobs 1 by wall time")


if __name__ == "__main__":
    main()
