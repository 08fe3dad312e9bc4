"""People who play rated matches on a league's server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from arena.league.accounts import invite
from arena.league.folder import LeagueFolder
from arena.league.human_matches import read_matches
from arena.league.request_queue import submit
from arena.league.server_database import ServerDatabase
from arena.league.store import LeagueDatabase
from arena.web.application import build_application
from arena.web.context import WebContext
from arena.web.play import tables
from tests.web.play_client import URL, Client, get_state, play_to_end, sit_down
from tests.web.test_reviews import update

SETTINGS = """\
rate_people = true
precision = 1000.0
blocks = 4
check_matches = 1
[submitters]
ann = ["ann"]
[[variants]]
name = "cuccu"
players = [2]
"""
RATED = {"variant": "cuccu", "players": "2", "against": "cautious", "rival": "cautious", "rated": "on"}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """A league with two rated built-in bots, which rates people."""
    path = tmp_path_factory.mktemp("people")
    (path / "league.toml").write_text(SETTINGS)
    folder = LeagueFolder.create(path)
    with LeagueDatabase.open(path, "rw") as database:
        for bot in ("cautious", "random"):
            submit(folder, database, bot, Path())
    update(folder)
    return folder


@pytest.fixture
def client(league: LeagueFolder) -> Iterator[Client]:
    """A browser in which ann is signed in."""
    with ServerDatabase.open(league) as database:
        [ann] = invite(database, ["ann"], 1)
        database.execute("DELETE FROM person_match")
    context = WebContext(url=URL, league=league)
    app = build_application(context)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(app.router.lifespan_context(app)),
    ):
        browser = Client(portal, app)
        assert browser.post("/sign-in", data={"token": ann.token}).status_code == 303
        yield browser


def played(league: LeagueFolder) -> list[Any]:
    with ServerDatabase.open(league) as database:
        return read_matches(database).get("ann", [])


def test_a_rated_match_gives_a_rating_beside_the_bots(client: Client, league: LeagueFolder) -> None:
    assert "Rated: against bots of the league" in client.get("/play").text
    table = sit_down(client, **RATED, seed="known cards")
    state = get_state(client, table)
    refused = client.post(f"{table}/answer", json={"kind": "hint", "step": state["step"]})
    assert (refused.status_code, "no hints in rated" in refused.text) == (400, True)
    assert played(league) == []
    state = play_to_end(client, table, lambda state: "keep")
    while state["rival_plays"]:
        state = get_state(client, table, state["step"])
    [match] = played(league)
    assert match.game == ("cuccu", 2)
    assert {match.own_score, match.rival_score} <= {0.0, 0.5, 1.0}
    page = client.get("/people").text
    assert page.index("cautious") > 0
    assert '<th scope="row" class="w">ann</th><td class="w">person</td>' in page
    assert client.get(f"{table}/records.jsonl").json()["seed"] != "known cards"


def test_a_rated_match_that_is_left_counts_as_lost(
    client: Client, league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MAX_BOTS_OF_CLIENT", 2)
    get_state(client, sit_down(client, **RATED))
    get_state(client, sit_down(client, **RATED))
    [match] = played(league)
    assert (match.own_score, match.rival_score) == (0.0, None)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"practice": "on"}, "no take-back"),
        ({"rival": "nobody"}, "a bot to compare with"),
        ({"against": "simple"}, "simple has no rating in this game"),
        ({"players": "3"}, "3 players has no ladder"),
        ({"variant": "lives", "rival": "greedy", "against": "greedy"}, "has no ladder in this league"),
    ],
)
def test_other_matches_cannot_be_rated(client: Client, fields: dict[str, str], problem: str) -> None:
    response = client.post("/play", data={**RATED, **fields})
    assert response.status_code == 400
    assert problem in response.text


def test_nobody_else_sees_a_person_and_strangers_are_not_rated(client: Client, league: LeagueFolder) -> None:
    client.post("/sign-out")
    page = client.get("/people").text
    assert "person</td>" not in page
    assert "Sign in" in page
    response = client.post("/play", data=RATED)
    assert (response.status_code, "sign in at /sign-in" in response.text) == (400, True)
