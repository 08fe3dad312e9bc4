"""Does a league keep everything that was handed in, whenever its server is killed?

    python -m benchmarks.server_kills --kills 50
    python -m benchmarks.server_kills --kills 50 --updates

Bots are handed in one after another, each again until the server has answered, and each is awaited until
its check is finished. Meanwhile the server is killed (kill -9) at random moments and started again. Then an
update is played. The same season without kills has to lead to the same requests, bots, blocks and ratings.

With `--updates` the server keeps the league up to date instead. Bots are submitted in waves; while a wave is
admitted and played, the server, its updater or both are killed at random moments, and the server is started
again. Every row of the league and every page but those with times have to be those of the season without
kills.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

from arena.league.accounts import ServerDatabase, add_submitters, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import Ending, UpdateOptions, update_league
from arena.output.site.site import write_site
from arena.output.texts.checks import card_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from benchmarks.kill_loop import UNCOMPARED
from benchmarks.kills import descendants
from benchmarks.server_process import ServerProcess, ask, hand_in_surely, make_bots

GAME = "cuccu"
DATE = "2026-01-01"
LONGEST_LIFE_S = 6.0
"""Maximum time from the moment the server answers until it is killed."""
UPDATER = b"arena.web.update_process"
"""Part of the command line of the updater and of nothing else."""
BOTS_IN_WAVE = 3
POLL_INTERVAL_S = 0.05


class Season(NamedTuple):
    """Outcome of a season: the comparable rows of the league, the hand-ins, and the number of kills."""

    league: list[str]
    hand_ins: list[tuple[str, str, str]]
    kills: int


class UpdatedSeason(NamedTuple):
    """Outcome of a season of updates."""

    league: list[str]
    """The comparable rows of the league."""
    pages: dict[str, bytes]
    """The files of its site but those with times, by name."""
    kills: Counter[str]
    """Kills by victim: `server`, `updater`, `both`; `met` counts those at which an update was unfinished."""


def main() -> None:
    """Play a season with kills and one without, and compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--updates", action="store_true")
    parser.add_argument("--waves", type=int, default=6)
    given = parser.parse_args()
    if given.updates:
        _compare_updates(given.waves, given.kills, given.seed)
        return
    with TemporaryDirectory() as folder:
        disturbed, plain = compare_seasons(Path(folder), given.bots, given.kills, given.seed)
    rows = len(disturbed.league)
    click.echo(f"{disturbed.kills} kills; {len(disturbed.hand_ins)} hand-ins, {rows} rows of the league")
    click.echo("the same as undisturbed" if disturbed[:2] == plain[:2] else "DIFFERENT from undisturbed")


def compare_seasons(folder: Path, bots: int, kills: int, seed: int = 1) -> tuple[Season, Season]:
    """Return a season in which the server is killed at least so often, and the same one undisturbed."""
    template = _make_template(folder)
    add_submitters(template, ["ann"])
    _update(template)
    seasons = []
    for name, number in (("disturbed", kills), ("plain", 0)):
        shutil.copytree(template.path, folder / name)
        seasons.append(_play(LeagueFolder.open(folder / name), bots, number, seed))
    return seasons[0], seasons[1]


def compare_updates(
    folder: Path, waves: int, kills: int, seed: int = 1
) -> tuple[UpdatedSeason, UpdatedSeason]:
    """Return a season of updates with at most so many kills, and the same one undisturbed."""
    template = _make_template(folder)
    seasons = []
    for name, number in (("disturbed", kills), ("plain", 0)):
        shutil.copytree(template.path, folder / name)
        seasons.append(_play_waves(LeagueFolder.open(folder / name), waves, number, Random(seed)))
    return seasons[0], seasons[1]


def _compare_updates(waves: int, kills: int, seed: int) -> None:
    with TemporaryDirectory() as folder:
        disturbed, plain = compare_updates(Path(folder), waves, kills, seed)
    victims = ", ".join(f"{who} {number}" for who, number in sorted(disturbed.kills.items()))
    click.echo(f"kills: {victims}; {len(disturbed.league)} rows of the league, {len(disturbed.pages)} pages")
    click.echo("the same as undisturbed" if disturbed[:2] == plain[:2] else "DIFFERENT from undisturbed")


def _make_template(folder: Path) -> LeagueFolder:
    """Create a league with four built-in bots that are not admitted yet."""
    template = LeagueFolder.create(folder / "template", "A league", [GAME])
    text = template.settings.read_text()
    for old, new in (("#blocks = 400", "blocks = 12"), ("#check_matches = 2", "check_matches = 1")):
        text = text.replace(old, new)
    template.settings.write_text(text)
    with LeagueDatabase.open(template.path, "rw") as database:
        for bot in ("random", "stand-pat", "simple", "greedy"):
            submit(template, database, bot, Path())
    return template


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
            hand_in = hand_in_surely(server, ann.token, payload, f"ann-{number}")
            _await(server, ann.token, hand_in["number"])
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


def _play_waves(league: LeagueFolder, waves: int, kills: int, moments: Random) -> UpdatedSeason:
    """Submit bots in waves, each until the server has updated the league; kill while it does."""
    server, done = ServerProcess(league.path, "--update"), Counter[str]()
    for wave in range(waves):
        _submit_wave(league, wave)
        server.start()
        while not _is_up_to_date(league):
            if sum(done.values()) - done["met"] < kills * (wave + 1) // waves:
                time.sleep(moments.uniform(0, LONGEST_LIFE_S))
                _kill_one(league, server, moments, done)
            time.sleep(POLL_INTERVAL_S)
        server.stop()
        while _update(league, more=True) != "nothing":
            pass
    write_site(league)
    with LeagueDatabase.open(league.path) as database:
        return UpdatedSeason(list(database.comparable_rows()), _read_pages(league), done)


def _submit_wave(league: LeagueFolder, wave: int) -> None:
    names = [f"wave{wave}-{number}" for number in range(BOTS_IN_WAVE)]
    with LeagueDatabase.open(league.path, "rw") as database:
        for name, payload in zip(names, make_bots(BOTS_IN_WAVE), strict=True):
            file = league.path.with_name(f"{name}.py")
            file.write_bytes(payload + f"# {name}\n".encode())
            submit(league, database, str(file), Path(), name=name)


def _is_up_to_date(league: LeagueFolder) -> bool:
    with LeagueDatabase.open(league.path) as database:
        last = database.last_update()
        is_waiting = bool(database.requests("league_update IS NULL"))
    return last is not None and last.state == "done" and not is_waiting


def _kill_one(league: LeagueFolder, server: ServerProcess, moments: Random, done: Counter[str]) -> None:
    """Kill the server, its updater or both."""
    victim = moments.choice(("server", "updater", "both"))
    updaters = [pid for pid in descendants(server.pid) if _is_updater(pid)]
    if victim != "server" and not updaters:
        return
    done["met"] += not _is_up_to_date(league)
    done[victim] += 1
    if victim != "updater":
        server.kill()
    if victim != "server":
        for pid in updaters:
            with suppress(ProcessLookupError):  # it ended with the server
                os.kill(pid, signal.SIGKILL)
    if victim != "updater":
        server.start()


def _is_updater(pid: int) -> bool:
    try:
        return UPDATER in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def _read_pages(league: LeagueFolder) -> dict[str, bytes]:
    files = [path for path in sorted(league.site.rglob("*")) if path.is_file()]
    pages = {path.relative_to(league.site).as_posix(): path.read_bytes() for path in files}
    return {name: content for name, content in pages.items() if not name.startswith(UNCOMPARED)}


def _await(server: ServerProcess, token: str, number: int) -> None:
    """Wait until a hand-in is checked."""
    while True:
        try:
            if ask(f"{server.url}/api/hand-ins/{number}", token)["state"] != "received":
                return
        except OSError:
            pass
        time.sleep(0.2)


def _update(league: LeagueFolder, *, more: bool = False) -> Ending:
    options = UpdateOptions(run=RunOptions(log_level=40), date="" if more else DATE, more=more)
    with StopRequest() as stop:
        return update_league(league, options, card_text, stop)


if __name__ == "__main__":
    main()
