"""Measure the share of the bare referee's speed that is left in a whole run, and what a second worker adds.

    .venv/bin/python benchmarks/pipeline.py

Four random bots play `lives`: as many matches by the referee alone, with views, checks of legality and
records, as then in runs with one worker and with two, from the start of the process to the last file. All
figures but wall times are CPU times, which other programs disturb less. Medians of some rounds.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

from arena.games import variant
from arena.play.referee import raise_gc_threshold
from arena.tournament.machine.benchmark import SpeedTable

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


def play_alone(matches: int) -> float:
    """Play matches by the referee alone; return the CPU time."""
    table = SpeedTable.of_bot(variant("lives"), "random")
    start = time.process_time()
    with raise_gc_threshold():
        for number in range(matches):
            table.play_and_record(number)
    return time.process_time() - start


def play_run(folder: Path, config: Path, blocks: int, jobs: int) -> Run:
    """Play a run in a process of its own; its workers are started by it, so that their time is known."""
    words = ["run", str(config), "--seed", "pipeline", "--blocks", str(blocks), "--jobs", str(jobs)]
    words += ["--start", "spawn", "--out", str(folder), "-q"]
    start = time.monotonic()
    found = subprocess.run([sys.executable, "-c", COMMAND, *words], stdout=subprocess.PIPE, check=True)
    wall = time.monotonic() - start
    shutil.rmtree(folder)
    main, workers = json.loads(found.stdout.splitlines()[-1])
    return Run(main, workers, wall)


@click.command()
@click.option("--blocks", default=6_000, show_default=True, help="Blocks of a run, of four matches each.")
@click.option("--rounds", default=5, show_default=True, help="Measurements in each way, by turns.")
def main(blocks: int, rounds: int) -> None:
    """Compare whole runs with the referee alone."""
    folder = Path(tempfile.mkdtemp(prefix="pipeline-"))
    config = folder / "config.toml"
    config.write_text(CONFIG)
    alone: list[float] = []
    runs: dict[int, list[Run]] = {1: [], 2: []}
    try:
        for _ in range(rounds):
            alone.append(play_alone(SEATS * blocks))
            for jobs, found in runs.items():
                found.append(play_run(folder / "run", config, blocks, jobs))
    finally:
        shutil.rmtree(folder)
    click.echo(f"the referee alone: {median(alone):.2f} s for {SEATS * blocks:,} matches")
    for jobs, found in runs.items():
        share = median(one / run.cpu for one, run in zip(alone, found, strict=True))
        click.echo(
            f"--jobs {jobs}: {median(run.cpu for run in found):.2f} s, of which the arena's process "
            f"{median(run.main for run in found):.2f} s; {share:.0%} of the referee's speed a core; "
            f"{median(run.wall for run in found):.2f} s of wall time"
        )
    faster = median(one.wall / two.wall for one, two in zip(*runs.values(), strict=True))
    click.echo(f"--jobs 2 is {faster:.2f} times as fast as --jobs 1 by wall time")


if __name__ == "__main__":
    main()
