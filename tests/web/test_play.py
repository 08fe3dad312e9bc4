"""Play over HTTP: whole matches, answers that come twice, strangers, wrong forms, limits."""

import html
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from subprocess import Popen
from threading import Event
from time import sleep
from typing import Any

import pytest

from arena.games import VARIANTS
from arena.interactive.seated_match import MatchThread
from arena.interactive.session import SeriesSetup
from arena.interactive.table_form import BotChoices, read_form
from arena.play.isolation import launch
from arena.play.records.record_check import check_lines
from arena.web.play import (
    IDLE_S,
    MAX_BOTS,
    MAX_REQUESTS_OF_TABLE,
    QUIET_S,
    PlayPages,
    Tables,
    TooManyTables,
)
from tests.interactive.played_session import choose_at_random, list_actions
from tests.web.play_client import Client, answer, get_state, make_pages, play_to_end, serving, sit_down

ONE_OF_EACH_FAMILY = {rules.family: rules.name for rules in reversed(VARIANTS)}.values()
MakeClient = Callable[[], Client]


@pytest.fixture
def make_client() -> Iterator[MakeClient]:
    """Serve tables that anybody can sit down at."""
    with serving(make_pages()) as make:
        yield make


@pytest.fixture
def client(make_client: MakeClient) -> Client:
    return make_client()


@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY)
def test_a_match_is_played_and_its_record_downloaded(client: Client, name: str) -> None:
    table = sit_down(client, variant=name, seat="1")
    assert "text/html" in client.get(table).headers["content-type"]
    state = play_to_end(client, table, choose_at_random(name))
    response = client.get(f"{table}/records.jsonl")
    assert check_lines("it", response.content.splitlines()).matches == 1
    assert json.loads(response.content)["bots"][1] == "person"
    assert f'filename="{name}.jsonl"' in response.headers["content-disposition"]
    assert state["end"]["summary"].startswith("You came ")
    replay = client.get(f"{table}/replay")
    assert 'id="matches"' in replay.text
    assert "'unsafe-inline'" not in replay.headers["content-security-policy"].split("style-src")[0]


def test_bots_play_in_processes_of_their_own_on_a_server_for_others() -> None:
    tables = Tables()
    with serving(PlayPages(False, tables, BotChoices(None, "process"))) as make_client:
        client = make_client()
        table = sit_down(client, variant="cuccu", players="2", rival="cautious")
        state = play_to_end(client, table, lambda state: "keep")
        while state["rival_plays"]:
            state = get_state(client, table, state["step"])
        assert "cautious" in state["score"]["words"][0]
        assert check_lines("it", client.get(f"{table}/records.jsonl").content.splitlines()).matches == 1
        for _ in range(2):
            own, other = client.get("/play").text, make_client().get("/play").text
            assert re.search("cuccu</b> Over 1 match: you [+-]?[0-9]+ tokens, cautious [+-]?[0-9]+[.]<", own)
            assert "Your last matches" not in other
            tables.close()  # the table is closed, but not forgotten


def test_a_double_click_and_an_old_page_change_nothing(client: Client) -> None:
    table = sit_down(client)
    first = get_state(client, table)
    message = {"kind": "act", "step": first["step"], "action": list_actions(first)[0]["text"]}
    second = client.post(f"{table}/answer", json=message).json()
    again = client.post(f"{table}/answer", json=message)
    assert again.status_code == 409
    assert again.json()["state"] == second == get_state(client, table)


def test_hints_take_back_and_another_match(client: Client) -> None:
    table = sit_down(client, variant="cuccu", practice="on")
    state = get_state(client, table)
    hint = answer(client, table, "hint", state["step"])
    assert (hint["bot"], hint["action"]) in {("cautious", "keep"), ("cautious", "swap")}
    after = answer(client, table, "act", state["step"], "keep")
    back = answer(client, table, "take-back", after["step"])
    assert back["table"]["seats"] == state["table"]["seats"]
    over = play_to_end(client, table, lambda state: "swap")
    assert over["score"]["results"][0] | {"own": None} == {
        "own": None,
        "rival": None,
        "hints": 1,
        "taken_back": 1,
    }
    assert answer(client, table, "next-match", over["step"])["match"] == 2


@pytest.mark.parametrize(
    ("body", "error"),
    [
        *[(body, "This is not an answer") for body in (b"", b"[]", b"{}", b"\xff")],
        (b'{"kind": "act", "step": "1"}', "This is not an answer"),
        (b'{"kind": "act", "step": 2, "table": 1}', "This is not an answer"),
        (b'{"kind": "dance", "step": 2}', "There is no answer called 'dance'."),
        (b'{"kind": "act", "step": STEP, "action": "horse"}', "'horse' is not legal now"),
        (b" " * 10_000, "larger than 4096 bytes"),
    ],
)
def test_what_is_no_answer_is_refused(client: Client, body: bytes, error: str) -> None:
    table = sit_down(client)
    state = get_state(client, table)
    response = client.post(f"{table}/answer", content=body.replace(b"STEP", b"%d" % state["step"]))
    assert response.status_code == (413 if len(body) > 4096 else 400)
    assert error in html.unescape(response.text)
    assert get_state(client, table) == state


def test_a_table_belongs_to_the_visitor_who_sat_down(make_client: MakeClient) -> None:
    own, other = make_client(), make_client()
    table = sit_down(own)
    sit_down(other)
    for path in (table, f"{table}/state", f"{table}/records.jsonl", f"{table}/replay"):
        assert other.get(path).status_code == 404
        assert make_client().get(path).status_code == 404
    message = {"kind": "act", "step": 2, "action": "knock"}
    assert other.post(f"{table}/answer", json=message).status_code == 404
    cookie = own.post("/play", data={"variant": "lives"}).headers["set-cookie"].lower()
    assert {"httponly", "samesite=lax", "path=/play"} <= {part.strip() for part in cookie.split(";")}


def test_nothing_is_told_of_a_match_that_is_not_over(client: Client) -> None:
    table = sit_down(client)
    state = get_state(client, table)
    while state["table"]["deal"] == 1:
        kind, action = (
            ("act", list_actions(state)[-1]["text"]) if state["phase"] == "decision" else ("proceed", "")
        )
        state = answer(client, table, kind, state["step"], action)
    assert client.get(f"{table}/records.jsonl").content == b""
    assert client.get(f"{table}/replay").status_code == 404
    assert "any text" not in client.get(table).text + json.dumps(state)  # the seed


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"variant": "whist"}, "whist"),
        ({"variant": "cox", "players": "7"}, "cannot be dealt to 7"),
        ({"players": "many"}, "&#39;many&#39; is not a number"),
        ({"players": "1000"}, "cannot be dealt to 1000"),
        ({"players": "1" * 10}, "more than 9 digits"),
        ({"seat": "9"}, "seat 9"),
        ({"against": "../bots/greedy.py"}, "unknown bot"),
        ({"against": "cmd:sh"}, "unknown bot"),
        ({"rival": "<b>"}, "unknown bot &#39;&lt;b&gt;&#39;"),
    ],
)
def test_a_form_that_cannot_be_played_says_why(client: Client, fields: Any, problem: str) -> None:
    fields = {"variant": "lives", "practice": "on", **fields}
    page = client.post("/play", data=fields)
    assert (page.status_code, problem in page.text) == (400, True)
    assert 'type="checkbox" checked' in page.text, "it remembers what was asked for"
    answer = client.post("/play", data=fields, headers={"Accept": "application/json"})
    assert (answer.status_code, html.unescape(problem) in answer.json()["error"]) == (400, True)
    page = client.get("/play?variant=cox&against=collector")
    for option in ('value="cox" checked>', "<option selected>collector</option>"):
        assert option in page.text


def test_a_full_server_says_when_to_try_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.play.MAX_BOTS", 1)
    for accepted in ("text/html", "application/json"):
        response = client.post("/play", data={"variant": "lives"}, headers={"Accept": accepted})
        assert (response.status_code, response.headers["retry-after"]) == (503, f"{QUIET_S:.0f}")
        assert response.headers["content-type"].startswith(accepted)
        assert "All tables are taken" in response.text


def test_a_large_form_is_refused(client: Client) -> None:
    assert client.post("/play", data={"variant": "x" * 10_000}).status_code == 413
    assert client.post("/play", content="&".join(["a=1"] * 21)).status_code == 400


def test_a_step_that_is_no_number_and_a_cookie_that_is_no_token_are_refused(client: Client) -> None:
    table = sit_down(client)
    for after in ("-1", "x", "9" * 5000):
        assert client.get(f"{table}/state", params={"after": after}).status_code == 400
    headers = {"cookie": "visitor=é".encode("latin-1")}
    assert client.get(f"{table}/state", headers=headers).status_code == 404


def test_only_the_owner_of_the_link_plays_on_a_local_server() -> None:
    with serving(make_pages(owner="a secret")) as make_client:
        stranger = make_client()
        for key in ("", "another", "a secret "):
            assert stranger.get("/play/with-key", params={"key": key}).status_code == 404
        assert stranger.get("/play").status_code == 403
        assert stranger.post("/play", data={"variant": "lives"}).status_code == 403
        owner = make_client()
        response = owner.get("/play/with-key", params={"key": "a secret", "table": ""})
        assert (response.status_code, response.headers["location"]) == (303, "/play")
        assert owner.get("/play").status_code == 200
        assert get_state(owner, sit_down(owner))["phase"] == "decision"
        for table in ("//example.org", "/../x", "https://example.org"):  # the link leads to no other site
            response = make_client().get("/play/with-key", params={"key": "a secret", "table": table})
            assert response.headers["location"].startswith("/play/")


def read(**fields: str) -> SeriesSetup:
    return read_form(
        [("variant", "cuccu"), ("players", "2"), ("rival", "nobody"), *fields.items()],
        BotChoices(None, "auto"),
    )


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(clock: Clock) -> Iterator[Tables]:
    tables = Tables(clock)
    yield tables
    tables.close()


def are_open(tables: Tables, *places: tuple[str, str]) -> list[bool]:
    """Return which tables are open, each by its visitor and number."""
    return [tables.find(*place) is not None for place in places]


def test_tables_are_closed_when_nobody_plays_and_when_a_visitor_has_too_many(
    tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.play.MAX_BOTS_OF_CLIENT", 3)
    own = [("me", tables.open("me", read())) for _ in range(4)]
    assert are_open(tables, *own) == [False, True, True, True]
    clock.now = IDLE_S - 1
    tables.note_move(own[-1][1])
    assert are_open(tables, own[1]) == [True], "to look at a table does not keep it"
    clock.now = IDLE_S + 1
    tables.close_idle()
    assert are_open(tables, *own) == [False, False, False, True]
    tables.close()
    assert are_open(tables, own[-1]) == [False]


def test_there_is_a_limit_on_bots(tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_BOTS > 2
    monkeypatch.setattr("arena.web.play.MAX_BOTS", 2)
    first, second = ((visitor, tables.open(visitor, read())) for visitor in "ab")
    with pytest.raises(TooManyTables):
        tables.open("c", read())
    clock.now = QUIET_S + 1
    tables.note_move(first[1])
    tables.open("c", read())
    assert are_open(tables, first, second) == [True, False], "the quiet table gives its bots"
    with pytest.raises(TooManyTables):
        tables.open("d", read())


def test_one_address_cannot_take_all_tables(
    tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.web.play.MAX_BOTS_OF_CLIENT", 2)
    places = [(visitor, tables.open(visitor, read(), client="192.0.2.1")) for visitor in "ab"]
    places.append(("d", tables.open("d", read(), client="192.0.2.2")))
    with pytest.raises(TooManyTables, match="from your address"):
        tables.open("c", read(), client="192.0.2.1")
    clock.now = QUIET_S + 1
    tables.note_move(places[0][1])
    tables.open("c", read(), client="192.0.2.1")
    assert are_open(tables, *places) == [True, False, True], "quiet tables of the same address make room"


def test_only_moves_keep_a_table(tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.web.play.QUIET_S", 10.0)
    monkeypatch.setattr("arena.web.play.MAX_BOTS", 4)
    with serving(PlayPages(False, tables, BotChoices(None, "auto"))) as make:
        mover, looker = make(), make()
        moved, looked = sit_down(mover), sit_down(looker)
        clock.now = 11.0
        state = get_state(mover, moved)
        answer(mover, moved, "act", state["step"], list_actions(state)[0]["text"])
        state = get_state(looker, looked)
        answer(looker, looked, "hint", state["step"])
        sit_down(make())
        assert mover.get(moved).status_code == 200
        assert looker.get(looked).status_code == 404


def test_no_more_bots_run_than_the_limit_says_while_tables_close_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limit, running, peaks = 4, list[Popen[bytes]](), list[int]()

    def start_and_count(*arguments: Any) -> Popen[bytes]:
        running.append(launch.start(*arguments))
        peaks.append(sum([process.poll() is None for process in running]))
        return running[-1]

    monkeypatch.setattr("arena.web.play.MAX_BOTS_OF_CLIENT", limit)
    monkeypatch.setattr("arena.play.bot_processes.process_pool.start", start_and_count)
    with serving(make_pages(level="process")) as make_client:
        client = make_client()
        sit_down(client, variant="cuccu")
        with ThreadPoolExecutor(16) as executor:
            paths = list(executor.map(lambda _: sit_down(client, variant="cuccu"), range(16)))
            opened = [path for path in paths if client.get(path).status_code == 200]
            states = list(executor.map(lambda path: get_state(client, path), opened))
            assert [state["phase"] for state in states] == ["decision"] * (limit // 2)
            over = play_to_end(client, opened[0], lambda state: "keep")
            answer(client, opened[0], "next-match", over["step"])
    assert limit // 2 < max(peaks) <= limit
    assert [process for process in running if process.poll() is None] == []


def test_a_visitor_whose_requests_wait_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    may_play, run = Event(), MatchThread.run

    def wait_and_run(match: MatchThread) -> None:
        assert may_play.wait(60)
        run(match)

    pages = make_pages()
    with serving(pages) as make_client, ThreadPoolExecutor(100) as executor:
        mine, other = make_client(), make_client()
        with monkeypatch.context() as patch:
            patch.setattr(MatchThread, "run", wait_and_run)
            paths = [sit_down(mine, variant="cuccu", players="2") for _ in range(10)]
        waiting = [
            executor.submit(get_state, mine, path) for path in paths for _ in range(MAX_REQUESTS_OF_TABLE)
        ]
        while pages.waiting < len(waiting):
            sleep(0)
        refused = mine.get(f"{paths[0]}/state")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert get_state(other, sit_down(other))["phase"] == "decision"
        assert not any(state.done() for state in waiting)
        may_play.set()
        assert {state.result()["phase"] for state in waiting} == {"decision"}
