"""Summaries of the report page agree with its tables."""

from operator import attrgetter
from pathlib import Path

import pytest
from markupsafe import Markup

from arena.output.pages import page
from arena.output.pages.run_pages import build_parts
from arena.tournament.run import Run
from tests.tournament.made_runs import play_run

pytestmark = pytest.mark.xdist_group("reported run")  # played once


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
