"""The site in a real browser: followed from page to page, with no request but files."""

import re
from pathlib import Path

import pytest

from arena.league.folder import LeagueFolder
from tests.output.pages.browsing import Opener, find_violations, follow_links

pytestmark = pytest.mark.xdist_group("league site")  # played once a worker

OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
PAGES = ("index.html", "bots/4-plain.html", "games/1-lives-tokens-1-3.html", "submissions.html")


def test_all_pages_open_by_links_alone(opened: Opener, league: LeagueFolder) -> None:
    visited, window = follow_links(opened, league.site / "index.html")
    assert len(visited) == len(list(league.site.rglob("*.html")))
    assert window.troubles == []
    assert {request.split("#")[0] for request in window.requests} == visited


def test_a_costly_deal_is_stepped_through(opened: Opener, league: LeagueFolder) -> None:
    page = opened(league.site / "bots/4-plain.html").page
    page.locator("#losses tbody a").last.click()
    page.locator(".felt").wait_for()
    assert "deal" in page.url
    assert page.locator(".felt .who").count() == 3


def test_a_deal_that_stronger_bots_decide_otherwise_is_stepped_through(
    opened: Opener, league: LeagueFolder
) -> None:
    pages = sorted((league.site / "bots").glob("*.html"))
    path = next(page for page in pages if 'id="coach"' in page.read_text())
    window = opened(path)
    coach = window.page.locator("#coach")
    assert coach.locator("thead th").all_inner_texts()[1:6] == [
        *("situation", "it plays", "they play", "a deal", "±")
    ]
    link = coach.locator("tbody a").first
    match, deal = re.findall("[0-9]+", link.inner_text())
    link.click()
    window.page.locator("#viewer .board").wait_for()
    assert f"#match={match}&deal={deal}" in window.page.url
    assert window.page.locator("#viewer .deals [aria-current]").inner_text().rstrip("!") == deal
    assert window.troubles == []


def test_the_latest_matches_of_a_game_are_stepped_through(opened: Opener, league: LeagueFolder) -> None:
    page = opened(league.site / "games/1-lives-tokens-1-3-matches.html").page
    page.locator("#match-list tbody a").nth(3).click()
    page.get_by_role("heading", name="Match 4").wait_for()
    assert page.locator(".felt .who").count() == 3


def test_typing_filters_the_rows_of_a_long_table(opened: Opener, league: LeagueFolder) -> None:
    assert opened(league.site / "bots.html").page.get_by_role("searchbox").count() == 0
    page = opened(league.site / "submissions.html").page
    rows = page.locator("tbody tr").count()
    page.get_by_role("searchbox").fill("PRUD")
    [found] = page.locator("tbody tr:not([hidden]) th").all_inner_texts()
    assert (found, page.locator("output").inner_text()) == ("prudent", f"1 of {rows} rows")
    page.get_by_role("searchbox").fill("")
    assert page.locator("tbody tr:not([hidden])").count() == rows


@pytest.mark.parametrize(
    ("width", "scheme"), [pytest.param(1280, "light", marks=pytest.mark.full), (390, "dark")]
)
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible_and_fit_the_window(
    opened: Opener, league: LeagueFolder, name: str, width: int, scheme: str
) -> None:
    path: Path = league.site / name
    page = opened(path, width=width, color_scheme=scheme).page
    page.locator("main").wait_for()
    assert find_violations(page) == []
    assert not page.evaluate(OVERFLOWS)


SCROLLS_INSIDE = """[...document.querySelectorAll('#ladder .sheet')].filter(one =>
    one.scrollHeight > one.clientHeight + 20 || one.scrollWidth > one.clientWidth).length"""


def test_a_phone_shows_state_and_reason_of_a_submission_first(opened: Opener, league: LeagueFolder) -> None:
    page = opened(league.site / "submissions.html", width=390).page
    page.get_by_role("searchbox").fill("rejected")
    heads = page.locator("thead th").all_inner_texts()
    assert [head.strip() for head in heads[:3]] == ["bot", "state", "reason"]
    row = page.locator("tbody tr:not([hidden])").first
    for number in range(3):
        cell = (row.locator("th, td").nth(number)).bounding_box()
        assert cell["x"] + cell["width"] <= 390
        assert cell["width"] > 40


def test_the_ladder_has_no_scroll_box_of_its_own(opened: Opener, league: LeagueFolder) -> None:
    for width in (390, 1280):
        page = opened(league.site / "index.html", width=width).page
        page.evaluate(
            "for (let i = 0; i < 60; i++) document.querySelector('#ladder tbody').append("
            "document.querySelector('#ladder tbody tr').cloneNode(true))"
        )
        assert page.evaluate(SCROLLS_INSIDE) == 0


def test_a_name_in_a_figure_leads_to_its_page(opened: Opener, league: LeagueFolder) -> None:
    for width, kind in ((1280, "beside"), (390, "above")):
        page = opened(league.site / "index.html", width=width).page
        table, figure = (page.locator(f"#ladder {part}").bounding_box() for part in (".sheet", "figure"))
        if kind == "beside":
            assert table["x"] + table["width"] < figure["x"]
        else:
            assert table["y"] + table["height"] < figure["y"]
        page.locator(f".figure.{kind} a", has_text="plain").first.click()
        page.wait_for_url("**/bots/4-plain.html")
