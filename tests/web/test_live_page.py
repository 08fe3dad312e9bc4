"""The live page of a league, and its events."""

import asyncio
import json

from arena.league.folder import LeagueFolder
from arena.league.live import LeagueWatcher
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL
from arena.tournament.review.live import find_swing
from arena.web.application import build_application
from arena.web.context import WebContext
from arena.web.live import LiveFeed
from tests.league.conftest import folder
from tests.league.test_update import StopAfter, league, update
from tests.web.conftest import URL, make_ask, run_async

__all__ = ["folder", "league"]


def test_ratings_move_while_an_update_is_played(league: LeagueFolder) -> None:
    watcher = LeagueWatcher(league)
    assert watcher.look().update == 0
    assert update(league, stop=StopAfter(12)) == "stopped"
    early = watcher.look()
    assert (early.update, early.state) == (1, "stopped")
    assert early.blocks > 0
    assert update(league) == "done"
    late = watcher.look()
    assert late.blocks > early.blocks
    with LeagueResults.open(league.path) as results:
        expected = [
            (row.bot, row.rank, row.text_elo, row.comparison_error)
            for row in results.ladders[late.game or OVERALL]
        ]
        swings = [find_swing(record) for record in results.records(late.matches[0].block)]
    shown = [(row.text_name, row.rank, row.text_elo, row.comparison_error) for row in late.rows]
    assert shown == expected
    assert late.featured is not None
    assert late.featured.swing >= max(swings)
    assert {row.bot for rows in late.own.values() for row in rows} == {row.bot for row in late.rows}


def test_who_follows_gets_what_changes(league: LeagueFolder) -> None:
    update(league)

    async def follow() -> list[bytes]:
        feed = LiveFeed(LeagueWatcher(league), asyncio.Event())
        await feed.look()
        stream = feed.follow()
        return [await anext(stream) for _ in range(4)]

    events = dict(event.decode().rstrip().split("\n") for event in run_async(follow()))
    kinds = {
        kind.removeprefix("event: "): json.loads(data.removeprefix("data: ")) for kind, data in events.items()
    }
    assert list(kinds) == ["standings", "matches", "final", "featured"]
    assert len(kinds["standings"]["rows"]) == 4
    assert kinds["matches"][0]["seats"][0]["placing"] == 1
    assert kinds["featured"]["packed"]
    assert kinds["final"] == {"final": 0, "revealed": None}


def test_the_page_has_the_standings_without_scripts(league: LeagueFolder) -> None:
    update(league)
    ask = make_ask(build_application(WebContext(url=URL, league=league)))
    page = ask("GET", "/live").text
    assert page.count('<th scope="row"') == 4
    assert "Update 1, finished" in page
    assert '<ul id="latest"' in page
    assert ask("GET", "/api/live/own").status_code == 401
