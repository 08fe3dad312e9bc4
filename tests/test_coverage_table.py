"""The table of measured coverage: its rows are drawn, and the page of measurements summarizes them."""

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks.coverage import Row, list_subjects, main, measure, read_rows, summarize
from benchmarks.coverage_comparisons import draw_grade, draw_plan, draw_sprt
from benchmarks.coverage_subjects import SUBJECTS
from benchmarks.measured import PAGE, measure_distance, render

SLOW = ("mixtures", "league", "Swiss", "a circle of three", "compare of", "six bots", "until resolved")


def test_the_file_has_all_that_is_drawn_and_the_page_summarizes_it() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert list(dict.fromkeys(row.drawn for row in read_rows())) == [name for name, _ in list_subjects()]
    assert render(page) == page


@pytest.mark.parametrize(
    ("nominal", "measured", "points"),
    [
        ("95 %", "92.5", 2.5),
        ("95 %", "97.0", 2.0),
        ("≥ 95 %", "100.0", 0.0),
        ("≤ 5 %", "6.0", 1.0),
        ("91 to 97 %", "90.0", 1.0),
        ("–", "10.0", 0.0),
    ],
)
def test_a_share_is_off_on_the_wrong_side_of_what_is_promised(
    nominal: str, measured: str, points: float
) -> None:
    assert measure_distance(Row("", "", nominal, measured, "", "", "")) == pytest.approx(points)


@pytest.mark.parametrize("name", [name for name in SUBJECTS if not name.startswith(SLOW)])
def test_each_row_can_be_drawn(name: str) -> None:
    shares = SUBJECTS[name].draw(np.random.default_rng(2))
    assert shares
    assert all(0 <= share <= 1 for share in shares.values())


def test_a_command_prints_the_rows_that_it_names() -> None:
    result = CliRunner().invoke(main, ["--trials", "4", "--only", "3 bots at a table of 3, 6"])
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == ",".join(Row._fields)
    assert lines[1].startswith('"3 bots at a table of 3, 6 blocks",`error`,95 %,')
    assert lines[1].endswith(",--trials 4")


def test_shares_have_the_error_of_their_mean() -> None:
    assert summarize([0.0, 1.0, 1.0, 1.0]).mean == 0.75
    assert summarize([0.0, 1.0, 1.0, 1.0]).error == pytest.approx(1.96 * 0.5 / 2)
    assert summarize([1.0] * 300).error == pytest.approx(0.01)


def test_the_blocks_of_a_plan_separate_in_four_cases_of_five() -> None:
    shares = measure(lambda rng: draw_plan(80, 12, rng), 60)
    assert 0.65 <= shares["separated after the blocks of `arena plan`"].mean <= 0.95


@pytest.mark.full
def test_an_equal_that_loses_much_rarely_is_not_graded_higher() -> None:
    shares = measure(lambda rng: draw_grade("10 % lost", 1, rng), 600)
    assert shares["`arena grade` says that an equal is beaten"].mean <= 0.025


def test_an_sprt_errs_rarely() -> None:
    shares = measure(lambda rng: draw_sprt(20, rng), 60)
    assert shares["H0 accepted"].mean <= 0.12
