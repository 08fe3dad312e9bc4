"""What does a run of ten million matches take to read, check and merge? A synthetic store shows it.

    nice -n 15 .venv/bin/python -m benchmarks.ten_million --folder DIR
    nice -n 15 .venv/bin/python -m benchmarks.ten_million --matches 1000000 --folder DIR

Two shards of a run of four bots are written without playing it. Their blocks have the addresses, seatings,
keys and digests of the schedule; the results of most are copies of some thousand that were played. Those that
commands replay are played: the first matches, which have records, the sample of `verify --sample` and that of
the report. So every command succeeds as on a run that was played. The shards are then merged, and the merged
run is read, each time by a process of its own. Peak memory is that of the arena's process and, apart, that of
its largest worker.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

import click
import msgspec
from tabulate import tabulate

from arena.tournament.engine.block_player import BlockPlayer
from arena.tournament.engine.shard import Shard
from arena.tournament.files import RunFolder
from arena.tournament.results.results import SAMPLE_SIZE, MatchSampler
from arena.tournament.review.verification import draw_sample
from arena.tournament.run import Run
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import OUTCOME, PackedBlock, pack
from arena.tournament.store.store import BlockKeys, Store

BOTS: Final = ("greedy", "prudent", "stand-pat", "random")
SEATS: Final = len(BOTS)
"""Also the matches of a block."""
SEED: Final = "ten million"
SAMPLE: Final = 500
"""Blocks that `verify --sample` replays."""
REPLAYS: Final = 10_000
"""Matches with records."""
COPIED: Final = 2_000
"""Played blocks whose results are copied."""
BATCH: Final = 10_000
SHARDS: Final = 2
PR_SET_CHILD_SUBREAPER: Final = 36
"""Option of prctl by which the processes that a command leaves are waited for here."""


class Cost(NamedTuple):
    """The cost of a command."""

    wall_s: float
    main_s: float
    """CPU time of the arena's process."""
    workers_s: float
    """CPU time of its workers."""
    main_bytes: int
    """Peak memory of the arena's process."""
    worker_bytes: int
    """Peak memory of the largest worker; 0 without any."""


def choose_played(blocks: int, outcome: bytes) -> set[int]:
    """Return the indices of the blocks that commands replay.

    Args:
        blocks: The number of blocks in the schedule.
        outcome: The outcome of any block, without faults.
    """
    played = set(range(min(blocks, REPLAYS // SEATS)))
    played.update(draw_sample(range(blocks), SAMPLE, SEED, "replay").blocks)
    sampler, game, unpacked = MatchSampler(SAMPLE_SIZE, 1), ("lives", SEATS), OUTCOME.decode(outcome)
    for index in range(blocks):
        sampler.add(PackedBlock(index, "", outcome), game, unpacked)
    played.update(match.place for match in sampler.sample())
    return played


class SyntheticRun:
    """The shards of a run that was not played."""

    def __init__(self, folder: Path, matches: int) -> None:
        """Create the shards, without blocks, in a folder."""
        table = {
            "bots": list(BOTS),
            "variants": [{"name": "lives", "players": SEATS}],
            "blocks": matches // SEATS,
            "seed": SEED,
            "replays": REPLAYS,
        }
        config = make_config(table, base=folder, where="ten million")
        self._schedule = RoundRobin(config, SEED)
        self.shards = [Shard(number, SHARDS) for number in range(1, SHARDS + 1)]
        self.folders = [folder / f"shard-{shard.number}" for shard in self.shards]
        runs = [
            Run.create(config, RunFolder.create(path), shard=shard)
            for path, shard in zip(self.folders, self.shards, strict=True)
        ]
        self._keys = BlockKeys(config, runs[0].metadata)
        self._player = BlockPlayer(runs[0].plan())
        self._copied = [self._play(index) for index in range(min(COPIED, len(self._schedule)))]
        self._played = choose_played(len(self._schedule), self._copied[0].outcome)

    def _play(self, index: int) -> PackedBlock:
        block = self._schedule[index]
        return pack(block.address, self._player.play(block))

    def write(self) -> None:
        """Write the blocks of all shards."""
        for number, folder in enumerate(self.folders):
            own = range(number, len(self._schedule), SHARDS)
            with Store.resume(folder) as store:
                for batch in _batches(map(self._make, own)):
                    store.add(batch)

    def _make(self, index: int) -> PackedBlock:
        block = self._schedule[index]
        if index in self._played and index >= len(self._copied):
            return self._keys.label(block, self._play(index))
        copied = self._copied[index % len(self._copied)]
        return self._keys.label(block, msgspec.structs.replace(copied, address=block.address))


def _batches(blocks: Iterator[PackedBlock]) -> Iterable[list[PackedBlock]]:
    return iter(lambda: list(islice(blocks, BATCH)), [])


def run_arena(*words: str) -> Cost:
    """Run a command of the arena in a process of its own, and return its cost.

    Raises:
        click.ClickException: The command failed.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.monotonic()
    command = subprocess.Popen(
        [sys.executable, "-m", "arena", *words], stdout=subprocess.DEVNULL, env=environment
    )
    _, status, own = os.wait4(command.pid, 0)
    wall = time.monotonic() - start
    command.returncode = os.waitstatus_to_exitcode(status)
    if command.returncode:
        raise click.ClickException(f"arena {' '.join(words)} ended with {command.returncode}")
    workers = list(_wait_for_children())
    return Cost(
        wall,
        own.ru_utime + own.ru_stime,
        sum(usage.ru_utime + usage.ru_stime for usage in workers),
        own.ru_maxrss << 10,
        max((usage.ru_maxrss << 10 for usage in workers), default=0),
    )


def _wait_for_children() -> Iterator[resource.struct_rusage]:
    """Yield what the server of the workers, which outlives the command for a moment, and they have used."""
    while True:
        try:
            yield os.wait4(-1, 0)[2]
        except ChildProcessError:
            return


def describe(name: str, cost: Cost) -> list[str]:
    """Return a row of the table."""
    memory = [f"{size / 1e6:,.0f} MB" for size in (cost.main_bytes, cost.worker_bytes)]
    return [name, *(f"{seconds:,.1f} s" for seconds in cost[:3]), *memory]


@click.command(help=__doc__)
@click.option("--matches", default=10_000_000, show_default=True)
@click.option("--jobs", default=2, show_default=True, help="Worker processes.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="Folder for the stores, kept afterwards; by default a temporary one, which is removed.",
)
@click.option("--only", multiple=True, help="Measure only commands with this first word, of a folder kept.")
def main(matches: int, jobs: int, folder: Path | None, only: tuple[str, ...]) -> None:
    base = folder or Path(tempfile.mkdtemp(prefix="ten-million-"))
    base.mkdir(parents=True, exist_ok=True)
    try:
        measure(base, matches, str(jobs), only)
    finally:
        if folder is None:
            shutil.rmtree(base)


def measure(base: Path, matches: int, jobs: str, only: tuple[str, ...]) -> None:
    """Write the shards if they are not there, and print the cost of each command when it has ended."""
    shards, merged = [base / f"shard-{number}" for number in range(1, SHARDS + 1)], base / "merged"
    if not shards[0].exists():
        start = time.process_time()
        SyntheticRun(base, matches).write()
        size = sum((shard / "arena.db").stat().st_size for shard in shards)
        click.echo(
            f"{matches:,} matches written in {time.process_time() - start:,.0f} s, "
            f"{size / 1e6:,.0f} MB, {size / matches:.0f} bytes a match"
        )
    commands = [
        ["merge", *map(str, shards), "--out", str(merged), "--jobs", jobs, "--quiet"],
        ["table", str(merged)],
        ["report", str(merged)],
        ["verify", str(merged), "--sample", str(SAMPLE), "--sample-seed", SEED, "--jobs", jobs],
    ]
    rows = []
    for words in commands:
        if only and words[0] not in only:
            continue
        if words[0] == "merge" and merged.exists():
            shutil.rmtree(merged)
        rows.append(describe(words[0], run_arena(*words)))
        click.echo(" ".join(rows[-1]), err=True)
    for file in sorted(merged.iterdir()):
        click.echo(f"{file.name}: {file.stat().st_size / 1e6:,.1f} MB")
    heads = ["command", "wall", "CPU, main process", "CPU, workers", "peak, main process", "peak, one worker"]
    click.echo(tabulate(rows, heads, colalign=("left", *["right"] * 5), disable_numparse=True))


if __name__ == "__main__":
    main()
