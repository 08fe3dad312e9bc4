"""The files of a league's site and of a run, as the server sends them."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from arena.league.folder import LeagueFolder
from arena.output.pages.page import PLAYGROUND, SERVER_LINKS
from arena.playground.assets import POLICY
from arena.tournament.engine.engine import RunOptions
from arena.web.context import WebContext
from arena.web.server import build_application
from arena.web.static_files import write_missing
from tests.web.conftest import URL, Ask, make_ask, make_run


def check_scripts(page: httpx.Response) -> None:
    """Check that the scripts inside a page, of which there are some, are allowed by their hashes alone."""
    scripts = re.findall("<script>(.*?)</script>", page.text, re.DOTALL)
    assert scripts
    policy = page.headers["content-security-policy"]
    hashes = [b64encode(sha256(script.encode()).digest()).decode() for script in scripts]
    assert all(f"'sha256-{value}'" in policy for value in hashes)
    assert "script-src 'unsafe-inline'" not in policy


def test_pages_of_the_site_are_sent_with_links_of_the_server(ask: Ask, league: LeagueFolder) -> None:
    for path, file in (("/", "index.html"), ("/bots.html", "bots.html"), ("/bots.json", "bots.json")):
        response = ask("GET", path)
        sent = re.sub(b'<li><a href="/live(.*\n)+?.*More.*\n', SERVER_LINKS[0].encode(), response.content)
        sent = re.sub(b'<li><a href="/matches(.*\n)+?.*Sign in.*\n', SERVER_LINKS[1].encode(), sent)
        sent = re.sub(b'<a class="button .*</a>', SERVER_LINKS[2].encode(), sent)
        assert sent == (league.site / file).read_bytes()
        assert response.headers["cache-control"] == "no-cache"
        tag = {"If-None-Match": response.headers["etag"]}
        assert ask("GET", path, headers=tag).status_code == 304
    check_scripts(ask("GET", "/"))


def test_a_playground_has_its_own_policy_and_the_button_to_hand_in(ask: Ask, league: LeagueFolder) -> None:
    page = league.site / PLAYGROUND
    page.parent.mkdir()
    page.write_text(f"<p>{SERVER_LINKS[2]}</p>")
    response = ask("GET", f"/{PLAYGROUND}")
    assert '<a class="button" href="/account">Hand in</a>' in response.text
    assert response.headers["content-security-policy"] == f"{POLICY}; frame-ancestors 'none'"
    assert f'href="/{PLAYGROUND}">Playground' in ask("GET", "/play").text


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/../league.db",
            "/%2e%2e/league.db",
            "/link",
            "/bots/",
            "/none",
            "//etc/passwd",
            "/%00",
            "/.hidden",
        ),
        *("/index.html/x", "/index.html/", "/bots.json/", "/bots.json%2F", "/%2e/bots.json"),
        *("/games//", "/static/style/page.css/", "/static//style/page.css", "/account/", "/api/hand-ins/"),
    ],
)
def test_nothing_else_is_sent(ask: Ask, league: LeagueFolder, path: str) -> None:
    (league.site / "link").symlink_to(league.database)
    (league.site / ".hidden").write_text("secret")
    response = ask("GET", path)
    assert response.status_code == 404
    assert "secret" not in response.text


def test_a_missing_site_is_written_first(league: LeagueFolder) -> None:
    page = league.site / "index.html"
    text = page.read_text()
    older = re.sub('content="[0-9a-f]{32}"', 'content="older"', text)
    page.write_text(older.replace("<script>", "<script>// an older version"))
    write_missing(WebContext(url=URL, league=league))
    assert page.read_text() == text


def test_of_a_run_only_its_tables_and_its_report_are_sent(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    run.play(RunOptions())
    folder = run.folder
    context = WebContext(url=URL, run=folder)
    folder.report.unlink(missing_ok=True)
    write_missing(context)
    ask = make_ask(build_application(context))
    assert ask("GET", "/").headers["location"] == "/report.html"
    report = ask("GET", "/report.html")
    assert b'<li><a href="/presentation">Presentation</a></li>' in report.content
    assert b"/presentation" not in folder.report.read_bytes()
    assert 'id="matches"' in report.text
    check_scripts(report)
    assert ask("GET", "/elo.csv").status_code == 200
    for name in ("arena.db", "arena.log", "./arena.db", "%61rena.db"):
        assert ask("GET", f"/{name}").status_code == 404


def test_styles_and_scripts_are_files_of_the_package(ask: Ask) -> None:
    for path in re.findall('(?:href|src)="(/static/[^"]+)"', ask("GET", "/none").text):
        assert ask("GET", path).status_code == 200
    assert ask("GET", "/static/style/../templates/base.html").status_code == 404
