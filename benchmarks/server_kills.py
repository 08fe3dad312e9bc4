"""Does a league keep everything that was handed in, whenever its server is killed?

    python -m benchmarks.server_kills --kills 50

Bots are handed in one after another, each again until the server has answered, and each is awaited until
its check is finished. Meanwhile the server is killed (kill -9) at random moments and started again. Then an
update is played. The same season without kills has to lead to the same requests, bots, blocks and ratings.
"""

from __future__ import annotations

import argparse
import shutil
import threading
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from arena.league.accounts import invite
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.server_database import ServerDatabase
from arena.league.store import LeagueDatabase
from arena.league.submitters import add_submitters
from arena.league.update import UpdateOptions, update_league
from arena.report.conformance_text import card_text
from arena.tournament.running.run import RunOptions
from arena.tournament.running.stop_request import StopRequest
from benchmarks.server_process import ServerProcess, ask, hand_in_surely, make_bots

GAME = "cuccu"
DATE = "2026-01-01"
LONGEST_LIFE_S = 6.0
"""Maximum time from the moment the server answers until it is killed."""


class Season(NamedTuple):
    """Outcome of a season: the comparable rows of the league, the hand-ins, and the number of kills."""

    league: list[str]
    hand_ins: list[tuple[str, str, str]]
    kills: int


def main() -> None:
    """Play a season with kills and one without, and compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        disturbed, plain = compare_seasons(Path(folder), given.bots, given.kills, given.seed)
    rows = len(disturbed.league)
    click.echo(f"{disturbed.kills} kills; {len(disturbed.hand_ins)} hand-ins, {rows} rows of the league")
    click.echo("the same as undisturbed" if disturbed[:2] == plain[:2] else "DIFFERENT from undisturbed")


def compare_seasons(folder: Path, bots: int, kills: int, seed: int = 1) -> tuple[Season, Season]:
    """Return a season in which the server is killed at least so often, and the same one undisturbed."""
    template = LeagueFolder.create(folder / "template", "", [GAME])
    text = template.settings.read_text()
    for old, new in (("#blocks = 400", "blocks = 12"), ("#check_matches = 2", "check_matches = 1")):
        text = text.replace(old, new)
    template.settings.write_text(text)
    with LeagueDatabase.open(template.path, "rw") as database:
        for bot in ("random", "stand-pat", "simple", "greedy"):
            submit(template, database, bot, Path())
    add_submitters(template, ["ann"])
    _update(template)
    seasons = []
    for name, number in (("disturbed", kills), ("plain", 0)):
        shutil.copytree(template.path, folder / name)
        seasons.append(_play(LeagueFolder.open(folder / name), bots, number, seed))
    return seasons[0], seasons[1]


def _play(league: LeagueFolder, bots: int, kills: int, seed: int) -> Season:
    with ServerDatabase.open(league) as database:
        [ann] = invite(database, ["ann"], 1)
    server, is_over = ServerProcess(league.path), threading.Event()
    server.start()
    done = [0]

    def kill_at_random() -> None:
        moments = Random(seed)
        while done[0] < kills and not is_over.wait(moments.uniform(0, LONGEST_LIFE_S)):
            server.kill()
            done[0] += 1
            server.start()

    killer = threading.Thread(target=kill_at_random)
    killer.start()
    try:
        for number, payload in enumerate(make_bots(bots)):
            one = hand_in_surely(server, ann.token, payload, f"ann-{number}")
            _await(server, ann.token, one["number"])
        while done[0] < kills:
            time.sleep(0.1)
    finally:
        is_over.set()
        killer.join()
        server.stop()
    with ServerDatabase.open(league) as database:
        hand_ins = database.rows("SELECT name, content, state FROM hand_in ORDER BY number")
    _update(league)
    with LeagueDatabase.open(league.path) as results:
        return Season(list(results.comparable_rows()), [tuple(row) for row in hand_ins], done[0])


def _await(server: ServerProcess, token: str, number: int) -> None:
    """Wait until a hand-in is checked."""
    while True:
        try:
            if ask(f"{server.url}/api/hand-ins/{number}", token)["state"] != "received":
                return
        except OSError:
            pass
        time.sleep(0.2)


def _update(league: LeagueFolder) -> None:
    options = UpdateOptions(run=RunOptions(log_level=40), date=DATE)
    with StopRequest() as stop:
        update_league(league, options, card_text, stop)


if __name__ == "__main__":
    main()
