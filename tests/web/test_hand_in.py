"""Handing in over the HTTP API and from pages."""

import io
import zipfile
from collections.abc import Callable

import httpx
import pytest

from arena.league.accounts import (
    MAX_NOTE_CHARS,
    Invitation,
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
from tests.web.conftest import BOT, Ask

Invitations = dict[str, Invitation]
Post = Callable[..., httpx.Response]


@pytest.fixture
def post(ask: Ask, invitations: Invitations) -> Post:
    """Hand something in as ann."""
    return lambda **options: ask("POST", "/api/hand-ins", invitations["ann"], **options)


def stored(league: LeagueFolder, number: int) -> tuple[str, str, bytes]:
    """Return the given name, the suffix and the bytes of a hand-in."""
    with ServerDatabase.open(league) as database:
        hand_in = find_hand_in(database, number)
    return hand_in.given_name, hand_in.suffix, content_path(league, hand_in.content).read_bytes()


def test_a_file_is_handed_in(post: Post, league: LeagueFolder) -> None:
    response = post(files={"bot": ("bot.py", BOT)}, data={"name": "ann-2"})
    assert response.status_code == 201
    assert response.headers["location"] == "/api/hand-ins/1"
    assert response.json()["state"] == "received"
    assert stored(league, 1) == ("ann-2", ".py", BOT)


def test_sending_it_again_changes_nothing(post: Post) -> None:
    assert post(content=BOT).status_code == 201
    again = post(content=BOT)
    assert (again.status_code, again.json()["number"]) == (200, 1)


def test_the_body_may_be_the_file(post: Post, league: LeagueFolder) -> None:
    archive = pack_files([("bot.toml", b'name = "ann"'), ("bot.py", BOT)])
    assert post(content=archive, params={"name": "ann-3"}).status_code == 201
    assert stored(league, 1) == ("ann-3", ".zip", archive)


def test_the_files_of_a_folder_become_an_archive(post: Post, league: LeagueFolder) -> None:
    files = [
        ("bot", ("mine/bot.toml", b"name")),
        ("bot", ("mine/bot.py", BOT)),
        ("bot", ("mine/a/b.txt", b"")),
    ]
    assert post(files=files).status_code == 201
    _, suffix, payload = stored(league, 1)
    with zipfile.ZipFile(io.BytesIO(payload)) as archive:
        assert archive.namelist() == ["mine/a/b.txt", "mine/bot.py", "mine/bot.toml"]
        assert archive.read("mine/bot.py") == BOT
    assert suffix == ".zip"
    assert post(files=files[::-1]).status_code == 200, "the same files are the same bytes"


def test_text_is_handed_in_from_the_page(ask: Ask, league: LeagueFolder, invitations: Invitations) -> None:
    cookies = dict(ask("POST", f"/sign-in/{invitations['ann'].link}").cookies)
    code = {"code": (None, BOT.decode().replace("\n", "\r\n")), "name": (None, "")}
    response = ask("POST", "/account/hand-ins", cookies=cookies, files=code)
    assert (response.status_code, response.headers["location"]) == (303, "/account/hand-ins/1")
    assert stored(league, 1) == ("", ".py", BOT)
    assert "It waits for its check." in ask("GET", "/account/hand-ins/1", cookies=cookies).text
    refused = ask("POST", "/account/hand-ins", cookies=cookies, files={**code, "name": (None, "a b")})
    assert refused.status_code == 400
    assert "is not 1 to 40 letters" in refused.text


def test_the_page_asks_before_a_version_is_replaced(
    ask: Ask, league: LeagueFolder, invitations: Invitations
) -> None:
    cookies = dict(ask("POST", f"/sign-in/{invitations['ann'].link}").cookies)
    sent = {"files": {"bot": ("my bot!.py", BOT)}, "data": {"asks": "yes", "name": ""}}
    location = ask("POST", "/account/hand-ins", cookies=cookies, **sent).headers["location"]
    assert stored(league, 1) == ("my-bot", ".py", BOT)
    with ServerDatabase.open(league) as database:
        assert find_hand_in(database, 1).asks
        write_remark(database, 1, "ann has version 3.")
        change_hand_in(database, 1, state="unconfirmed", name="ann")
    page = ask("GET", location, cookies=cookies).text
    assert "ann has version 3." in page
    assert "Hand it in as ann</button>" in page
    assert 'value="ann-my-bot"' in page
    assert "waits for your answer" in ask("GET", "/account", cookies=cookies).text
    refused = ask("POST", f"{location}/name", cookies=cookies, data={"name": "a b"})
    assert (refused.status_code, "is not 1 to 40 letters" in refused.text) == (400, True)
    assert ask("POST", f"{location}/name", data={"name": "ann"}).status_code == 401
    assert ask("POST", f"{location}/name", cookies=cookies, data={"name": "ann"}).status_code == 303
    with ServerDatabase.open(league) as database:
        confirmed = find_hand_in(database, 1)
    assert (confirmed.state, confirmed.given_name, confirmed.asks) == ("received", "ann", 0)
    again = ask("POST", "/account/hand-ins", cookies=cookies, files=sent["files"], data={"name": "ann"})
    assert "the same file before" in ask("GET", again.headers["location"], cookies=cookies).text


@pytest.mark.parametrize(
    ("file", "content", "error"),
    [
        ("notes.txt", BOT, "notes.txt is neither a Python file"),
        ("bot.toml", b'name = "ann"', "bot.toml is without the other files of its bot"),
        ("bot.zip", BOT, "bot.zip is not a zip archive"),
        ("!\x1b[31m.tar", BOT, "[31m.tar is neither"),
    ],
)
def test_a_file_of_another_kind_is_refused_by_its_name(
    post: Post, file: str, content: bytes, error: str
) -> None:
    refused = post(files={"bot": (file, content)})
    assert (refused.status_code, error in refused.json()["error"]) == (400, True)


def test_the_page_has_deadline_limits_rules_and_kit(
    ask: Ask, league: LeagueFolder, invitations: Invitations
) -> None:
    league.settings.write_text(f"deadline = 2190-01-01T12:00:00Z\n{league.settings.read_text()}")
    cookies = dict(ask("POST", f"/sign-in/{invitations['ann'].link}").cookies)
    page = ask("GET", "/account", cookies=cookies).text
    assert "Deadline: 2190-01-01 12:00 UTC." in page
    assert "256 MB of memory" in page
    assert "a bot 20 MiB in 2,000 files" in page
    assert "lives, 4 players" in page
    kit = ask("GET", "/account/kit.zip", cookies=cookies)
    with zipfile.ZipFile(io.BytesIO(kit.content)) as archive:
        assert {"README.md", "league.toml", "mybot/bot.py"} <= set(archive.namelist())
    assert ask("GET", "/account/kit.zip").status_code == 401


def test_code_in_an_encoding_without_characters_is_taken_as_far_as_it_goes(
    post: Post, league: LeagueFolder
) -> None:
    """Half of a pair of surrogates is no character, and cannot be stored."""
    form = b'--b\r\nContent-Disposition: form-data; name="code"\r\n\r\nx = 1 # \\ud800\r\n--b--\r\n'
    kind = "multipart/form-data; boundary=b; charset=unicode_escape"
    assert post(content=form, headers={"Content-Type": kind}).status_code == 201
    assert stored(league, 1) == ("", ".py", b"x = 1 # ?")


@pytest.mark.parametrize(
    "options",
    [
        {"content": b""},
        {"content": b" \n"},
        {"data": {"name": "ann"}, "files": {"other": ("bot.py", BOT)}},
        {"files": {"code": (None, "class A: pass"), "bot": ("bot.py", BOT)}},
        {"files": [("bot", ("a/" + "x" * 70_000, b"")), ("bot", ("a/b", b""))]},
        {"content": BOT, "params": {"name": "../../x"}},
        {"files": [("bot", ("a.py", BOT))] * 2001},
    ],
)
def test_anything_else_is_refused(post: Post, league: LeagueFolder, options: dict[str, object]) -> None:
    response = post(**options)
    assert response.status_code == 400
    assert response.json()["error"]
    with ServerDatabase.open(league) as database:
        assert database.rows("SELECT count(*) FROM hand_in") == [(0,)]


def test_an_account_sees_only_its_own(ask: Ask, post: Post, invitations: Invitations) -> None:
    post(content=BOT)
    for path in ("", "/code", "/events"):
        assert ask("GET", f"/api/hand-ins/1{path}", invitations["ben"]).status_code == 404
    assert ask("GET", "/api/hand-ins", invitations["ben"]).json() == {"hand_ins": []}
    assert ask("GET", "/api/hand-ins/99999999999999999999", invitations["ann"]).status_code == 404


def test_an_author_gets_the_code_back(ask: Ask, post: Post, invitations: Invitations) -> None:
    post(content=BOT)
    response = ask("GET", "/api/hand-ins/1/code", invitations["ann"])
    assert response.content == BOT
    assert response.headers["content-disposition"].startswith("attachment")
    assert response.headers["content-type"] == "application/octet-stream"


def test_an_account_cannot_hand_in_without_end(ask: Ask, post: Post, invitations: Invitations) -> None:
    for _ in range(UPLOAD_BURST):
        assert post(content=BOT).status_code in (200, 201)
    assert post(content=BOT).status_code == 429
    assert ask("POST", "/api/hand-ins", invitations["ben"], content=BOT).status_code == 201


def admit(league: LeagueFolder, number: int) -> None:
    """Store a hand-in's bot `ann` as an update would that admitted it."""
    with LeagueDatabase.open(league.path, "rw") as database:
        request = database.add_request(LeagueRequest(name="ann", submitter="ann", file=f"server/{number}"))
        with database.transaction() as connection:
            version = {
                "number": 0,
                "bot": 1,
                "ordinal": 1,
                "digest": "d",
                "label": "ann@d",
                "source": "bots/d",
                "team": "",
                "author": "",
                "description": "",
                "variants": "[]",
                "admitted": 1,
            }
            insert(connection, "version", version)
            names = {"name": "ann", "folded_name": "ann", "owner": "ann", "state": "active", "version": 0}
            insert(connection, "bot", {"number": 1, **names})
        database.change_request(request, state="done", version=0)
    with ServerDatabase.open(league) as server:
        change_hand_in(server, number, state="passed", name="ann", request=request, places="[]")


def test_an_author_withdraws_only_the_own_bot(
    ask: Ask, post: Post, league: LeagueFolder, invitations: Invitations
) -> None:
    post(content=BOT)
    admit(league, 1)
    assert ask("GET", "/api/hand-ins/1", invitations["ann"]).json()["state"] == "admitted"
    assert ask("POST", "/api/bots/ann/withdrawal", invitations["ben"]).status_code == 404
    for _ in range(2):
        assert ask("POST", "/api/bots/ann/withdrawal", invitations["ann"]).status_code == 202
    with LeagueDatabase.open(league.path) as database:
        assert [(request.kind, request.name) for request in database.requests("state = 'waiting'")] == [
            ("withdraw", "ann")
        ]
    account = ask("GET", "/api/account", invitations["ann"]).json()
    assert account == {
        "account": "ann",
        "alias": "",
        "names": ["ann", "ann-*"],
        "bots": [{"name": "ann", "state": "active", "page": "", "is_leaving": True}],
    }


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


def test_after_the_deadline_nothing_is_taken(post: Post, league: LeagueFolder) -> None:
    text = league.settings.read_text()
    league.settings.write_text(f"deadline = 2020-01-01T12:00:00Z\n{text}")
    response = post(content=BOT)
    assert (response.status_code, response.json()) == (
        400,
        {"error": "the deadline was 2020-01-01 12:00 UTC."},
    )
    with ServerDatabase.open(league) as database:
        assert database.rows("SELECT count(*) FROM hand_in") == [(0,)]


def test_a_note_is_for_its_author_alone(ask: Ask, post: Post, invitations: Invitations) -> None:
    post(content=BOT)
    ann, ben = invitations["ann"], invitations["ben"]
    noted = ask("POST", "/api/hand-ins/1/note", ann, data={"note": "knocks\x1b at\r\n\u202e30 <b>\n"})
    assert (noted.status_code, noted.json()["note"]) == (200, "knocks at\n30 <b>")
    assert ask("POST", "/api/hand-ins/1/note", ben, data={"note": "mine"}).status_code == 404
    assert ask("POST", "/api/hand-ins/1/note", data={"note": "nobody's"}).status_code == 401
    [listed] = ask("GET", "/api/hand-ins", ann).json()["hand_ins"]
    assert listed["note"] == "knocks at\n30 <b>"
    too_long = ask("POST", "/api/hand-ins/1/note", ann, data={"note": "x" * (MAX_NOTE_CHARS + 1)})
    assert (too_long.status_code, "at most 2,000 characters" in too_long.json()["error"]) == (400, True)
    assert post(content=BOT).json()["note"] == "knocks at\n30 <b>", "it stays with the same bytes"
    for sent in ({"json": {"note": ""}}, {"data": {"text": ""}}, {}):
        assert ask("POST", "/api/hand-ins/1/note", ann, **sent).status_code == 400, "it stays"
    assert ask("POST", "/api/hand-ins/1/note", ann, data={"note": " "}).json()["note"] == ""


def test_a_note_is_written_on_the_page(ask: Ask, post: Post, invitations: Invitations) -> None:
    post(content=BOT)
    cookies = dict(ask("POST", f"/sign-in/{invitations['ann'].link}").cookies)
    path = "/account/hand-ins/1"
    saved = ask("POST", f"{path}/note", cookies=cookies, data={"note": "knocks at <30>"})
    assert (saved.status_code, saved.headers["location"]) == (303, path)
    assert "knocks at &lt;30&gt;</textarea>" in ask("GET", path, cookies=cookies).text
    assert "knocks at &lt;30&gt;</td>" in ask("GET", "/account", cookies=cookies).text
    refused = ask("POST", f"{path}/note", cookies=cookies, data={"note": "x" * 2001})
    assert (refused.status_code, "at most 2,000 characters" in refused.text) == (400, True)
    elsewhere = {"cookies": cookies, "headers": {"Origin": "https://evil.example"}}
    assert ask("POST", f"{path}/note", data={"note": "x"}, **elsewhere).status_code == 403
