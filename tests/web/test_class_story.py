"""The story of a class: from a list of students to grades and a final that is revealed round by round."""

import csv
import re
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from arena.cli import main
from benchmarks.server_process import ServerProcess
from tests.output.pages.browsing import find_violations
from tests.web.test_story import PATIENCE_MS

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("web in a browser")]  # the browser is started once
CODE = "class Mine:\n    def act(self, view):\n        return view.legal[{}]\n"
WIDTHS = (1280, 390)
STUDENTS = {"ann": "heron", "ben": "egret", "cleo": "crane"}


def run(*arguments: str | Path) -> str:
    """Run a command of the arena, and return its output."""
    result = CliRunner().invoke(main, list(map(str, arguments)), prog_name="arena")
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """The league of a class, made from a list of three students."""
    listed = tmp_path / "list.csv"
    listed.write_text("name,team\n" + "".join(f"{name},\n" for name in STUDENTS))
    folder = tmp_path / "course"
    run("league", "new", folder, "--title", "Card bots", "--variant", "cuccu", "--students", listed)
    settings = folder / "league.toml"
    text = settings.read_text()
    for line in ("blocks = 12", "check_matches = 1", "aliases = true", "public_top = 4"):
        default = next(
            setting for setting in text.splitlines() if setting.startswith(f"#{line.split(' ')[0]} = ")
        )
        text = text.replace(default, line)
    settings.write_text(text.replace("players = [4]", "players = [3]"))
    run("league", "submit", folder, "random", "stand-pat", "greedy")
    return folder


def invite(course: Path, url: str, names: list[str], *options: str) -> dict[str, dict[str, str]]:
    """Invite people, and return the row of each."""
    listed = course.parent / "invited.csv"
    listed.write_text("\n".join(names))
    rows = csv.DictReader(StringIO(run("league", "invite", course, listed, "--url", url, *options)))
    return {row["name"]: row for row in rows}


def hand_in(url: str, token: str, alias: str, code: str) -> None:
    """Choose an alias, hand in a bot, and wait until it is checked and placed."""
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=url, headers=headers, timeout=PATIENCE_MS / 1000) as client:
        assert client.post("/api/account/alias", data={"alias": alias}).status_code == 200
        number = client.post("/api/hand-ins", content=code.encode()).json()["number"]
        client.get(f"/api/hand-ins/{number}/events")
        handed_in = client.get(f"/api/hand-ins/{number}").json()
    assert (handed_in["state"], handed_in["bot"]) == ("passed", alias), handed_in


def look(page: Any, folder: Path, name: str) -> None:
    """Take pictures of a page on two screens; nothing sticks out, and axe finds nothing serious."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
        page.screenshot(path=folder / f"{name}-{width}.png", full_page=True)
    assert find_violations(page) == []


def hand_in_all(page: Any, url: str, invited: dict[str, dict[str, str]]) -> None:
    """Hand in a bot of each student: ann in the browser, which stays signed in, the others by a token."""
    page.goto(invited["ann"]["link"])
    page.get_by_role("button", name="Sign in as ann").click()
    page.get_by_role("textbox", name="Alias").fill("heron")
    page.get_by_role("button", name="Change the alias").click()
    page.get_by_text("shown to others as heron").wait_for()
    page.get_by_label("Code").fill(CODE.format(0))
    page.get_by_role("button", name="Hand in the code").click()
    for name, index in (("ben", "-1"), ("cleo", "len(view.legal) // 2")):
        hand_in(url, invited[name]["token"], STUDENTS[name], CODE.format(index))
    page.get_by_role("heading", name="Provisional places").wait_for()


def see_own_results(page: Any, url: str, pictures: Path) -> None:
    """Look at the pages of a student after the update."""
    page.goto(f"{url}/account")
    assert page.locator("#places tbody tr").count() == 1
    look(page, pictures, "account")
    page.get_by_role("link", name="What beats you").click()
    page.get_by_role("heading", name="heron", exact=True).wait_for()
    page.get_by_role("heading", name="Where you lose most").wait_for()
    page.locator("#losses table a").first.click()
    page.locator("#viewer .board").wait_for()
    look(page, pictures, "results")
    page.goto(f"{url}/live")
    page.locator("#featured .board").wait_for()
    page.locator("#standings .bar").first.wait_for()
    look(page, pictures, "live")
    page.get_by_role("link", name="Card bots").click()
    page.locator("#ladder table").wait_for()
    assert not re.search(r"\b(ann|ben|cleo)\b", page.content())
    page.get_by_role("link", name="Hand in").wait_for()
    look(page, pictures, "standings")


def reveal_final(page: Any, projector: Any, url: str, prof: str, pictures: Path) -> None:
    """Reveal the final as its organiser, while another page is on the projector."""
    projector.goto(f"{url}/presentation")
    assert projector.locator("li.stays").count() == 0
    page.goto(f"{url}/account")
    page.get_by_role("button", name="Sign out").click()
    page.goto(prof)
    page.get_by_role("button", name="Sign in as prof").click()
    page.wait_for_url("**/organiser")
    look(page, pictures, "organiser")
    page.get_by_role("button", name="Reveal round 1 of final 1").click()
    projector.get_by_text("1 of 2 rounds revealed").wait_for()
    assert projector.get_by_text("wins").count() == 0
    look(projector, pictures, "presentation")
    page.get_by_role("button", name="Reveal round 2 of final 1").click()
    projector.get_by_role("heading", name="Standings").wait_for()
    assert projector.get_by_text("wins").count() == 1
    page.get_by_role("link", name="Submitters").click()
    page.get_by_role("link", name="cleo").click()
    page.get_by_role("heading", name="crane", exact=True).wait_for()


def test_a_class_from_a_list_to_grades_and_a_final(browser: Any, course: Path, tmp_path: Path) -> None:
    server = ServerProcess(course)
    invited = invite(course, server.url, list(STUDENTS))
    prof = invite(course, server.url, ["prof"], "--organiser")["prof"]
    context = browser.new_context()
    context.set_default_timeout(PATIENCE_MS)
    page, troubles = context.new_page(), list[str]()
    page.on("console", lambda line: troubles.append(line.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    server.start()
    try:
        hand_in_all(page, server.url, invited)
        run("league", "update", course, "--jobs", "1", "--quiet")
        see_own_results(page, server.url, tmp_path)

        grades = tmp_path / "grades.csv"
        grading = ("--against", "random", "--blocks", "8", "--jobs", "1", "--quiet", "--out")
        run("league", "grade", course, *grading, grades)
        rows = list(csv.DictReader(StringIO(grades.read_text())))
        assert {(row["submitter"], row["alias"], row["bot"]) for row in rows} == {
            (name, alias, alias) for name, alias in STUDENTS.items()
        }

        final = ("--top", "4", "--blocks", "1", "--max-blocks", "1", "--jobs", "1", "--quiet", "--hold-back")
        assert "wins" not in run("league", "final", course, *final)
        reveal_final(page, context.new_page(), server.url, prof["link"], tmp_path)
        assert troubles == []
    finally:
        context.close()
        status = server.stop()
    assert status == 0
