"""Handing in over the HTTP API and from pages."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from arena.league.accounts import (
    MAX_NOTE_CHARS,
    ServerDatabase,
    change_hand_in,
    content_path,
    find_hand_in,
    write_remark,
)
from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase, LeagueRequest, insert
from arena.web.accounts import UPLOAD_BURST
from arena.web.requests import pack_files
from tests.web.conftest import BOT, Ask, Cookies, Invitations

Post = Callable[..., httpx.Response]
ARCHIVE = pack_files([("bot.toml", b'name = "ann"'), ("bot.py", BOT)])
FOLDER = {"mine/a/b.txt": b"", "mine/bot.py": BOT, "mine/bot.toml": b"name"}
SURROGATE = b'--b\r\nContent-Disposition: form-data; name="code"\r\n\r\nx = 1 # \\ud800\r\n--b--\r\n'
SURROGATE_FORM = {
    "content": SURROGATE,
    "headers": {"Content-Type": "multipart/form-data; boundary=b; charset=unicode_escape"},
}


@pytest.fixture
def post(ask: Ask, invitations: Invitations) -> Post:
    """Hand something in as ann."""
    return lambda **options: ask("POST", "/api/hand-ins", invitations["ann"], **options)


def stored(league: LeagueFolder, number: int) -> tuple[str, str, bytes]:
    """Return the given name, the suffix and the bytes of a hand-in."""
    with ServerDatabase.open(league) as database:
        hand_in = find_hand_in(database, number)
    return hand_in.given_name, hand_in.suffix, content_path(league, hand_in.content).read_bytes()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"files": {"bot": ("bot.py", BOT)}, "data": {"name": "ann-2"}}, ("ann-2", ".py", BOT)),
        ({"content": BOT}, ("", ".py", BOT)),
        ({"content": ARCHIVE, "params": {"name": "ann-3"}}, ("ann-3", ".zip", ARCHIVE)),
        pytest.param(SURROGATE_FORM, ("", ".py", b"x = 1 # ?"), id="half a pair of surrogates"),
    ],
)
def test_a_file_an_archive_or_code_is_handed_in_once(
    ask: Ask, post: Post, league: LeagueFolder, invitations: Invitations, options: Any, expected: Any
) -> None:
    response = post(**options)
    assert (response.status_code, response.headers["location"]) == (201, "/api/hand-ins/1")
    assert response.json()["state"] == "received"
    assert stored(league, 1) == expected
    again = post(**options)
    assert (again.status_code, again.json()["number"]) == (200, 1)
    sent_back = ask("GET", "/api/hand-ins/1/code", invitations["ann"])
    assert sent_back.content == expected[2]
    assert sent_back.headers["content-disposition"].startswith("attachment")
    assert sent_back.headers["content-type"] == "application/octet-stream"


def test_the_files_of_a_folder_become_an_archive(post: Post, league: LeagueFolder) -> None:
    files = [("bot", file) for file in FOLDER.items()]
    assert post(files=files).status_code == 201
    _, suffix, payload = stored(league, 1)
    with zipfile.ZipFile(io.BytesIO(payload)) as archive:
        assert archive.namelist() == list(FOLDER)
        assert archive.read("mine/bot.py") == BOT
    assert suffix == ".zip"
    assert post(files=files[::-1]).status_code == 200, "the same files are the same bytes"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"content": b""}, "Hand in a Python file"),
        ({"content": b" \n"}, "Hand in a Python file"),
        ({"data": {"name": "ann"}, "files": {"other": ("bot.py", BOT)}}, "Hand in a Python file"),
        ({"files": {"code": (None, "class A: pass"), "bot": ("bot.py", BOT)}}, "files or code, not both"),
        ({"files": [("bot", ("a/" + "x" * 70_000, b"")), ("bot", ("a/b", b""))]}, ""),
        ({"content": BOT, "params": {"name": "../../x"}}, "is not 1 to 40 letters"),
        ({"files": [("bot", ("a.py", BOT))] * 2001}, ""),
        ({"files": {"bot": ("notes.txt", BOT)}}, "notes.txt is neither a Python file"),
        ({"files": {"bot": ("bot.toml", b"name")}}, "bot.toml is without the other files of its bot"),
        ({"files": {"bot": ("bot.zip", BOT)}}, "bot.zip is not a zip archive"),
        ({"files": {"bot": ("!\x1b[31m.tar", BOT)}}, "[31m.tar is neither"),
    ],
)
def test_anything_else_is_refused(post: Post, league: LeagueFolder, options: Any, error: str) -> None:
    refused = post(**options)
    assert (refused.status_code, error in refused.json()["error"]) == (400, True), refused.text
    with ServerDatabase.open(league) as database:
        assert database.query("SELECT count(*) FROM hand_in") == [(0,)]


def test_after_the_deadline_nothing_is_taken(post: Post, league: LeagueFolder) -> None:
    league.settings.write_text(f"deadline = 2020-01-01T12:00:00Z\n{league.settings.read_text()}")
    refused = post(content=BOT)
    assert (refused.status_code, refused.json()["error"]) == (400, "the deadline was 2020-01-01 12:00 UTC.")
    with ServerDatabase.open(league) as database:
        assert database.query("SELECT count(*) FROM hand_in") == [(0,)]


def test_an_account_cannot_hand_in_without_end(ask: Ask, post: Post, invitations: Invitations) -> None:
    for _ in range(UPLOAD_BURST):
        assert post(content=BOT).status_code in (200, 201)
    assert post(content=BOT).status_code == 429
    assert ask("POST", "/api/hand-ins", invitations["ben"], content=BOT).status_code == 201


def test_text_is_handed_in_from_the_page(ask: Ask, league: LeagueFolder, cookies: dict[str, Cookies]) -> None:
    code = {"code": (None, BOT.decode().replace("\n", "\r\n")), "name": (None, "")}
    response = ask("POST", "/account/hand-ins", cookies=cookies["ann"], files=code)
    assert (response.status_code, response.headers["location"]) == (303, "/account/hand-ins/1")
    assert stored(league, 1) == ("", ".py", BOT)
    assert "It waits for its check." in ask("GET", "/account/hand-ins/1", cookies=cookies["ann"]).text
    named = {**code, "name": (None, "a b")}
    refused = ask("POST", "/account/hand-ins", cookies=cookies["ann"], files=named)
    assert (refused.status_code, "is not 1 to 40 letters" in refused.text) == (400, True)


def test_the_page_asks_before_a_version_is_replaced(
    ask: Ask, league: LeagueFolder, cookies: dict[str, Cookies]
) -> None:
    ann = cookies["ann"]
    sent = {"files": {"bot": ("my bot!.py", BOT)}, "data": {"asks": "yes", "name": ""}}
    location = ask("POST", "/account/hand-ins", cookies=ann, **sent).headers["location"]
    assert stored(league, 1) == ("my-bot", ".py", BOT)
    with ServerDatabase.open(league) as database:
        assert find_hand_in(database, 1).asks
        write_remark(database, 1, "ann has version 3.")
        change_hand_in(database, 1, state="unconfirmed", name="ann")
    page = ask("GET", location, cookies=ann).text
    for text in ("ann has version 3.", "Hand it in as ann</button>", 'value="ann-my-bot"'):
        assert text in page
    assert "waits for your answer" in ask("GET", "/account", cookies=ann).text
    refused = ask("POST", f"{location}/name", cookies=ann, data={"name": "a b"})
    assert (refused.status_code, "is not 1 to 40 letters" in refused.text) == (400, True)
    assert ask("POST", f"{location}/name", data={"name": "ann"}).status_code == 401
    assert ask("POST", f"{location}/name", cookies=ann, data={"name": "ann"}).status_code == 303
    with ServerDatabase.open(league) as database:
        confirmed = find_hand_in(database, 1)
    assert (confirmed.state, confirmed.given_name, confirmed.asks) == ("received", "ann", 0)
    again = ask("POST", "/account/hand-ins", cookies=ann, files=sent["files"], data={"name": "ann"})
    assert "the same file before" in ask("GET", again.headers["location"], cookies=ann).text


def test_the_page_has_deadline_limits_rules_and_kit(
    ask: Ask, league: LeagueFolder, cookies: dict[str, Cookies]
) -> None:
    league.settings.write_text(f"deadline = 2190-01-01T12:00:00Z\n{league.settings.read_text()}")
    page = ask("GET", "/account", cookies=cookies["ann"]).text
    for text in ("2190-01-01 12:00 UTC.", "256 MB of memory", "20 MiB in 2,000 files", "lives, 4 players"):
        assert text in page
    kit = ask("GET", "/account/kit.zip", cookies=cookies["ann"])
    with zipfile.ZipFile(io.BytesIO(kit.content)) as archive:
        assert {"README.md", "league.toml", "mybot/bot.py"} <= set(archive.namelist())


def admit(league: LeagueFolder, number: int) -> None:
    """Store a hand-in's bot `ann` as an update would that admitted it."""
    version = {"number": 0, "bot": 1, "ordinal": 1, "digest": "d", "label": "ann@d", "source": "bots/d"}
    about = {"team": "", "author": "", "description": "", "variants": "[]", "admitted": 1}
    bot = {"name": "ann", "folded_name": "ann", "owner": "ann", "state": "active", "version": 0}
    with LeagueDatabase.open(league.path, "rw") as database:
        request = database.add_request(
            LeagueRequest(name="ann", submitter="ann", file=f"server/{number}")
        ).number
        with database.transaction() as connection:
            insert(connection, "version", {**version, **about})
            insert(connection, "bot", {"number": 1, **bot})
        database.change_request(request, state="done", version=0)
    with ServerDatabase.open(league) as server:
        change_hand_in(server, number, state="passed", name="ann", request=request, places="[]")


def test_an_account_sees_and_changes_only_its_own(
    ask: Ask, post: Post, league: LeagueFolder, invitations: Invitations
) -> None:
    post(content=BOT)
    admit(league, 1)
    ann, ben = invitations["ann"], invitations["ben"]
    for path in ("", "/code", "/events"):
        assert ask("GET", f"/api/hand-ins/1{path}", ben).status_code == 404
    assert ask("GET", "/api/hand-ins", ben).json() == {"hand_ins": []}
    assert ask("GET", "/api/hand-ins/99999999999999999999", ann).status_code == 404
    assert ask("POST", "/api/bots/ann/withdrawal", ben).status_code == 404
    assert ask("GET", "/api/hand-ins/1", ann).json()["state"] == "admitted"
    for _ in range(2):
        assert ask("POST", "/api/bots/ann/withdrawal", ann).status_code == 202
    with LeagueDatabase.open(league.path) as database:
        waiting = database.read_requests("state = 'waiting'")
    assert [(request.kind, request.name) for request in waiting] == [("withdraw", "ann")]
    assert ask("GET", "/api/account", ann).json() == {
        "account": "ann",
        "alias": "",
        "names": ["ann", "ann-*"],
        "bots": [{"name": "ann", "state": "active", "page": "", "is_leaving": True}],
    }


def test_a_bot_is_withdrawn_on_the_page(
    ask: Ask, post: Post, league: LeagueFolder, cookies: dict[str, Cookies]
) -> None:
    post(content=BOT)
    admit(league, 1)
    left = ask("POST", "/account/withdrawals", cookies=cookies["ann"], data={"bot": "ann"})
    assert (left.status_code, left.headers["location"]) == (303, "/account")
    assert "leaves with the next update" in ask("GET", "/account", cookies=cookies["ann"]).text
    refused = ask("POST", "/account/withdrawals", cookies=cookies["ben"], data={"bot": "ann"})
    assert (refused.status_code, "You have no bot of this name" in refused.text) == (404, True)


def test_events_of_a_finished_hand_in_are_its_result(
    ask: Ask, post: Post, league: LeagueFolder, invitations: Invitations
) -> None:
    post(content=BOT)
    with ServerDatabase.open(league) as database:
        change_hand_in(database, 1, state="rejected", reason="its check found: crash")
    response = ask("GET", "/api/hand-ins/1/events", invitations["ann"])
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.text.startswith("event: hand-in\ndata: {")
    assert "its check found: crash" in response.text


def test_a_note_is_for_its_author_alone(ask: Ask, post: Post, invitations: Invitations) -> None:
    post(content=BOT)

    def note(account: Any, **sent: Any) -> httpx.Response:
        return ask("POST", "/api/hand-ins/1/note", account, **sent)

    ann = invitations["ann"]
    noted = note(ann, data={"note": "knocks\x1b at\r\n\u202e30 <b>\n"})
    assert (noted.status_code, noted.json()["note"]) == (200, "knocks at\n30 <b>")
    assert note(invitations["ben"], data={"note": "mine"}).status_code == 404
    assert note(None, data={"note": "nobody's"}).status_code == 401
    too_long = note(ann, data={"note": "x" * (MAX_NOTE_CHARS + 1)})
    assert (too_long.status_code, "at most 2,000 characters" in too_long.json()["error"]) == (400, True)
    for sent in ({"json": {"note": ""}}, {"data": {"text": ""}}, {}):
        assert note(ann, **sent).status_code == 400
    [listed] = ask("GET", "/api/hand-ins", ann).json()["hand_ins"]
    assert post(content=BOT).json()["note"] == listed["note"] == "knocks at\n30 <b>", "it stays"
    assert note(ann, data={"note": " "}).json()["note"] == ""


def test_a_note_is_written_on_the_page(ask: Ask, post: Post, cookies: dict[str, Cookies]) -> None:
    post(content=BOT)
    path, signed_in = "/account/hand-ins/1", {"cookies": cookies["ann"]}
    saved = ask("POST", f"{path}/note", data={"note": "knocks at <30>"}, **signed_in)
    assert (saved.status_code, saved.headers["location"]) == (303, path)
    assert "knocks at &lt;30&gt;</textarea>" in ask("GET", path, **signed_in).text
    assert "knocks at &lt;30&gt;</td>" in ask("GET", "/account", **signed_in).text
    refused = ask("POST", f"{path}/note", data={"note": "x" * 2001}, **signed_in)
    assert (refused.status_code, "at most 2,000 characters" in refused.text) == (400, True)
    elsewhere = {"headers": {"Origin": "https://evil.example"}, **signed_in}
    assert ask("POST", f"{path}/note", data={"note": "x"}, **elsewhere).status_code == 403
