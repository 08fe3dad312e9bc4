"""Matches of a table, a league and a run: the viewer with the notes that a person may see, and reviews."""

import base64
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import tomli_w
from anyio import sleep
from starlette.exceptions import HTTPException

from arena.interactive.table_form import BotChoices
from arena.league.accounts import ServerDatabase, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import UpdateOptions, update_league
from arena.output.site.site import write_site
from arena.output.texts.checks import card_text
from arena.play.isolation import LevelSelector
from arena.play.records.record_check import check_lines
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.run import Run
from arena.web import jobs
from arena.web.context import WebContext
from arena.web.jobs import ReviewQueue
from arena.web.play import PlayPages, Tables
from arena.web.review_process import Review
from arena.web.server import build_application
from tests.web.conftest import URL, Ask, make_ask, make_run, run_async
from tests.web.play_client import Client, make_pages, play_to_end, serving, serving_app, sit_down

BOT = """
from arena import Bot

class Talker(Bot):
    def act(self, view):
        self.note("secret of {name}")
        return view.legal[0]
"""
SETTINGS = {
    "precision": 1000.0,
    "blocks": 1,
    "check_matches": 1,
    "isolation": "process",
    "submitters": {"ann": ["ann"], "ben": ["ben"]},
    "variants": [{"name": "cuccu", "players": [2]}],
}
MATCH = "/matches/0/0"


def read_deals(page: str) -> list[dict[str, Any]]:
    """Return the deals of all matches on a page with the viewer."""
    script = re.search('id="matches">(.*?)</script>', page, re.DOTALL)
    assert script, page[-2000:]
    packed = [base64.b64decode(match["packed"]) for match in json.loads(script[1])]
    return [deal for match in packed for deal in json.loads(zlib.decompress(match))]


def review_match(client: Client, path: str) -> tuple[httpx.Response, list[dict[str, Any]]]:
    """Ask for the review of a match, and again until it is computed; return its page and its deals."""
    assert "Review the match" in client.get(path).text
    assert client.post(path, headers={"origin": "https://evil.example"}).status_code == 403
    for _ in range(2):
        asked = client.post(path)
        assert (asked.status_code, asked.headers["location"]) == (303, path)
    page = client.get(path)
    while page.status_code == 429 or 'http-equiv="refresh"' in page.text:
        client._portal.call(sleep, 0.2)
        page = client.get(path)
    deals = read_deals(page.text)
    assert all(len(deal["chances"]) == len(deal["frames"]) for deal in deals)
    assert any("others" in frame for deal in deals for frame in deal["frames"])
    return page, deals


def test_a_match_at_a_table_is_reviewed_on_request() -> None:
    with serving(make_pages()) as make_client:
        client = make_client()
        table = sit_down(client, variant="cuccu", players="2")
        assert client.get(f"{table}/review").status_code == 404
        play_to_end(client, table, lambda state: "keep")
        page, deals = review_match(client, f"{table}/review")
        assert make_client().get(f"{table}/review").status_code == 404
    assert all(0 <= chance <= 1000 for deal in deals for step in deal["chances"] for chance in step)
    assert any(deal["chance_error"] > 0 for deal in deals)
    assert "compared with those of expert" in page.text
    assert "'unsafe-inline'" not in page.headers["content-security-policy"].split("style-src")[0]


# --- queue of reviews ---


def test_few_reviews_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_WAITING", 3)
    monkeypatch.setattr(jobs, "MAX_WAITING_OF_ADDRESS", 2)
    reviews = ReviewQueue(None)
    for record in (b"1", b"1", b"1", b"2"):
        reviews.ask(record, "a")
    with pytest.raises(HTTPException):
        reviews.ask(b"3", "a")
    reviews.ask(b"3", "b")
    with pytest.raises(HTTPException):
        reviews.ask(b"4", "c")


def test_a_review_that_fails_says_so_and_is_given_up(tmp_path: Path) -> None:
    async def run() -> str:
        reviews = ReviewQueue(tmp_path)
        async with reviews.running():
            for _ in range(2):
                reviews.ask(b"no record", "a")
                while reviews.find_waiting(b"no record"):
                    await sleep(0.05)
            reviews.ask(b"no record", "a")
            assert not reviews.find_waiting(b"no record"), "it failed too often"
        assert reviews.find(b"no record") is None
        return reviews.find_problem(b"no record")

    assert "could not be computed" in run_async(run())


def test_old_reviews_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_STORED", 2)
    reviews = ReviewQueue(tmp_path)
    review = Review("expert", 10, True, 100, [], [])
    for number in range(4):
        reviews._store(b"%d" % number, review)
    assert len(list(tmp_path.iterdir())) == 2
    assert reviews.find(b"3") == review
    reviews._path(b"3").write_bytes(b"{}")
    assert reviews.find(b"3") is None


# --- league ---


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """A league in which a bot of ann and one of ben, which both attach notes, have played."""
    path = tmp_path_factory.mktemp("talkers")
    (path / "league.toml").write_text(tomli_w.dumps(SETTINGS))
    folder = LeagueFolder.create(path)
    submit_talkers(folder)
    broken = {"bot.py": "no python", "bot.toml": tomli_w.dumps({"name": "broken", "class": "bot.py:First"})}
    (folder.inbox / "broken").mkdir()
    for name, text in broken.items():
        (folder.inbox / "broken" / name).write_text(text)
    update(folder)
    return folder


def submit_talkers(folder: LeagueFolder, *bots: str) -> None:
    """Submit a bot of ann, one of ben, and installed bots."""
    with LeagueDatabase.open(folder.path, "rw") as database:
        for name in ("ann", "ben"):
            file = folder.path.parent / f"{name}.py"
            file.write_text(BOT.format(name=name))
            submit(folder, database, str(file), folder.path, name=name, submitter=name)
        for bot in bots:
            submit(folder, database, bot, folder.path)


def update(folder: LeagueFolder) -> None:
    """Update a league and write its site."""
    options = UpdateOptions(run=RunOptions(log_level=50), date="2026-01-31", confirmed="process")
    with StopRequest() as stop:
        update_league(folder, options, card_text, stop)
    write_site(folder)


AskAs = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def ask(league: LeagueFolder) -> AskAs:
    """Ask as one who is signed in, or as nobody."""
    with ServerDatabase.open(league) as database:
        invited = {account.name: account for account in invite(database, ["ann", "ben"], 1)}
    ask = make_ask(build_application(WebContext(url=URL, league=league)))
    signed_in = {"": dict[str, str]()}
    for name, account in invited.items():
        signed_in[name] = dict(ask("POST", "/sign-in", data={"token": account.token}).cookies)
    return lambda method, path, name="": ask(method, path, cookies=signed_in[name])


def notes_on(page: httpx.Response) -> set[str]:
    assert page.status_code == 200, page.text
    return {note for deal in read_deals(page.text) for note in deal.get("notes", {}).values()}


@pytest.mark.parametrize("name", ["ann", "ben"])
def test_a_person_sees_the_notes_of_the_own_bots_alone(ask: AskAs, name: str) -> None:
    listed = ask("GET", "/matches", name).text
    assert f"{MATCH}/review" in listed
    assert notes_on(ask("GET", MATCH, name)) == {f"secret of {name}"}


def test_others_see_no_match_and_ask_for_no_review(ask: AskAs) -> None:
    for path in ("/matches", MATCH, f"{MATCH}/review"):
        assert ask("GET", path).headers["location"] == "/sign-in"
    assert ask("POST", f"{MATCH}/review").status_code == 401


def test_anybody_sees_a_match_in_a_frame_without_notes(ask: AskAs) -> None:
    page = ask("GET", "/embed/0/0", "ann")
    assert (notes_on(page), page.text) == (set(), ask("GET", "/embed/0/0").text)
    assert "frame-ancestors *" in page.headers["content-security-policy"]
    assert "x-frame-options" not in page.headers
    assert "/matches" not in page.text
    assert ask("GET", "/embed/0/2").status_code == 404


def test_a_match_leads_to_its_review_and_back_and_says_how_it_is_embedded(ask: AskAs) -> None:
    page = ask("GET", MATCH, "ann")
    for link in ('<a href="/matches">Your matches</a>', f'<a href="{MATCH}/review">Review</a>'):
        assert link in page.text
    assert f'&lt;iframe src="{URL}/embed/0/0"' in page.text
    assert page.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


def test_a_review_that_is_stored_while_the_page_is_made_is_waited_for(
    ask: AskAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("POST", f"{MATCH}/review", "ann").status_code == 303
    monkeypatch.setattr(ReviewQueue, "find", lambda queue, record: queue._waiting.clear())
    assert 'http-equiv="refresh"' in ask("GET", f"{MATCH}/review", "ann").text


def test_an_account_cannot_look_at_matches_without_end(ask: AskAs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.context.RateLimit.take", lambda limit, key: 7.0 * (key == "account ann"))
    for path in ("/matches", MATCH, f"{MATCH}/review"):
        refused = ask("GET", path, "ann")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "7")
    assert ask("GET", MATCH, "ben").status_code == 200


def test_the_site_has_no_notes_unless_the_organiser_opens_them(ask: AskAs, league: LeagueFolder) -> None:
    pages = [path for path in league.site.rglob("*.html") if 'id="matches">' in path.read_text()]
    assert pages

    def count(note: str) -> int:
        return sum([note in repr(read_deals(path.read_text())) for path in pages])

    text = league.settings.read_text()
    assert not count("secret of")
    try:
        league.settings.write_text(f"show_notes = true\n{text}")
        update(league)
        assert count("secret of ben")
        assert notes_on(ask("GET", MATCH, "ann")) == {"secret of ann", "secret of ben"}
    finally:
        league.settings.write_text(text)
        update(league)
    assert not count("secret of")


def test_a_person_plays_against_an_admitted_bot_confined_as_the_machine_can(league: LeagueFolder) -> None:
    choices = BotChoices(league)
    assert set(choices.admitted()) == {"ann", "ben"}
    opponent = choices.seat(choices.all()["ann"])
    assert opponent.level == LevelSelector().select(opponent.bot.source.kind, "auto") != "inline"
    with serving(PlayPages(False, Tables(), choices)) as make_client:
        client = make_client()
        page = client.get("/play").text
        assert [f"<option>{name}</option>" in page for name in ("ann", "broken")] == [True, False]
        table = sit_down(client, variant="cuccu", against="ann", players="2")
        state = play_to_end(client, table, lambda state: "keep")
        assert state["end"]["faults"] == []
        assert [row["name"] for row in state["end"]["rows"] if row["name"] != "you"] == ["ann"]
        assert check_lines("it", client.get(f"{table}/records.jsonl").content.splitlines()).matches == 1


# --- run ---


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished run."""
    run = make_run(tmp_path_factory.mktemp("results") / "run")
    run.play(RunOptions(log_level=50))
    return run


@pytest.fixture
def ask_run(run: Run) -> Ask:
    return make_ask(build_application(WebContext(url=URL, run=run.folder)))


def test_the_matches_of_a_bot_are_listed_the_costliest_first(ask_run: Ask) -> None:
    assert ask_run("GET", "/matches").text.count("step through</a>") == 24
    own = ask_run("GET", "/matches", params={"bot": "greedy"}).text
    assert own.count("step through</a>") == 16
    assert own.index("<td>-1</td>") < own.index("<td>0</td>")
    assert ask_run("GET", "/matches", params={"bot": "nobody"}).status_code == 404


@pytest.mark.parametrize("path", ["/matches/99/0", "/matches/0/2", f"/matches/{10**30}/0", "/matches/0/-1"])
def test_a_match_that_is_not_there_is_not_found(ask: AskAs, ask_run: Ask, path: str) -> None:
    assert ask("GET", path, "ann").status_code == ask_run("GET", path).status_code == 404


def test_a_match_of_a_run_is_stepped_through_and_reviewed(run: Run) -> None:
    with serving_app(build_application(WebContext(url=URL, run=run.folder))) as client:
        replay = client.get("/matches/3/1")
        assert read_deals(replay.text)
        assert run.seed not in replay.text
        review_match(client, "/matches/3/1/review")
    assert len(list((run.folder.path / "reviews").glob("*.json"))) == 1
