"""Signing in: by a link once, by a token, and never by guessing."""

import httpx
import pytest

from arena.league.accounts import Invitation
from arena.league.folder import LeagueFolder
from arena.web.application import build_application
from arena.web.context import WebContext
from arena.web.requests import FAILED_BURST
from tests.web.conftest import URL, Ask, make_ask

Invitations = dict[str, Invitation]


def cookie_of(response: httpx.Response) -> dict[str, str]:
    """Return the cookies that a response sets, as a request sends them."""
    return dict(response.cookies)


def test_a_link_signs_in_once_and_only_when_it_is_confirmed(ask: Ask, invitations: Invitations) -> None:
    path = f"/sign-in/{invitations['ann'].link}"
    for _ in range(2):  # programs look at links in mails
        assert "Sign in as ann" in ask("GET", path).text
    signed_in = ask("POST", path)
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/account")
    page = ask("GET", "/account", cookies=cookie_of(signed_in))
    assert "Signed in as <strong>ann</strong>" in page.text
    assert ask("POST", path).status_code == 401
    used = ask("GET", path)
    assert (used.status_code, '<a href="/sign-in">Sign in</a>' in used.text) == (401, True)
    assert ask("GET", path, cookies=cookie_of(signed_in)).headers["location"] == "/account"


def test_signing_in_is_in_the_navigation_of_those_who_are_not(ask: Ask, invitations: Invitations) -> None:
    cookies = cookie_of(ask("POST", f"/sign-in/{invitations['ann'].link}"))
    for path, is_page in (("/", True), ("/live", True), ("/organiser", False)):
        link = '<a href="/sign-in">Sign in</a>'
        assert link in ask("GET", path).text
        assert not is_page or link not in ask("GET", path, cookies=cookies).text
    tag = {"If-None-Match": ask("GET", "/", cookies=cookies).headers["etag"]}
    assert ask("GET", "/", cookies=cookies, headers=tag).status_code == 304
    assert ask("GET", "/", headers=tag).status_code == 200, "who has signed out gets the link"


def test_the_cookie_is_for_this_server_alone(ask: Ask, invitations: Invitations) -> None:
    header = ask("POST", f"/sign-in/{invitations['ann'].link}").headers["set-cookie"]
    assert header.startswith("arena_session=")
    assert {"HttpOnly", "Path=/", "SameSite=lax"} <= set(header.split("; "))
    assert "Domain" not in header
    assert "Secure" not in header


def test_over_tls_the_cookie_is_secure(league: LeagueFolder, invitations: Invitations) -> None:
    ask = make_ask(build_application(WebContext(url="https://bots.example.org", league=league)))
    header = ask("POST", f"/sign-in/{invitations['ann'].link}").headers["set-cookie"]
    assert header.startswith("__Host-arena_session=")
    assert "Secure" in header.split("; ")


def test_a_token_signs_in_and_the_session_ends(ask: Ask, invitations: Invitations) -> None:
    cookies = cookie_of(ask("POST", "/sign-in", data={"token": f" {invitations['ben'].token} "}))
    assert ask("GET", "/account", cookies=cookies).status_code == 200
    assert ask("GET", "/sign-in", cookies=cookies).headers["location"] == "/account"
    gone = ask("POST", "/sign-out", cookies=cookies)
    assert 'arena_session=""' in gone.headers["set-cookie"]
    assert ask("GET", "/account", cookies=cookies).headers["location"] == "/sign-in"


@pytest.mark.parametrize("path", ["/account", "/account/hand-ins/1"])
def test_pages_of_an_account_ask_to_sign_in(ask: Ask, path: str) -> None:
    assert ask("GET", path).headers["location"] == "/sign-in"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/account"),
        ("GET", "/api/hand-ins"),
        ("POST", "/api/hand-ins"),
        ("GET", "/api/hand-ins/1"),
        ("GET", "/api/hand-ins/1/code"),
        ("GET", "/api/hand-ins/1/events"),
        ("POST", "/api/bots/ann/withdrawal"),
    ],
)
def test_programs_need_a_token(ask: Ask, method: str, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer 00"}, {"Authorization": "Basic x"}):
        response = ask(method, path, headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        assert response.json()["error"]


def test_a_token_is_not_taken_from_an_address(ask: Ask, invitations: Invitations) -> None:
    assert ask("GET", f"/api/account?token={invitations['ann'].token}").status_code == 401
    assert ask("GET", "/account", invitations["ann"]).headers["location"] == "/sign-in"


def test_an_address_cannot_guess_for_long(ask: Ask, invitations: Invitations) -> None:
    for number in range(FAILED_BURST):
        assert ask("POST", "/sign-in", data={"token": f"{number:x}"}).status_code == 401
    refused = ask("POST", "/sign-in", data={"token": "00"})
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0


def test_valid_secrets_are_not_refused_for_the_wrong_ones_of_others(
    ask: Ask, invitations: Invitations
) -> None:
    ann, ben = invitations["ann"], invitations["ben"]
    for secret in (ann.token, ann.link):
        for _ in range(FAILED_BURST + 1):
            last = ask("GET", f"/sign-in/{secret[:-1]}")
        assert last.status_code == 429
    assert ask("GET", "/api/account", ann).json()["account"] == "ann"
    assert ask("POST", "/sign-in", data={"token": ben.token}).status_code == 303
    assert ask("POST", f"/sign-in/{ann.link}").status_code == 303


def test_secrets_that_begin_alike_are_limited_over_all_addresses(league: LeagueFolder) -> None:
    app = build_application(WebContext(url=URL, league=league))
    asks = [make_ask(app, client=f"192.0.2.{number}") for number in range(FAILED_BURST + 1)]
    answers = [ask("GET", f"/sign-in/abcdefgh{number}").status_code for number, ask in enumerate(asks)]
    assert answers == [401] * FAILED_BURST + [429]
    assert asks[-1]("GET", "/sign-in/another").status_code == 401
