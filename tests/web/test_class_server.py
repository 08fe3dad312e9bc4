"""A class at its server: aliases, own results, and the organiser's pages."""

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError
from arena.league.accounts import Invitation, ServerDatabase, add_submitters, change_hand_in, invite
from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase
from arena.output.site.bots import student_path
from arena.web.accounts import ALIAS_BURST
from arena.web.context import WebContext
from arena.web.server import build_application
from tests.league.conftest import folder, update
from tests.league.conftest import league as played_league
from tests.web.conftest import BOT, URL, Ask, Cookies, Invitations, make_ask, sign_in

__all__ = ["folder", "played_league"]


@pytest.fixture
def with_aliases(league: LeagueFolder, invitations: Invitations) -> LeagueFolder:
    league.settings.write_text(f"aliases = true\n{league.settings.read_text()}")
    return league


def choose(ask: Ask, account: Invitation, alias: str) -> tuple[int, Any]:
    """Choose an alias over the API; return the status and the answer."""
    chosen = ask("POST", "/api/account/alias", account, data={"alias": alias})
    return chosen.status_code, chosen.json()


def test_an_alias_is_chosen_over_the_api(
    ask: Ask, with_aliases: LeagueFolder, invitations: Invitations, prof: Cookies
) -> None:
    ann, ben = invitations["ann"], invitations["ben"]
    assert ask("GET", "/api/account", ann).json()["alias"].startswith("guest")
    assert choose(ask, ann, "heron") == (200, {"account": "ann", "alias": "heron"})
    account = ask("GET", "/api/account", ann).json()
    assert (account["alias"], account["names"][:2]) == ("heron", ["heron", "heron-*"])
    status, taken = choose(ask, ben, "her0n")
    assert (status, "choose another alias" in taken["error"]) == (400, True)
    of_submitter, of_organiser = (choose(ask, ann, alias)[1]["error"] for alias in ("ben", "Pr0f"))
    assert of_submitter.replace("ben", "Pr0f") == of_organiser
    with LeagueDatabase.open(with_aliases.path) as database:
        assert database.read_aliases() == [("ann", "heron")]


def test_an_alias_is_chosen_on_the_page(
    ask: Ask, with_aliases: LeagueFolder, cookies: dict[str, Cookies]
) -> None:
    signed_in = {"cookies": cookies["ann"]}
    changed = ask("POST", "/account/alias", data={"alias": "heron"}, **signed_in)
    assert (changed.status_code, changed.headers["location"]) == (303, "/account")
    assert "shown to others as <strong>heron</strong>" in ask("GET", "/account", **signed_in).text
    refused = ask("POST", "/account/alias", data={"alias": "a b"}, **signed_in)
    assert (refused.status_code, "is not 1 to 40 letters" in refused.text) == (400, True)


def test_without_aliases_none_is_chosen(ask: Ask, invitations: Invitations) -> None:
    status, refused = choose(ask, invitations["ann"], "heron")
    assert (status, "aliases = true" in refused["error"]) == (400, True)


def test_nobody_tries_many_aliases(ask: Ask, with_aliases: LeagueFolder, invitations: Invitations) -> None:
    assert {choose(ask, invitations["ben"], "ann")[0] for _ in range(ALIAS_BURST)} == {400}
    assert [choose(ask, invitations[name], "heron")[0] for name in ("ben", "ann")] == [429, 200]


def test_a_submitter_sees_the_own_results_alone(
    ask: Ask, league: LeagueFolder, cookies: dict[str, Cookies]
) -> None:
    missing = ask("GET", "/account/results", cookies=cookies["ann"])
    assert "the next update writes them" in missing.text
    page = league.organiser / student_path("ann")
    page.parent.mkdir(parents=True)
    page.write_text('<ul><!-- links of the server -->\n</ul><a href="../bots/1.html">own</a>')
    answer = ask("GET", "/account/results", cookies=cookies["ann"])
    assert '<a href="/bots/1.html">own</a>' in answer.text
    assert '<li><a href="/account">Hand in</a></li>' in answer.text
    assert "script-src 'sha256" in answer.headers["content-security-policy"]
    assert ask("GET", "/account/results", cookies=cookies["ben"]).status_code == 404


def test_pages_of_the_organiser_are_for_the_organiser(
    ask: Ask, league: LeagueFolder, cookies: dict[str, Cookies], prof: Cookies
) -> None:
    league.organiser.mkdir()
    (league.organiser / "students.html").write_text("who is who")
    (league.path / "secret.html").write_text("secret")
    assert ask("GET", "/account", cookies=prof).headers["location"] == "/organiser"
    assert "None." in ask("GET", "/organiser", cookies=prof).text
    assert ask("GET", "/organiser/pages/students.html", cookies=prof).text == "who is who"
    for path in ("../secret.html", "%2e%2e/secret.html", "none.html"):
        assert ask("GET", f"/organiser/pages/{path}", cookies=prof).status_code == 404
    for path in ("", "/people", "/notes", "/pages/", "/pages/students.html"):
        assert ask("GET", f"/organiser{path}", cookies=cookies["ann"]).status_code == 404
        assert ask("GET", f"/organiser{path}").status_code == 401
    for path in ("reveal", "people/revoke", "people/extend"):
        sent = {"data": {"final": "1", "name": "ben"}}
        assert ask("POST", f"/organiser/{path}", cookies=cookies["ann"], **sent).status_code == 404
        assert ask("POST", f"/organiser/{path}", **sent).status_code == 401


def test_the_organiser_reads_the_notes_of_all(
    ask: Ask, league: LeagueFolder, invitations: Invitations, prof: Cookies
) -> None:
    for name, note in (("ann", "<b>knocks</b> early"), ("ben", "waits")):
        number = ask("POST", "/api/hand-ins", invitations[name], content=BOT).json()["number"]
        ask("POST", f"/api/hand-ins/{number}/note", invitations[name], data={"note": note})
    sent = ask("POST", "/api/hand-ins?name=ben-2", invitations["ben"], content=b"x = 1").json()
    with ServerDatabase.open(league) as database:
        rejection = {"state": "rejected", "reason": "it has no class", "card": "a long card"}
        change_hand_in(database, sent["number"], **rejection)
    listed = CliRunner().invoke(main, ["league", "list", str(league.path), "--show", "submissions", "--json"])
    [rejected] = [row for row in json.loads(listed.stdout) if row["state"] == "rejected"]
    expected = {"number": None, "bot": "ben-2", "submitter": "ben", **rejection}
    assert {key: rejected[key] for key in expected} == expected
    page = ask("GET", "/organiser/notes", cookies=prof).text
    for text in ("it has no class", "&lt;b&gt;knocks&lt;/b&gt; early", "waits"):
        assert f"<bdi>{text}</bdi>" in page


def row_of(page: str, name: str) -> list[str]:
    """Return the cells of a person on the page of accounts."""
    [row] = [row for row in re.findall("<tr>(.*?)</tr>", page, re.DOTALL) if f"<bdi>{name}</bdi>" in row]
    return [re.sub("<[^>]*>", "", cell).strip() for cell in re.findall("<t[hd].*?</t[hd]>", row, re.DOTALL)]


def test_the_organiser_sees_tokens_and_ends_or_extends_them(
    ask: Ask, league: LeagueFolder, invitations: Invitations, prof: Cookies
) -> None:
    add_submitters(league, ["cleo"])
    ann = dict(ask("POST", f"/sign-in/{invitations['ann'].link}").cookies)
    ask("POST", "/api/hand-ins", invitations["ann"], content=BOT, params={"name": "ann"})
    page = ask("GET", "/organiser/people", cookies=prof).text
    assert [row_of(page, name)[3] for name in ("ann", "ben", "cleo")] == ["used", "issued", "not invited"]
    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", row_of(page, "ann")[6])
    assert row_of(page, "cleo")[4] == ""
    assert row_of(page, "prof")[0].endswith("(organiser)")
    assert 'aria-label="Revoke prof"' not in page

    def change(how: str, name: str, **options: Any) -> int:
        path = f"/organiser/people/{how}"
        return ask("POST", path, cookies=prof, data={"name": name}, **options).status_code

    assert change("revoke", "ann", headers={"Origin": "https://evil.example"}) == 403
    assert [change("revoke", name) for name in ("nobody", "prof", "ann")] == [404, 400, 303]
    assert ask("GET", "/account", cookies=ann).headers["location"] == "/sign-in"
    assert ask("GET", "/api/account", invitations["ann"]).status_code == 401
    assert change("extend", "ann") == 404, "it was revoked"
    with ServerDatabase.open(league) as database:
        database.execute("UPDATE account SET expires = 1 WHERE name = 'ben'")
    page = ask("GET", "/organiser/people", cookies=prof).text
    assert [row_of(page, name)[3] for name in ("ann", "ben")] == ["revoked", "expired"]
    assert ask("GET", "/api/account", invitations["ben"]).status_code == 401
    assert change("extend", "ben") == 303
    assert ask("GET", "/api/account", invitations["ben"]).json()["account"] == "ben"


def test_what_cannot_be_revealed_is_explained(
    ask: Ask, prof: Cookies, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("POST", "/organiser/reveal", cookies=prof, data={"final": "x"}).status_code == 400

    def refuse(folder: LeagueFolder, number: int) -> None:
        raise ConfigError(f"final {number} is not finished")

    monkeypatch.setattr("arena.web.accounts.reveal_rounds", refuse)
    response = ask("POST", "/organiser/reveal", cookies=prof, data={"final": "7"})
    assert (response.status_code, "final 7 is not finished." in response.text) == (400, True)


def test_an_organiser_hands_in_nothing(
    ask: Ask, league: LeagueFolder, invitations: Invitations, prof: Cookies
) -> None:
    """A submitter whom the organiser removed from the settings does not, either."""
    for path in ("/api/hand-ins", "/account/hand-ins"):
        refused = ask("POST", path, cookies=prof, files={"bot": ("bot.py", BOT)})
        assert (refused.status_code, "account hands in no bot" in refused.text) == (403, True)
    text = league.settings.read_text()
    league.settings.write_text(text.replace('ben = ["ben", "ben-*"]\n', ""))
    removed = ask("POST", "/api/hand-ins", invitations["ben"], files={"bot": ("bot.py", BOT)})
    assert (removed.status_code, "not in the table" in removed.json()["error"]) == (403, True)
    with ServerDatabase.open(league) as database:
        assert not database.query("SELECT * FROM hand_in")


def test_who_was_invited_after_an_update_sees_the_present_settings(played_league: LeagueFolder) -> None:
    update(played_league)
    add_submitters(played_league, ["cleo"])
    played_league.settings.write_text(
        f"deadline = 2190-01-01T12:00:00Z\n{played_league.settings.read_text()}"
    )
    with ServerDatabase.open(played_league) as database:
        [cleo] = invite(database, ["cleo"], 1)
    ask = make_ask(build_application(WebContext(url=URL, league=played_league)))
    assert ask("GET", "/api/account", cleo).json()["names"] == ["cleo", "cleo-*"]
    page = ask("GET", "/account", cookies=sign_in(ask, cleo.link)).text
    assert "<code>cleo-*</code>" in page
    assert "2190-01-01 12:00 UTC" in page


def test_a_submitter_is_no_organiser(league: LeagueFolder, invitations: Invitations) -> None:
    names = league.path / "staff.csv"
    names.write_text("ann\n")
    result = CliRunner().invoke(main, ["league", "invite", str(league.path), str(names), "--organiser"])
    assert (result.exit_code, "ann: submitters cannot be organisers" in result.output) == (2, True)
