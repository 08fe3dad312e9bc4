"""Stories of a student and of a class, from the invitation on, in a real browser at a real server."""

import csv
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from arena.cli import main
from benchmarks.server_process import ServerProcess
from tests.output.pages.browsing import find_violations

CODE = "class Mine:\n    def act(self, view):\n        return view.legal[{}]\n"
PATIENCE_MS = 120_000
UPDATE_TIMEOUT_S = 600.0
STUDENTS = {"ann": "heron", "ben": "egret", "cleo": "crane"}
FEW_BLOCKS = ("--blocks", "1", "--max-blocks", "1", "--jobs", "1", "--quiet")


def run(*arguments: str | Path) -> str:
    """Run a command of the arena, and return its output."""
    result = CliRunner().invoke(main, list(map(str, arguments)), prog_name="arena")
    assert result.exit_code == 0, result.output
    return result.stdout


def make_league(folder: Path, bots: Sequence[str], students: Sequence[str] = (), **settings: str) -> Path:
    """Make a league of cuccu with other settings than the default ones."""
    new = ("league", "new", folder, "--title", "Card bots", "--variant", "cuccu")
    listed = folder.with_suffix(".csv")
    listed.write_text("name,team\n" + "".join(f"{name},\n" for name in students))
    run(*new, *(("--students", str(listed)) if students else ()))
    text = (folder / "league.toml").read_text()
    for key, value in settings.items():
        text, count = re.subn(rf"(?m)^#?{key} = .*$", f"{key} = {value}", text)
        assert count == 1, key
    (folder / "league.toml").write_text(text)
    run("league", "submit", folder, *bots)
    return folder


def invite(league: Path, url: str, names: Sequence[str], *options: str) -> dict[str, dict[str, str]]:
    """Invite people, and return the row of each."""
    listed = league.with_name("invited.csv")
    listed.write_text("\n".join(names))
    rows = csv.DictReader(StringIO(run("league", "invite", league, listed, "--url", url, *options)))
    return {row["name"]: row for row in rows}


@contextmanager
def browsing(browser: Any, server: ServerProcess) -> Iterator[Any]:
    """Run a server, and yield a page, which no script error and no line of the console may trouble."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page, troubles = context.new_page(), list[str]()
    page.on("console", lambda line: troubles.append(line.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    server.start()
    try:
        yield page
        assert troubles == []
    finally:
        context.close()
        status = server.stop()
    assert status == 0


def sign_in_and_look(page: Any, invited: dict[str, str]) -> None:
    page.goto(invited["link"])
    assert find_violations(page) == []
    page.get_by_role("button", name=f"Sign in as {invited['name']}").click()


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


@pytest.mark.xdist_group("story")  # begun early: updates have the lowest priority
def test_a_student_gets_from_the_invitation_to_a_rated_bot(browser: Any, tmp_path: Path) -> None:
    league = make_league(
        tmp_path / "course", ["random", "greedy"], blocks="4", check_matches="1", players="[2]"
    )
    run("league", "update", league, "--jobs", "1", "--quiet")
    server = ServerProcess(league, "--update")
    ann = invite(league, server.url, ["ann"])["ann"]
    with browsing(browser, server) as page:
        sign_in_and_look(page, ann)
        page.wait_for_url("**/account")
        assert find_violations(page) == []
        page.get_by_text("Or paste code").click()
        page.get_by_label("Code").fill(CODE.format(0))
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


# --- class ---


def hand_in(url: str, token: str, alias: str, code: str) -> None:
    """Choose an alias, hand in a bot, and wait until it is checked and placed."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=url, headers=headers, timeout=PATIENCE_MS / 1000) as client:
        assert client.post("/api/account/alias", data={"alias": alias}).status_code == 200
        number = client.post("/api/hand-ins", content=code.encode()).json()["number"]
        client.get(f"/api/hand-ins/{number}/events")
        handed_in = client.get(f"/api/hand-ins/{number}").json()
    assert (handed_in["state"], handed_in["bot"]) == ("passed", alias), handed_in


def hand_in_all(page: Any, url: str, invited: dict[str, dict[str, str]]) -> None:
    """Hand in a bot of each student: ann in the browser, which stays signed in, the others by a token."""
    sign_in_and_look(page, invited["ann"])
    page.get_by_role("textbox", name="Alias").fill("heron")
    page.get_by_role("button", name="Change the alias").click()
    page.get_by_text("shown to others as heron").wait_for()
    page.get_by_text("Or paste code").click()
    page.get_by_label("Code").fill(CODE.format(0))
    page.get_by_role("button", name="Hand in the code").click()
    for name, index in (("ben", "-1"), ("cleo", "len(view.legal) // 2")):
        hand_in(url, invited[name]["token"], STUDENTS[name], CODE.format(index))
    page.get_by_role("heading", name="Provisional places").wait_for()


def see_own_results(page: Any, url: str) -> None:
    """Look at the pages of a student after the update."""
    page.goto(f"{url}/account")
    assert page.locator("#places tbody tr").count() == 1
    page.get_by_role("link", name="What beats you").click()
    page.get_by_role("heading", name="heron", exact=True).wait_for()
    page.get_by_role("heading", name="Where you lose most").wait_for()
    page.locator("#losses table a").first.click()
    page.locator("#viewer .board").wait_for()
    assert find_violations(page) == []
    page.goto(f"{url}/live")
    page.locator("#featured .board").wait_for()
    page.locator("#standings .bar").first.wait_for()
    assert find_violations(page) == []
    page.get_by_role("link", name="Standings").click()
    page.locator("#ladder table").wait_for()
    assert page.locator(".who summary").inner_text().startswith("ann")
    assert not re.search(r"\b(ann|ben|cleo)\b", page.locator("main").inner_html())
    page.get_by_role("link", name="Hand in").wait_for()


def reveal_final(page: Any, projector: Any, url: str, prof: dict[str, str]) -> None:
    """Reveal the final as its organiser, while another page is on the projector."""
    projector.goto(f"{url}/presentation")
    assert projector.locator("li.stays").count() == 0
    page.goto(f"{url}/index.html")
    page.locator(".who summary").click()
    page.get_by_role("link", name="Sign out").click()
    page.get_by_role("button", name="Sign out").click()
    sign_in_and_look(page, prof)
    page.wait_for_url("**/organiser")
    page.get_by_text("Reveal round 1 of final 1").click()
    page.get_by_role("button", name="Show round 1 to all").click()
    projector.get_by_text("1 of 2 rounds revealed").wait_for()
    assert projector.get_by_text("wins").count() == 0
    page.get_by_text("Reveal round 2 of final 1").click()
    page.get_by_role("button", name="Show round 2 to all").click()
    projector.get_by_role("heading", name="Standings").wait_for()
    assert projector.get_by_text("wins").count() == 1
    page.get_by_role("link", name="Submitters").click()
    page.get_by_role("link", name="cleo").click()
    page.get_by_role("heading", name="crane", exact=True).wait_for()


@pytest.mark.full
@pytest.mark.xdist_group("web in a browser")  # the browser is started once
def test_a_class_from_a_list_to_grades_and_a_final(browser: Any, tmp_path: Path) -> None:
    settings = {"blocks": "12", "check_matches": "1", "aliases": "true", "public_top": "4", "players": "[3]"}
    course = make_league(tmp_path / "course", ["random", "stand-pat", "greedy"], list(STUDENTS), **settings)
    server = ServerProcess(course)
    invited = invite(course, server.url, list(STUDENTS))
    prof = invite(course, server.url, ["prof"], "--organiser")["prof"]
    with browsing(browser, server) as page:
        hand_in_all(page, server.url, invited)
        run("league", "update", course, "--jobs", "1", "--quiet")
        see_own_results(page, server.url)

        grades = tmp_path / "grades.csv"
        grading = ("--against", "random", "--blocks", "8", "--jobs", "1", "--quiet", "--out", grades)
        run("league", "grade", course, *grading)
        rows = list(csv.DictReader(StringIO(grades.read_text())))
        assert {(row["submitter"], row["alias"], row["bot"]) for row in rows} == {
            (name, alias, alias) for name, alias in STUDENTS.items()
        }
        assert "wins" not in run("league", "final", course, "--top", "4", *FEW_BLOCKS, "--hold-back")
        reveal_final(page, page.context.new_page(), server.url, prof)
