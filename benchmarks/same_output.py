"""Does a change leave every output as it was? Compares what seeded commands of two checkouts print and write.

    git clone . ../before && cd ../before && git checkout v1.0 && make compiled && cd -
    .venv/bin/python -m benchmarks.same_output ../before .

The commands play all variants and formats, inline and with the bots in processes, a run that is stopped and
resumed, one in shards, and one whose time was over. They compare, grade, tune, exploit and track bots, update
a league three times and play its finals and grades, and read all of it at two widths. Pages, figures and the
rows of databases count as well; times, hashes and logs do not.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
from click.testing import CliRunner

from arena.cli import main
from arena.data import RunData, load_run
from arena.games import VARIANTS

VOLATILE: Final = re.compile(
    r"\b[\d.,]+ ?(?:ms|s|seconds?|minutes?|h|matches/s|decisions/s)\b"
    r"|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?\b|\b[0-9a-f]{8,64}\b"
)
"""Pattern of times, speeds, and hashes, which follow the sources of bots and games."""
SKIPPED: Final = {".lock", ".log", ".pyc"}
"""Kinds of files that contain nothing but what a clock or a process decides."""
UNCOMPARED: Final = {"key", "card", "payload", "is_settled", "reason", "date", "time"}
"""Columns of databases that follow the sources of bots and games, or a clock."""
UNCOMPARED_TABLES: Final = {"decision_time", "request_time"}
CONFIG: Final = """format = "{format}"
bots = ["random", "greedy", "prudent", "counter"]
seed = "any text"
isolation = "inline"
{keys}
"""
FORMATS: Final = {
    "round-robin": "blocks = 4\nuntil_resolved = true\nmax_blocks = 60",
    "gauntlet": 'blocks = 4\nhero = "counter"',
    "swiss": "blocks = 2\nrounds = 3",
    "knockout": "blocks = 4\nmax_blocks = 16",
    "ladder": "blocks = 4\nmax_blocks = 40",
}
CHANGED: Final = {
    "ended": f"{FORMATS['swiss']}\nended_after = 18",
    "withdrawn": f"{FORMATS['swiss']}\nwithdrawn = {{random = 10}}",
}
"""Keys of a Swiss tournament whose time was over in its second round, and of one that a bot left."""
"""Keys of a config that only this format takes, by format."""
GAMES: Final = """[[variants]]
name = "lives"
players = 2
tokens = 2
[[variants]]
name = "cuccu"
players = 2
"""
BOT: Final = """
class Bot:
    def __init__(self, info):
        self.heuristic, self.rng = info.heuristic(), info.rng
        self.mistakes = abs(info.settings.get("care", {care}) - 0.25)

    def act(self, view):
        return self.rng.choice(view.legal) if self.rng.random() < self.mistakes else self.heuristic.act(view)
"""
LEAGUE: Final = """precision = 60
blocks = 12
check_matches = 1
isolation = "inline"
[[variants]]
name = "lives"
players = 3
tokens = 1
[[variants]]
name = "cuccu"
players = 3
"""
FIGURES: Final = ("ratings", "history", "matrix", "seats")
LISTED: Final = ("ladders", "bots", "submissions", "submitters", "faults", "collusion", "copies")
FINAL: Final = "--game cuccu --isolation inline --jobs 1 -q"
TERMS: Final = "--players 2 --set tokens=2 --seed s --isolation inline --jobs 1"
CALLS: Final = (
    "run every.toml --out every -q --jobs 2",
    "run every.toml --out hosted -q --jobs 2 --isolation process --without counter",
    *(f"run {format}.toml --out {format} -q --jobs 1" for format in FORMATS),
    "run swiss.toml --out resumed -q --jobs 1 --time-limit 0.05",
    "resume resumed -q --jobs 1",
    *(f"run {name}.toml --out {name} -q --jobs 1" for name in CHANGED),
    *(f"run gauntlet.toml --out shard-{part} -q --jobs 1 --shard {part}/2" for part in (1, 2)),
    "merge shard-1 shard-2 --out merged -q --jobs 1",
    "run gauntlet.toml --out reused -q --jobs 1 --reuse merged --json",
    "replay export swiss --out all.jsonl",
    "export swiss --format csv --out exported",
    "report swiss",
    "report every --bot greedy",
    *(f"figure swiss --game lives --kind {kind} --out {kind}.svg" for kind in FIGURES),
    "seal merged --jobs 1",
    "verify merged --sealed --jobs 1",
    "publish gauntlet --out published.zip",
    "verify published.zip --jobs 1",
    "check ./mine.py:Bot --game lives --matches 2 --isolation inline --jobs 1",
    "verify every --jobs 1",
    "verify swiss --play-again 9 --sample-seed s --jobs 1",
    f"compare greedy prudent --blocks 60 --out compared {TERMS}",
    f"compare greedy prudent --blocks 60 --sprt 0,20 --json {TERMS}",
    f"compare random greedy prudent --best --blocks 60 {TERMS}",
    f"compare random greedy prudent --rank --blocks 60 --json {TERMS}",
    "why greedy prudent compared --all",
    "grade greedy --game lives --players 2 --blocks 60 --seed s --isolation inline --jobs 1 --json",
    "tune ./mine.py:Bot --param care=0..1@1 --against greedy --generations 2 --candidates 4 --blocks 16"
    f" --final-blocks 8 --out tuned {TERMS}",
    "exploit random --variant cuccu --generations 1 --blocks 12 --out exploited"
    " --players 2 --seed s --isolation inline --jobs 1",
    f"track kept --blocks 8 --out tracked {TERMS}",
    *(f"verify {searched} --jobs 1" for searched in ("tuned", "exploited")),
    *(f"report {searched}" for searched in ("tuned", "exploited")),
    "figure tuned --out tuned.svg",
    "figure tracked --out tracked.svg",
    *(f"league submit league ./kept/step-{step}.py:Bot --as step-{step}" for step in (1, 2, 3)),
    "league update league --date 2026-03-01 -q --jobs 1 --isolation inline",
    "league submit league ./mine.py:Bot --as mine",
    "league update league --date 2026-03-02 -q --jobs 1 --isolation inline",
    "league update league --date 2026-03-03 --more -q --jobs 1 --isolation inline",
    "league grade league --against random,greedy --blocks 60 --isolation inline --jobs 1 -q --json",
    f"league final league --format swiss --top 3 --blocks 2 --date 2026-03-04 {FINAL}",
    f"league final league --top 3 --blocks 2 --max-blocks 4 --date 2026-03-05 --hold-back {FINAL}",
    "league reveal league",
    "league site league",
    "league kit league --out kit.zip",
    "figure league --game lives --out league.svg",
    "seal league --jobs 1",
    "verify league --jobs 1",
    "variants",
    "bots --json",
    "hand lives '7C 7D AS' 'AH KH JH'",
)
READ: Final = (
    *(f"table every {option}" for option in ("", "--explain", "--format json", "--format md", "--seats")),
    *(f"table every {option}" for option in ("--matrix", "--variants", "--cycles", "--copies", "--wide")),
    *(f"table {format} --standings --format json" for format in ("round-robin", "swiss", "knockout")),
    *(f"table {run}" for run in ("ended", "merged", "withdrawn", "compared", "league/finals/001")),
    *(f"table {searched} --explain" for searched in ("tuned", "exploited")),
    *(f"table swiss {option}" for option in ("--rounds", "--show exceptions", "--show fair-play")),
    "table gauntlet --adjust luck",
    "table swiss --format latex",
    "replay show every --match 7",
    "replay list every --worst greedy",
    "replay list swiss --json",
    "watch every --once",
    "plan round-robin",
    *(f"league list league --show {rows}" for rows in LISTED),
    *(f"league list league --show {rows} --json" for rows in LISTED),
    "league list league --csv",
)
"""Commands that print what is there: at two widths of the terminal."""
WIDTHS: Final = (110, 60)


def prepare(folder: Path) -> None:
    """Write configs and bots into a folder, and create a league with a known seed."""
    games = "".join(f'[[variants]]\nname = "{name}"\nplayers = 3\n' for name in VARIANTS)
    keys = "blocks = 1\ntables = 2\nreplays = 400"
    (folder / "every.toml").write_text(CONFIG.format(format="round-robin", keys=keys) + games)
    for format, keys in FORMATS.items():
        (folder / f"{format}.toml").write_text(CONFIG.format(format=format, keys=keys) + GAMES)
    for name, keys in CHANGED.items():
        (folder / f"{name}.toml").write_text(CONFIG.format(format="swiss", keys=keys) + GAMES)
    (folder / "mine.py").write_text(BOT.format(care=1))
    (folder / "kept").mkdir()
    for step in (1, 2, 3):
        (folder / f"kept/step-{step}.py").write_text(BOT.format(care=1 - step / 4))
    call("league new league --title Ours --variant lives")
    (folder / "league/league.toml").write_text(LEAGUE)
    with closing(sqlite3.connect(folder / "league/league.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = 'any text' WHERE name = 'seed'")


def call(words: str, columns: int = WIDTHS[0]) -> str:
    """Return the status of a command and what it prints in a terminal of this width, without its progress."""
    os.environ["COLUMNS"] = str(columns)
    result = CliRunner().invoke(main, shlex.split(words), prog_name="arena")
    if "--time-limit" in words:  # how far it came is different each time
        return f"status {result.exit_code}"
    return mask(f"status {result.exit_code}\n{result.stdout}")


def mask(text: str) -> str:
    """Return a text without what may differ between two runs of the same program."""
    checkout = str(Path(__file__).parents[1])[1:]  # of which paths relative to a run's folder have the rest
    return VOLATILE.sub("…", text.replace(str(Path.cwd()), "").replace(checkout, ""))


def list_hashes() -> Iterator[str]:
    """Yield a hash of what each command prints, then of each file, all of them made in the present folder."""
    prepare(Path.cwd())
    for words in CALLS:
        yield f"{hash_bytes(call(words).encode())} arena {words}"
    for columns in WIDTHS:
        for words in READ:
            yield f"{hash_bytes(call(words, columns).encode())} arena {words} ({columns} columns)"
    for run in ("every", "swiss", "merged"):
        yield f"{hash_bytes(describe_data(load_run(run)).encode())} load_run({run})"
    for path in sorted(Path().rglob("*")):
        if path.is_file() and path.suffix not in SKIPPED and path.stem != "times":
            yield f"{hash_bytes(read_content(path))} {mask(str(path))}"


def describe_data(run: RunData) -> str:
    """Return the rows that Python gets of a run, and what a notebook shows."""
    rows = (run.ratings, run.tallies, run.matches, run.blocks, run.standings, run.deals)
    return mask("\n".join([run._repr_html_(), *(repr(row) for part in rows for row in part)]))


def read_content(path: Path) -> bytes:
    """Return what must not change in a file: of a database its rows, of an archive its files."""
    if path.suffix == ".zip":
        with TemporaryDirectory() as folder:
            shutil.unpack_archive(path, folder)
            files = (file for file in sorted(Path(folder).rglob("*")) if file.is_file())
            return b"\n".join(bytes(file.relative_to(folder)) + read_content(file) for file in files)
    if path.suffix == ".db":
        return "\n".join(read_rows(path)).encode()
    return path.read_bytes() if path.suffix == ".zst" else mask(path.read_text(encoding="utf-8")).encode()


def read_rows(database: Path) -> Iterator[str]:
    """Yield the rows of all tables in order, without what follows sources or clocks."""
    with closing(sqlite3.connect(database)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        for (table,) in names.fetchall():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            shown = ", ".join(column for column in columns if column not in UNCOMPARED)
            if table not in UNCOMPARED_TABLES:
                rows = connection.execute(f"SELECT {shown} FROM {table} ORDER BY {shown}")
                yield from (mask(f"{table} {row!r}") for row in rows)


def hash_bytes(data: bytes) -> str:
    """Return a short hash."""
    return sha256(data).hexdigest()[:16]


def read_hashes(checkout: Path) -> list[str]:
    """Return the hashes of a checkout, played with its own environment."""
    program = (f"{checkout.resolve()}/.venv/bin/python", "-P", str(Path(__file__).resolve()))
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "ARENA_STORE": f"{folder}/store"}
        return subprocess.check_output(program, cwd=folder, env=environment, text=True).splitlines()


@click.command()
@click.argument("checkouts", nargs=-1, type=click.Path(exists=True, file_okay=False, path_type=Path))
def command(checkouts: tuple[Path, ...]) -> None:
    """Print what differs between two checkouts, and exit with 1; without them the hashes of this folder."""
    if not checkouts:
        click.echo("\n".join(list_hashes()))
        return
    before, after = (read_hashes(checkout) for checkout in checkouts)
    differences = list(difflib.unified_diff(before, after, "before", "after", n=0, lineterm=""))
    click.echo("\n".join(differences) or f"The same: {len(before)} commands and files.")
    sys.exit(bool(differences))


if __name__ == "__main__":
    command()
