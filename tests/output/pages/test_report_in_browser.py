"""The report page in a real browser: sorting, filtering, game selection, accessibility."""

import re
from typing import Any

import pytest

from arena.output.figures.charts import Grid, heat_map
from arena.tournament.run import Run
from tests.output.pages.browsing import HOSTILE, Opener, accessibility_violations

pytestmark = pytest.mark.xdist_group("reported run")  # played once, and the browser started once

READABLE = 4.5
HEAT = [f"h{sign}{step}" for sign in ("", "m") for step in range(1, 6)]
COLOURS = """([words, behind]) => {
  const figure = document.querySelector("svg.figure");
  const added = ["text", "path"].map((name, place) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    element.setAttribute("class", [words, behind][place]);
    return figure.appendChild(element);
  });
  const [front, shape] = added.map((element) => getComputedStyle(element).fill);
  const card = getComputedStyle(document.querySelector(".card")).backgroundColor;
  added.forEach((element) => element.remove());
  return [front, behind ? shape : card];
}"""
SMALLEST_SCALE = """Math.min(...[...document.querySelectorAll("svg.figure")].filter(
  (figure) => figure.checkVisibility()).map(
  (figure) => figure.getBoundingClientRect().width / figure.viewBox.baseVal.width))"""
LARGEST_SCALE = SMALLEST_SCALE.replace("Math.min", "Math.max")
CLIPPED = """[...document.querySelectorAll("svg.figure text")].filter((text) => {
  if (!text.checkVisibility()) return false;
  const [own, figure] = [text, text.ownerSVGElement].map((element) => element.getBoundingClientRect());
  return own.left < figure.left - 1 || own.right > figure.right + 1 || own.top < figure.top - 1;
}).map((text) => text.textContent)"""
FIRST_TABLE = "#standings-all table"


def column(page: Any, table: str, number: int) -> list[str]:
    cells = page.locator(f"{table} tbody tr:not([hidden]) > :nth-child({number})")
    return [text.strip() for text in cells.all_inner_texts()]


def test_it_opens_from_disk_without_other_requests(opened: Opener, reported_run: Run) -> None:
    window = opened(reported_run.folder.report)
    window.page.get_by_role("heading", name="Match 1").wait_for()
    assert window.requests == [reported_run.folder.report.as_uri()]
    assert window.troubles == []
    assert window.page.title() == "Round-robin tournament"


def test_a_name_that_is_a_script_stays_a_name(opened: Opener, reported_run: Run) -> None:
    window = opened(reported_run.folder.report)
    window.page.get_by_role("heading", name="Match 1").wait_for()
    assert HOSTILE in column(window.page, FIRST_TABLE, 2)
    assert window.page.locator("script").count() == 2
    assert window.page.locator("b[onclick]").count() == 0
    assert window.page.locator(".felt .who", has_text="alert(1)").count() == 1
    assert window.troubles == []


def test_a_column_header_sorts_largest_first(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    page.locator(FIRST_TABLE).get_by_role("button", name="elo", exact=True).click()
    down = [float(elo.lstrip("<>~")) for elo in column(page, FIRST_TABLE, 3)]
    assert down == sorted(down, reverse=True)
    page.locator(FIRST_TABLE).get_by_role("button", name="elo", exact=True).press("Enter")
    assert [float(elo.lstrip("<>~")) for elo in column(page, FIRST_TABLE, 3)] == down[::-1]
    assert page.locator(f"{FIRST_TABLE} th[aria-sort=ascending]").inner_text().strip() == "elo"


def test_one_game_is_shown_at_a_time(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    assert page.locator(".part:visible").count() == 1
    page.get_by_label("Game", exact=True).select_option("pool, 4 players")
    assert page.locator(".part:visible h3").first.inner_text() == "pool, 4 players"
    assert page.locator(".part:visible").get_by_role("img", name="Score of the bot").is_visible()
    page.get_by_label("Game", exact=True).select_option("every")
    assert page.locator(".part:visible").count() == 3


def test_colors_follow_the_system_or_the_selection(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, color_scheme="dark").page
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.get_by_label("Colours", exact=True).select_option("light")
    assert page.evaluate(background) != dark


def test_all_tables_are_visible_without_scripts(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, java_script_enabled=False).page
    assert page.locator(".part:visible").count() == 3
    for summary in page.locator("summary").all():
        summary.click()
    assert page.locator("main table:visible").count() == page.locator("main table").count()


@pytest.mark.parametrize("width", [1280, 390], ids=["wide", "phone"])
def test_nothing_is_wider_than_the_window(opened: Opener, reported_run: Run, width: int) -> None:
    page = opened(reported_run.folder.report, width=width).page
    page.get_by_role("heading", name="Match 1").wait_for()
    page.get_by_label("Game", exact=True).select_option("every")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1280, 390], ids=["wide", "phone"])
def test_figure_labels_keep_their_size_and_are_not_clipped(
    opened: Opener, reported_run: Run, width: int
) -> None:
    page = opened(reported_run.folder.report, width=width).page
    page.get_by_label("Game", exact=True).select_option("every")
    assert page.evaluate(SMALLEST_SCALE) >= 1
    assert page.evaluate(CLIPPED) == []


def test_long_game_names_above_a_heat_map_are_not_clipped(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    games = ["schwimmen/4", "cambio/4", "lives/4"]
    picture = heat_map(Grid(["greedy"], games, [[0.0] * 3], [["1500"] * 3]), "games", upright=True)
    page.evaluate("picture => { document.querySelector('figure').innerHTML = picture }", str(picture))
    assert page.evaluate(CLIPPED) == []


def test_names_stay_in_view_on_a_phone(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, width=390).page
    plot = page.get_by_role("figure", name="Elo over all games")
    assert plot.evaluate("figure => figure.scrollWidth <= figure.clientWidth")
    bots = [f"bot-{number}" for number in range(20)]
    picture = heat_map(Grid(bots, bots, [[0.5] * 20] * 20, [[""] * 20] * 20), "pairs")
    plot.evaluate("(figure, picture) => { figure.innerHTML = picture }", str(picture))
    names = plot.locator(".names")
    before = names.bounding_box()
    plot.evaluate("figure => { figure.scrollLeft = figure.scrollWidth }")
    assert plot.evaluate("figure => figure.scrollLeft") > 100
    assert names.bounding_box() == before
    offset = """table => {
      const sheet = table.closest(".sheet");
      sheet.scrollLeft = sheet.scrollWidth;
      const left = (element) => element.getBoundingClientRect().left;
      return left(table.querySelector("tbody .name")) - left(sheet);
    }"""
    assert page.locator(FIRST_TABLE).evaluate(offset) >= 0


def test_a_round_of_many_tables_is_shown_whole(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    tall = '<div class="sheet rounds"><div style="height: 3000px"></div></div>'
    page.evaluate("tall => { document.querySelector('main').innerHTML = tall }", tall)
    assert page.locator(".rounds").bounding_box()["height"] >= 3000


def test_print_gives_names_room_beside_many_columns(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, width=703).page
    page.emulate_media(media="print")
    names = [f"club-of-the-north-{number:02}-entry-by-the-owner" for number in range(11)]
    wide = """names => {
      const head = names.map((name) => `<th scope="col"><button>${name}</button></th>`).join("");
      const cells = names.map(() => "<td>62.5 ± 14.4%</td>").join("");
      document.querySelector(".sheet").innerHTML =
        `<table><thead><tr><th class="w name">bot</th>${head}</tr></thead>`
        + `<tbody><tr><th class="w name">${names[0]}</th>${cells}</tr></tbody></table>`;
    }"""
    page.evaluate(wide, names)
    name = page.locator(".sheet tbody .name").first
    size = name.evaluate("name => parseFloat(getComputedStyle(name).fontSize)")
    assert name.bounding_box()["width"] >= 6 * size


def test_a_table_that_goes_on_has_its_head_on_every_printed_page(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    page.emulate_media(media="print")
    head = page.locator("thead th:has(button)").first  # boxes in the head keep the browser from repeating it
    assert head.locator("button").evaluate("button => getComputedStyle(button).display") == "contents"
    parts = page.locator(".part")
    style = "(element) => getComputedStyle(element).breakBefore"
    assert [part.evaluate(style) for part in parts.all()] == ["auto", "page", "page"]


def test_a_heading_is_printed_with_what_follows(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    page.emulate_media(media="print")
    style = "(element, name) => getComputedStyle(element)[name]"
    assert page.locator("thead").first.evaluate(style, "breakAfter") == "avoid"
    for whole in page.locator(".whole:has(h3 ~ figure)").all():
        assert whole.evaluate(style, "breakInside") == "avoid"
    figures = page.locator(".card > .whole > figure").count()
    assert figures + page.locator(".pair > div + figure").count() == page.locator(".card figure").count()
    assert figures > 0


def test_a_small_figure_is_not_magnified_in_print(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, width=703).page
    page.emulate_media(media="print")
    page.get_by_role("figure", name="Bots by games").wait_for()
    assert page.evaluate(LARGEST_SCALE) <= 1


def test_printing_cuts_no_table_and_shows_no_controls(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, width=703).page  # A4 without margins
    page.get_by_role("heading", name="Match 1").wait_for()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".part:visible").count() == 3
    assert page.locator("select:visible, input:visible, summary:visible, .viewer:visible").count() == 0
    assert (
        page.evaluate("Math.max(...[...document.querySelectorAll('.sheet, figure')].map(e => e.scrollWidth))")
        <= 703
    )


def test_sections_are_linked(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    links = [link.get_attribute("href") for link in page.locator("nav a, .contents a").all()]
    cards = [f"#{card.get_attribute('id')}" for card in page.locator(".card[id]").all()]
    assert set(cards) <= set(links)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figure_labels_have_enough_contrast(opened: Opener, reported_run: Run, scheme: str) -> None:
    page = opened(reported_run.folder.report, color_scheme=scheme).page
    assert min(contrast(page, "t", behind) for behind in HEAT) >= READABLE
    assert min(contrast(page, f"t{line}", "") for line in [*range(8), "x"]) >= READABLE


def contrast(page: Any, words: str, behind: str) -> float:
    """Return the contrast of a label class with a shape class, or with the page."""
    front, back = page.evaluate(COLOURS, [words, behind])
    light, dark = sorted([luminance(front), luminance(back)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a color. Source: Web Content Accessibility Guidelines 2.2."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", colour)[:3]]
    parts = [number / (1 if colour.startswith("color") else 255) for number in numbers]
    red, green, blue = (((part + 0.055) / 1.055) ** 2.4 if part > 0.04045 else part / 12.92 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("scheme", "width"),
    [pytest.param("light", 1280, marks=pytest.mark.full), ("dark", 390)],
    ids=["light", "dark phone"],
)
def test_the_report_has_no_serious_accessibility_violations(
    opened: Opener, reported_run: Run, scheme: str, width: int
) -> None:
    assert accessibility_violations(opened, reported_run.folder.report, scheme, width) == []
