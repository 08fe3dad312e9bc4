"""Is anything lost when processes are killed? Runs whose parent or workers are killed at random moments.

    .venv/bin/python -m benchmarks.kills --kills 200
    .venv/bin/python -m benchmarks.kills --kills 50 --jobs 1 --seed another
    .venv/bin/python -m benchmarks.kills --kills 120 --isolation sandbox --blocks 300

A run is begun in a process of its own. Some moment later one of its processes, every other time the parent,
gets a SIGKILL; a run whose parent died is gone on with, until it is done. Then its files have to be those of
a run that nothing happened to, to the byte, and `arena verify` has to find it true. So on, until so many
are killed. With `--isolation` the bots run at that level, and only their processes are killed, often several
in quick succession. Leave the arena's files as they are meanwhile: `report.html` contains its style and
scripts, and `run.toml` the digests of the bots. It says how many hit whom; the exit status is 1 if anything
was lost or different.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import click

ARENA = (sys.executable, "-m", "arena")
FILES = ("matches.csv", "elo.csv", "replays.jsonl.zst", "elo.md", "run.toml", "report.html")
LATEST_S = 2.0  # after its beginning, or that of its workers, a process is killed
PAUSE_S = 0.02
GAVE_UP = "workers died over blocks"  # the same ones three times
BOT_PROGRAM = b"bootstrap.py"  # in the command line of every process of a bot
CONFIG = """\
bots = ["greedy", "random", "stand-pat", "prudent"]
blocks = {blocks}
seed = "kills"
[[variants]]
name = "lives"
players = 3
"""


class Lost(Exception):
    """Something is not as in the run that nothing happened to."""


class Killing:
    """Runs in a folder, killed on the way; the moments are drawn from `rng`."""

    def __init__(
        self, folder: Path, blocks: int, options: Sequence[str], rng: Random, latest_s: float
    ) -> None:
        self._folder, self._options, self._rng, self._latest_s = folder, options, rng, latest_s
        self._alone = tuple(options[:2]) == ("--jobs", "1")
        self._hosted = "--isolation" in options
        self._config = folder / "kills.toml"
        self._config.write_text(CONFIG.format(blocks=blocks), encoding="utf-8")
        self._undisturbed = folder / "undisturbed"
        is_done(self._process(self._undisturbed))
        self.kills: Counter[str] = Counter()
        self.runs = 0

    def run(self, most: int) -> None:
        """A run from its beginning to its end, with at most so many kills.

        Raises:
            Lost: If a block was lost or differs.
        """
        path = self._folder / f"run-{self.runs}"
        last = self.kills.total() + most
        process: subprocess.Popen[str] | None = self._process(path)
        while process is not None:
            if self.kills.total() < last:
                self._kill(process, path)
            if self.kills.total() >= last or process.poll() is not None:
                process = None if is_done(process) else self._process(path)
        self._compare(path)
        shutil.rmtree(path)
        self.runs += 1

    def _process(self, path: Path) -> subprocess.Popen[str]:
        """The run of a folder begun, or gone on with if it was begun before."""
        begun = (path / "arena.db").exists()
        call = ("resume", str(path)) if begun else ("run", str(self._config), "--out", str(path))
        quiet, errors = subprocess.DEVNULL, subprocess.PIPE
        return subprocess.Popen([*ARENA, *call, *self._options], stdout=quiet, stderr=errors, text=True)

    def _kill(self, process: subprocess.Popen[str], path: Path) -> None:
        """Kills one of the processes of a run, at any moment of its life or after its workers have begun."""
        if self._hosted:
            self._kill_bot(process, path)
            return
        of_workers, late = self._rng.random() < 0.5, self._rng.random() < 0.5
        waits = (of_workers or late) and not self._alone
        while waits and process.poll() is None and not descendants(process.pid):
            time.sleep(PAUSE_S)
        time.sleep(self._rng.uniform(0, self._latest_s))
        children = descendants(process.pid) if of_workers else []
        victim = self._rng.choice(children) if children else process.pid
        if process.poll() is not None:
            return
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:  # it ended by itself meanwhile
            return
        self.kills["worker" if children else "parent"] += 1

    def _kill_bot(self, process: subprocess.Popen[str], path: Path) -> None:
        """Kills a process of a bot once the run is begun, some time or at once after the last kill."""
        time.sleep(self._rng.choice((0.0, self._rng.uniform(0, self._latest_s))))
        bots: list[int] = []
        while process.poll() is None and not bots:
            time.sleep(PAUSE_S)
            begun = (path / "arena.db").exists()
            bots = [pid for pid in descendants(process.pid) if is_bot(pid)] if begun else []
        if bots:
            with suppress(ProcessLookupError):  # it ended by itself meanwhile
                os.kill(self._rng.choice(bots), signal.SIGKILL)
                self.kills["bot"] += 1

    def _compare(self, path: Path) -> None:
        for name in FILES:
            if (path / name).read_bytes() != (self._undisturbed / name).read_bytes():
                raise Lost(f"{path / name} is not that of the undisturbed run")
        left = {file.name for file in path.iterdir()} - {*FILES, "arena.db", "arena.log"}
        if left:
            raise Lost(f"{path} holds {', '.join(sorted(left))} still")
        quiet, errors = subprocess.DEVNULL, subprocess.PIPE
        check = [*ARENA, "verify", str(path)]
        is_done(subprocess.Popen(check, stdout=quiet, stderr=errors, text=True))


def is_done(process: subprocess.Popen[str]) -> bool:
    """Waits for the end of a process and its workers; false if it was killed, or gave up as they were.

    Raises:
        Lost: If it ended in another way.
    """
    _, errors = process.communicate()  # comes to its end when no worker holds the pipe any more
    if process.returncode == -signal.SIGKILL or GAVE_UP in errors:
        return False
    ours = "Traceback" in errors and "resource_tracker" not in errors  # Python's, if it was that one
    if process.returncode or ours:
        raise Lost(f"{process.args!r} ended with {process.returncode}: {errors}")
    return True


def is_bot(pid: int) -> bool:
    """True for the processes of bots, from their launch on."""
    try:
        return BOT_PROGRAM in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def descendants(pid: int) -> list[int]:
    """The processes that a process began, and those begun by them."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
            parents[int(entry.name)] = int(fields[1])
    pids = [pid]
    for parent_pid in pids:
        pids += [child for child, parent in parents.items() if parent == parent_pid]
    return pids[1:]


def killed(
    kills: int, blocks: int, options: Sequence[str], rng: Random, latest_s: float = LATEST_S
) -> Killing:
    """Runs until so many processes have been killed.

    Raises:
        Lost: If a block was lost or differs.
    """
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        killing = Killing(folder, blocks, options, rng, latest_s)
        while killing.kills.total() < kills:
            killing.run(kills - killing.kills.total())
    finally:
        shutil.rmtree(folder)
    return killing


@click.command()
@click.option("--kills", default=200, show_default=True, help="How many processes to kill.")
@click.option("--blocks", default=1500, show_default=True, help="Blocks a table of each run.")
@click.option("--jobs", default=2, show_default=True, help="Workers of each run.")
@click.option("--start", default="forkserver", show_default=True, help="How they are started.")
@click.option("--isolation", default="", help="Level of the bots, whose processes are killed.")
@click.option("--seed", default="kills", show_default=True, help="Whom it hits when.")
def main(kills: int, blocks: int, jobs: int, start: str, isolation: str, seed: str) -> None:
    """Kill processes of runs at random moments, and see whether anything is lost."""
    options = ["--jobs", str(jobs), "--start", start, *(["--isolation", isolation] if isolation else [])]
    try:
        killing = killed(kills, blocks, options, Random(seed))
    except Lost as error:
        raise click.ClickException(str(error)) from None
    hit = ", ".join(f"{number} of a {who}" for who, number in sorted(killing.kills.items()))
    click.echo(
        f"{killing.kills.total()} kills ({hit}) in {killing.runs} runs: nothing lost, all the same bytes"
    )


if __name__ == "__main__":
    main()
