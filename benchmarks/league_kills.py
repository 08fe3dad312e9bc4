"""A season of a league whose updates are killed at random moments, compared with the same season undisturbed.

    python -m benchmarks.league_kills --updates 60 --kills 50

In each update bots come, return in a new version, break, are withdrawn or renamed. Prints how many kills met
a running update; ends with an error at the first difference.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase

SETTINGS = """\
precision = 60
blocks = 24
isolation = "inline"
check_matches = 1
[[variants]]
name = "lives"
players = [3]
tokens = 1
[[variants]]
name = "cuccu"
players = [3]
"""
BOT = """\
from random import Random
class Bot:
    def __init__(self, info):
        self.rng = info.rng
    def act(self, view):
        return {act}
"""
ACTS = (
    "view.legal[0]",
    "view.legal[-1]",
    "self.rng.choice(view.legal)",
    "view.legal[len(view.legal) // 2]",
    "view.legal[0] if self.rng.random() < {share} else view.legal[-1]",
)
BROKEN = "'nonsense'"
STARTUP_S = 0.8
"""Before a command does anything: kills earlier than this prove little."""


class Kills(NamedTuple):
    """The kills of a season."""

    sent: int
    met: int
    """Number of kills that ended a running process."""


def play_season(updates: int, kills: int, seed: str, jobs: int = 1, longest_s: float = 6.0) -> Kills:
    """Play a season twice, once killed at random, and return the kills.

    Raises:
        AssertionError: If the two leagues differ.
    """
    with TemporaryDirectory() as home:
        plain, killed = Path(home, "plain"), Path(home, "killed")
        LeagueFolder.create(plain, variants=["lives"])
        (plain / "league.toml").write_text(SETTINGS)
        shutil.copytree(plain, killed)
        rng = Random(seed)
        moments = sorted(rng.randrange(updates) for _ in range(kills))
        sent = met = 0
        for number in range(updates):
            state = rng.getrandbits(64)
            for folder in (plain, killed):
                _prepare(folder, number, Random(state))
            _update(plain, number, 1)
            for _ in range(moments.count(number)):
                sent += 1
                met += _killed_update(killed, number, jobs, rng.uniform(STARTUP_S, longest_s))
            _update(killed, number, jobs)
            _compare(plain, killed, number)
        return Kills(sent, met)


def _prepare(folder: Path, number: int, rng: Random) -> None:
    """Drop and request what happens before an update."""
    if not number:
        _arena("submit", folder, "random", "greedy")
    for _ in range(rng.randint(0 if number else 4, 3 if number else 5)):
        name = f"bot{rng.randrange(8)}"
        act = BROKEN if rng.random() < 0.15 else rng.choice(ACTS).format(share=round(rng.random(), 2))
        (folder / "inbox" / f"{name}.py").write_text(BOT.format(act=act))
    with LeagueDatabase.open(folder) as database:
        names = [bot.name for bot in database.bots()]
    if number and rng.random() < 0.2:
        _arena("withdraw", folder, rng.choice(names))
    if number and rng.random() < 0.1:
        _arena("rename", folder, rng.choice(names), f"name{number}")


def _command(folder: Path, number: int, jobs: int) -> list[str]:
    words = ["update", str(folder), "--jobs", str(jobs), "-q", "--isolation", "inline", "--start", "fork"]
    return [sys.executable, "-m", "arena", "league", *words, "--date", f"2026-01-{number % 28 + 1:02}"]


def _update(folder: Path, number: int, jobs: int) -> None:
    done = subprocess.run(_command(folder, number, jobs), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def _killed_update(folder: Path, number: int, jobs: int, after_s: float) -> bool:
    """Begin an update and kill it after a while; return whether it was still running."""
    process = subprocess.Popen(
        _command(folder, number, jobs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(after_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def _arena(command: str, folder: Path, *arguments: str) -> None:
    words = [sys.executable, "-m", "arena", "league", command, str(folder), *arguments]
    subprocess.run(words, capture_output=True, check=False)


def _compare(plain: Path, killed: Path, number: int) -> None:
    with LeagueDatabase.open(plain) as undisturbed, LeagueDatabase.open(killed) as other:
        for left, right in zip(undisturbed.comparable_rows(), other.comparable_rows(), strict=True):
            assert left == right, f"update {number}: {left[:300]} != {right[:300]}"
    names = [sorted(path.name for path in (folder / "inbox").iterdir()) for folder in (plain, killed)]
    assert names[0] == names[1], f"update {number}: {names}"


@click.command()
@click.option("--updates", default=60, show_default=True)
@click.option("--kills", default=50, show_default=True)
@click.option("--jobs", default=1, show_default=True)
@click.option("--seed", default="season", show_default=True)
def main(updates: int, kills: int, jobs: int, seed: str) -> None:
    """Play a season twice, once killed at random moments, and compare the two leagues."""
    season = play_season(updates, kills, seed, jobs)
    click.echo(
        f"{updates} updates, {season.met} of {season.sent} kills met a running update: the same content"
    )


if __name__ == "__main__":
    main()
