"""Play in a real browser: whole matches on the cards and by keyboard alone, at two sizes, light and dark."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest

from arena.games import VARIANTS, variant
from arena.interactive.seated_match import choose_opponents
from arena.interactive.session import SeriesSetup
from arena.interactive.table import describe_result, describe_table
from arena.interactive.table_form import BotChoices
from arena.output.words.seat_names import SeatNames
from arena.play.records.record_check import check_lines
from arena.web.context import WebContext
from arena.web.play import PlayPages, Tables
from arena.web.server import build_application
from tests.output.pages.browsing import find_violations
from tests.web.conftest import serve_on_port

pytestmark = pytest.mark.xdist_group("web in a browser")  # the browser is started once

OWNER = "the secret of the link"
WIDE, NARROW = (1280, 800), (390, 844)
LOW_WIDE, LOW_NARROW = (1280, 660), (390, 610)
"""Windows as low as those of a small laptop and of a phone with the bars of its browser."""
FIND_PARTS = """() => {
  const edges = (selector) => [...document.querySelectorAll(selector)]
    .map((one) => one.getBoundingClientRect())
    .filter((one) => one.height).map((one) => [one.top, one.bottom]);
  const extent = (selector) => {
    const [tops, bottoms] = [0, 1].map((end) => edges(selector).map((one) => one[end]));
    return tops.length ? [Math.min(...tops), Math.max(...bottoms)] : [];
  };
  const between = ".middle-cards > *, .result";
  const parts = [".others", between, ".own > header", ".own > .cards .face"].flatMap(extent);
  const [[, end]] = edges("#table");
  const hidden = edges(".result li").filter((one) => one[1] > Math.min(end, extent(".result")[1]));
  return [parts, ["#table", "#prompt", "#turn .main-button"].flatMap(edges).map((one) => one[1]), hidden];
}"""
"""Return tops and bottoms of the table's parts, bottoms of what has to be seen, and rows that are not."""
SHORT: dict[str, dict[str, Any]] = {"lives": {"tokens": 1}, "cambio": {"deals": 1}, "cox": {"deals": 1}}
ONE_OF_EACH_FAMILY = list({rules.family: rules.name for rules in reversed(VARIANTS)}.values())


@dataclass(frozen=True)
class Served:
    """A server in a thread of this process, for one visitor."""

    url: str
    tables: Tables

    def open(
        self,
        name: str,
        *,
        rival: bool = False,
        may_take_back: bool = False,
        is_guided: bool = False,
        **options: Any,
    ) -> str:
        """Begin a match and return the link that leads to it."""
        rules = variant(name, **options)
        bots = choose_opponents(rules, (), 3, "auto")
        setup = SeriesSetup(
            rules=rules,
            opponents=bots,
            rival=bots[0] if rival else None,
            may_take_back=may_take_back,
            is_guided=is_guided,
        )
        table = self.tables.open(OWNER, setup, "any text")
        return f"{self.url}/play/with-key?{urlencode({'key': OWNER, 'table': table})}"

    def records(self, link: str) -> list[bytes]:
        """Return the records of the finished matches at a table."""
        series = self.tables.find(OWNER, link.rpartition("=")[2])
        assert series is not None
        return series.finished_records()


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """Serve play on a free port."""
    tables = Tables()
    pages = PlayPages(False, tables, BotChoices(None, "auto"), OWNER)
    with serve_on_port(
        lambda url: build_application(WebContext(url=url), [lambda context: pages.feature()])
    ) as url:
        yield Served(url, tables)


@dataclass
class Player:
    """A person at a page."""

    page: Any
    troubles: list[str] = field(default_factory=list)
    """Script errors, console lines and failed requests."""

    @property
    def state(self) -> Any:
        """The state that the page shows."""
        return self.page.evaluate("page.state")

    def wait(self, selector: str) -> Any:
        """Wait until something is on the page, and return it."""
        element = self.page.locator(selector).first
        element.wait_for()
        return element

    def wait_after(self, step: int, more: str = "") -> None:
        """Wait for another state than that of a step, in which no bot is to act."""
        self.wait(f'body:not([data-step="{step}"]):not([data-phase="thinking"]){more}')

    def choose_on_cards(self, rng: Random) -> None:
        """Play any action of those that are chosen on the table, or by a button where there is none."""
        groups = self.state["decision"]["groups"]
        actions = [(action, group["is_plain"]) for group in groups for action in group["actions"]]
        on_table = [choice for choice in actions if choice[0]["places"]]
        action, is_plain = rng.choice(on_table if on_table and rng.random() < 0.7 else actions)
        if not action["places"]:
            assert is_plain
            button = self.page.locator(f'.plain-actions [data-action="{action["text"]}"]')
            (button if button.count() else self.page.locator("#turn .main-button")).click()
            return
        for place in action["places"]:
            button = self.page.locator(f'[data-place="{place}"]').first
            if button.get_attribute("aria-pressed") == "false":
                button.click()
        self.page.locator('#turn .main-button[aria-disabled="false"]').click()

    def play_to_end(self, decide: Callable[[], None], proceed: Callable[[], None]) -> Any:
        """Play the match; return its last state."""
        while True:
            self.wait("body:not(.sending)")
            state = self.state
            step = state["step"]
            if state["phase"] == "match-over":
                return state
            if state["phase"] == "decision":
                decide()
            elif state["phase"] == "deal-over":
                proceed()
            self.wait_after(step)


@pytest.fixture
def sit(browser: Any) -> Iterator[Callable[..., Player]]:
    """Open a link as a person with a screen of a size and a colour scheme."""
    contexts = []

    def open_link(link: str, size: tuple[int, int] = WIDE, scheme: str = "light") -> Player:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce", color_scheme=scheme
        )
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.add_init_script("localStorage.setItem('pace', 'none')")
        player = Player(context.new_page())
        player.page.on("pageerror", lambda error: player.troubles.append(str(error)))
        player.page.on("console", lambda line: player.troubles.append(line.text))
        player.page.on("requestfailed", lambda request: player.troubles.append(request.url))
        player.page.goto(link)
        player.wait("#prompt")
        return player

    yield open_link
    for context in contexts:
        context.close()


def play_family(
    served: Served, sit: Callable[..., Player], name: str, size: tuple[int, int], scheme: str
) -> None:
    link = served.open(name, **SHORT.get(name, {}))
    player = sit(link, size, scheme)
    rng = Random(name)
    player.play_to_end(
        lambda: player.choose_on_cards(rng),
        lambda: player.page.locator("#turn .main-button").click(),
    )
    assert player.wait("#prompt").inner_text().startswith("The match is over. You came ")
    assert check_lines("it", served.records(link)).matches == 1
    assert player.page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert player.troubles == []


@pytest.mark.parametrize(("name", "size", "scheme"), [("lives", WIDE, "light"), ("cambio", NARROW, "dark")])
def test_a_match_is_played_on_the_cards(
    served: Served, sit: Callable[..., Player], name: str, size: tuple[int, int], scheme: str
) -> None:
    play_family(served, sit, name, size, scheme)


@pytest.mark.full
@pytest.mark.parametrize(("size", "scheme"), [(WIDE, "dark"), (NARROW, "light")])
@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY)
def test_a_match_of_every_family_is_played_on_the_cards(
    served: Served, sit: Callable[..., Player], name: str, size: tuple[int, int], scheme: str
) -> None:
    play_family(served, sit, name, size, scheme)


@pytest.mark.parametrize(
    "name",
    [name if name == "cox" else pytest.param(name, marks=pytest.mark.full) for name in ONE_OF_EACH_FAMILY],
)
def test_all_is_on_the_first_screen_and_nothing_lies_on_something_else(
    served: Served, sit: Callable[..., Player], name: str
) -> None:
    player = sit(served.open(name))
    # The last action of each decision, until the first deal is over.
    act = "page.answer('act', page.state.decision.groups.flatMap((one) => one.actions).at(-1).text)"
    while True:
        state = player.state
        for width, height in (WIDE, NARROW, LOW_WIDE, LOW_NARROW):
            player.page.set_viewport_size({"width": width, "height": height})
            parts, bottoms, rows = player.page.evaluate(FIND_PARTS)
            assert max(bottoms) <= height, (width, height)
            assert player.page.evaluate("[scrollX, scrollY]") == [0, 0]
            assert rows == [], (width, height)
            assert all(upper <= lower + 1 for upper, lower in pairwise(parts)), (width, height, parts)
        if state["phase"] == "deal-over":
            return
        player.page.evaluate(act)
        player.wait_after(state["step"])


def test_a_match_is_played_by_keyboard_alone_and_what_is_asked_has_the_focus(
    served: Served, sit: Callable[..., Player]
) -> None:
    link = served.open("lives", tokens=1, rival=True)
    player = sit(link)
    keyboard = player.page.keyboard

    def press(wanted: str) -> None:
        """Tab to an element and press Enter."""
        for _ in range(60):
            keyboard.press("Tab")
            if player.page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
                keyboard.press("Enter")
                return
        raise AssertionError(f"{wanted} cannot be reached")

    def decide() -> None:
        press('[data-place="hand:0"]')
        assert "a card on the table" in player.wait(".says").inner_text()
        press('[data-place="table:0"]')
        assert "Makes" in player.wait(".says").inner_text()
        press("#turn .main-button")

    def focused() -> str:
        return str(player.page.evaluate("document.activeElement.id"))

    player.play_to_end(decide, lambda: press("#turn .main-button"))
    assert focused() == "prompt"
    press("#turn .main-button")  # whether the rival, on the same cards, has ended by now or not
    # Other cards in each run: others may end the deal before the person's turn.
    player.wait('body:not([data-phase="thinking"]) #where:text("Match 2")')
    assert focused() == "prompt"
    assert len(served.records(link)) == 1
    assert player.troubles == []


def test_a_reload_and_a_second_tab_show_the_same_and_old_tabs_change_nothing(
    served: Served, sit: Callable[..., Player]
) -> None:
    player = sit(served.open("lives", may_take_back=True))
    first = player.state
    other = Player(player.page.context.new_page())
    other.page.goto(player.page.url)
    other.wait("#prompt")
    assert other.state == first
    player.page.locator("[data-action]").first.dblclick()
    player.wait_after(first["step"])
    now = player.state
    other.page.locator("[data-action]").last.click()
    other.wait(f'body[data-step="{now["step"]}"]')
    player.page.reload()
    player.wait("#prompt")
    assert player.state == now == other.state


def test_hints_choose_on_the_table_and_a_decision_is_taken_back(
    served: Served, sit: Callable[..., Player]
) -> None:
    player = sit(served.open("thirty-one", may_take_back=True))
    before = player.state
    player.page.get_by_role("button", name="Hint").click()
    assert "Hint: " in player.wait(".hint:not(:empty)").inner_text()
    player.wait('#turn .main-button[aria-disabled="false"]').click()
    player.wait_after(before["step"])
    now = player.state
    player.page.get_by_role("button", name="Take back").click()
    player.wait_after(now["step"])
    assert player.state["decision"] == before["decision"]
    assert player.troubles == []


def test_the_first_deal_is_explained_and_no_other(served: Served, sit: Callable[..., Player]) -> None:
    player = sit(served.open("lives", is_guided=True), NARROW)
    explained = player.wait("#guide").inner_text()
    assert "To win, be the last player who has tokens. Everybody has a hand" in explained
    assert "Knock: your hand is good enough" in explained
    player.page.get_by_role("button", name="To the table").click()
    assert "Hint: " in player.wait(".hint:not(:empty)").inner_text()
    while player.state["table"]["deal"] == 1:
        step = player.state["step"]
        name = {"decision": "Knock", "deal-over": "Next deal"}[player.state["phase"]]
        player.page.get_by_role("button", name=name, exact=True).click()
        player.wait_after(step)
    assert not player.page.locator("#guide").is_visible()
    assert player.troubles == []


RECTANGLES = """() => [...page.choice.actions.filter((one) => one.places.length), null].map((action) => {
    page.choice.clear();
    if (action) page.choice.choose(action);
    if (page.main) page.update();
    const box = document.querySelector("#turn .main-button").getBoundingClientRect();
    return [box.left, box.top, box.width, box.height].map(Math.round).join(" ");
})"""
"""The rectangles of the main button, with each choice and without one."""
SQUEEZED = """() => {
    const result = document.querySelector(".result");
    if (result) return result.scrollHeight > result.clientHeight + 1;
    const own = document.querySelector(".own").getBoundingClientRect();
    const middle = [...document.querySelectorAll(".middle-cards > *")];
    return middle.some((one) => one.getBoundingClientRect().bottom > own.top + 2);
}"""
"""Whether the cards in the middle reach into the own seat, or results are cut off."""


@pytest.mark.parametrize(
    ("name", "size"),
    [
        pytest.param(name, size, marks=() if (name, size) == ("cox", NARROW) else pytest.mark.full)
        for name in ("lives", "cambio", "cox", "trade-and-barter")
        for size in (WIDE, NARROW)
    ],
)
def test_the_main_button_never_moves_and_no_card_is_faded(
    served: Served, sit: Callable[..., Player], name: str, size: tuple[int, int]
) -> None:
    """Over ten turns, before and after each choice; nothing on the felt lies over or cuts off another."""
    player = sit(served.open(name), size)
    faded = "[...document.querySelectorAll('.place-card')].some((card) => getComputedStyle(card).opacity < 1)"
    places, squeezed, rng = set(), [], Random(name)
    for _ in range(10):
        state = player.state
        if state["phase"] == "decision":
            cards = player.page.locator(".place-card")
            if cards.count():
                cards.first.click()
            assert not player.page.evaluate(faded)
            player.page.keyboard.press("Escape")
        places.update(player.page.evaluate(RECTANGLES))
        squeezed.append(player.page.evaluate(SQUEEZED))
        if state["phase"] == "match-over":
            break
        if state["phase"] == "decision":
            player.choose_on_cards(rng)
        else:
            player.page.locator("#turn .main-button").click()
        player.wait_after(state["step"])
    assert len(places) == 1
    assert not any(squeezed)


@pytest.mark.parametrize("name", ["lives", "trade-and-barter", "cox"])
def test_what_seats_have_at_the_end_of_a_deal_is_what_the_results_say(name: str) -> None:
    """The felt is settled: holdings, changes and the pool are those after the deal."""
    match = variant(name).match(players=3, seed="settled")
    rng = Random(name)
    while not match.finished_deals:
        assert match.seat_to_act is not None
        match.apply(rng.choice(match.view(match.seat_to_act).legal))
    deal, names = match.finished_deals[0], SeatNames.for_player(["one", "two", "three"], 0)
    table, result = describe_table(deal, 0, names), describe_result(deal, 0, names)
    for row in result["rows"]:
        (seat,) = [one for one in table["seats"] if one["seat"] == row["seat"]]
        ((_, held),) = seat["held"].items()
        totals = re.findall(r"has (-?\d+)", row["outcome"])
        assert totals in ([], [str(held)])
        assert bool(totals) == bool(seat["changes"]) or name == "cox"


@pytest.mark.parametrize(
    ("name", "size", "scheme"),
    [("lives", WIDE, "light"), pytest.param("cox", NARROW, "dark", marks=pytest.mark.full)],
)
def test_axe_finds_nothing_serious(
    served: Served, sit: Callable[..., Player], name: str, size: tuple[int, int], scheme: str
) -> None:
    player = sit(served.open(name, rival=name == "cox", **SHORT[name]), size, scheme)
    problems: list[str] = []

    def look() -> None:
        problems.extend(find_violations(player.page))

    if size == NARROW:
        player.page.get_by_role("button", name="Log").click()
    player.page.locator("#all-actions summary").click()
    look()
    if size == NARROW:
        player.page.get_by_role("button", name="Table").click()
    player.page.locator("[data-place]").first.click()
    player.page.keyboard.press("h")
    player.wait(".hint:not(:empty)")
    look()
    player.page.get_by_role("button", name="Rules").click()
    look()
    player.page.keyboard.press("Escape")
    rng = Random("axe")
    next_deal = player.page.locator("#turn .main-button").click
    player.play_to_end(lambda: player.choose_on_cards(rng), next_deal)
    look()
    player.page.get_by_role("link", name="Leave").click()
    player.wait(".games .face")
    look()
    assert problems == []
