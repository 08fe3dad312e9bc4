"""Is anything lost when processes are killed? Jobs killed at random moments, compared with undisturbed ones.

    python -m benchmarks.kills --kills 50
    python -m benchmarks.kills workers --kills 100 --jobs 4 --start fork
    python -m benchmarks.kills server updates --kills 50

Each job is done once undisturbed. Then it is done again and again in new folders: a random moment after its
start one of its processes, or all of them, get a SIGKILL, and the command that the docs name continues it,
until it is done. Everything that the docs promise must then be as in the undisturbed job: of a run all files
and each stored block; of a league all rows but times and report cards, and its site but the pages of those;
of an export every file; of a server the hand-ins too. Leave the arena's sources as they are meanwhile.

Prints how many kills met a running process; exits with 1 at the first difference, whose folder is kept.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from threading import Thread
from typing import Final

import click

from arena.cli import main as main_command
from arena.league.accounts import ServerDatabase, add_submitters, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import LOCKED
from arena.output.site.site import write_site
from benchmarks.server_process import ServerProcess, ask, hand_in_surely, make_bots

MAX_KILLS: Final = 8
"""Maximum number of kills of one round of a job, before it is left to end."""
POLL_INTERVAL_S: Final = 0.1

Content = Mapping[str, object]
"""The content that the docs promise to be the same, by name."""


class Different(click.ClickException):
    """A job failed, or has another result than the undisturbed one."""


# --- processes ---

FORK: Final = get_context("fork")
GAVE_UP: Final = "workers died over blocks"
"""Part of the message of a run three of whose workers were killed with the same blocks."""
BOT_PROGRAM: Final = b"bootstrap.py"
"""Part of the command line of the process of a bot, and of nothing else."""
UPDATER: Final = b"arena.web.update_process"
"""Part of the command line of the updater of a server, and of nothing else."""


class Command:
    """A command in a process forked from this one, which has imported all that it needs."""

    def __init__(self, words: Sequence[str], errors: Path) -> None:
        self._words, self._errors = words, errors
        self._alive, held = os.pipe()
        self._process = FORK.Process(target=run_command, args=(words, errors))
        self._process.start()
        os.close(held)

    def has_ended(self, seconds: float) -> bool:
        """Wait for its end, at most so many seconds; return whether it has ended."""
        self._process.join(seconds)
        return self._process.exitcode is not None

    def kill(self, victim: str) -> bool:
        """Kill the parent, `all`, a `worker` or, if it has none, the parent, or the process of a `bot`.

        Return False if there is none.
        """
        pid = self._process.pid
        assert pid is not None
        victims = [-pid if victim == "all" else pid]
        if victim == "worker":
            victims = descendants(pid) or victims
        while victim == "bot" and not (victims := descendants(pid, BOT_PROGRAM)):
            if self.has_ended(POLL_INTERVAL_S):
                return False
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(VICTIMS.choice(victims), signal.SIGKILL)
        if victim != "bot":
            self._process.join(POLL_INTERVAL_S)
        return True

    def finish(self) -> bool:
        """Wait for its end, and return whether it was not killed before; raise Different if it failed."""
        with open(self._alive, "rb") as pipe:
            pipe.read()  # until neither it nor a worker holds the other end
        self._process.join()
        errors = self._errors.read_text(encoding="utf-8", errors="replace")
        if self._process.exitcode == -signal.SIGKILL or GAVE_UP in errors:
            return False
        is_ours = "Traceback" in errors and "resource_tracker" not in errors  # Python's, if it was that one
        if self._process.exitcode or is_ours:
            raise Different(f"{self._words} ended with {self._process.exitcode}: {errors}")
        return True


VICTIMS: Final = Random("victims")


def run_command(words: Sequence[str], errors: Path) -> None:
    """Run a command of the arena in a session of its own, in silence."""
    os.setsid()
    with open(os.devnull, "wb") as quiet, errors.open("wb") as file:
        os.dup2(quiet.fileno(), 1)
        os.dup2(file.fileno(), 2)
    main_command(list(words), prog_name="arena")


def finish_command(words: Sequence[str]) -> None:
    """Run a command to its end; raise Different if it fails."""
    with tempfile.NamedTemporaryFile() as errors:
        Command(words, Path(errors.name)).finish()


def descendants(pid: int, program: bytes = b"") -> list[int]:
    """Return the processes that a process began, and those begun by them, whose command line has a text."""
    parents, pids = {}, [pid]
    for entry in Path("/proc").iterdir():
        with suppress(OSError):  # it has ended
            if entry.name.isdecimal():
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
    for parent_pid in pids:
        pids += [child for child, parent in parents.items() if parent == parent_pid]
    return [child for child in pids[1:] if program in _read_command_line(child)]


def _read_command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


# --- kills ---


class Job:
    """Something that is done in rounds, each of them by a command; `victims` are what `kill` takes."""

    rounds: int = 1
    victims: Sequence[str] = ("parent", "all")

    def prepare(self, folder: Path, number: int) -> None:
        """Create what a round needs in the folder, which is new in round 0: the same each time."""

    def command(self, folder: Path, number: int) -> Sequence[str]:
        """Return the words of the command that begins or continues a round."""
        raise NotImplementedError

    def start(self, folder: Path, number: int) -> Command | Served:
        """Begin or continue a round."""
        return Command(self.command(folder, number), folder.with_suffix(".errors"))

    def is_done(self, folder: Path, expected: Content) -> bool:
        """Return whether a killed round was complete, and its command would refuse to begin it again."""
        return False

    def read(self, folder: Path, number: int) -> Content:
        """Return what is the same after a round, however often it was killed."""
        raise NotImplementedError


class Killer:
    """Does a job undisturbed, and then kills its processes; `kills` counts those that met one, by victim."""

    def __init__(self, job: Job, scratch: Path, rng: Random) -> None:
        self._job, self._scratch, self._rng = job, scratch, rng
        self._folders = 0
        self.kills: Counter[str] = Counter()
        self.jobs = 0
        self._expected: list[tuple[Content, float]] = []
        """Content after each round of the undisturbed job, and the seconds that the round took."""
        folder = self._new_folder()
        for number in range(job.rounds):
            job.prepare(folder, number)
            began = time.monotonic()
            job.start(folder, number).finish()
            self._expected.append((job.read(folder, number), time.monotonic() - began))
        shutil.rmtree(folder)

    def run(self) -> None:
        """Do the whole job in a new folder, killed on the way; raise Different if its result is another."""
        folder = self._new_folder()
        for number, (expected, seconds) in enumerate(self._expected):
            self._job.prepare(folder, number)
            self._disturb(folder, number, expected, seconds)
            self._compare(expected, self._job.read(folder, number), folder)
        shutil.rmtree(folder)
        self.jobs += 1

    def _new_folder(self) -> Path:
        self._folders += 1
        folder = self._scratch / f"{self._folders:05}"
        folder.mkdir()
        return folder

    def _disturb(self, folder: Path, number: int, expected: Content, seconds: float) -> None:
        """Do a round, killed several times, until it is done."""
        left, is_done = MAX_KILLS, False
        while not is_done:
            process = self._job.start(folder, number)
            while left and not process.has_ended(self._rng.uniform(0, seconds)):
                victim = self._rng.choice(self._job.victims)
                if process.kill(victim):
                    self.kills[victim] += 1
                    left -= 1
            is_done = process.finish() or self._job.is_done(folder, expected)

    def _compare(self, expected: Content, actual: Content, folder: Path) -> None:
        names = {name for name in expected.keys() | actual.keys() if expected.get(name) != actual.get(name)}
        if not names:
            return
        kept = Path(tempfile.mkdtemp(prefix="kills-"))
        shutil.move(folder, kept)
        for name in sorted(names):
            if isinstance(content := expected.get(name), bytes):
                (kept / f"expected-{name.replace('/', '-')}").write_bytes(content)
        raise Different(f"{', '.join(sorted(names))} differ, see {kept}")


# --- runs ---

FILES: Final = ("matches.csv", "elo.csv", "replays.jsonl.zst", "elo.md", "run.toml", "report.html")
CONFIG: Final = """\
bots = ["greedy", "random", "prudent", "faulty.py:Bot"]
blocks = {blocks}
seed = "kills"
[[variants]]
name = "lives"
players = 3
"""
FAULTY: Final = """\
class Bot:
    def act(self, view):
        return view.legal[-1] if len(view.events) % 5 else "nonsense"
"""


class RunJob(Job):
    """A run: `arena run`, and `arena resume` once it has begun."""

    def __init__(self, blocks: int, options: Sequence[str], victims: Sequence[str] = Job.victims) -> None:
        self._blocks, self._options, self.victims = blocks, options, victims

    def prepare(self, folder: Path, number: int) -> None:
        (folder / "kills.toml").write_text(CONFIG.format(blocks=self._blocks), encoding="utf-8")
        (folder / "faulty.py").write_text(FAULTY, encoding="utf-8")

    def command(self, folder: Path, number: int) -> Sequence[str]:
        return self._command(folder, folder / "run")

    def _command(self, folder: Path, run: Path, *further: str) -> Sequence[str]:
        if (run / "arena.db").exists():
            return ["resume", str(run), *self._options]
        return ["run", str(folder / "kills.toml"), "--out", str(run), *further, *self._options]

    def read(self, folder: Path, number: int) -> Content:
        return read_run(folder / "run")


class ShardsJob(RunJob):
    """A run played at once, then its shards, each a round, and the merge of them."""

    def __init__(self, blocks: int, options: Sequence[str], shards: int) -> None:
        super().__init__(blocks, options)
        self._shards, self.rounds = shards, shards + 2

    def prepare(self, folder: Path, number: int) -> None:
        if not number:
            super().prepare(folder, number)

    def command(self, folder: Path, number: int) -> Sequence[str]:
        run = folder / f"run-{number}"
        if number <= self._shards:
            shard = ("--shard", f"{number}/{self._shards}") if number else ()
            return self._command(folder, run, *shard)
        shards = [str(folder / f"run-{shard}") for shard in range(1, number)]
        if (run / "arena.db").exists() and VICTIMS.random() < 0.5:
            return ["resume", str(run), *self._options]
        return ["merge", *shards, "--out", str(run), *self._options]

    def read(self, folder: Path, number: int) -> Content:
        content = read_run(folder / f"run-{number}")
        if number > self._shards:
            whole = read_run(folder / "run-0")
            if any(content[name] != whole[name] for name in (*FILES, "block")):
                raise Different("the merged run is not the one that was played at once")
        return content


def read_run(run: Path) -> Content:
    """Return the rows of blocks and failures of a run, and its files."""
    names = {path.name for path in run.iterdir()} - {"arena.db", "arena.log"}
    content: dict[str, object] = {name: (run / name).read_bytes() for name in sorted(names.union(FILES))}
    with closing(sqlite3.connect(run / "arena.db")) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('block', 'failure')"
        for (table,) in connection.execute(query).fetchall():  # the second is created at the first failure
            content[table] = sorted(connection.execute(f"SELECT * FROM {table}"))
        content["quick check"] = connection.execute("PRAGMA quick_check").fetchall()
    return content


class ExportJob(Job):
    """An export of a finished run."""

    def __init__(self, run: Path, words: Sequence[str], name: str) -> None:
        self._run, self._words, self._name = run, words, name

    def command(self, folder: Path, number: int) -> Sequence[str]:
        return [*self._words, str(self._run), "--out", str(folder / self._name)]

    def read(self, folder: Path, number: int) -> Content:
        return read_files(folder)

    def is_done(self, folder: Path, expected: Content) -> bool:
        return self.read(folder, 0) == expected


def read_files(folder: Path) -> dict[str, object]:
    """Return the files of a folder."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


# --- leagues ---

SETTINGS: Final = """\
precision = 60
blocks = 20
isolation = "inline"
check_matches = 1
version_blocks = 8
[[variants]]
name = "lives"
players = [3]
tokens = 1
[[variants]]
name = "cuccu"
players = [3]
"""
BOT: Final = """\
from random import Random
class Bot:
    def __init__(self, info):
        self.rng = info.rng
    def act(self, view):
        return {act}
"""
ACTS: Final = (
    "view.legal[0]",
    "view.legal[-1]",
    "self.rng.choice(view.legal)",
    "view.legal[len(view.legal) // 2]",
    "view.legal[0] if self.rng.random() < {share} else view.legal[-1]",
)
BROKEN: Final = "'nonsense'"
TIMED_PAGES: Final = ("times.", "submissions")
"""Beginnings of the names of pages with times and report cards."""


class LeagueJob(Job):
    """Updates of a league to which bots come, return in a new version, break, are withdrawn or renamed."""

    def __init__(self, template: Path, updates: int, options: Sequence[str]) -> None:
        self._template, self.rounds, self._options = template, updates, options
        make_league(template, SETTINGS, ("random", "greedy"))

    def prepare(self, folder: Path, number: int) -> None:
        league, rng = folder / "league", Random(f"update {number}")
        if not number:
            shutil.copytree(self._template, league)
        for _ in range(rng.randint(0, 3) if number else rng.randint(4, 5)):
            act = BROKEN if rng.random() < 0.15 else rng.choice(ACTS).format(share=round(rng.random(), 2))
            (league / "inbox" / f"bot{rng.randrange(8)}.py").write_text(BOT.format(act=act))
        with LeagueDatabase.open(league) as database:
            names = [bot.name for bot in database.read_bots() if bot.state == "active"]
        if number and rng.random() < 0.2:
            finish_command(["league", "change", str(league), rng.choice(names), "--withdraw"])
        elif number and rng.random() < 0.1:
            finish_command(["league", "change", str(league), rng.choice(names), "--rename", f"name{number}"])

    def command(self, folder: Path, number: int) -> Sequence[str]:
        date = f"2026-01-{number % 28 + 1:02}"
        return ["league", "update", str(folder / "league"), "--date", date, *self._options]

    def read(self, folder: Path, number: int) -> Content:
        return read_league(folder / "league")


def make_league(path: Path, settings: str, bots: Sequence[str]) -> LeagueFolder:
    """Create a league to which built-in bots were submitted."""
    league = LeagueFolder.create(path, variants=["lives"])
    league.settings.write_text(settings, encoding="utf-8")
    with LeagueDatabase.open(path, "rw") as database:
        for bot in bots:
            submit(league, database, bot, Path())
    return league


def read_league(path: Path) -> dict[str, object]:
    """Return the rows of a league, the pages of its site without times, and the names in its inbox."""
    pages = read_files(path / "site")
    content = {name: page for name, page in pages.items() if not name.startswith(TIMED_PAGES)}
    with LeagueDatabase.open(path) as database:
        content["league.db"] = list(database.comparable_rows())
    return content | {"inbox": sorted(entry.name for entry in (path / "inbox").iterdir())}


# --- servers ---
# What a server is for is done by a client that asks again until it is answered, while the server is killed.

BOTS_IN_WAVE: Final = 3


class ServerJob(Job):
    """Bots that are handed in to a server, each in a round, and checked by it."""

    victims = ("server",)
    _options: Sequence[str] = ()

    def __init__(self, template: Path, rounds: int) -> None:
        self.rounds = rounds
        # No server checks a bot inline, and a server with `--update` plays on until ratings are precise.
        settings = SETTINGS.replace('isolation = "inline"', "").replace("= 60", "= 200")
        self._template = make_league(template, settings, ("random", "stand-pat", "simple", "greedy"))
        add_submitters(self._template, ["ann"])

    def prepare(self, folder: Path, number: int) -> None:
        if not number:
            shutil.copytree(self._template.path, folder / "league")
            with ServerDatabase.open(LeagueFolder(folder / "league")) as database:
                [self._account] = invite(database, ["ann"], 1)
            self._server = ServerProcess(folder / "league", *self._options)
        self._client = Thread(target=self.wait, args=(LeagueFolder(folder / "league"), number))

    def start(self, folder: Path, number: int) -> Served:
        self._server.start()
        if self._client.ident is None:
            self._client.start()
        return Served(self._server, self._client)

    def wait(self, league: LeagueFolder, number: int) -> None:
        """Do what the client does in a round, and return when the server has finished it."""
        payload = make_bots(self.rounds)[number]
        hand_in = hand_in_surely(self._server, self._account.token, payload, f"ann-{number}")
        state = "received"
        while state == "received":
            time.sleep(POLL_INTERVAL_S)
            with suppress(OSError):
                url = f"{self._server.url}/api/hand-ins/{hand_in['number']}"
                state = ask(url, self._account.token)["state"]

    def read(self, folder: Path, number: int) -> Content:
        with ServerDatabase.open(LeagueFolder(folder / "league")) as database:
            rows = database.query("SELECT name, content, state FROM hand_in ORDER BY number")
        if any(state != "passed" for _, _, state in rows):
            raise Different(f"a bot that is right was not admitted: {rows}")
        return read_league(folder / "league") | {"hand-ins": list(map(tuple, rows))}


class UpdatesJob(ServerJob):
    """Waves of bots that a server with `--update` admits and plays."""

    victims = ("server", "updater", "both")
    _options = ("--update",)

    def prepare(self, folder: Path, number: int) -> None:
        super().prepare(folder, number)
        league = LeagueFolder(folder / "league")
        with LeagueDatabase.open(league.path, "rw") as database:
            for place, payload in enumerate(make_bots(BOTS_IN_WAVE)):
                name = f"wave{number}-{place}"
                file = folder / f"{name}.py"
                file.write_bytes(payload + f"# {name}\n".encode())
                submit(league, database, str(file), Path(), name=name)

    def wait(self, league: LeagueFolder, number: int) -> None:
        is_waiting = True
        while is_waiting:
            time.sleep(POLL_INTERVAL_S)
            with LeagueDatabase.open(league.path) as database:
                last = database.last_update()
                is_updated = last is not None and last.state == "done"
                is_waiting = not is_updated or bool(database.read_requests("league_update IS NULL"))

    def read(self, folder: Path, number: int) -> Content:
        league = folder / "league"
        updates, count = -1, 0
        while updates != count:  # the server may have been stopped before it played on
            try:
                finish_command(["league", "update", str(league), "--more"])
            except Different as error:
                if LOCKED not in str(error):
                    raise
                time.sleep(POLL_INTERVAL_S)  # the updater of a server that was killed finishes its blocks
                continue
            with LeagueDatabase.open(league) as database:
                updates, count = count, len(database.read_updates())
        write_site(LeagueFolder(league))
        return read_league(league)


class Served:
    """A server while a client waits for it, with the methods of a command."""

    def __init__(self, server: ServerProcess, client: Thread) -> None:
        self._server, self._client = server, client

    def has_ended(self, seconds: float) -> bool:
        self._client.join(seconds)
        return not self._client.is_alive() or self._server.poll() is not None

    def kill(self, victim: str) -> bool:
        updaters = descendants(self._server.pid, UPDATER)
        if victim != "server" and not updaters:
            return False
        if victim != "updater":
            self._server.kill()
        for pid in updaters if victim != "server" else ():
            with suppress(ProcessLookupError):  # it ended with the server
                os.kill(pid, signal.SIGKILL)
        return True

    def finish(self) -> bool:
        while self._client.is_alive():
            if self._server.poll() is not None:
                return False
            self._client.join(POLL_INTERVAL_S)
        if self._server.poll() is None:
            self._server.stop()
        return True


# --- command ---

RUN_TARGETS: Final = ("run", "workers", "league", "export", "records", "publish")
TARGETS: Final = (*RUN_TARGETS, "bots", "shards", "server", "updates")


def make_job(target: str, scratch: Path, rounds: int, jobs: int, start: str, isolation: str) -> Job:
    """Return the job of a target; `rounds` are updates, shards, hand-ins or waves."""
    inline = ("--isolation", "inline")
    alone, together = (*inline, "--jobs", "1"), ("--jobs", str(jobs), "--start", start)
    run = scratch / "whole" / "run"
    if target in ("export", "records", "publish"):
        whole = RunJob(60, alone)
        run.parent.mkdir(exist_ok=True)
        whole.prepare(run.parent, 0)
        finish_command(whole.command(run.parent, 0))
    factories: dict[str, Callable[[], Job]] = {
        "run": lambda: RunJob(60, alone),
        "workers": lambda: RunJob(200, (*inline, *together), ("parent", "all", "worker")),
        "bots": lambda: RunJob(60, ("--isolation", isolation, *together), ("bot",)),
        "shards": lambda: ShardsJob(40 * rounds, alone, rounds),
        "league": lambda: LeagueJob(scratch / target, rounds, (*inline, *together)),
        "export": lambda: ExportJob(run, ["export", "--format", "csv"], "export"),
        "records": lambda: ExportJob(run, ["export", "--only", "records"], "all.jsonl.zst"),
        "publish": lambda: ExportJob(run, ["publish", "--with-bots"], "run.zip"),
        "server": lambda: ServerJob(scratch / target, rounds),
        "updates": lambda: UpdatesJob(scratch / target, rounds),
    }
    return factories[target]()


@click.command(help=__doc__)
@click.argument("targets", metavar="[TARGET]...", nargs=-1, type=click.Choice(TARGETS))
@click.option("--kills", default=50, show_default=True, help="Minimum number of kills for each target.")
@click.option("--rounds", default=8, show_default=True, help="Updates, shards, hand-ins or waves of a job.")
@click.option("--jobs", default=2, show_default=True, help="Workers of runs and updates.")
@click.option("--start", default="forkserver", show_default=True, help="How workers are started.")
@click.option("--isolation", default="process", show_default=True, help="Level of the bots of `bots`.")
@click.option("--seed", default="kills", show_default=True, help="Draws the moments.")
def main(
    targets: Sequence[str], kills: int, rounds: int, jobs: int, start: str, isolation: str, seed: str
) -> None:
    VICTIMS.seed(seed)
    with tempfile.TemporaryDirectory() as home:
        for target in targets or RUN_TARGETS:
            job = make_job(target, Path(home), rounds, jobs, start, isolation)
            folder = Path(home, f"{target}-jobs")
            folder.mkdir()
            killer = Killer(job, folder, Random(f"{seed} {target}"))
            while killer.kills.total() < kills:
                killer.run()
            met = ", ".join(f"{victim} {number}" for victim, number in sorted(killer.kills.items()))
            click.echo(
                f"{target}: {killer.kills.total()} kills ({met}) in {killer.jobs} jobs: all was the same"
            )


if __name__ == "__main__":
    main()
