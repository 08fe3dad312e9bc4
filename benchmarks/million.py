"""What does a long run take? `configs/million.toml`, whole or in part: time, memory, the size of its files.

    .venv/bin/python -m benchmarks.million --blocks 2500
    nice -n 19 .venv/bin/python -m benchmarks.million

Each command is run in a process of its own. Memory is the resident set of that process, without its workers;
while the run is played it is told at each tenth of the way, and the highest of what comes after, when tables
and replays are written.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from arena.tournament.store.store import Store

CONFIG = Path(__file__).parents[1] / "configs/million.toml"
EVERY_S = 1.0
TENTHS = 10


class Taken(NamedTuple):
    """The cost of a command."""

    seconds: float
    peak: int
    """Bytes, as the kernel kept it."""


class Sample(NamedTuple):
    """The progress of a run, and its memory in bytes."""

    blocks: int
    resident: int


def arena(*words: str) -> subprocess.Popen[bytes]:
    """A command that says nothing."""
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-m", "arena", *words], stdout=quiet, stderr=quiet)


def taken(process: subprocess.Popen[bytes], folder: Path, samples: list[Sample]) -> Taken:
    """Waits for a command to end; of a run it keeps how far it was at which memory."""
    start = time.monotonic()
    peak = 0
    while process.poll() is None:
        if memory := resident(process.pid):
            peak = max(peak, memory.peak)
            samples.append(Sample(stored(folder), memory.now))
        time.sleep(EVERY_S)
    if process.returncode:
        raise click.ClickException(f"{process.args!r} ended with {process.returncode}")
    return Taken(time.monotonic() - start, peak)


class Resident(NamedTuple):
    """Memory of a process in bytes."""

    now: int
    peak: int


def resident(pid: int) -> Resident | None:
    """The memory of a process; None if it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return None
    memory = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB$", status, re.MULTILINE))
    return Resident(int(memory["VmRSS"]) << 10, int(memory["VmHWM"]) << 10) if memory else None


def stored(folder: Path) -> int:
    """The number of blocks a run has stored so far."""
    if not (folder / "arena.db").exists():
        return 0
    with Store.open(folder) as store:
        return store.count()


def tenths(samples: list[Sample]) -> Iterator[str]:
    """Memory at each tenth of a run, and the most after its last block."""
    last = samples[-1].blocks
    for tenth in range(1, TENTHS):
        at = next(sample for sample in samples if sample.blocks * TENTHS >= last * tenth)
        yield f"{at.resident / 1e6:.0f}"
    after = max(sample.resident for sample in samples if sample.blocks == last)
    yield f"then {after / 1e6:.0f}"


@click.command()
@click.option("--blocks", default=50_000, show_default=True, help="Blocks a table, of twenty matches in all.")
@click.option("--jobs", default=len(os.sched_getaffinity(0)), show_default=True, help="Worker processes.")
def main(blocks: int, jobs: int) -> None:
    """Play configs/million.toml and say what it takes."""
    folder = Path(tempfile.mkdtemp(prefix="million-"))
    try:
        measure(folder / "run", blocks, str(jobs))
    finally:
        shutil.rmtree(folder)


def measure(run: Path, blocks: int, jobs: str) -> None:
    """Prints a line for each command, as it ends."""
    samples: list[Sample] = []
    config = (str(CONFIG), "--blocks", str(blocks), "--seed", "million")
    played = taken(arena("run", *config, "--jobs", jobs, "--out", str(run), "-q"), run, samples)
    matches = 20 * blocks
    click.echo(f"{matches:,} matches with --jobs {jobs}")
    click.echo(f"run     {played.seconds:.1f} s, {matches / played.seconds:,.0f} matches/s")
    click.echo(f"        MB at each tenth: {' '.join(tenths(samples))}; peak {played.peak / 1e6:.0f}")
    for file in sorted(run.iterdir()):
        size = file.stat().st_size
        click.echo(f"        {file.name} {size / 1e6:.1f} MB, {size / matches:.1f} bytes a match")
    for words in (("table",), ("verify", "--jobs", jobs), ("replay", "export", "--out", f"{run}.jsonl.zst")):
        command, options = [word for word in words if word.isalpha()], words
        took = taken(arena(*command, str(run), *options[len(command) :]), Path(), [])
        rate = f"{took.seconds:.1f} s, {matches / took.seconds:,.0f} matches/s"
        click.echo(f"{command[-1]:7} {rate}, peak {took.peak / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
