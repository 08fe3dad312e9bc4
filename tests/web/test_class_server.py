"""A class at its server: aliases, own results, and the organiser's pages."""

import csv
import json
import re
from io import StringIO
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError
from arena.league.accounts import Invitation, ServerDatabase, add_submitters, change_hand_in
from arena.league.folder import LeagueFolder
from arena.league.store import LeagueDatabase
from arena.output.site.bots import student_path
from arena.web.accounts import ALIAS_BURST
from tests.web.conftest import BOT, Ask

Invitations = dict[str, Invitation]


@pytest.fixture
def with_aliases(league: LeagueFolder, invitations: Invitations) -> LeagueFolder:
    league.settings.write_text(f"aliases = true\n{league.settings.read_text()}")
    return league


def sign_in(ask: Ask, secret: str) -> dict[str, str]:
    """Sign in by the secret of a link, and return the cookies."""
    return dict(ask("POST", f"/sign-in/{secret}").cookies)


def invite_organiser(league: LeagueFolder) -> str:
    """Invite an organiser, and return the secret of the link."""
    names = league.path / "staff.csv"
    names.write_text("prof\n")
    result = CliRunner().invoke(main, ["league", "invite", str(league.path), str(names), "--organiser"])
    assert result.exit_code == 0, result.output
    [row] = csv.DictReader(StringIO(result.stdout))
    return row["link"].rpartition("/")[2]


def test_an_alias_is_chosen_over_the_api(
    ask: Ask, with_aliases: LeagueFolder, invitations: Invitations
) -> None:
    before = ask("GET", "/api/account", invitations["ann"]).json()
    assert before["alias"].startswith("guest")
    chosen = ask("POST", "/api/account/alias", invitations["ann"], data={"alias": "heron"})
    assert (chosen.status_code, chosen.json()) == (200, {"account": "ann", "alias": "heron"})
    account = ask("GET", "/api/account", invitations["ann"]).json()
    assert (account["alias"], account["names"][:2]) == ("heron", ["heron", "heron-*"])
    taken = ask("POST", "/api/account/alias", invitations["ben"], data={"alias": "her0n"})
    assert (taken.status_code, "choose another alias" in taken.json()["error"]) == (400, True)
    with LeagueDatabase.open(with_aliases.path) as database:
        assert database.aliases() == [("ann", "heron")]


def test_an_alias_is_chosen_on_the_page(
    ask: Ask, with_aliases: LeagueFolder, invitations: Invitations
) -> None:
    cookies = sign_in(ask, invitations["ann"].link)
    changed = ask("POST", "/account/alias", cookies=cookies, data={"alias": "heron"})
    assert (changed.status_code, changed.headers["location"]) == (303, "/account")
    assert "shown to others as <strong>heron</strong>" in ask("GET", "/account", cookies=cookies).text
    refused = ask("POST", "/account/alias", cookies=cookies, data={"alias": "a b"})
    assert (refused.status_code, "is not 1 to 40 letters" in refused.text) == (400, True)


def test_without_aliases_none_is_chosen(ask: Ask, invitations: Invitations) -> None:
    response = ask("POST", "/api/account/alias", invitations["ann"], data={"alias": "heron"})
    assert (response.status_code, "aliases = true" in response.json()["error"]) == (400, True)


def test_a_submitter_sees_the_own_results_alone(
    ask: Ask, league: LeagueFolder, invitations: Invitations
) -> None:
    assert ask("GET", "/account/results").headers["location"] == "/sign-in"
    cookies = {name: sign_in(ask, invitations[name].link) for name in ("ann", "ben")}
    assert "the next update writes them" in ask("GET", "/account/results", cookies=cookies["ann"]).text
    page = league.organiser / student_path("ann")
    page.parent.mkdir(parents=True)
    page.write_text('<ul><!-- links of the server -->\n</ul><a href="../bots/1.html">own</a>')
    answer = ask("GET", "/account/results", cookies=cookies["ann"])
    assert '<a href="/bots/1.html">own</a>' in answer.text
    assert '<li><a href="/account">Hand in</a></li>' in answer.text
    assert "script-src 'sha256" in answer.headers["content-security-policy"]
    assert ask("GET", "/account/results", cookies=cookies["ben"]).status_code == 404


def test_pages_of_the_organiser_are_for_the_organiser(
    ask: Ask, league: LeagueFolder, invitations: Invitations
) -> None:
    league.organiser.mkdir()
    (league.organiser / "students.html").write_text("who is who")
    (league.path / "secret.html").write_text("secret")
    prof, ann = sign_in(ask, invite_organiser(league)), sign_in(ask, invitations["ann"].link)
    assert ask("GET", "/account", cookies=prof).headers["location"] == "/organiser"
    assert "None." in ask("GET", "/organiser", cookies=prof).text
    assert ask("GET", "/organiser/pages/students.html", cookies=prof).text == "who is who"
    for path in ("../secret.html", "%2e%2e/secret.html", "none.html"):
        assert ask("GET", f"/organiser/pages/{path}", cookies=prof).status_code == 404
    for path in ("", "/people", "/pages/", "/pages/students.html"):
        assert ask("GET", f"/organiser{path}", cookies=ann).status_code == 404
        assert ask("GET", f"/organiser{path}").status_code == 401
    assert ask("POST", "/organiser/reveal", cookies=ann, data={"final": "1"}).status_code == 404


def test_the_organiser_reads_the_notes_of_all(
    ask: Ask, league: LeagueFolder, invitations: Invitations
) -> None:
    for name, note in (("ann", "<b>knocks</b> early"), ("ben", "waits")):
        ask("POST", "/api/hand-ins", invitations[name], content=BOT)
        number = ask("GET", "/api/hand-ins", invitations[name]).json()["hand_ins"][0]["number"]
        ask("POST", f"/api/hand-ins/{number}/note", invitations[name], data={"note": note})
    prof, ann = sign_in(ask, invite_organiser(league)), sign_in(ask, invitations["ann"].link)
    ask("POST", "/api/hand-ins?name=ben-2", invitations["ben"], content=b"x = 1")
    with ServerDatabase.open(league) as database:
        number = database.rows("SELECT max(number) FROM hand_in")[0][0]
        change_hand_in(database, number, state="rejected", reason="it has no class", card="a long card")
    listed = CliRunner().invoke(main, ["league", "list", str(league.path), "--show", "submissions", "--json"])
    [rejected] = [row for row in json.loads(listed.stdout) if row["state"] == "rejected"]
    assert (rejected["number"], rejected["bot"], rejected["submitter"]) == (None, "ben-2", "ben")
    assert (rejected["reason"], rejected["card"]) == ("it has no class", "a long card")
    page = ask("GET", "/organiser/notes", cookies=prof).text
    assert "<bdi>it has no class</bdi>" in page
    assert "<bdi>&lt;b&gt;knocks&lt;/b&gt; early</bdi>" in page
    assert "<bdi>waits</bdi>" in page
    assert ask("GET", "/organiser/notes", cookies=ann).status_code == 404
    assert ask("GET", "/organiser/notes").status_code == 401


def row_of(page: str, name: str) -> list[str]:
    """Return the cells of a person on the page of accounts."""
    [row] = [row for row in re.findall("<tr>(.*?)</tr>", page, re.DOTALL) if f"<bdi>{name}</bdi>" in row]
    return [re.sub("<[^>]*>", "", cell).strip() for cell in re.findall("<t[hd].*?</t[hd]>", row, re.DOTALL)]


def test_the_organiser_sees_tokens_and_ends_or_extends_them(
    ask: Ask, with_aliases: LeagueFolder, invitations: Invitations
) -> None:
    add_submitters(with_aliases, ["cleo"])
    prof, ann = sign_in(ask, invite_organiser(with_aliases)), sign_in(ask, invitations["ann"].link)
    ask("POST", "/api/hand-ins", invitations["ann"], content=BOT, params={"name": "ann"})
    page = ask("GET", "/organiser/people", cookies=prof).text
    assert row_of(page, "ann")[3] == "used"
    assert re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", row_of(page, "ann")[6])
    assert row_of(page, "ben")[3] == "issued"
    assert row_of(page, "cleo")[3:5] == ["not invited", ""]
    assert row_of(page, "prof")[0].endswith("(organiser)")
    assert 'aria-label="Revoke prof"' not in page

    def change(how: str, name: str, cookies: dict[str, str] = prof, **options: Any) -> int:
        path = f"/organiser/people/{how}"
        return ask("POST", path, cookies=cookies, data={"name": name}, **options).status_code

    assert change("revoke", "ann", headers={"Origin": "https://evil.example"}) == 403
    assert change("revoke", "ben", ann) == change("revoke", "nobody") == 404
    assert change("revoke", "prof") == 400
    assert change("revoke", "ann") == 303
    assert ask("GET", "/account", cookies=ann).headers["location"] == "/sign-in"
    assert ask("GET", "/api/account", invitations["ann"]).status_code == 401
    assert change("extend", "ann") == 404, "it was revoked"
    with ServerDatabase.open(with_aliases) as database:
        database.execute("UPDATE account SET expires = 1 WHERE name = 'ben'")
    page = ask("GET", "/organiser/people", cookies=prof).text
    assert [row_of(page, name)[3] for name in ("ann", "ben")] == ["revoked", "expired"]
    assert ask("GET", "/api/account", invitations["ben"]).status_code == 401
    assert change("extend", "ben") == 303
    assert ask("GET", "/api/account", invitations["ben"]).json()["account"] == "ben"


def test_what_cannot_be_revealed_is_explained(
    ask: Ask, league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    prof = sign_in(ask, invite_organiser(league))
    assert ask("POST", "/organiser/reveal", cookies=prof, data={"final": "x"}).status_code == 400

    def refuse(folder: LeagueFolder, number: int) -> None:
        raise ConfigError(f"final {number} is not finished")

    monkeypatch.setattr("arena.web.accounts.reveal_rounds", refuse)
    response = ask("POST", "/organiser/reveal", cookies=prof, data={"final": "7"})
    assert (response.status_code, "final 7 is not finished." in response.text) == (400, True)


def test_an_organiser_hands_in_nothing(ask: Ask, league: LeagueFolder, invitations: Invitations) -> None:
    """A submitter whom the organiser removed from the settings does not, either."""
    prof = sign_in(ask, invite_organiser(league))
    for path in ("/api/hand-ins", "/account/hand-ins"):
        refused = ask("POST", path, cookies=prof, files={"bot": ("bot.py", BOT)})
        assert (refused.status_code, "account hands in no bot" in refused.text) == (403, True)
    text = league.settings.read_text()
    league.settings.write_text(text.replace('ben = ["ben", "ben-*"]\n', ""))
    removed = ask("POST", "/api/hand-ins", invitations["ben"], files={"bot": ("bot.py", BOT)})
    assert (removed.status_code, "not in the table" in removed.json()["error"]) == (403, True)
    with ServerDatabase.open(league) as database:
        assert not database.rows("SELECT * FROM hand_in")


def test_nobody_tries_many_aliases(ask: Ask, with_aliases: LeagueFolder, invitations: Invitations) -> None:
    def attempt(account: str, alias: str) -> int:
        return ask("POST", "/api/account/alias", invitations[account], data={"alias": alias}).status_code

    assert {attempt("ben", "ann") for _ in range(ALIAS_BURST)} == {400}
    assert attempt("ben", "heron") == 429
    assert attempt("ann", "heron") == 200


def test_the_name_of_an_organiser_is_no_alias(
    ask: Ask, with_aliases: LeagueFolder, invitations: Invitations
) -> None:
    invite_organiser(with_aliases)
    answers = [
        ask("POST", "/api/account/alias", invitations["ann"], data={"alias": alias}).json()["error"]
        for alias in ("ben", "Pr0f")
    ]
    assert answers[0].replace("ben", "Pr0f") == answers[1]


def test_a_submitter_is_no_organiser(league: LeagueFolder, invitations: Invitations) -> None:
    names = league.path / "staff.csv"
    names.write_text("ann\n")
    result = CliRunner().invoke(main, ["league", "invite", str(league.path), str(names), "--organiser"])
    assert (result.exit_code, "ann: submitters cannot be organisers" in result.output) == (2, True)
