"""The replay viewer in a real browser: steps, keys, points of view, links, choices of other bots."""

import re
from math import floor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.games import variant
from arena.output.pages.page import render_replay_page
from arena.output.pages.replay_data import name_seats
from arena.play import play_match
from arena.play.actions_of_other_bots import Suggestion
from arena.play.chances import Chances, estimate_chances
from arena.tournament.record_search import read_records, replay_deals
from arena.tournament.review.differences import ask_shadows, choose_shadows
from arena.tournament.run import Run
from bots.plain import Greedy, Prudent
from tests.output.pages.browsing import Opener, accessibility_violations

pytestmark = pytest.mark.xdist_group("reported run")  # the browser is started once

OTHERS = ("greedy", "random")


@pytest.fixture(scope="session")
def record() -> dict[str, Any]:
    """Return a match with greedy at seat 0 and a made-up fault in the second deal."""
    told = play_match(variant("lives", tokens=1), [Greedy, Prudent, Prudent], seed="any text")
    return {**told, "faults": [{"seat": 2, "kind": "illegal", "deal": 1}]}


@pytest.fixture(scope="session")
def page_file(record: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the page of that match with shadow bots."""
    [read] = read_records("a file", [msgspec.json.encode(record)])
    file = tmp_path_factory.mktemp("pages") / "replay.html"
    deals = replay_deals("a file", read)
    suggestions = ask_shadows(deals, choose_shadows(OTHERS, deals[0].opening.rules, "auto"))
    file.write_text(render_replay_page(read, deals, OTHERS, suggestions), encoding="utf-8")
    return file


def hand(page: Any, seat: int) -> list[str]:
    """Return the cards shown for a seat."""
    cards = page.locator(f".felt .seat-{seat} > .cards svg.face")
    return [card.get_attribute("data-card") for card in cards.all()]


def now(page: Any) -> str:
    return re.sub(r"\s+", " ", page.locator(".now").inner_text()).strip()


def place(page: Any) -> dict[str, str]:
    """Return the place in the URL fragment."""
    return dict(part.split("=") for part in page.evaluate("location.hash")[1:].split("&"))


def test_keys_step_through_a_deal_into_the_next(opened: Opener, page_file: Path, record: Any) -> None:
    window = opened(page_file)
    page = window.page
    page.locator(".events").focus()
    actions = record["deals"][0]["actions"]
    assert now(page).startswith(f"0 / {len(actions)}")
    page.keyboard.press("ArrowRight")
    assert place(page) == {"match": "1", "deal": "1", "step": "1"}
    page.keyboard.press("End")
    assert place(page)["step"] == str(len(actions))
    page.keyboard.press("ArrowRight")
    assert place(page) == {"match": "1", "deal": "2", "step": "0"}
    page.keyboard.press("ArrowLeft")
    assert place(page) == {"match": "1", "deal": "1", "step": str(len(actions))}
    page.keyboard.press("Home")
    assert place(page)["step"] == "0"
    assert window.troubles == []


def test_in_a_frame_of_another_page_the_replay_opens_at_the_step_of_its_address(
    opened: Opener, page_file: Path, tmp_path: Path
) -> None:
    outer = tmp_path / "outer.html"
    address = f"{page_file.as_uri()}#deal=2&step=1&seat=1"
    frame = (
        f'<iframe id="replay" title="A deal" sandbox="allow-scripts" src="{address}" width=900 height=700>'
    )
    outer.write_text(f"<!doctype html><title>An article</title>{frame}</iframe>", encoding="utf-8")
    window = opened(outer)
    inside = window.page.frame_locator("#replay")
    inside.get_by_role("link", name="Open the replay in a page of its own").wait_for()
    assert inside.locator(".now").inner_text().startswith("1 / ")
    assert inside.locator(".deals [aria-current]").inner_text() == "2!"
    assert not inside.locator(".top, footer").first.is_visible()
    inside.get_by_role("button", name="Next step").click()
    assert inside.locator(".now").inner_text().startswith("2 / ")
    window.page.evaluate(
        "(address) => { document.getElementById('replay').src = address; }",
        f"{page_file.as_uri()}#deal=1&step=3",
    )
    inside.get_by_text("3 / ").wait_for()
    assert window.troubles == []


def test_the_costliest_action_and_the_chances_at_each_step_are_shown_to_those_who_see_all_cards(
    opened: Opener, record: dict[str, Any], tmp_path: Path
) -> None:
    [read] = read_records("a file", [msgspec.json.encode(record)])
    deals = replay_deals("a file", read)
    chances = estimate_chances(deals, playouts=2)
    for step, chance in enumerate((0.9, 0.1)):
        chances[0][step] = Chances((chance,) * read.record.players, (0.0,) * read.record.players)
    (tmp_path / "chances.html").write_text(render_replay_page(read, deals, chances=chances), encoding="utf-8")
    window = opened(tmp_path / "chances.html", "#deal=1&step=2")
    first = window.page.locator("section[aria-labelledby=h-costly] dl")
    assert first.locator("dt").first.inner_text() == "80 points"
    first.get_by_role("link").first.click()
    values = window.page.locator(".chance-values")
    values.wait_for()
    for step in (1, 2):
        by_seat = zip(name_seats(read.record), chances[0][step].by_seat, strict=True)
        expected = [f"{name} {percent(chance)}" for name, chance in by_seat]
        assert values.locator("li").all_inner_texts() == expected
        window.page.get_by_role("button", name="Next step").click()
    window.page.locator("#view-of").select_option("1")
    assert not window.page.locator(".curve").is_visible()
    assert window.troubles == []


def percent(chance: float) -> int:
    """Return a chance as the page rounds it."""
    return floor(round(1000 * chance) / 10 + 0.5)


def test_keys_work_anywhere_on_the_page_of_one_match(opened: Opener, page_file: Path) -> None:
    page = opened(page_file).page
    page.locator(".felt").wait_for()
    page.keyboard.press("ArrowRight")
    assert now(page).startswith("1 / ")


def test_a_link_to_a_deal_opens_the_report_there(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, "#match=7&deal=2").page
    page.get_by_role("heading", name="Match 7").wait_for()
    assert page.evaluate("document.querySelector('.felt').getBoundingClientRect().top < innerHeight")
    page.keyboard.press("ArrowRight")
    assert place(page) == {"match": "7", "deal": "2", "step": "1"}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)], ids=["wide", "phone"])
def test_controls_are_above_the_fold_and_stay_in_place(
    opened: Opener, reported_run: Run, width: int, height: int
) -> None:
    page = opened(reported_run.folder.report).page
    page.get_by_role("heading", name="Match 1").wait_for()
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("location.hash = 'match=7&deal=1'")
    page.get_by_role("heading", name="Match 7").wait_for()
    controls, felt = page.locator(".viewer .controls"), page.locator(".felt")
    before = controls.bounding_box()
    assert 0 <= before["y"] < before["y"] + before["height"] <= height
    table_top = felt.bounding_box()["y"]
    assert table_top < height
    for _ in range(3):
        page.get_by_role("button", name="Next step").click()
        assert controls.bounding_box() == before
        assert felt.bounding_box()["y"] == table_top


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.full), 390], ids=["wide", "phone"])
def test_what_is_below_the_table_stays_in_place_the_second_time(
    opened: Opener, reported_run: Run, width: int
) -> None:
    page = opened(reported_run.folder.report, "#match=7&deal=1", width=width).page
    page.get_by_role("heading", name="Match 7").wait_for()
    bottoms = """[...document.querySelectorAll('.felt, .legend')].map(
      (one) => one.getBoundingClientRect().bottom + scrollY)"""
    page.locator(".events").focus()
    for _ in range(2):
        seen = []
        page.keyboard.press("Home")
        while place(page).get("deal", "1") == "1":
            seen.append(page.evaluate(bottoms))
            page.keyboard.press("ArrowRight")
        page.keyboard.press("[")
    assert len(seen) > 3
    assert all(state == seen[0] for state in seen)


def test_bots_are_listed_by_placing(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    page.get_by_role("heading", name="Match 1").wait_for()
    rows = [*page.locator("#match-list tbody td:nth-child(3)").all_inner_texts()]
    for number, row in enumerate(rows, 1):
        placings = [int(place) for place in re.findall(r"(?:^|, )(\d) ", row)]
        assert len(placings) == 4, number
        assert placings == sorted(placings), number
    shown = page.locator(".viewer > .summary").inner_text()
    assert [part[0] for part in shown.split(" · ")] == re.findall(r"(?:^|, )(\d) ", rows[0])


def test_a_link_to_a_missing_match_shows_a_note(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report, "#match=999&deal=2").page
    page.get_by_text("Match 999 is not on this page").wait_for()
    assert page.get_by_role("heading", name="Match 1").is_visible()
    page.locator("#match-list a", has_text="7").first.click()
    page.get_by_role("heading", name="Match 7").wait_for()
    assert page.get_by_text("is not on this page").count() == 0


def test_the_table_shows_the_cards_of_the_record(opened: Opener, page_file: Path, record: Any) -> None:
    page = opened(page_file, "#match=1&deal=2").page
    page.locator(".felt").wait_for()
    told = record["deals"][1]["hands"]
    assert [hand(page, seat) for seat in range(3)] == [(text or "").split() for text in told]
    widow = page.locator(".pile", has_text="widow").locator("svg.face")
    assert [card.get_attribute("data-card") for card in widow.all()] == record["deals"][1]["table"].split()


def test_a_seat_sees_its_own_cards_and_those_it_knows(opened: Opener, page_file: Path, record: Any) -> None:
    page = opened(page_file, "#match=1&deal=1&step=0").page
    page.get_by_label("Seen by").select_option("1")
    assert hand(page, 1) == record["deals"][0]["hands"][1].split()
    assert hand(page, 0) == hand(page, 2) == ["??"] * 3
    taken = next(step for step, done in enumerate(record["deals"][0]["actions"], 1) if ">" in done)
    page.evaluate(f"location.hash = 'match=1&deal=1&step={taken}&seat=1'")
    page.locator(".now", has_text=f"{taken} /").wait_for()
    seat, _, swap = record["deals"][0]["actions"][taken - 1].partition(":")
    if seat != "1":
        known = [card for card in hand(page, int(seat)) if card != "??"]
        assert known == swap.partition(">")[2].split(",")


def test_at_the_end_hands_are_shown_to_all(opened: Opener, page_file: Path, record: Any) -> None:
    last = len(record["deals"][0]["actions"])
    page = opened(page_file, f"#match=1&deal=1&step={last}&seat=0").page
    page.locator(".felt").wait_for()
    assert "??" not in hand(page, 1) + hand(page, 2)


def test_turning_points_are_found(opened: Opener, page_file: Path) -> None:
    page = opened(page_file).page
    page.locator(".felt").wait_for()
    turning = page.locator(".events li.turning")
    assert turning.count() > 0
    page.get_by_role("button", name="Next turning point").click()
    assert page.locator(".events [aria-current=step].turning").count() == 1
    assert turning.first.get_attribute("aria-current") == "step"


def test_a_fault_is_marked_where_it_was(opened: Opener, page_file: Path) -> None:
    page = opened(page_file).page
    link = page.locator(".deals a", has_text="2")
    assert link.get_by_label("with a fault").count() == 1
    link.click()
    page.locator(".events li.turning", has_text="illegal in this deal").wait_for()


def test_it_plays_and_pauses(opened: Opener, page_file: Path) -> None:
    page = opened(page_file).page
    page.get_by_role("button", name="Play").click()
    page.locator(".now", has_text="1 /").wait_for()
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").is_visible()


def test_choices_of_other_bots_are_shown(opened: Opener, page_file: Path, record: Any) -> None:
    page = opened(page_file).page
    page.locator(".felt").wait_for()
    step = next(at for at, done in enumerate(record["deals"][0]["actions"], 1) if done.startswith("0:"))
    page.evaluate(f"location.hash = 'match=1&deal=1&step={step}'")
    page.locator(".now", has_text=f"{step} /").wait_for()
    greedy = page.locator(".others tbody tr").first
    assert greedy.locator("th").inner_text() == "greedy"
    assert "differs" not in greedy.inner_text()


def test_choices_based_on_hidden_cards_are_hidden_from_a_seat(
    opened: Opener, page_file: Path, record: Any
) -> None:
    step = next(at for at, done in enumerate(record["deals"][0]["actions"], 1) if done.startswith("0:"))
    page = opened(page_file, f"#match=1&deal=1&step={step}&seat=1").page
    answer = page.locator(".others tbody tr").first
    answer.wait_for()
    assert "hidden from this seat" in answer.inner_text()
    assert page.locator(".events .turn").count() == 0
    page.get_by_label("Seen by").select_option("0")
    assert "hidden from this seat" not in answer.inner_text()


def test_faults_of_other_bots_are_shown_at_their_decisions(
    opened: Opener, record: Any, tmp_path: Path
) -> None:
    [read] = read_records("a file", [msgspec.json.encode(record)])
    deals = replay_deals("a file", read)
    first, *_ = record["deals"][0]["actions"]
    answers = [Suggestion(first[2:], "crash: <b>a</b>"), Suggestion("", "timeout"), Suggestion()]
    suggestions = [[{"mine": answers[min(place, 2)]} for place in range(len(deal.log))] for deal in deals]
    file = tmp_path / "replay.html"
    file.write_text(render_replay_page(read, deals, ["mine"], suggestions), encoding="utf-8")
    page = opened(file, "#match=1&deal=1&step=1").page
    page.locator(".others tbody tr").wait_for()
    shown = []
    for _ in range(3):
        shown.append(" ".join(page.locator(".others tbody td").first.inner_text().split()))
        page.keyboard.press("ArrowRight")
    assert shown[0].endswith(" crash: <b>a</b>")
    assert shown[1:] == ["timeout", "asked no more"]
    assert page.locator(".events .turn", has_text="mine would fail").count() == 2
    assert page.locator(".others tbody td").nth(1).inner_text() == f"{round(100 / sum_of(deals))}%"


def sum_of(deals: Any) -> int:
    """Return the number of actions."""
    return sum(len(deal.log) for deal in deals)


def test_a_link_in_the_report_leads_to_its_match(opened: Opener, reported_run: Run) -> None:
    page = opened(reported_run.folder.report).page
    page.get_by_role("heading", name="Match 1").wait_for()
    page.locator("#match-list a", has_text="7").first.click()
    page.get_by_role("heading", name="Match 7", exact=False).wait_for()
    assert place(page)["match"] == "7"
    page.locator(".deals a", has_text="2").first.click()
    page.locator(".deals a[aria-current]", has_text="2").wait_for()
    page.keyboard.press("ArrowRight")
    assert place(page) == {"match": "7", "deal": "2", "step": "1"}


def test_every_family_can_be_replayed_to_the_end(opened: Opener, tmp_path: Path) -> None:
    for name in ("trade-and-barter", "thirty-one", "cuccu", "cambio", "cox"):
        told = play_match(variant(name), [Greedy, Prudent, Greedy], seed="any text")
        [read] = read_records("a file", [msgspec.json.encode(told)])
        file = tmp_path / f"{name}.html"
        file.write_text(render_replay_page(read, replay_deals("a file", read)), encoding="utf-8")
        window = opened(file, f"#match=1&deal={len(told['deals'])}&step=9999")
        window.page.locator(".felt").wait_for()
        [*_, last] = replay_deals("a file", read)
        for seat in last.opening.order:
            assert hand(window.page, seat) == [card.text for card in last.hands[seat]], name
        assert window.troubles == []
        window.page.set_viewport_size({"width": 390, "height": 844})
        assert window.page.evaluate("document.documentElement.scrollWidth") <= 390, name


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.full), "dark"])
def test_the_replay_has_no_serious_accessibility_violations(
    opened: Opener, page_file: Path, scheme: str
) -> None:
    assert accessibility_violations(opened, page_file, scheme, 1280) == []
