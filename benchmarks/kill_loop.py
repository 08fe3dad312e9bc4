"""Is any file another after a kill? Runs, updates of leagues and exports, killed at random moments.

    .venv/bin/python -m benchmarks.kill_loop --kills 300
    .venv/bin/python -m benchmarks.kill_loop --kills 50 --only league --seed another

Each job is done once undisturbed. Then it is done again and again in a new folder: some moment after its
start the parent, or it and all its workers, get a SIGKILL, and the command that the docs name continues it,
until it is done. Every file that the docs promise must then have the bytes of the undisturbed job: of a run
the tables, replays, report and config, and each stored block; of a league all rows but times and report
cards, and its site but the pages of those; of an export every file. Leave the arena's sources as they are
meanwhile. Prints how many kills met a running process; exits with 1 at the first difference, whose folders
are kept.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final, Protocol

import click

from arena.cli import main as main_command
from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase
from benchmarks.kills import FILES
from benchmarks.league_kills import ACTS, BOT, SETTINGS

FORK: Final = get_context("fork")
MAX_KILLS: Final = 8
"""Maximum number of kills of one job, before it is left to end."""
CONFIG: Final = """\
bots = ["greedy", "random", "stand-pat", "prudent"]
blocks = 60
seed = "kills"
[[variants]]
name = "lives"
players = 3
"""
UNCOMPARED: Final = ("times.", "submissions")
"""Beginnings of the names of pages with times and report cards."""

Content = Mapping[str, object]


class Job(Protocol):
    """A command whose process is killed."""

    def prepare(self, folder: Path) -> None:
        """Create what it needs in a new folder."""

    def command(self, folder: Path) -> list[str]:
        """Return the command that begins or continues it."""

    def read(self, folder: Path) -> Content:
        """Return what the docs promise to be the same."""

    def is_done(self, folder: Path, expected: Content) -> bool:
        """Return whether a killed one was complete, so that the command would not begin it again."""


class RunJob:
    """A run: `arena run`, and `arena resume` once it has begun."""

    def __init__(self, jobs: int) -> None:
        self._options = ("--jobs", str(jobs), "--start", "fork")

    def prepare(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "kills.toml").write_text(CONFIG, encoding="utf-8")

    def command(self, folder: Path) -> list[str]:
        run = folder / "run"
        if (run / "arena.db").exists():
            return ["resume", str(run), *self._options]
        return ["run", str(folder / "kills.toml"), "--out", str(run), *self._options]

    def read(self, folder: Path) -> Content:
        run = folder / "run"
        with closing(sqlite3.connect(run / "arena.db")) as connection:
            blocks = connection.execute("SELECT place, outcome, actions, digest FROM block ORDER BY place")
            content: dict[str, object] = {"blocks": blocks.fetchall()}
        names = {path.name for path in run.iterdir()} - {"arena.db", "arena.log"}
        return content | {name: (run / name).read_bytes() for name in sorted(names | set(FILES))}

    def is_done(self, folder: Path, expected: Content) -> bool:
        return False  # it may be continued however often


class LeagueJob:
    """An update of a league, to which bots were submitted."""

    def __init__(self, template: Path) -> None:
        self._template = template
        LeagueFolder.create(template, variants=["lives"])
        (template / "league.toml").write_text(SETTINGS, encoding="utf-8")
        finish(["league", "submit", str(template), "random", "greedy"], template.with_name("errors"))
        for number, act in enumerate(ACTS[:4]):
            (template / "inbox" / f"bot{number}.py").write_text(BOT.format(act=act), encoding="utf-8")
        (template / "inbox" / "broken.py").write_text(BOT.format(act="'nonsense'"), encoding="utf-8")

    def prepare(self, folder: Path) -> None:
        shutil.copytree(self._template, folder / "league")

    def command(self, folder: Path) -> list[str]:
        options = ["--jobs", "1", "--isolation", "inline", "--date", "2026-01-01"]
        return ["league", "update", str(folder / "league"), *options]

    def read(self, folder: Path) -> Content:
        league = folder / "league"
        with LeagueDatabase.open(league) as database:
            content: dict[str, object] = {"league.db": list(database.comparable_rows())}
        for path in sorted((league / "site").rglob("*")):
            name = path.relative_to(league / "site").as_posix()
            if path.is_file() and not name.startswith(UNCOMPARED):
                content[name] = path.read_bytes()
        return content | {"inbox": sorted(path.name for path in (league / "inbox").iterdir())}

    def is_done(self, folder: Path, expected: Content) -> bool:
        return False


class ExportJob:
    """An export of a finished run."""

    def __init__(self, run: Path, words: list[str], name: str) -> None:
        self._run, self._words, self._name = run, words, name

    def prepare(self, folder: Path) -> None:
        folder.mkdir()

    def command(self, folder: Path) -> list[str]:
        return [*self._words, str(self._run), "--out", str(folder / self._name)]

    def read(self, folder: Path) -> Content:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}

    def is_done(self, folder: Path, expected: Content) -> bool:
        return self.read(folder) == expected  # it is refused in a folder that has one


class Command:
    """A command in a process forked from this one, which has imported all that it needs."""

    def __init__(self, words: list[str], errors: Path) -> None:
        self._words, self._errors = words, errors
        self._alive, held = os.pipe()
        self._process = FORK.Process(target=run_command, args=(words, errors))
        self._process.start()
        os.close(held)

    def wait(self, seconds: float | None) -> bool:
        """Wait for its end, at most so many seconds if a number is given; return whether it has ended."""
        self._process.join(seconds)
        return self._process.exitcode is not None

    def kill(self, *, with_workers: bool) -> None:
        """Kill it, and its workers or not; these find out by themselves, and are waited for."""
        assert self._process.pid is not None
        with suppress(ProcessLookupError):
            if with_workers:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.join()

    @property
    def was_killed(self) -> bool:
        """True if it has ended by a kill; its workers have then ended, too."""
        with open(self._alive, "rb") as pipe:
            pipe.read()  # until nobody holds the other end
        return self._process.exitcode == -signal.SIGKILL

    def refuse_failure(self) -> None:
        """Raise ClickException if it has failed."""
        errors = self._errors.read_text(encoding="utf-8", errors="replace")
        if self._process.exitcode or "Traceback" in errors:
            raise click.ClickException(f"{self._words} ended with {self._process.exitcode}: {errors}")


def finish(words: list[str], errors: Path) -> None:
    """Run a command to its end.

    Raises:
        ClickException: If it fails.
    """
    command = Command(words, errors)
    command.wait(None)
    if command.was_killed:
        raise click.ClickException(f"{words} was killed by somebody else")
    command.refuse_failure()


def run_command(words: list[str], errors: Path) -> None:
    """Run a command of the arena in a session of its own, in silence."""
    os.setsid()
    with open(os.devnull, "wb") as quiet, errors.open("wb") as file:
        os.dup2(quiet.fileno(), 1)
        os.dup2(file.fileno(), 2)
    main_command(words, prog_name="arena")


class KillLoop:
    """Jobs that are killed; `kills` counts those that met a running process."""

    def __init__(self, scratch: Path, rng: Random) -> None:
        self._scratch, self._rng = scratch, rng
        self._done: dict[str, tuple[Content, float]] = {}
        self._number = 0
        self.kills: Counter[str] = Counter()
        self.jobs: Counter[str] = Counter()

    def run(self, name: str, job: Job) -> None:
        """Do a job with kills, and compare it with the undisturbed one; the first call does that, too.

        Raises:
            ClickException: If a file differs or the command fails.
        """
        if name not in self._done:
            folder = self._new_folder(job)
            begun = time.perf_counter()
            finish(job.command(folder), self._scratch / "errors")
            self._done[name] = job.read(folder), time.perf_counter() - begun
            shutil.rmtree(folder)
        expected, seconds = self._done[name]
        folder = self._new_folder(job)
        try:
            self._kill_often(name, job, folder, expected, seconds)
            self._compare(name, expected, job.read(folder), folder)
        except click.ClickException:
            click.echo(f"{name}: {sorted(path.name for path in folder.rglob('*'))}", err=True)
            raise
        self.jobs[name] += 1
        shutil.rmtree(folder)

    def _kill_often(self, name: str, job: Job, folder: Path, expected: Content, seconds: float) -> None:
        """Kill a job several times, and let it end."""
        for _ in range(MAX_KILLS):
            if job.is_done(folder, expected) or not self._kill(job, folder, self._rng.uniform(0, seconds)):
                return
            self.kills[name] += 1
        if not job.is_done(folder, expected):
            finish(job.command(folder), self._scratch / "errors")

    def _new_folder(self, job: Job) -> Path:
        self._number += 1
        folder = self._scratch / f"{self._number:05}"
        job.prepare(folder)
        return folder

    def _start(self, job: Job, folder: Path) -> Command:
        return Command(job.command(folder), self._scratch / "errors")

    def _kill(self, job: Job, folder: Path, after_s: float) -> bool:
        """Start a job and kill it after a while; return whether it was still running."""
        command = self._start(job, folder)
        if not command.wait(after_s):
            command.kill(with_workers=self._rng.random() < 0.5)
        if command.was_killed:
            return True
        command.refuse_failure()
        return False

    def _compare(self, name: str, expected: Content, actual: Content, folder: Path) -> None:
        other = {key for key in expected.keys() | actual.keys() if expected.get(key) != actual.get(key)}
        if not other:
            return
        kept = Path(tempfile.mkdtemp(prefix="kill-loop-"))
        shutil.move(folder, kept)
        for key in sorted(other):
            if isinstance(content := expected.get(key), bytes):
                (kept / f"expected-{key.replace('/', '-')}").write_bytes(content)
        raise click.ClickException(f"{name}: {', '.join(sorted(other))} differ, see {kept}")


@click.command()
@click.option("--kills", default=300, show_default=True, help="How many running processes to kill.")
@click.option("--only", metavar="TEXT", default="", help="Only jobs whose names contain this.")
@click.option("--seed", default="kill loop", show_default=True, help="Draws the moments.")
def main(kills: int, only: str, seed: str) -> None:
    """Kill runs, updates and exports at random moments, and compare every file that the docs promise."""
    with tempfile.TemporaryDirectory() as home:
        scratch = Path(home)
        run = scratch / "run"
        (scratch / "run.toml").write_text(CONFIG, encoding="utf-8")
        finish(["run", str(scratch / "run.toml"), "--out", str(run), "--jobs", "1"], scratch / "errors")
        jobs: dict[str, Callable[[], Job]] = {
            "run": lambda: RunJob(1),
            "run of two workers": lambda: RunJob(2),
            "league update": lambda: LeagueJob(scratch / "template"),
            "export": lambda: ExportJob(run, ["export", "--format", "csv"], "export"),
            "replay export": lambda: ExportJob(run, ["replay", "export"], "all.jsonl.zst"),
            "publish": lambda: ExportJob(run, ["publish", "--with-bots"], "run.zip"),
        }
        chosen = {name: make() for name, make in jobs.items() if only in name}
        loop = KillLoop(scratch, Random(seed))
        while loop.kills.total() < kills:
            for name, job in chosen.items():
                loop.run(name, job)
                click.echo(f"{loop.kills.total()} kills in {loop.jobs.total()} jobs", err=True)
        met = ", ".join(f"{loop.kills[name]} of {name} ({loop.jobs[name]})" for name in chosen)
        click.echo(f"{loop.kills.total()} kills: {met}; every file was the same")


if __name__ == "__main__":
    main()
