"""Reviews: of a match at a table and of a match of a league, with the notes that a person may see."""

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

from arena.league.accounts import Invitation, ServerDatabase, invite
from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import UpdateOptions, update_league
from arena.output.site.site import write_site
from arena.output.texts.checks import card_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.web import jobs
from arena.web.application import build_application
from arena.web.context import WebContext
from arena.web.jobs import ReviewQueue
from arena.web.review_process import Review
from tests.web.conftest import URL, make_ask, run_async
from tests.web.play_client import Client, make_pages, play_to_end, serving, sit_down

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
    """Return the deals of the match on a page with the viewer."""
    script = re.search('id="matches">(.*?)</script>', page, re.DOTALL)
    assert script, page[-2000:]
    [match] = json.loads(script[1])
    deals: list[dict[str, Any]] = json.loads(zlib.decompress(base64.b64decode(match["packed"])))
    return deals


def test_a_match_at_a_table_is_reviewed_on_request(tmp_path: Path) -> None:
    pages = make_pages()
    with serving(pages) as make_client:
        client = make_client()
        table = sit_down(client, variant="cuccu", players="2")
        review = f"{table}/review"
        assert client.get(review).status_code == 404
        play_to_end(client, table, lambda state: "keep")
        assert "Review the match" in client.get(review).text
        assert client.post(review, headers={"origin": "https://evil.example"}).status_code == 403
        assert client.post(review).headers["location"] == review
        assert client.post(review).status_code == 303
        page = wait_for_review(client, review)
        stranger = make_client()
        assert stranger.get(review).status_code == 404
    deals = read_deals(page.text)
    assert all(len(deal["chances"]) == len(deal["frames"]) for deal in deals)
    assert all(0 <= chance <= 1000 for deal in deals for step in deal["chances"] for chance in step)
    assert any(deal["chance_error"] > 0 for deal in deals)
    assert any("others" in frame for deal in deals for frame in deal["frames"])
    assert "compared with those of expert" in page.text
    assert "'unsafe-inline'" not in page.headers["content-security-policy"].split("style-src")[0]


def wait_for_review(client: Client, path: str) -> httpx.Response:
    """Ask again and again, as the page does, until the review is computed."""
    page = client.get(path)
    while page.status_code == 429 or 'http-equiv="refresh"' in page.text:
        client._portal.call(sleep, 0.2)
        page = client.get(path)
    return page


def test_few_reviews_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_WAITING", 3)
    monkeypatch.setattr(jobs, "MAX_WAITING_OF_ADDRESS", 2)
    reviews = ReviewQueue(None)
    for _ in range(3):
        reviews.ask(b"1", "a")
    reviews.ask(b"2", "a")
    with pytest.raises(HTTPException):
        reviews.ask(b"3", "a")
    reviews.ask(b"3", "b")
    with pytest.raises(HTTPException):
        reviews.ask(b"4", "c")


def test_a_review_that_fails_says_so_and_others_follow(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
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


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """A league in which a bot of ann and one of ben, which both attach notes, have played."""
    path = tmp_path_factory.mktemp("talkers")
    (path / "league.toml").write_text(tomli_w.dumps(SETTINGS))
    folder = LeagueFolder.create(path)
    with LeagueDatabase.open(path, "rw") as database:
        for name in ("ann", "ben"):
            file = path.parent / f"{name}.py"
            file.write_text(BOT.format(name=name))
            submit(folder, database, str(file), path, name=name, submitter=name)
    update(folder)
    return folder


def update(folder: LeagueFolder) -> None:
    """Update a league and write its site."""
    options = UpdateOptions(run=RunOptions(log_level=50), date="2026-01-31", confirmed="process")
    with StopRequest() as stop:
        update_league(folder, options, card_text, stop)
    write_site(folder)


@pytest.fixture(scope="module")
def invited(league: LeagueFolder) -> dict[str, Invitation]:
    with ServerDatabase.open(league) as database:
        return {account.name: account for account in invite(database, ["ann", "ben"], 1)}


SignedIn = Callable[..., httpx.Response]


@pytest.fixture
def ask(league: LeagueFolder, invited: dict[str, Invitation]) -> SignedIn:
    """Ask as one who is signed in, or as nobody."""
    ask = make_ask(build_application(WebContext(url=URL, league=league)))

    def send(method: str, path: str, name: str = "") -> httpx.Response:
        cookies = {}
        if name:
            cookies = dict(ask("POST", "/sign-in", data={"token": invited[name].token}).cookies)
        return ask(method, path, cookies=cookies)

    return send


def notes_on(page: httpx.Response) -> set[str]:
    assert page.status_code == 200, page.text
    return {note for deal in read_deals(page.text) for note in deal.get("notes", {}).values()}


@pytest.mark.parametrize("name", ["ann", "ben"])
def test_a_person_sees_the_notes_of_the_own_bots_alone(ask: SignedIn, name: str) -> None:
    listed = ask("GET", "/matches", name).text
    assert f"{MATCH}/review" in listed
    assert notes_on(ask("GET", MATCH, name)) == {f"secret of {name}"}


def test_others_see_no_match_and_ask_for_no_review(ask: SignedIn) -> None:
    for path in ("/matches", MATCH, f"{MATCH}/review"):
        assert ask("GET", path).headers["location"] == "/sign-in"
    assert ask("POST", f"{MATCH}/review").status_code == 401


def test_anybody_sees_a_match_in_a_frame_without_notes(ask: SignedIn) -> None:
    page = ask("GET", "/embed/0/0", "ann")
    assert (notes_on(page), page.text) == (set(), ask("GET", "/embed/0/0").text)
    assert "frame-ancestors *" in page.headers["content-security-policy"]
    assert "x-frame-options" not in page.headers
    assert "/matches" not in page.text
    assert ask("GET", "/embed/0/2").status_code == 404


def test_a_match_leads_to_its_review_and_back_and_says_how_it_is_embedded(ask: SignedIn) -> None:
    page = ask("GET", MATCH, "ann")
    for link in ('<a href="/matches">Your matches</a>', f'<a href="{MATCH}/review">Review</a>'):
        assert link in page.text
    assert f'&lt;iframe src="{URL}/embed/0/0"' in page.text
    assert page.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/matches/99/0", "/matches/0/2", f"/matches/{10**30}/0", "/matches/0/-1"])
def test_a_match_that_is_not_there_is_not_found(ask: SignedIn, path: str) -> None:
    assert ask("GET", path, "ann").status_code == 404


def test_a_review_that_is_stored_while_the_page_is_made_is_waited_for(
    ask: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("POST", f"{MATCH}/review", "ann").status_code == 303
    monkeypatch.setattr(ReviewQueue, "find", lambda queue, record: queue._waiting.clear())
    assert 'http-equiv="refresh"' in ask("GET", f"{MATCH}/review", "ann").text


def test_an_account_cannot_look_at_matches_without_end(
    ask: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.context.RateLimit.take", lambda limit, key: 7.0 * (key == "account ann"))
    refused = ask("GET", MATCH, "ann")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "7")
    assert ask("GET", MATCH, "ben").status_code == 200


def test_the_site_has_no_notes_unless_the_organiser_opens_them(ask: SignedIn, league: LeagueFolder) -> None:
    pages = [path for path in league.site.rglob("*.html") if 'id="matches">' in path.read_text()]
    assert pages
    text = league.settings.read_text()
    assert not any("secret of" in repr(all_deals(path)) for path in pages)
    try:
        league.settings.write_text(f"show_notes = true\n{text}")
        update(league)
        assert any("secret of ben" in repr(all_deals(path)) for path in pages)
        assert notes_on(ask("GET", MATCH, "ann")) == {"secret of ann", "secret of ben"}
    finally:
        league.settings.write_text(text)
        update(league)
    assert not any("secret of" in repr(all_deals(path)) for path in pages)


def all_deals(page: Path) -> list[Any]:
    script = re.search('id="matches">(.*?)</script>', page.read_text(), re.DOTALL)
    assert script
    return [json.loads(zlib.decompress(base64.b64decode(row["packed"]))) for row in json.loads(script[1])]
