"""The report page is reproducible, self-contained and small; its summaries agree with its tables."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from operator import attrgetter
from pathlib import Path

import msgspec
import pytest
from markupsafe import Markup

from arena.output.figures.charts import (
    MAX_NAME_CHARS,
    CurvePoint,
    Grid,
    Interval,
    Series,
    bar_chart,
    curve_chart,
    dot_plot,
    heat_map,
    line_chart,
    shorten_names,
)
from arena.output.figures.figures import MIN_PLACING_RANGE, make_interval, summarize_calibration
from arena.output.figures.style import PAGE_STYLE
from arena.output.pages import page
from arena.output.pages.replay_data import ReplayData, limit_to_page_size, to_script_json
from arena.output.pages.run_pages import build_parts, render_run_page
from arena.rating.model_fit import CalibrationBin
from arena.tournament.engine.workers import make_workers
from arena.tournament.run import Run
from tests.output.pages.browsing import HOSTILE
from tests.tournament.made_runs import make_run, play_run
from tests.tournament.tallies import make_results, tally_games

pytestmark = pytest.mark.xdist_group("reported run")  # played once

MOST_BYTES = 2_000_000
KINDS = ("random", "greedy", "prudent", "stand-pat")


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_equal_databases_give_equal_pages(reported_run: Run) -> None:
    page = reported_run.folder.report.read_text(encoding="utf-8")
    assert render_run_page(Run.open(reported_run.folder.path)) == page
    with make_workers(2) as pool:
        assert render_run_page(Run.open(reported_run.folder.path), pool=pool) == page


def test_a_page_has_no_paths_of_this_machine(reported_run: Run) -> None:
    page = reported_run.folder.report.read_text(encoding="utf-8")
    assert str(reported_run.folder.path) not in page


def test_a_page_has_no_external_links(reported_run: Run) -> None:
    elements = Elements(reported_run.folder.report.read_text(encoding="utf-8")).found
    attributes = [(name, value) for _, own in elements for name, value in own.items()]
    links = [value for name, value in attributes if name in ("src", "href", "action")]
    assert links
    assert all(value and value.startswith("#") for value in links)
    assert not {"link", "iframe", "object", "base", "form"} & {tag for tag, _ in elements}


def test_data_cannot_end_its_script_element(reported_run: Run) -> None:
    assert to_script_json({"bot": "</script>"}) == '{"bot":"\\u003c/script>"}'
    page = reported_run.folder.report.read_text(encoding="utf-8")
    [data] = re.findall(r'id="matches">(.*?)</script>', page, re.DOTALL)
    matches = msgspec.json.decode(data, type=list[ReplayData])
    assert len(matches) == 64
    assert any(HOSTILE in match.bots for match in matches)


def test_names_are_escaped_in_figures() -> None:
    shades = [[None, 0.5], [-0.5, None]]
    grid = Grid([HOSTILE, "b"], [HOSTILE, "b"], shades, [["", "75"], ["25", HOSTILE]])
    for figure in (
        heat_map(grid, HOSTILE, upright=True),
        dot_plot({HOSTILE: Interval(1.0, None)}, None, HOSTILE),
        curve_chart({HOSTILE: CurvePoint(1.0, None, None)}, HOSTILE),
        bar_chart({HOSTILE: 3}, HOSTILE),
    ):
        assert "<script" not in figure
        assert "&lt;script&gt;" in figure


def test_the_page_size_limits_the_replays() -> None:
    replay = ReplayData(
        number=1, game="lives", players=2, family="exchange", block="", rotation=0, bots=["a", "b"],
        placings=[1, 2], payoffs=[0, -3], faults=[], others=(), deals=1, packed="x" * 99_300,
    )  # fmt: skip
    assert len(limit_to_page_size([replay] * 50, other_bytes=1_000_000)) == 9
    assert len(limit_to_page_size([replay] * 50, other_bytes=3_000_000)) == 4


def test_faults_are_counted_and_shown(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, view):\n        raise ValueError\n")
    bots, games = ["bad.py:Bad", "random", "greedy"], [{"name": "lives", "players": 3}]
    page = render_run_page(play_run(tmp_path / "run", bots, games, blocks=1, isolation="inline"))
    assert "9 faults in 3 matches, all of them by bad.py." in page


def test_a_run_without_blocks_has_a_page(tmp_path: Path) -> None:
    page = render_run_page(make_run(tmp_path / "run", ["greedy", "random"]))
    assert "Nothing has been played yet." in page


@pytest.mark.full
def test_a_page_of_fifty_bots_and_two_hundred_replays_is_below_two_megabytes(tmp_path: Path) -> None:
    bots = [{"bot": KINDS[number % 4], "name": f"contestant-{number:02}"} for number in range(50)]
    games = [{"name": "lives", "players": 4}]
    page = render_run_page(play_run(tmp_path / "run", bots, games, blocks=1, tables=200, seed="x"))
    assert page.count('<a href="#match=') > 150
    assert len(page.encode()) <= MOST_BYTES


def test_the_axis_of_seats_does_not_magnify_small_differences() -> None:
    rows = {"seat 1": Interval(2.49, 0.01), "seat 2": Interval(2.51, 0.01)}
    dots = {}
    for least in (0.0, MIN_PLACING_RANGE):
        first, second, *_ = map(float, re.findall(r'cx="([\d.]+)"', dot_plot(rows, 2.5, "Seats", least)))
        dots[least] = second - first
    assert dots[MIN_PLACING_RANGE] < PAGE_STYLE.width / 40 < dots[0.0]


def test_long_names_in_figures_are_shortened_to_different_labels() -> None:
    alike = [f"club-of-the-north-{number:02}-entry-by-the-owner" for number in range(12)]
    repeated = ["x" * 30, "x" * 31, "x" * 60]
    labels = shorten_names([*alike, *repeated, "greedy", "a-name-of-more-than-twenty-letters"])
    assert len(set(labels.values())) == len(labels)
    assert labels["greedy"] == "greedy"
    assert labels["a-name-of-more-than-twenty-letters"] == "a-name-…enty-letters"
    assert "-07-" in labels[alike[7]]
    assert max(len(label) for label in labels.values()) <= MAX_NAME_CHARS


def test_a_bound_is_an_arrow_without_a_dot() -> None:
    rows = {"a": Interval(1800.0, 20.0), "b": Interval(1016.9, None, "<"), "c": Interval(1900.0, None, ">")}
    for figure in re.findall(r"<svg.*?</svg>", dot_plot(rows, None, "Elo"), re.DOTALL):
        assert figure.count("<circle") == 1
        assert re.findall(r"v12m0-6h(-?18)", figure) == ["-18", "18"]


def test_a_line_ends_at_the_bound_of_the_table() -> None:
    series = [
        Series("a", [1700.0, 1800.0], Interval(1800.0, 20.0)),
        Series("b", [1100.0, 900.0], Interval(1016.9, None, "<")),
        Series("c", [1900.0, 1990.0], Interval(1950.2, None, ">")),
    ]
    chart = line_chart([6, 60], series, "Elo")
    assert re.findall(r">([abc] [^<]*)<", chart) == ["c &gt;1950", "a 1800", "b &lt;1017"]
    assert len(re.findall(r"h8m-4 0v14", chart)) == len(re.findall(r"h8m-4 0v-14", chart)) == 1


def test_the_figures_have_the_numbers_of_the_table() -> None:
    counts = tally_games(("lives", ("a", "b")))
    [row, *_] = make_results(counts).rows
    assert make_interval(row) == Interval(row.elo or 0, row.comparison_error)
    bounded = replace(row, elo=2200.0, comparison_error=None, elo_bound=1988.0)
    assert make_interval(bounded) == Interval(1988.0, None, ">")
    assert make_interval(replace(row, elo=990.0, comparison_error=None, mark="<")) == (990.0, None, "<")


def test_predictions_without_an_interval_are_not_said_to_be_within_one() -> None:
    known, unknown = CalibrationBin(0.5, 0.55, 0.56, 0.05, 60), CalibrationBin(0.9, 0.95, 0.2, None, 3)
    assert summarize_calibration([known]).endswith("All predictions are within their intervals.")
    partly = summarize_calibration([known, unknown])
    assert (
        "All predictions with a bar are within their intervals. A dot without a bar has fewer than" in partly
    )
    assert "within their intervals" not in summarize_calibration([unknown])


def test_curve_has_a_dot_for_each_point_and_a_whisker_for_each_bound() -> None:
    names = [f"a checkpoint with a long name, {step}" for step in range(20)]
    points = {name: CurvePoint(10.0 * at, 10.0 * at - 5, None) for at, name in enumerate(names)}
    chart = curve_chart(points, "A curve")
    dots = [
        (float(x), float(y)) for x, y in re.findall(r'<circle class="f0" cx="([\d.]+)" cy="([\d.]+)"', chart)
    ]
    ends = [float(y) for y in re.findall(r'class="c0" d="M[\d.]+ ([\d.]+)h6', chart)]
    assert len(dots) == len(ends) == 20
    assert dots == sorted(dots, key=lambda dot: (dot[0], -dot[1]))  # to the right and up
    assert all(end > y for end, (_, y) in zip(ends, dots, strict=True))
    labels = re.findall(r'text-anchor="middle">([^<]*)<', chart)
    assert len(labels) == len(set(labels)) == 6


def test_the_part_of_all_games_comes_first(reported_run: Run) -> None:
    parts = build_parts(reported_run.results())
    assert [part.name for part in parts] == ["All games", "lives(tokens=2), 4 players", "pool, 4 players"]
    assert [section.title for section in parts[0].sections] == [
        "Elo over all games",
        "Bots by games",
        "Faults",
    ]
    for part in parts[1:]:
        assert [section.anchor for section in part.sections] == [
            *("standings", "over-blocks", "pairs", "calibration", "seats")
        ]


def test_every_figure_has_a_table_and_a_sentence(reported_run: Run) -> None:
    sections = [section for part in build_parts(reported_run.results()) for section in part.sections]
    for section in sections:
        assert section.summary.endswith(".")
        assert not section.figure or section.table
    for section in filter(attrgetter("table"), sections):
        assert section.table
        assert section.table.rows
        assert all(len(row) == len(section.table.columns) for row in section.table.cells)


def test_the_summary_names_the_leader_and_its_lead(reported_run: Run) -> None:
    [standings] = [
        section
        for section in build_parts(reported_run.results())[0].sections
        if section.anchor == "standings"
    ]
    assert standings.table
    first, second = standings.table.rows[:2]
    assert standings.summary.startswith(
        f"{first.bot} leads {second.bot} with a probability of {first.los:.1f}%; ranks 1–2"
    )


def test_too_few_blocks_are_mentioned(tmp_path: Path) -> None:
    games = [{"name": name, "players": 3} for name in ("lives", "pool")]
    run = play_run(tmp_path / "run", ["greedy", "random", "prudent"], games, blocks=1)
    standings, profiles, _ = build_parts(run.results())[0].sections
    assert standings.summary.endswith("no bot has an error bar, for the reasons below the table.")
    assert profiles.summary.endswith("No bot deviates significantly from its own mean in any game.")


def test_the_rating_history_ends_at_the_ratings_of_the_table(reported_run: Run) -> None:
    part = build_parts(reported_run.results())[1]
    standings, course = part.sections[:2]
    assert course.table
    assert standings.table
    last = dict(zip(course.table.headings, course.table.cells[-1], strict=True))
    assert last.pop("blocks") == "8"
    for row in standings.table.rows:
        assert int(last[row.bot]) == round(row.elo)


def test_no_text_on_a_page_turns_the_text_around_it() -> None:
    template = page._environment().from_string("{{ text }} {{ trusted }} {{ 1 }}")
    text = "\x1b[31ma\u202e<b>\n\tc\u2066\x9b"
    assert template.render(text=text, trusted=Markup("<i>\u202e")) == "[31ma&lt;b&gt;\n\tc <i> 1"
