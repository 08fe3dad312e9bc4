"""Is a merged run the same when shards and merges are killed? Shards of a run, some killed and played on.

    .venv/bin/python -m benchmarks.shard_kills --shards 64 --kills 10 --merge-kills 20

A run is played at once; then in shards, two at a time, as many as `--shards`. Some of them, drawn at random,
get a SIGKILL when a random share of their blocks is stored, and are resumed, as a batch system requeues a
task. The merge is killed `--merge-kills` times, after a random share of the time it takes, and continued by
the same command and by `arena resume` in turn. Its files must have the bytes of the run that was played at
once, and its counts of failures those of a merge that was not killed. Prints how many kills met a running
process; the exit status is 1 if anything differs.
"""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import click

from benchmarks.kills import ARENA, FILES

CONFIG: Final = """\
bots = ["greedy", "random", "stand-pat", "faulty.py:Bot"]
blocks = {blocks}
seed = "shards"
isolation = "inline"
[[variants]]
name = "lives"
players = 3
"""
FAULTY: Final = """\
class Bot:
    def act(self, view):
        return view.legal[-1] if len(view.events) % 5 else "nonsense"
"""
OPTIONS: Final = ("--jobs", "1", "--isolation", "inline")
TABLES: Final = 4
"""Tables of three of the four bots."""


class ShardFailed(click.ClickException):
    """A command failed that nobody had killed."""


def count_stored(folder: Path) -> int:
    """Return the number of blocks in the database of a run, 0 before there is one."""
    try:
        with closing(sqlite3.connect(f"file:{folder}/arena.db?mode=ro", uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM block").fetchone()[0])
    except sqlite3.Error:
        return 0


def play_shard(command: list[str], folder: Path, kill_after: int | None) -> bool:
    """Play a shard to its end, and return whether it was killed on the way.

    Args:
        command: The command that begins it.
        folder: Its run folder.
        kill_after: Number of stored blocks at which it is killed; None for never.

    Raises:
        ShardFailed: The command failed.
    """
    was_killed = False
    process = subprocess.Popen(
        [*ARENA, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    while kill_after is not None and process.poll() is None:
        if count_stored(folder) >= kill_after:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            was_killed = process.returncode == -signal.SIGKILL
            process = subprocess.Popen(
                [*ARENA, "resume", str(folder), *OPTIONS],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            break
    _, errors = process.communicate()
    if process.returncode:
        raise ShardFailed(f"{folder.name}: {errors}")
    return was_killed


def merge_shards(command: list[str], folder: Path, kills: int, rng: Random, longest_s: float) -> int:
    """Merge shards, killed on the way; return how many kills met a running process.

    Raises:
        ShardFailed: A command failed.
    """
    met = 0
    for number in range(kills):
        if number % 2 and (folder / "arena.db").exists():
            command_now = ["resume", str(folder), *OPTIONS]
        else:
            command_now = command
        quiet = subprocess.DEVNULL
        with subprocess.Popen([*ARENA, *command_now], stdout=quiet, stderr=quiet) as process:
            try:
                process.wait(rng.uniform(0.3, 1) * longest_s)
            except subprocess.TimeoutExpired:
                process.kill()
                met += 1
    play_shard(command, folder, None)
    return met


def read_failures(folder: Path) -> list[tuple[str | int, ...]]:
    """Return the failures that a run has counted."""
    with closing(sqlite3.connect(f"file:{folder}/arena.db?mode=ro", uri=True)) as database:
        return sorted(database.execute("SELECT * FROM failure"))


@click.command(help=__doc__)
@click.option("--shards", default=64, show_default=True)
@click.option("--kills", default=10, show_default=True)
@click.option("--merge-kills", default=20, show_default=True)
@click.option("--blocks", default=640, show_default=True, help="Blocks of each of four tables.")
@click.option("--seed", default="kills", show_default=True, help="Decides which shards are killed, and when.")
def main(shards: int, kills: int, merge_kills: int, blocks: int, seed: str) -> None:
    rng = Random(seed)
    killed = frozenset(rng.sample(range(1, shards + 1), kills))
    most = max(TABLES * blocks // shards - 1, 1)
    moments = {number: rng.randint(1, most) if number in killed else None for number in range(1, shards + 1)}
    folder = Path(tempfile.mkdtemp(prefix="shard-kills-"))
    config = folder / "shards.toml"
    config.write_text(CONFIG.format(blocks=blocks), encoding="utf-8")
    (folder / "faulty.py").write_text(FAULTY, encoding="utf-8")
    run = ["run", str(config), *OPTIONS, "--out"]

    def play(number: int) -> bool:
        shard = folder / f"shard-{number}"
        return play_shard([*run, str(shard), "--shard", f"{number}/{shards}"], shard, moments[number])

    play_shard([*run, str(folder / "whole")], folder / "whole", None)
    with ThreadPoolExecutor(2) as pool:
        met = sum(pool.map(play, moments))
    merge = ["merge", *(str(folder / f"shard-{number}") for number in moments), *OPTIONS, "--out"]
    start = time.monotonic()
    play_shard([*merge, str(folder / "undisturbed")], folder / "undisturbed", None)
    merge_s = time.monotonic() - start
    merged = folder / "merged"
    met_merge = merge_shards([*merge, str(merged)], merged, merge_kills, rng, merge_s)
    different = [
        f"{name} of {run}"
        for run in ("undisturbed", "merged")
        for name in FILES
        if (folder / "whole" / name).read_bytes() != (folder / run / name).read_bytes()
    ]
    if read_failures(merged) != read_failures(folder / "undisturbed"):
        different.append("the counts of failures")
    click.echo(
        f"{shards} shards of {TABLES * blocks:,} blocks, {met} of {kills} kills met a running process, "
        f"{met_merge} of {merge_kills} a merge"
    )
    if different:
        click.echo(f"different: {', '.join(different)}; see {folder}")
        sys.exit(1)
    click.echo("every file has the bytes of the run that was played at once")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
