"""Signing in: by a link once, by a token, and never by guessing."""

import pytest

from arena.league.folder import LeagueFolder
from arena.web.context import WebContext
from arena.web.requests import FAILED_BURST
from arena.web.server import build_application
from tests.web.conftest import URL, Ask, Cookies, Invitations, make_ask, sign_in

LINK = '<a href="/sign-in">Sign in</a>'


def test_a_link_signs_in_once_and_only_when_it_is_confirmed(ask: Ask, invitations: Invitations) -> None:
    path = f"/sign-in/{invitations['ann'].link}"
    for _ in range(2):  # programs look at links in mails
        assert "Sign in as ann" in ask("GET", path).text
    signed_in = ask("POST", path)
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/account")
    cookies = dict(signed_in.cookies)
    assert "Signed in as <strong>ann</strong>" in ask("GET", "/account", cookies=cookies).text
    assert ask("POST", path).status_code == 401
    used = ask("GET", path)
    assert (used.status_code, LINK in used.text) == (401, True)
    assert ask("GET", path, cookies=cookies).headers["location"] == "/account"


def test_the_bar_names_who_is_signed_in_and_leads_to_what_is_theirs(
    ask: Ask, cookies: dict[str, Cookies], prof: Cookies
) -> None:
    for path in ("/", "/live", "/play", "/nothing"):
        assert LINK in ask("GET", path).text
        page = ask("GET", path, cookies=cookies["ann"]).text
        assert LINK not in page
        assert "<summary>ann</summary>" in page
        assert ("/account" in page, "/organiser" in page) == (True, False)
        page = ask("GET", path, cookies=prof).text
        assert "<summary>prof</summary>" in page
        assert ("/account" in page, '<a href="/organiser">Organiser</a>' in page) == (False, True)
    assert "<summary>ann</summary>" in ask("GET", "/organiser", cookies=cookies["ann"]).text
    assert LINK in ask("GET", "/organiser").text
    tag = {"If-None-Match": ask("GET", "/", cookies=cookies["ann"]).headers["etag"]}
    assert ask("GET", "/", cookies=cookies["ann"], headers=tag).status_code == 304
    assert ask("GET", "/", headers=tag).status_code == 200, "who has signed out gets the link"
    other = ask("GET", "/", cookies=cookies["ben"], headers=tag)
    assert "<summary>ben</summary>" in other.text, "who signs in after another gets a page of their own"


@pytest.mark.parametrize(
    ("url", "name", "is_secure"),
    [(URL, "arena_session", False), ("https://bots.example.org", "__Host-arena_session", True)],
)
def test_the_cookie_is_for_this_server_alone(
    league: LeagueFolder, invitations: Invitations, url: str, name: str, is_secure: bool
) -> None:
    ask = make_ask(build_application(WebContext(url=url, league=league)))
    header = ask("POST", f"/sign-in/{invitations['ann'].link}").headers["set-cookie"]
    assert header.startswith(f"{name}=")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(header.split("; "))
    assert "Domain" not in header
    assert ("Secure" in header.split("; ")) == is_secure


def test_a_token_signs_in_and_the_session_ends(ask: Ask, invitations: Invitations) -> None:
    cookies = dict(ask("POST", "/sign-in", data={"token": f" {invitations['ben'].token} "}).cookies)
    assert ask("GET", "/account", cookies=cookies).status_code == 200
    assert ask("GET", "/sign-in", cookies=cookies).headers["location"] == "/account"
    gone = ask("POST", "/sign-out", cookies=cookies)
    assert 'arena_session=""' in gone.headers["set-cookie"]
    assert ask("GET", "/account", cookies=cookies).headers["location"] == "/sign-in"


@pytest.mark.parametrize("path", ["/account", "/account/hand-ins/1", "/account/results"])
def test_pages_of_an_account_ask_to_sign_in(ask: Ask, invitations: Invitations, path: str) -> None:
    for account in (None, invitations["ann"]):  # a token is for programs
        answer = ask("GET", path, account)
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *[("GET", f"/api/{path}") for path in ("account", "hand-ins", "hand-ins/1", "live/own")],
        *[("GET", f"/api/hand-ins/1/{path}") for path in ("code", "events")],
        *[("POST", f"/api/{path}") for path in ("hand-ins", "hand-ins/1/note", "bots/ann/withdrawal")],
        *[("POST", "/api/account/alias"), ("GET", "/account/kit.zip")],
    ],
)
def test_programs_need_a_token(ask: Ask, invitations: Invitations, method: str, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer 00"}, {"Authorization": "Basic x"}):
        response = ask(method, path, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert "error" in response.text or not path.startswith("/api/")
    assert ask(method, f"{path}?token={invitations['ann'].token}").status_code == 401


def test_an_address_cannot_guess_for_long_and_keeps_nobody_else_out(
    ask: Ask, invitations: Invitations
) -> None:
    ann, ben = invitations["ann"], invitations["ben"]
    for secret in (ann.token, ann.link):
        statuses = [ask("GET", f"/sign-in/{secret[:-1]}").status_code for _ in range(FAILED_BURST + 1)]
        assert statuses[-1] == 429
    refused = ask("POST", "/sign-in", data={"token": "00"})
    assert (refused.status_code, int(refused.headers["retry-after"]) > 0) == (429, True)
    assert ask("GET", "/api/account", ann).json()["account"] == "ann"
    assert ask("POST", "/sign-in", data={"token": ben.token}).status_code == 303
    assert sign_in(ask, ann.link)


def test_secrets_that_begin_alike_are_limited_over_all_addresses(league: LeagueFolder) -> None:
    app = build_application(WebContext(url=URL, league=league))
    asks = [make_ask(app, client=f"192.0.2.{number}") for number in range(FAILED_BURST + 1)]
    answers = [ask("GET", f"/sign-in/abcdefgh{number}").status_code for number, ask in enumerate(asks)]
    assert answers == [401] * FAILED_BURST + [429]
    assert asks[-1]("GET", "/sign-in/another").status_code == 401
