"""Each command of a league beside its server, while bots are handed in and rated."""

import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from arena.cli import LEAGUE_SUMMARIES
from arena.league.accounts import Invitation, ServerDatabase, add_submitters, invite
from arena.league.blocks import LeagueBlocks
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.results import LeagueResults
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase
from arena.output.pages.page import SitePage
from arena.output.site.bots import bot_pages
from arena.output.site.content import SiteContent
from benchmarks.server_process import ServerProcess, ask, make_bots
from tests.cli.conftest import Arena, arena

__all__ = ["arena"]
PATIENCE_S = 600.0
"""Seconds until a bot is rated, by an updater of the lowest priority."""
SETTINGS = """\
precision = 1000
blocks = 8
check_matches = 1
version_blocks = 1
aliases = true
[[variants]]
name = "cuccu"
players = [2]
"""
STUDENTS = ("ann", "ben")
TIMES = (2, 4, 8, 16, 32)
"""Numbers of the writes of an update before which the server writes: a person has few aliases."""
COMMANDS = """\
league kit DIR
league submit DIR counter
league invite DIR names.csv
league invite DIR --revoke zoe
league change DIR ann --alias heron
league list DIR --adjust luck --jobs 1
league list DIR --show bots
league change DIR stand-pat --withdraw
league change DIR simple --rename plain
league change DIR random --ban
league final DIR --top 2 --blocks 1 --max-blocks 1 --hold-back --jobs 1 -q
league reveal DIR --all
league site DIR
seal DIR
verify DIR --jobs 1
figure DIR --out ladder.svg
"""


class Class:
    """A league, its server, and students who hand in."""

    def __init__(self, folder: LeagueFolder, accounts: list[Invitation]) -> None:
        self.folder, self._accounts = folder, accounts
        self._bots = iter(zip(accounts, make_bots(len(accounts)), strict=True))
        self.server = ServerProcess(folder.path)

    def start(self, *options: str) -> None:
        """Start the server."""
        self.server = ServerProcess(self.folder.path, *options)
        self.server.start()

    def hand_in(self) -> str:
        """Hand in the bot of the next student, which the server begins to check; return the student."""
        account, bot = next(self._bots)
        ask(f"{self.server.url}/api/hand-ins", account.token, bot)
        return account.name

    def wait_for_rating(self) -> None:
        """Hand in a bot, and wait until the server has rated it."""
        student = self.hand_in()
        self._wait(
            lambda league: any(
                bot.owner == student and league.history(bot.version) for bot in league.read_bots()
            )
        )

    def wait_for_update(self) -> None:
        """Wait until the server has nothing to update."""
        settings = read_settings(self.folder.path).toml(self.folder.path)

        def is_up_to_date(league: LeagueDatabase) -> bool:
            last = league.last_update()
            is_done = last is not None and (last.state, last.settings) == ("done", settings)
            return is_done and not league.read_requests("state = 'waiting'")

        self._wait(is_up_to_date)

    def _wait(self, is_done: Callable[[LeagueDatabase], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with LeagueDatabase.open(self.folder.path) as league:
                if is_done(league):
                    return
            assert time.monotonic() < deadline, self.server.log.read_text()
            threading.Event().wait(0.1)

    def choose_alias(self, number: int) -> None:
        """Choose an alias of a student, which the server stores in the database of the league."""
        ask(f"{self.server.url}/api/account/alias", self._accounts[0].token, b"alias=bird%d" % number)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Class]:
    """A league of built-in bots that no update has admitted; its server is ended after the test."""
    monkeypatch.chdir(tmp_path)
    Path("names.csv").write_text("zoe\n")
    folder = LeagueFolder.create(tmp_path / "course", "A course", ["cuccu"])
    folder.settings.write_text(SETTINGS)
    add_submitters(folder, STUDENTS)
    with ServerDatabase.open(folder) as database:
        accounts = invite(database, STUDENTS, 1)
    with LeagueDatabase.open(folder.path, "rw") as league:
        for bot in ("random", "stand-pat", "simple", "greedy"):
            submit(folder, league, bot, Path())
    served = Class(folder, accounts)
    yield served
    served.server.kill()


def test_an_update_by_hand_beside_a_server_that_stores_requests(
    arena: Arena, course: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.start()
    add, numbers = LeagueBlocks.add, count(1)

    def add_late(self: LeagueBlocks, *arguments: Any) -> None:
        if (number := next(numbers)) in TIMES:
            course.choose_alias(number)
        add(self, *arguments)

    monkeypatch.setattr(LeagueBlocks, "add", add_late)
    for name in ("HOSTED_CHUNK_S", "WRITE_EVERY_S"):  # each block
        monkeypatch.setattr(f"arena.tournament.engine.engine.{name}", 0.0)
    updated = arena("league", "update", course.folder.path, "--jobs", "1", "-q")
    assert updated.exit_code == 0, updated.output
    assert next(numbers) > TIMES[0]
    with LeagueResults.open(course.folder.path) as results:
        assert results.aliases.find("ann").startswith("bird")
    assert course.server.stop() == 0


@pytest.mark.full
def test_each_command_of_a_league_beside_a_server_that_updates_it(
    arena: Arena, course: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(line: str) -> str:
        result = arena(*line.replace("DIR", str(course.folder.path)).split())
        assert result.exit_code == 0, (line, result.output, result.exception)
        return result.output

    def write_late(content: SiteContent) -> Iterator[SitePage]:
        monkeypatch.setattr("arena.output.site.site.bot_pages", bot_pages)
        course.wait_for_rating()
        return bot_pages(content)

    names = {line.split()[1] for line in COMMANDS.splitlines()}
    assert names >= LEAGUE_SUMMARIES.keys() - {"new", "grade", "update"}
    run("league update DIR --jobs 1 -q")
    course.start("--update")
    course.hand_in()
    for line in COMMANDS.splitlines():
        run(line)
    course.wait_for_update()
    monkeypatch.setattr("arena.output.site.site.bot_pages", write_late)
    run("league grade DIR --against random --blocks 1 --out grades.csv --gradescope results --jobs 1 -q")
    students = [f"{name}.json" for name in (*STUDENTS, "zoe")]
    assert sorted(path.name for path in Path("results").iterdir()) == students
    updated = arena("league", "update", course.folder.path, "--jobs", "1", "-q")
    assert updated.exit_code == 0 or "is being updated by another process" in updated.stderr
    assert course.server.stop() == 0
    log = course.server.log.read_text()
    errors = [line for line in log.splitlines() if line.startswith("updater") and " is done. " not in line]
    assert errors == [], log
    assert "Traceback" not in log, log
