"""A family, a format, a column and a command are added to a copy, where CONTRIBUTING says.

Each takes as few files as it names: a family its folder and an entry point, a format its module and an entry,
a column one place, a command its module and an entry.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMES = {
    "families.cuckoo": "families.swap",
    '"cuckoo"': '"swap"',
    '"cuccu"': '"swapper"',
    '"ranter-go-round", "chase-the-ace"': "",
}
"""Names in the copy of a family by those in the original."""
FORMAT = '''"""Everyone sits at one table, and the most matches won win."""

from collections import Counter
from typing import NamedTuple

from arena.columns.column import ColumnDoc
from arena.tournament.formats.base import BOT, Format, Scoreboard, board_column
from arena.tournament.formats.rounds import Participants

COLUMNS = (
    board_column("place", ColumnDoc("Rank by matches won.")),
    BOT,
    board_column("wins", ColumnDoc("Matches won, alone or tied.")),
)


class Row(NamedTuple):
    place: int
    bot: str
    wins: int


class OneTable(Format):
    name = "one-table"

    class Keys(Format.Keys, frozen=True):
        repeats: int = 1

    def __init__(self, config, seed):
        self._participants, self._blocks = Participants(config, seed), config.blocks * config.keys.repeats
        self._is_decided, self._wins = False, Counter(self._participants.names)

    def next_stage(self):
        if self._is_decided:
            return None
        self._is_decided = True
        return self._participants.stage_of(0, [range(self._participants.size)], range(self._blocks))

    def observe(self, played):
        for block, result in played:
            for seating, match in zip(block.seatings, result.matches):
                self._wins.update(bot for bot, place in zip(seating, match.placings) if place == 1)

    def scoreboard(self):
        rows = [Row(place, bot, wins - 1) for place, (bot, wins) in enumerate(self._wins.most_common(), 1)]
        return Scoreboard("One table", COLUMNS, rows)

    def verdict(self, run, width=None):
        [(best, _)] = self._wins.most_common(1)
        return f"{best} won most of {run.count_blocks()} blocks."
'''
COMMAND = '''"""`arena greet`: greet somebody."""

import click


@click.command(epilog="Example: arena greet")
def greet_command():
    """Greet somebody."""
    click.echo("Good day.")
'''
COLUMN = """    Column(
        "shortfall",
        ColumnDoc("Points left to others.", "percent"),
        value=lambda row: None if row.score is None else 100 - row.score,
        kind=DECIMAL,
        digits=1,
    ),
"""
CONFIG = """format = "one-table"
bots = ["greedy", "random", "prudent"]
blocks = 10
repeats = 2
seed = "any text"
[[variants]]
name = "swapper"
players = 3
"""
CALLS = (
    ["greet"],
    ["variants", "swapper"],
    ["run", "config.toml", "--out", "run", "--jobs", "1", "-q"],
    ["table", "run", "--standings", "--format", "md"],
    ["table", "run", "--format", "json"],
    ["table", "run", "--explain"],
    ["table", "run", "--show", "exceptions"],
    ["replay", "show", "run", "--match", "1"],
)
SCRIPT = f"""
import json
from click.testing import CliRunner
from arena.cli import main
results = [CliRunner().invoke(main, call) for call in {CALLS!r}]
print(json.dumps([[result.exit_code, result.stdout + result.stderr] for result in results]))
"""


def insert(path: Path, before: str, text: str) -> None:
    """Write a text before the last occurrence of another in a file."""
    head, separator, tail = path.read_text(encoding="utf-8").rpartition(before)
    assert separator
    path.write_text(f"{head}{text}{separator}{tail}", encoding="utf-8")


def add_family(tree: Path) -> None:
    """Add a copy of a family under other names."""
    folder = tree / "arena/families/swap"
    shutil.copytree(tree / "arena/families/cuckoo", folder)
    for path in folder.rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        for old, new in NAMES.items():
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    (folder / "pages/cuccu.md").rename(folder / "pages/swapper.md")
    info = tree / "swap-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: swap\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.games]\nswap = arena.families.swap:FAMILY\n")


def add_format(tree: Path) -> None:
    (tree / "arena/tournament/formats/one_table.py").write_text(FORMAT)


def add_column(tree: Path) -> None:
    table = tree / "arena/tournament/results/rating_table.py"
    insert(table, '    Column("mark", value=', COLUMN)
    insert(table, ', "matches", "faults")\n"""Names of the columns', ', "shortfall"')


def add_command(tree: Path) -> None:
    (tree / "arena/cli/greet.py").write_text(COMMAND)
    entry = '    "greet": ("arena.cli.greet", "Greet somebody."),\n'
    insert(tree / "arena/cli/__init__.py", '    "doctor": (', entry)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources with one more of each."""
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("*.so", "__pycache__")
    shutil.copytree(ROOT / "arena", tree / "arena", ignore=ignored)
    for add in (add_family, add_format, add_column, add_command):
        add(tree)
    (tree / "config.toml").write_text(CONFIG)
    return tree


def test_each_takes_as_few_places_as_contributing_says(tree: Path) -> None:
    changed = {
        path.relative_to(tree)
        for path in tree.rglob("*")
        if path.is_file() and path.suffix != ".toml" and path.parts[-2] != "__pycache__"
        if not (own := ROOT / path.relative_to(tree)).is_file() or own.read_bytes() != path.read_bytes()
    }
    family = {path for path in changed if "swap" in path.parts}
    assert {str(path) for path in changed - family} == {
        *("swap-1.0.dist-info/METADATA", "swap-1.0.dist-info/entry_points.txt"),
        "arena/tournament/formats/one_table.py",
        "arena/tournament/results/rating_table.py",
        *("arena/cli/greet.py", "arena/cli/__init__.py"),
    }


def test_each_works_everywhere(tree: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)]), "COLUMNS": "200"}
    out = subprocess.check_output([sys.executable, "-c", SCRIPT], cwd=tree, env=environment, text=True)
    results = json.loads(out)
    assert [code for code, _ in results] == [0] * len(CALLS), results
    greeting, rules, verdict, standings, ratings, explained, fit, replay = (text for _, text in results)
    assert greeting == "Good day.\n"
    assert "swap family" in rules
    assert "won most of 20 blocks." in verdict
    assert (tree / "run/report.html").is_file()
    assert standings.splitlines()[2].split() == ["|", "place", "|", "bot", "|", "wins", "|"]
    fields = json.loads(ratings)
    assert [row["place"] for row in fields["standings"]] == [1, 2, 3]
    assert all(row["shortfall"] == round(100 - row["score"], 1) for row in fields["ratings"])
    assert "Fit: " in fit
    assert "Matches won, alone or tied." in explained
    assert "Points left to others." in explained
    assert "swapper" in replay
    with (tree / "run/elo.csv").open() as file:
        assert "shortfall" in next(csv.reader(file))
    page = (tree / "run/report.html").read_text(encoding="utf-8")
    assert "One table" in page
    assert "shortfall" in page
