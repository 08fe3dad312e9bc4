"""From handing in a bot to its provisional places, in seconds.

    python -m benchmarks.upload_to_place

A server shows a league of the built-in bots at two games between four. Bots that take 1 ms of CPU for each
decision are handed in one after another, as `arena submit --to` does, while nothing else waits. Printed for
each: the seconds until the upload was answered, until its check was finished, and until its provisional
places were there; the CPU time of the server and all its processes in between, and the load of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from urllib.request import Request, urlopen

import click

from arena.league.accounts import ServerDatabase, add_submitters, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import UpdateOptions, update_league
from arena.output.texts.checks import card_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from benchmarks.server_process import ServerProcess, ask

GAMES: Final = ("lives", "thirty-one")
BOTS: Final = ("random", "stand-pat", "thrifty", "prudent", "greedy", "counter", "simple", "tuned")
SLOW_BOT: Final = """\
import time

class Slow:
    number = {number}

    def act(self, view):
        end = time.thread_time() + 0.001
        while time.thread_time() < end:
            pass
        return view.legal[0]
"""


class Times(NamedTuple):
    """Seconds from the beginning of an upload."""

    answered: float
    checked: float
    placed: float
    cpu: float
    """CPU time of the server and its processes in them."""
    places: int


def main() -> None:
    """Start a server, hand in bots, and print how long each took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bots", type=int, default=3)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        league = make_league(Path(folder, "league"))
        add_submitters(league, ["ann"])
        with ServerDatabase.open(league) as database:
            [ann] = invite(database, ["ann"], 1)
        server = ServerProcess(league.path)
        server.start()
        try:
            for number in range(given.bots):
                load = os.getloadavg()[0]
                times = measure(server, ann.token, SLOW_BOT.format(number=number).encode(), f"ann-{number}")
                click.echo(
                    f"answered after {times.answered:.1f} s, checked after {times.checked:.1f} s, "
                    f"{times.places} places after {times.placed:.1f} s, with {times.cpu:.1f} s of CPU; "
                    f"load {load:.1f} before"
                )
        finally:
            server.stop()


def make_league(path: Path) -> LeagueFolder:
    """Create a league of rated built-in bots."""
    league = LeagueFolder.create(path, "A league", list(GAMES))
    text = league.settings.read_text()
    league.settings.write_text(text.replace("#blocks = 400", "blocks = 40"))
    with LeagueDatabase.open(path, "rw") as database:
        for bot in BOTS:
            submit(league, database, bot, Path())
    with StopRequest() as stop:
        update_league(league, UpdateOptions(run=RunOptions(log_level=40)), card_text, stop)
    return league


def measure(server: ServerProcess, token: str, payload: bytes, name: str) -> Times:
    """Hand in a bot, and follow its check and its provisional places."""
    cpu, start = cpu_time(server), time.monotonic()
    number = ask(f"{server.url}/api/hand-ins?name={name}", token, payload)["number"]
    answered, checked = time.monotonic() - start, 0.0
    headers = {"Authorization": f"Bearer {token}"}
    with urlopen(Request(f"{server.url}/api/hand-ins/{number}/events", headers=headers)) as stream:
        for line in stream:
            if line == b'data: "placing"\n':
                checked = time.monotonic() - start
            elif line.startswith(b"data: {"):
                result = json.loads(line[6:])
    placed = time.monotonic() - start
    if result["state"] != "passed":
        raise RuntimeError(f"{name} was not placed: {result['card']}")
    return Times(answered, checked, placed, cpu_time(server) - cpu, len(result["provisional"]))


def cpu_time(server: ServerProcess) -> float:
    """Return the CPU time of the server and of its processes that have ended, in seconds."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
