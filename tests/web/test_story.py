"""The story of a student: from the invitation to a rated bot, in a real browser, at a real server."""

import csv
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import UpdateOptions, update_league
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from benchmarks.server_process import ServerProcess
from tests.output.pages.browsing import find_violations

pytestmark = pytest.mark.xdist_group("story")  # begun early: updates have the lowest priority
CODE = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
PATIENCE_MS = 120_000
UPDATE_TIMEOUT_S = 600.0


@pytest.fixture
def rated(tmp_path: Path) -> LeagueFolder:
    """A league of two rated built-in bots."""
    folder = LeagueFolder.create(tmp_path / "course", "Card bots", ["cuccu"])
    text = folder.settings.read_text().replace("#blocks = 400", "blocks = 4")
    text = text.replace("#check_matches = 2", "check_matches = 1").replace("players = [4]", "players = [2]")
    folder.settings.write_text(text)
    with LeagueDatabase.open(folder.path, "rw") as database:
        for bot in ("random", "greedy"):
            submit(folder, database, bot, Path())
    with StopRequest() as stop:
        update_league(folder, UpdateOptions(run=RunOptions(log_level=40)), lambda *args: "", stop)
    return folder


def wait_for_update(server: ServerProcess, is_done: Callable[[], bool]) -> None:
    """Wait until an update has done something; ask at each event of the league, and while there is none."""
    deadline = time.monotonic() + UPDATE_TIMEOUT_S
    with httpx.stream("GET", f"{server.url}/api/live/events", timeout=PATIENCE_MS / 1000) as response:
        for line in response.iter_lines():
            if not line and is_done():  # at the end of an event
                return
            if time.monotonic() > deadline:
                break
    pytest.fail(
        f"no update published the page of the bot in {UPDATE_TIMEOUT_S:g} s: its process has the lowest "
        f"priority, and other processes may have left it no CPU time; log: {server.log.read_text()[-2000:]}"
    )


def test_a_student_gets_from_the_invitation_to_a_rated_bot(
    browser: Any, rated: LeagueFolder, tmp_path: Path
) -> None:
    server = ServerProcess(rated.path, "--update")
    names = tmp_path / "names.csv"
    names.write_text("ann\n")
    invited = CliRunner().invoke(main, ["league", "invite", str(rated.path), str(names), "--url", server.url])
    [ann] = csv.DictReader(StringIO(invited.stdout))
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page, troubles = context.new_page(), list[str]()
    page.on("console", lambda line: troubles.append(line.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    server.start()
    try:
        page.goto(ann["link"])
        assert find_violations(page) == []
        page.get_by_role("button", name="Sign in as ann").click()
        page.wait_for_url("**/account")
        assert find_violations(page) == []
        page.get_by_label("Code").fill(CODE)
        page.get_by_role("button", name="Hand in the code").click()
        page.wait_for_url("**/account/hand-ins/1")
        page.get_by_text("Ready for a tournament.").wait_for()
        page.get_by_text("Its page in the league").or_(page.locator("#places table")).first.wait_for()
        assert find_violations(page) == []
        wait_for_update(server, lambda: "Its page in the league" in page.request.get(page.url).text())
        page.reload()
        page.get_by_text("Its page in the league").click()
        page.get_by_role("heading", name="ann", exact=True).wait_for()
        page.goto(server.url)
        page.get_by_role("link", name="ann", exact=True).first.wait_for()
        assert find_violations(page) == []
        assert troubles == []
    finally:
        context.close()
        status = server.stop()
    assert status == 0
