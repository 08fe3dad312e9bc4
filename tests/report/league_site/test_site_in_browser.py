"""The site in a real browser: followed from page to page, with no request but files."""

from pathlib import Path

import pytest

from arena.league.folder import LeagueFolder
from tests.report.page.browsing import Opener, follow_links

pytestmark = pytest.mark.xdist_group("league site")  # played once a worker

OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PAGES = ("index.html", "bots/4-plain.html", "games/1-lives-tokens-1-3.html", "submissions.html")


def test_all_pages_open_by_links_alone(opened: Opener, league: LeagueFolder) -> None:
    visited, found = follow_links(opened, league.site / "index.html")
    assert len(visited) == len(list(league.site.rglob("*.html")))
    assert found.troubles == []
    assert {request.split("#")[0] for request in found.requests} == visited


def test_a_costly_deal_is_stepped_through(opened: Opener, league: LeagueFolder) -> None:
    page = opened(league.site / "bots/4-plain.html").page
    page.locator("#losses tbody a").last.click()
    page.locator(".felt").wait_for()
    assert "deal" in page.url
    assert page.locator(".felt .who").count() == 3


def test_the_latest_matches_of_a_game_are_stepped_through(opened: Opener, league: LeagueFolder) -> None:
    page = opened(league.site / "games/1-lives-tokens-1-3-matches.html").page
    page.locator("#match-list tbody a").nth(3).click()
    page.get_by_role("heading", name="Match 4").wait_for()
    assert page.locator(".felt .who").count() == 3


def test_typing_finds_a_bot(opened: Opener, league: LeagueFolder) -> None:
    page = opened(league.site / "bots.html").page
    page.get_by_role("searchbox").fill("prud")
    assert page.locator("tbody tr:not([hidden]) th").all_inner_texts() == ["prudent"]


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", marks=pytest.mark.full), (390, "dark")]
)
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible_and_fit_the_window(
    opened: Opener, league: LeagueFolder, name: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is missing: pip install '.[browser]'"
    )
    path: Path = league.site / name
    page = opened(path, width=width, color_scheme=scheme).page
    page.locator("main").wait_for()
    found = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    assert not page.evaluate(OVERFLOWS)
