"""The live page, its events and the page for a projector, of a run and of a league."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.league.folder import LeagueFolder
from arena.league.live import LeagueWatcher
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.review.live import RunWatcher, find_swing
from arena.tournament.run import Run
from arena.web.context import WebContext
from arena.web.live import LiveFeed, Watcher
from arena.web.server import build_application
from tests.league.conftest import StopAfter, folder, update
from tests.league.conftest import league as played_league
from tests.web.conftest import BOTS, URL, Ask, make_ask, make_run, run_async

__all__ = ["folder", "played_league"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished run."""
    run = make_run(tmp_path_factory.mktemp("results") / "run")
    run.play(RunOptions(log_level=50))
    return run


def ask_about(run: Run) -> Ask:
    return make_ask(build_application(WebContext(url=URL, run=run.folder)))


def test_standings_and_matches_of_a_run_come_with_its_blocks(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
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


def test_ratings_move_while_a_league_is_updated(played_league: LeagueFolder) -> None:
    watcher = LeagueWatcher(played_league)
    assert watcher.look().update == 0
    assert update(played_league, stop=StopAfter(12)) == "stopped"
    early = watcher.look()
    assert (early.update, early.state) == (1, "stopped")
    assert early.blocks > 0
    assert update(played_league) == "done"
    late = watcher.look()
    assert late.blocks > early.blocks
    with LeagueResults.open(played_league.path) as results:
        ladder = results.ladders[late.game or OVERALL]
        expected = [(row.bot, row.rank, row.text_elo, row.comparison_error) for row in ladder]
        swings = [find_swing(record) for record in results.records(late.matches[0].block)]
    shown = [(row.text_name, row.rank, row.text_elo, row.comparison_error) for row in late.rows]
    assert shown == expected
    assert late.featured is not None
    assert late.featured.swing >= max(swings)
    assert {row.bot for rows in late.own.values() for row in rows} == {row.bot for row in late.rows}


def follow(watcher: Watcher, count: int) -> dict[str, Any]:
    """Return the first events of a stream by their kinds."""

    async def read() -> list[bytes]:
        feed = LiveFeed(watcher, asyncio.Event())
        await feed.look()
        stream = feed.follow()
        return [await anext(stream) for _ in range(count)]

    lines = [event.decode().rstrip().split("\n") for event in run_async(read())]
    return {kind.removeprefix("event: "): json.loads(data.removeprefix("data: ")) for kind, data in lines}


def test_who_follows_a_run_gets_standings_matches_and_a_table(run: Run) -> None:
    events = follow(RunWatcher(run.folder), 3)
    assert list(events) == ["standings", "matches", "featured"]
    assert events["standings"]["summary"] == "12 of 12 blocks, finished, cuccu(tokens=1), 2 players."
    assert len(events["standings"]["rows"]) == 3
    assert events["featured"]["packed"]
    page = ask_about(run)("GET", "/live").text
    assert page.count('<th scope="row"') == 3
    assert "12 of 12 blocks, finished" in page
    assert "&lt;b&gt;random" in page
    assert ask_about(run)("GET", "/api/live/own").status_code == 404
    assert '<a href="/live">Live</a>' in ask_about(run)("GET", "/matches").text


def test_who_follows_a_league_also_gets_its_final(played_league: LeagueFolder) -> None:
    update(played_league)
    events = follow(LeagueWatcher(played_league), 4)
    assert list(events) == ["standings", "matches", "final", "featured"]
    assert len(events["standings"]["rows"]) == 4
    assert events["matches"][0]["seats"][0]["placing"] == 1
    assert events["featured"]["packed"]
    assert events["final"] == {"final": 0, "revealed": None}
    page = make_ask(build_application(WebContext(url=URL, league=played_league)))("GET", "/live").text
    assert page.count('<th scope="row"') == 4
    assert "Update 1, finished" in page
    assert '<ul id="latest"' in page


# --- projector ---


@pytest.fixture(scope="module")
def knockout(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished knockout of four bots: two tables of 20 blocks, then one."""
    folder = tmp_path_factory.mktemp("results") / "cup"
    settings = {"format": "knockout", "title": "The cup", "blocks": 20, "max_blocks": 20, "seed": "any"}
    games = [{"name": "lives", "players": 2, "tokens": 1}]
    run = make_run(folder, bots=["greedy", "counter", BOTS[1], "prudent"], variants=games, **settings)
    run.play(RunOptions())
    return run


def test_the_standings_and_the_bracket_are_shown(knockout: Run) -> None:
    response = ask_about(knockout)("GET", "/presentation")
    assert response.status_code == 200
    page = response.text
    for text in ("The cup", "Bracket", "Round 1", "Round 2", "wins", "&lt;b&gt;random&lt;/b&gt;"):
        assert text in page
    assert page.count('<th scope="row"') == 4
    assert "http-equiv" not in page  # it is finished


@pytest.mark.parametrize(("blocks", "rounds", "advance"), [(10, 1, 0), (45, 2, 2)])
def test_the_bracket_of_a_knockout_grows_with_its_rounds(
    knockout: Run, tmp_path: Path, blocks: int, rounds: int, advance: int
) -> None:
    shutil.copytree(knockout.folder.path, tmp_path / "cup")
    folder = RunFolder(tmp_path / "cup")
    with closing(sqlite3.connect(folder.database)) as database:
        database.execute("DELETE FROM block WHERE place >= ?", (blocks,))
        database.commit()
    page = ask_about(Run.open(folder.path))("GET", "/presentation").text
    assert page.count("<h3>Round") == rounds
    assert page.count('class="stays"') == page.count("advances") == advance
    assert "wins" not in page
    assert page.count("</li>") == 4 + 2 * (rounds - 1)
    assert 'data-every="10"' in page


def test_a_run_that_is_not_finished_is_shown_with_what_is_played_and_renewed(tmp_path: Path) -> None:
    page = ask_about(make_run(tmp_path / "run"))("GET", "/presentation").text
    for text in ("Nothing has been played yet.", '<meta http-equiv="refresh" content="10">', 'value="0.000"'):
        assert text in page
    assert "Bracket" not in page


def test_a_league_without_a_final_shows_its_main_ladder(ask: Ask) -> None:
    page = ask("GET", "/presentation").text
    assert "A course" in page
    assert "Nothing has been played yet." in page
