"""The table of ratings: for people, for programs, and never with an error bar that is not honest."""

import csv
import json
from dataclasses import asdict, replace

import pytest

from arena.errors import ConfigError
from arena.report.rating_table import COLUMNS, elo_table, explanation, of_variant
from arena.tournament.files.export import ELO, MORE, Row, elo_csv

BEST = Row(
    variant="lives",
    players=4,
    rank=1,
    bot="counter",
    elo=1612.345,
    error=6.24,
    matches=32000,
    blocks=8000,
    score=0.62143,
    payoff=-1.0249,
    faults=0,
    los=0.9991,
    placing=1.866,
    payoff_error=0.0312,
)
WORST = replace(
    BEST,
    rank=2,
    bot="random",
    elo=1387.655,
    error=6.3,
    score=0.1,
    payoff=-3.0,
    faults=1234,
    los=None,
    placing=None,
    payoff_error=0.04,
)

PLAIN = """\
lives, 4 players

  rank  bot         elo    ±    los    matches    blocks    score        payoff    placing    faults
------  -------  ------  ---  -----  ---------  --------  -------  ------------  ---------  --------
     1  counter  1612.3  6.2  99.9%     32,000     8,000    62.1%  -1.02 ± 0.03       1.87         0
     2  random   1387.7  6.3            32,000     8,000    10.0%  -3.00 ± 0.04                1,234"""


def test_the_table_for_people() -> None:
    assert elo_table([BEST, WORST]) == PLAIN


def test_each_game_and_table_size_has_a_table_of_its_own_and_overall_has_no_payoff() -> None:
    rows = [
        BEST,
        replace(BEST, players=3),
        replace(BEST, variant="lives(tokens=5)", players=3),
        replace(BEST, variant="overall", players=None),
    ]
    lines = elo_table(rows).splitlines()
    titles = [line for line in lines if line and line[0] != " " and line[0] != "-"]
    assert titles == ["lives, 4 players", "lives, 3 players", "lives(tokens=5), 3 players", "overall"]
    assert ["-1.02" in line for line in lines if "counter" in line] == [True, True, True, False]


@pytest.mark.parametrize(
    ("row", "shown", "sentence"),
    [
        (
            replace(BEST, error=None, mark=">", score=1.0),
            ">1612.3  –",
            "> a perfect score: at least so strong.",
        ),
        (
            replace(BEST, error=None, mark="<", score=0.0),
            "<1612.3  –",
            "< not a point won: at most so strong.",
        ),
        (replace(BEST, error=None, blocks=5), "1612.3  –", "– no error bar is honest: fewer than 6 blocks"),
        (replace(BEST, elo=None, error=None, score=None), "–  –", "– no error bar is honest: fewer than 6"),
    ],
)
def test_where_no_error_bar_is_honest_there_is_a_mark_and_a_sentence(
    row: Row, shown: str, sentence: str
) -> None:
    table, _, legend = elo_table([row, WORST]).rpartition("\n\n")
    [line] = [line for line in table.splitlines() if "counter" in line]
    assert shown.split() == line.split()[2:4]
    assert legend.startswith(sentence)
    assert "\n" not in legend


def test_who_is_surely_better_than_the_next_is_unknown_where_there_is_no_error() -> None:
    lines = elo_table([replace(BEST, los=None), WORST]).splitlines()
    assert lines[4].split()[4] == "–"
    assert lines[5].split()[4] == "32,000"


def test_a_payoff_that_never_differed_has_no_error_and_a_word() -> None:
    assert elo_table([replace(BEST, payoff_error=None)]).endswith(
        "\n\npayoff without ±: it was the same in every block."
    )


def test_notes_stand_below_the_plain_table_alone() -> None:
    assert elo_table([BEST], "plain", ["One.", "Two."]).endswith("\n\nOne.\n\nTwo.")
    for style in ("md", "csv", "json"):
        assert elo_table([BEST], style, ["One."]) == elo_table([BEST], style)


def test_a_run_that_has_not_begun_says_so() -> None:
    assert elo_table([]) == "Nothing has been played yet."


def test_the_table_for_spreadsheets_begins_as_that_of_the_run_folder() -> None:
    [header, first, last] = csv.reader(elo_table([BEST, WORST], "csv").splitlines())
    [in_folder, own, _] = csv.reader(elo_csv([BEST, WORST]).splitlines())
    assert (header, in_folder) == ([*ELO, *MORE, "mark"], ELO)
    assert own == ["lives", "4", "1", "counter", "1612.3", "6.2", "32000", "8000", "62.1", "-1.02", "0"]
    assert first == [*own, "99.9", "1.87", "0.03", ""]
    assert last[-4:] == ["", "", "0.04", ""]


def test_for_spreadsheets_a_bound_is_told_by_its_mark_and_has_no_error() -> None:
    bound = replace(BEST, error=None, mark=">", score=1.0)
    [whole] = csv.DictReader(elo_table([bound], "csv").splitlines())
    assert (whole["elo"], whole["error"], whole["mark"]) == ("1612.3", "", ">")
    [in_folder] = csv.DictReader(elo_csv([bound]).splitlines())
    assert (in_folder["elo"], in_folder["error"], in_folder["score"]) == ("1612.3", "", "100.0")


def test_who_played_nothing_has_neither_rank_nor_elo() -> None:
    idle = replace(WORST, rank=None, elo=None, error=None, matches=0, blocks=0, score=None, payoff=None)
    lines = elo_table([replace(BEST, los=None), idle]).splitlines()
    assert lines[4].split()[:5] == ["1", "counter", "1612.3", "6.2", "32,000"]
    assert lines[5].split()[:6] == ["–", "random", "–", "–", "0", "0"]
    [_, own] = csv.DictReader(elo_table([BEST, idle], "csv").splitlines())
    assert (own["rank"], own["elo"], own["payoff"]) == ("", "", "")
    assert json.loads(elo_table([idle], "json"))[0]["rank"] is None


def test_no_los_beside_two_error_bars_is_explained() -> None:
    row = replace(BEST, los=None)
    assert elo_table([row, WORST]).endswith(
        "\n\n– under los: between the two nothing was seen to vary, or they do not compare."
    )
    assert "under los" not in elo_table([BEST, WORST])
    assert "under los" not in elo_table([row, replace(WORST, error=None)])


def test_the_table_for_web_pages_has_every_column() -> None:
    header, rule, first, _ = elo_table([BEST, WORST], "md").splitlines()
    assert [cell.strip() for cell in header.strip("|").split("|")] == ELO + MORE
    assert set(rule) == set("|:-")
    assert "| counter" in first


def test_the_table_for_programs_has_the_numbers_of_the_others() -> None:
    rows = json.loads(elo_table([BEST, replace(WORST, error=None, payoff=-0.004)], "json"))
    assert list(rows[0]) == list(asdict(BEST))
    assert rows[0] == {
        **asdict(BEST),
        "elo": 1612.3,
        "error": 6.2,
        "score": 62.1,
        "payoff": -1.02,
        "los": 99.9,
        "placing": 1.87,
        "payoff_error": 0.03,
    }
    assert (rows[1]["error"], str(rows[1]["payoff"])) == (None, "0.0")


def test_a_game_is_found_with_its_options_or_without() -> None:
    house = replace(BEST, variant="lives(tokens=5)")
    other = replace(BEST, variant="pool")
    assert of_variant([BEST, house, other], "lives") == [BEST, house]
    assert of_variant([BEST, house, other], "lives(tokens=5)") == [house]


def test_a_game_that_was_not_played_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"^this run has no 'livs'; the nearest is 'lives'$"):
        of_variant([BEST], "livs")


def test_every_column_is_explained() -> None:
    header = PLAIN.splitlines()[2].split()
    assert header == list(COLUMNS)
    lines = explanation().splitlines()
    assert [line.split()[0] for line in lines if line and line[0] != " "] == [*header, "overall", "csv,", ">"]
    assert max(map(len, lines)) <= 100
