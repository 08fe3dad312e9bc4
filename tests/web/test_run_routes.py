"""The server of a run: its matches, their reviews, and its standings while it is played."""

import asyncio
import json
from pathlib import Path

import pytest

from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.review.live import RunWatcher
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from arena.web.application import build_application
from arena.web.context import WebContext
from arena.web.live import LiveFeed
from tests.web.conftest import URL, Ask, make_ask, run_async
from tests.web.play_client import serving_app
from tests.web.test_reviews import read_deals, wait_for_review

BOTS = ["greedy", {"bot": "random", "name": "<b>random</b>"}, "stand-pat"]
GAME = {"name": "cuccu", "players": 2, "tokens": 1}
CONFIG = {"bots": BOTS, "variants": [GAME], "seed": "the seed of the run"}


def create(folder: Path) -> Run:
    """Create a run of three bots, of which nothing has been played."""
    config = make_config({**CONFIG, "blocks": 4}, base=Path(), where="the test")
    return Run.create(config, RunFolder.create(folder))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished run."""
    run = create(tmp_path_factory.mktemp("results") / "run")
    run.play(RunOptions(log_level=50))
    return run


@pytest.fixture
def ask(run: Run) -> Ask:
    return make_ask(build_application(WebContext(url=URL, run=run.folder)))


def test_standings_and_matches_come_with_the_blocks(tmp_path: Path) -> None:
    run = create(tmp_path / "run")
    watcher = RunWatcher(run.folder)
    early = watcher.look()
    assert (early.state, early.blocks, early.total, early.rows) == ("stopped", 0, 12, [])
    run.play(RunOptions(log_level=50))
    late = watcher.look()
    assert (late.state, late.blocks, late.game) == ("done", 12, ("cuccu(tokens=1)", 2))
    expected = [(row.rank, row.bot, row.elo, row.comparison_error) for row in run.results().rows]
    assert [(row.rank, row.bot, row.elo, row.comparison_error) for row in late.rows] == expected
    assert [match.block for match in late.matches] == list(range(11, -1, -1))
    assert late.featured is not None
    assert watcher.look() is late, "nothing was played: nothing is read again"


def test_who_follows_a_run_gets_standings_matches_and_a_table(run: Run) -> None:
    async def follow() -> list[bytes]:
        feed = LiveFeed(RunWatcher(run.folder), asyncio.Event())
        await feed.look()
        stream = feed.follow()
        return [await anext(stream) for _ in range(3)]

    events = dict(event.decode().rstrip().split("\n") for event in run_async(follow()))
    kinds = {kind.removeprefix("event: "): json.loads(data[6:]) for kind, data in events.items()}
    assert list(kinds) == ["standings", "matches", "featured"]
    assert kinds["standings"]["summary"] == "12 of 12 blocks, finished, cuccu(tokens=1), 2 players."
    assert len(kinds["standings"]["rows"]) == 3
    assert kinds["featured"]["packed"]


def test_the_live_page_has_the_standings_without_scripts(ask: Ask) -> None:
    page = ask("GET", "/live").text
    assert page.count('<th scope="row"') == 3
    assert "12 of 12 blocks, finished" in page
    assert "&lt;b&gt;random" in page
    assert ask("GET", "/api/live/own").status_code == 404
    assert '<a href="/live">Live</a>' in ask("GET", "/matches").text


def test_the_matches_of_a_bot_are_listed_the_costliest_first(ask: Ask) -> None:
    listed = ask("GET", "/matches").text
    assert listed.count("step through</a>") == 24
    own = ask("GET", "/matches", params={"bot": "greedy"}).text
    assert own.count("step through</a>") == 16
    assert own.index("<td>-1</td>") < own.index("<td>0</td>")
    assert ask("GET", "/matches", params={"bot": "nobody"}).status_code == 404


@pytest.mark.parametrize("path", ["/matches/12/0", "/matches/0/2", f"/matches/{10**30}/0", "/matches/0/-1"])
def test_a_match_that_is_not_there_is_not_found(ask: Ask, path: str) -> None:
    assert ask("GET", path).status_code == 404


def test_a_match_is_stepped_through_and_reviewed(run: Run) -> None:
    with serving_app(build_application(WebContext(url=URL, run=run.folder))) as client:
        replay = client.get("/matches/3/1")
        assert read_deals(replay.text)
        assert run.seed not in replay.text
        review = "/matches/3/1/review"
        assert "Review the match" in client.get(review).text
        assert client.post(review, headers={"origin": "https://evil.example"}).status_code == 403
        assert client.post(review).headers["location"] == review
        page = wait_for_review(client, review)
    deals = read_deals(page.text)
    assert all(len(deal["chances"]) == len(deal["frames"]) for deal in deals)
    assert any("others" in frame for deal in deals for frame in deal["frames"])
    assert len(list((run.folder.path / "reviews").glob("*.json"))) == 1
