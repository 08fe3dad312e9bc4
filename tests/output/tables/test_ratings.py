"""The table of ratings: for people, for programs, and never with an error bar that is not honest."""

import csv
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arena.columns.column import column_docs
from arena.errors import ConfigError
from arena.output.tables.ratings import CSV_DOC, OVERALL_DOC, explain_ratings, format_ratings
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import (
    BOUND_NOTES,
    PAIR_NOTE,
    RANK_NOTE,
    describe_lead,
    elo_csv,
    text_columns,
)
from tests.conftest import Golden
from tests.tournament.tallies import make_results, tally_games

BEST = RatingRow(
    variant="lives",
    players=4,
    rank="1",
    bot="counter",
    elo=1612.345,
    error=12.81,
    matches=32000,
    blocks=8000,
    score=62.143,
    payoff=-1.0249,
    faults=0,
    los=99.91,
    placing=1.866,
    payoff_error=0.0312,
    rank_low=1,
    rank_high=1,
    comparison_error=6.24,
)
WORST = replace(
    BEST,
    rank="2",
    bot="random",
    elo=1387.655,
    error=12.9,
    comparison_error=6.3,
    rank_low=2,
    rank_high=2,
    score=10.0,
    payoff=-3.0,
    faults=1234,
    los=None,
    placing=None,
    payoff_error=0.04,
)

NO_ERROR: dict[str, Any] = {"error": None, "comparison_error": None}
OVERALL = replace(BEST, variant="overall", players=None, **NO_ERROR, los=None, payoff=None)

NAMES = ["rank", "bot", "elo", "±", "score", "payoff", "matches", "faults", "los", "blocks", "placing"]


FORMATS = {
    "txt": partial(format_ratings, notes=["A note."]),
    "wide.txt": partial(format_ratings, wide=True),
    "md": partial(format_ratings, style="md", notes=["A note."]),
    "tex": partial(format_ratings, style="latex", notes=["A note."]),
    "csv": partial(format_ratings, style="csv", notes=["A note."]),
    "json": partial(format_ratings, style="json", notes=["A note."]),
}


@pytest.mark.parametrize("ending", FORMATS)
def test_each_format_is_as_it_was(ending: str, golden: Golden) -> None:
    """For people with notes below, and for programs without; in the order of the columns, and rounded."""
    last = replace(WORST, bot="god|mode", rank="2", payoff=-0.004)
    text = FORMATS[ending]([BEST, last, OVERALL])
    assert text + "\n" == golden(Path(__file__).parent / "golden" / f"ratings.{ending}", text + "\n")


def test_a_table_in_which_nothing_failed_has_no_faults() -> None:
    without = format_ratings([BEST, replace(WORST, faults=0)])
    assert without.splitlines()[2].split() == NAMES[:7]
    assert "no los" not in format_ratings([BEST, WORST], wide=True)


def test_a_narrow_terminal_leaves_out_columns_in_a_fixed_order() -> None:
    left_out = {70: "payoff", 50: "payoff, matches", 40: "score, payoff, matches"}
    for width, columns in left_out.items():
        text = format_ratings([BEST, WORST], width=width)
        assert max(map(len, text.splitlines())) <= width
        assert f"Left out at this width: {columns}; `arena table" in " ".join(text.split())
        assert [*text.splitlines()[2].split(), *columns.split(", ")] == sorted(
            NAMES[:8], key=lambda name: (name in columns.split(", "), NAMES.index(name))
        )
    assert format_ratings([BEST, WORST], width=72) == format_ratings([BEST, WORST])


def test_a_narrow_terminal_shortens_long_names_and_wraps_notes() -> None:
    named = replace(BEST, bot="a-very-long-name-of-a-bot-of-which-there-are-two@1a2b3c4")
    text = format_ratings([named, WORST], notes=["word " * 40], width=72)
    assert max(map(len, text.splitlines())) <= 72
    assert "a-very-lo…re-two@1a2b3c4" in text
    assert max(map(len, format_ratings([named], width=40).splitlines()[:5])) <= 40


def test_each_game_and_table_size_has_a_table_of_its_own_and_overall_has_no_payoff() -> None:
    rows = [
        BEST,
        replace(BEST, players=3),
        replace(BEST, variant="lives(tokens=5)", players=3),
        replace(BEST, variant="overall", players=None),
    ]
    lines = format_ratings(rows).splitlines()
    titles = [line for line in lines if line and line[0] != " " and line[0] != "-"]
    assert titles == ["lives, 4 players", "lives, 3 players", "lives(tokens=5), 3 players", "overall"]
    assert ["-1.02" in line for line in lines if "counter" in line] == [True, True, True, False]


@pytest.mark.parametrize(
    ("row", "shown", "sentence"),
    [
        (
            replace(BEST, **NO_ERROR, mark=">", score=100.0, elo_bound=1580.0),
            ">1580.0  –",
            "> hardly a point lost or none: the Elo is above this bound",
        ),
        (
            replace(BEST, **NO_ERROR, mark="<", score=0.0, far_bound="<"),
            "–  –",
            "– under elo: hardly a point taken, or hardly one lost, in too few blocks for a bound.",
        ),
        (
            replace(BEST, **NO_ERROR, blocks=5),
            "1612.3  –",
            "– no error bar: fewer than 6 blocks",
        ),
        (
            replace(BEST, elo=None, **NO_ERROR, score=None),
            "–  –",
            "– no Elo: the bot met no other here.",
        ),
        (
            replace(BEST, **NO_ERROR, are_tables_drawn=True),
            "1612.3  –",
            "– no error bar: fewer than 6 tables, or results that never differ.",
        ),
    ],
)
def test_where_no_error_bar_is_honest_there_is_a_mark_and_a_sentence(
    row: RatingRow, shown: str, sentence: str
) -> None:
    table, _, legend = format_ratings([row, WORST]).rpartition("\n\n")
    [line] = [line for line in table.splitlines() if line.split()[1:2] == ["counter"]]
    assert shown.split() == line.split()[2:4]
    assert legend.startswith(sentence)
    assert "\n" not in legend


@pytest.mark.parametrize(
    ("own", "overall", "legend"),
    [
        (
            replace(BEST, **NO_ERROR, mark=">", elo_bound=1580.0),
            replace(OVERALL, elo_bound=1580.0),
            BOUND_NOTES[">"],
        ),
        (
            replace(BEST, **NO_ERROR, blocks=5),
            OVERALL,
            "– no error bar: fewer than 6 blocks, or results that never differ.\n"
            "– in the overall: a game not played, without an error bar, or with bots that do not compare.",
        ),
        (
            BEST,
            replace(OVERALL, elo=None, rank=None),
            "– in the overall: a game not played, without an error bar, or with bots that do not compare.",
        ),
    ],
)
def test_the_overall_has_sentences_of_its_own(own: RatingRow, overall: RatingRow, legend: str) -> None:
    text = format_ratings([own, WORST, overall, replace(OVERALL, bot="random", error=6.0)])
    assert text.rpartition("\n\n")[2] == legend


def test_who_is_surely_better_than_the_next_is_unknown_where_there_is_no_error() -> None:
    text = format_ratings([replace(BEST, los=None), WORST], wide=True)
    assert text.splitlines()[4].split()[-3:] == ["0", "8,000", "1.87"]
    assert "\n\ncounter leads random; no rank is open." in text


def test_a_payoff_without_an_error_has_a_word() -> None:
    without = replace(BEST, payoff_error=None)
    for blocks, ending in (
        (8000, f" of {BEST.bot}: it was the same in every block."),
        (19, ": fewer than 20 blocks."),
    ):
        assert format_ratings([replace(without, blocks=blocks)]).endswith(f"\n\nNo ± of the payoff{ending}")


def test_a_run_that_has_not_begun_says_so() -> None:
    assert format_ratings([]) == "Nothing has been played yet."


def test_the_table_for_spreadsheets_is_that_of_the_run_folder() -> None:
    assert elo_csv([BEST, WORST, OVERALL]) == format_ratings([BEST, WORST, OVERALL], "csv") + "\n"


def test_for_spreadsheets_a_bound_is_told_by_its_mark_and_has_no_error() -> None:
    bound = replace(BEST, **NO_ERROR, mark=">", score=100.0)
    [whole] = csv.DictReader(format_ratings([bound], "csv").splitlines())
    assert (whole["elo"], whole["error"], whole["mark"]) == ("1612.3", "", ">")


def test_who_played_nothing_has_neither_rank_nor_elo() -> None:
    idle = replace(
        WORST,
        rank=None,
        elo=None,
        **NO_ERROR,
        matches=0,
        blocks=0,
        score=None,
        payoff=None,
    )
    idle = replace(idle, rank_low=None, rank_high=None)
    text = format_ratings([replace(BEST, los=None), idle])
    lines = text.splitlines()
    assert lines[4].split()[:5] == ["1", "counter", "1612.3", "6.2", "62.1%"]
    assert lines[5].split()[:6] == ["–", "random", "–", "–", "–", "0"]
    assert "leads" not in text
    [_, own] = csv.DictReader(format_ratings([BEST, idle], "csv").splitlines())
    assert (own["rank"], own["elo"], own["payoff"]) == ("", "", "")
    assert json.loads(format_ratings([idle], "json"))[0]["rank"] is None


def test_a_variant_is_found_with_its_options_or_without() -> None:
    tallies = tally_games(*((name, ("a", "b")) for name in ("lives", "lives(tokens=5)", "pool")))
    results = make_results(tallies)
    assert list(results.of_variant("lives").games) == [("lives", 2), ("lives(tokens=5)", 2)]
    assert list(results.of_variant("lives(tokens=5)").games) == [("lives(tokens=5)", 2)]
    assert results.of_variant(None) is results


def test_a_variant_that_was_not_played_is_refused_with_the_nearest() -> None:
    results = make_results(tally_games(("lives", ("a", "b"))))
    with pytest.raises(ConfigError, match=r"^this run has no 'livs'; the nearest is 'lives'$"):
        results.of_variant("livs")


FOOT = len(f"{OVERALL_DOC}\n{CSV_DOC}".splitlines())
"""Number of lines below the columns."""


def test_every_column_is_explained() -> None:
    assert list(column_docs(text_columns([], wide=True))) == NAMES
    lines = explain_ratings().splitlines()
    assert [line.split()[0] for line in lines[:-FOOT] if line and line[0] != " "] == NAMES
    assert max(map(len, lines)) <= 80


OPEN = "a leads b, but is not shown to be better;"


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ([(1, 1), (2, 2), (3, 3)], "a leads b; no rank is open."),
        ([(1, 3), (1, 3), (2, 3)], f"{OPEN} all ranks are still open."),
        ([(1, 1), (2, 3), (2, 3), (4, 4)], "a leads b; ranks 2–3 (b, c) are still open."),
        ([(1, 2), (1, 2), (3, 3), (4, 6), (4, 5), (5, 6)], f"{OPEN} ranks 1–2 and 4–6 are still open."),
        ([(n, n + 1) for n in (1, 3, 5) for _ in "ab"], f"{OPEN} ranks 1–2, 3–4 and 5–6 are still open."),
        ([(1, 1), (2, 9), (2, 9)], "a leads b; ranks 2–9 are still open."),
        ([(1, 1)], ""),
    ],
)
def test_the_sentence_names_the_leader_and_what_is_open(ranks: list[tuple[int, int]], said: str) -> None:
    assert describe_lead([(name, *ends) for name, ends in zip("abcdef", ranks, strict=False)]) == said


def test_a_rank_that_is_not_resolved_says_so() -> None:
    first, second = replace(BEST, rank="1–2", rank_high=2), replace(WORST, rank="1–2", rank_low=1)
    rows = [first, replace(second, elo=1605.0)]
    text = format_ratings(rows)
    assert [line.split()[0] for line in text.splitlines()[4:6]] == ["1–2", "1–2"]
    assert text.endswith(
        f"\n\ncounter leads random with a probability of 99.9%; all ranks are still open.\n\n{RANK_NOTE}"
    )
    assert format_ratings([first, second]).endswith("\n\n" + PAIR_NOTE.format("here")), (
        "bars apart, a shared rank"
    )
    overall = replace(first, variant="overall", players=None)
    assert PAIR_NOTE.format("at lives, 4 players") in format_ratings([first, second, overall])
    without = format_ratings([replace(first, **NO_ERROR), replace(second, **NO_ERROR)])
    assert PAIR_NOTE.format("here") not in without
    third = replace(WORST, rank="3", rank_low=3, rank_high=3)
    assert "; ranks 1–2 (counter, random) are still open.\n" in format_ratings([*rows, third])
    [row, _] = csv.DictReader(elo_csv(rows).splitlines())
    assert (row["rank"], row["rank_low"], row["rank_high"]) == ("1–2", "1", "2")
    assert json.loads(format_ratings(rows, "json"))[0]["rank"] == "1–2"


def test_a_bar_beyond_any_meaning_is_left_out_with_the_reason() -> None:
    text = format_ratings([BEST, replace(WORST, error=5000.0, comparison_error=None, is_wide=True)])
    assert [line.split()[3] for line in text.splitlines()[4:6]] == ["6.2", "–"]
    assert "– under ±: the error is above 2,000 Elo, so nothing is known yet; play more blocks." in text
    assert "under ±" not in format_ratings([BEST, WORST])


def test_a_note_on_the_payoff_needs_a_column_of_it() -> None:
    rows = [replace(BEST, payoff_error=None), WORST]
    assert "No ± of the payoff" in format_ratings(rows)
    assert "No ± of the payoff" not in format_ratings(rows, width=60)


def test_an_anchor_has_a_bar_though_no_error_about_itself() -> None:
    assert "no error bar" not in format_ratings([replace(BEST, error=None, comparison_error=4.0), WORST])


def test_a_bot_that_took_hardly_a_point_has_a_bound_in_place_of_its_elo() -> None:
    hopeless = replace(WORST, elo=799.4, error=556.6, comparison_error=None, score=99.96, elo_bound=1012.04)
    best = replace(BEST, elo=2200.6, comparison_error=None, elo_bound=1988.0)
    text = format_ratings([best, hopeless], width=80)
    lines = [line.split() for line in text.splitlines()]
    assert [line[2:4] for line in lines[4:6]] == [[">1988.0", "–"], ["<1012.0", "–"]]
    assert "< hardly a point or none: the Elo is below this bound" in text
    assert "> hardly a point lost or none: the Elo is above this bound" in text
    assert "100.0%" not in text
    assert text.splitlines()[5].count("> 99.9%") == 1
    (_, row) = csv.DictReader(format_ratings([best, hopeless], "csv").splitlines())
    assert (row["elo"], row["error"], row["elo_bound"], row["mark"]) == ("799.4", "556.6", "1012.0", "<")
    assert [row["mark"] for row in csv.DictReader(elo_csv([best, hopeless]).splitlines())] == [">", "<"]
    assert "elo_bound where there is one" in " ".join(explain_ratings().split())
