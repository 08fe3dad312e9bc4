"""The tables of a run besides its ratings, in every format, with their notes and the meanings of columns."""

import csv
import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from arena.columns.column import Column, ColumnDoc, ColumnDocs, column_docs, explain_columns, one_line_doc
from arena.columns.kinds import DECIMAL, NAME, PERCENT
from arena.columns.number_format import format_percent, format_probability
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet, format_sheet, format_table
from arena.output.tables.breakdowns import (
    FORECAST_COLUMNS,
    OPEN_NOTE,
    PROFILE,
    SEATS,
    plan_table,
    profile_table,
    seat_table,
)
from arena.output.tables.breakdowns import FORECAST_COLUMNS as PLAN
from arena.output.tables.pairs import (
    EXCEPTIONS,
    FAIR_PLAY,
    MATRIX,
    ONE_LOOK_NOTE,
    PairRow,
    collusion_sheets,
    describe_model_fit,
    exceptions_table,
    matrix_table,
    pair_score_text,
)
from arena.rating.mean_intervals import ClusteredMeans, PairScore
from arena.rating.model_fit import ModelFit, PairResidual
from arena.tournament.formats import comparison, grading, knockout, round_robin, rounds, selection
from arena.tournament.results.rating_table import COLUMNS as RATINGS
from arena.tournament.results.rating_table import NO_OVERALL_NOTE, rating_notes
from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.review.forecast import PairForecast
from arena.tournament.schedule import Block, RoundRobin
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game, Tally
from tests.tournament.fake_formats import SEED, config, names, result, strongest_wins, tied
from tests.tournament.tallies import make_results, tally_blocks

Played = Callable[[Block], BlockResult]


def run(
    players: int = 3, blocks: int = 20, played: Played = result, bots: int = 4, **changes: Any
) -> RunResults:
    made = RoundRobin(config(bots, players, blocks=blocks, **changes), SEED)
    tallies = tally_blocks(((block, played(block)) for block in made), tuple(names(bots)))
    return make_results(tallies)


def parted(block: Block) -> bool:
    """True if 0 and 1, or 2 and 3, sit together."""
    return block.bots in (("bot00", "bot01"), ("bot02", "bot03"))


def test_a_score_from_fewer_than_six_blocks_carries_a_warning() -> None:
    assert pair_score_text(PairScore(0, 1, 1, 0.25, None)) == "25.0% (fewer than six blocks)"
    assert pair_score_text(PairScore(0, 1, 6, 0.25, 0.1)) == "25.0 ± 10.0%"


def test_the_matrix_has_each_against_each_and_nobody_against_itself() -> None:
    report = matrix_table(run())
    [sheet] = report.sheets
    assert sheet.headings == ["bot", "bot03", "bot02", "bot01", "bot00"]
    assert [row[0] for row in sheet.cells] == sheet.headings[1:]
    assert [row[place] for place, row in enumerate(sheet.cells, 1)] == [""] * 4
    by_name = {(record[2], record[3]): record[5] for record in report.records}
    assert len(by_name) == 12
    assert by_name["bot03", "bot00"] + by_name["bot00", "bot03"] == pytest.approx(100)
    assert sheet.cells[0][4].startswith(f"{by_name['bot03', 'bot00']:.1f} ± ")


def test_exceptions_say_how_many_were_looked_at_and_list_what_stands_out() -> None:
    def upset(block: Block) -> BlockResult:
        """The weakest beats the strongest but one, and nothing else is unusual."""
        usual = result(block)
        if block.bots != ("bot00", "bot02"):
            return usual
        turned = [msgspec.structs.replace(match, placings=match.placings[::-1]) for match in usual.matches]
        return BlockResult(block.index, tuple(turned))

    [sheet] = exceptions_table(run(2, 100, upset)).sheets
    assert sheet.cells[0][:3] == ["bot00", "bot02", "100"]
    fit, tested = sheet.notes
    assert fit.startswith("Fit: bot00 beats bot02 in ")
    assert tested == "6 pairs tested; the significant ones are listed."
    quiet = exceptions_table(run(2, 20)).sheets[0]
    assert (quiet.rows, quiet.notes[1]) == ([], "6 pairs tested; none is significant.")


def test_suspects_are_listed_and_rated_with_and_without_their_tables() -> None:
    def rigged(block: Block) -> BlockResult:
        """Place the first of two bots first and the second last where they meet."""
        usual = result(block)
        if not {"bot00", "bot01"} <= set(block.bots):
            return usual
        matches = []
        for seating, match in zip(block.seatings, usual.matches, strict=True):
            placings = tuple({"bot00": 1, "bot01": 3}.get(bot, 2) for bot in seating)
            matches.append(msgspec.structs.replace(match, placings=placings))
        return BlockResult(block.index, tuple(matches))

    [rigged_game] = run(3, 30, rigged, bots=7).games.values()
    suspects, ratings = collusion_sheets(rigged_game)
    assert [row[:2] for row in suspects.cells] == [["bot00", "bot01"]]
    assert suspects.notes[0].startswith("21 pairs of bots tested; the significant ones are listed, each ")
    elo = {row[0]: (int(row[1]), int(row[3])) for row in ratings.cells}
    assert elo["bot00"][0] > elo["bot00"][1] + 50
    assert elo["bot01"][0] < elo["bot01"][1] - 50
    bars = {row.bot: f"{max(row.comparison_error or 0, 1):.0f}" for row in rigged_game.rows}
    assert {row[0]: row[2] for row in ratings.cells} == bars
    [honest] = run(3, 30, bots=7).games.values()
    assert [sheet.notes for sheet in collusion_sheets(honest)] == [
        ["21 pairs of bots tested; none is significant."]
    ]


def test_bots_by_games_have_a_column_a_game() -> None:
    games = [{"name": "lives", "players": [2, 3]}, {"name": "pool", "players": 3}]
    report = profile_table(run(variants=games, blocks=10))
    [sheet] = report.sheets
    assert sheet.headings == ["bot", "lives/2", "lives/3", "pool/3", "strongest", "weakest"]
    assert [row[0] for row in sheet.cells] == ["bot03", "bot02", "bot01", "bot00"]
    assert len(report.records) == 12
    assert profile_table(RunResults({})).sheets == []


def test_bots_by_games_have_the_bound_of_one_that_took_hardly_a_point() -> None:
    def one_upset(block: Block) -> BlockResult:
        return (
            result(block) if block.bots == ("bot00", "bot01") and block.index < 30 else strongest_wins(block)
        )

    results = run(2, 60, one_upset)
    [row] = [row for row in results.games["lives", 2].rows if row.bot == "bot00"]
    assert row.elo_bound is not None
    text = format_table(profile_table(results), "plain")
    assert re.search(rf"^bot00 +<{row.elo_bound:.1f}$", text, re.MULTILINE)
    assert "a score of (nearly) all (>) or nothing (<)" in " ".join(text.split())


class Alike:
    """Seats at which everybody came first in all of some blocks, but for the last one."""

    def __init__(self, blocks: int) -> None:
        self._means = ClusteredMeans(2)
        for block in range(blocks):
            self._means.add([block, block], [0, 1], [1, 1 + (block == 0)])

    def means(self) -> list[tuple[object, object]]:
        return [(self._means.mean(seat), self._means.mean(seat)) for seat in (0, 1)]


def test_seats_stand_beside_those_of_the_control_run() -> None:
    alike = Alike(10)
    report = seat_table({("lives", 2): alike}, {("lives", 2): ("greedy", alike)})  # type: ignore[dict-item]
    [sheet] = report.sheets
    assert sheet.headings == ["position", "placing", "payoff", "control placing", "control payoff"]
    assert sheet.cells == [["1", "1.00", "1.00", "1.00", "1.00"], ["2", *["1.10 ± 0.23"] * 4]]
    assert sheet.notes == ["Control: greedy in every seat.", NO_ERROR_NOTE]
    assert [record[3] for record in report.records] == ["all", "all", "greedy", "greedy"]
    [alone] = seat_table({("lives", 2): alike}, {}).sheets  # type: ignore[dict-item]
    assert (alone.headings, list(alone.notes)) == (["position", "placing", "payoff"], [NO_ERROR_NOTE])


COLUMNS = (
    Column[tuple[str, float | None, float | None]](
        "bot", ColumnDoc("The bot."), value=lambda row: row[0], kind=NAME
    ),
    Column[tuple[str, float | None, float | None]](
        "score",
        ColumnDoc("How\n    much.", "shares", "a / b", "It is not all."),
        value=lambda row: row[1],
        kind=PERCENT,
        error=lambda row: 0.0001,
    ),
    Column[tuple[str, float | None, float | None]]("error", value=lambda row: row[2], kind=PERCENT),
)
ROWS = [("a|b", 0.25, None)]
TABLE = TableSet(COLUMNS, [Sheet("lives", COLUMNS[:2], ROWS, notes=["A note."])], ROWS)


def test_a_table_has_a_format_for_everybody() -> None:
    plain = format_table(TABLE, "plain")
    assert plain == "lives\n\nbot          score\n-----  -----------\na|b    25.0 ± 0.1%\n\nA note."
    md = format_table(TABLE, "md").splitlines()
    assert [md[0], md[4], md[-1]] == ["lives", "| a\\|b  | 25.0 ± 0.1% |", "A note."]
    assert list(csv.reader(format_table(TABLE, "csv").splitlines())) == [
        ["bot", "score", "error"],
        ["a|b", "25.0", ""],
    ]
    assert json.loads(format_table(TABLE, "json")) == [{"bot": "a|b", "score": 25.0, "error": None}]
    assert explain_columns(TABLE.docs).splitlines() == [
        "bot    The bot.",
        "score  How much.",
        "       Unit: shares",
        "       Formula: a / b",
        "       Note: It is not all.",
    ]
    assert format_table(TABLE._replace(sheets=[]), "plain") == "Nothing has been played yet."
    empty = TABLE.sheets[0]._replace(rows=[])
    assert format_sheet(empty._replace(title="", notes=[]), "latex") == "Nothing has been played yet."
    assert format_sheet(empty._replace(title="A", notes=["b"]), "latex") == "% A\n% b"


def test_no_error_is_ever_printed_as_nought_and_no_number_as_minus_nought() -> None:
    assert (format_percent(0.5), format_percent(None)) == ("50.0%", "–")
    assert (DECIMAL.text(-1e-9, 1e-9), DECIMAL.text(-1e-9)) == ("0.00 ± 0.01", "0.00")
    assert json.loads(format_table(TableSet(COLUMNS, [], [("a", -1e-9, 0.00123456)]), "json"))[0] == {
        "bot": "a",
        "score": 0.0,
        "error": 0.1235,
    }


@pytest.mark.parametrize("make", [matrix_table, profile_table])
def test_a_missing_error_is_explained_below_the_table(make: Callable[[RunResults], TableSet]) -> None:
    games = [{"name": "lives", "players": 3}, {"name": "pool", "players": 3}]
    assert format_table(make(run(blocks=1, variants=games)), "plain").count(NO_ERROR_NOTE[:-1]) == len(
        make(run(blocks=1)).sheets
    ) * (2 if make is matrix_table else 1)
    assert NO_ERROR_NOTE[:-1] not in format_table(make(run(blocks=20)), "plain")


def test_a_matrix_says_that_its_errors_are_of_one_look_where_those_of_the_ratings_are_not() -> None:
    notes = [matrix_table(run(blocks=20).with_anytime(own)).sheets[0].notes for own in (True, False)]
    assert notes == [[ONE_LOOK_NOTE], []]


@pytest.mark.parametrize("make", [matrix_table, exceptions_table, profile_table])
@pytest.mark.parametrize(("blocks", "played"), [(1, result), (1, tied), (20, tied), (20, strongest_wins)])
@pytest.mark.parametrize("style", ["plain", "json"])
def test_a_run_of_one_block_or_without_a_decision_makes_no_nonsense(
    make: Callable[[RunResults], TableSet], blocks: int, played: Played, style: str
) -> None:
    text = format_table(make(run(blocks=blocks, played=played)), style)  # type: ignore[arg-type]
    assert not {"nan", "inf", "± 0", "-0.0"} & {word.strip("|,:").lower() for word in text.split()}
    assert "± 0 " not in text
    assert "NaN" not in text


def test_a_field_that_never_met_is_said_to_be_parted() -> None:
    made = RoundRobin(config(4, 2, blocks=20), SEED)
    halves = tally_blocks(((block, result(block)) for block in made if parted(block)), tuple(names(4)))
    assert rating_notes(make_results(halves))[0] == (
        "lives, 2 players: these groups never met, directly or through others, so their Elo do not compare: "
        "bot00, bot01 – bot02, bot03."
    )


@pytest.mark.parametrize(("blocks", "is_young"), [(1, True), (60, False)])
def test_a_note_says_when_several_games_have_no_overall_yet(blocks: int, is_young: bool) -> None:
    both = [*run(blocks=60).games.values(), *run(blocks=blocks).games.values()]
    games = {
        (name, 3): dataclasses.replace(own, game=(name, 3)) for name, own in zip("ab", both, strict=True)
    }
    results = RunResults(games, blocks=60 + blocks)
    assert (not results.overall) is is_young
    assert (NO_OVERALL_NOTE in rating_notes(results)) is is_young


def test_a_field_of_which_one_half_gave_the_other_nothing_is_said_to_be_parted() -> None:
    def one_sided(block: Block) -> BlockResult:
        return result(block) if parted(block) else strongest_wins(block)

    [apart, worth] = rating_notes(run(2, 20, one_sided))
    assert apart.startswith(
        "lives, 2 players: these took no point from each other, or all, so their distance "
    )
    assert apart.endswith("± compares the bots of one group alone: bot00, bot01 – bot02, bot03.")
    assert worth.startswith("Duplicate deals made each match worth ")


def test_a_field_of_which_some_always_came_out_alike_is_said_to_be_parted() -> None:
    def clones(block: Block) -> BlockResult:
        return result(block) if parted(block) else tied(block)

    [apart, _] = rating_notes(run(2, 20, clones))
    assert apart == (
        "lives, 2 players: all blocks between these came out alike, so their distance is a guess, "
        "and ± compares the bots of one group alone: bot00, bot01 – bot02, bot03."
    )


def test_a_field_that_hangs_together_has_nothing_to_be_said_but_what_duplicates_were_worth() -> None:
    [worth] = rating_notes(run(blocks=60))
    assert re.fullmatch(r"Duplicate deals made each match worth about \d+\.\d independent ones\.", worth)
    assert rating_notes(run(blocks=6)) == []  # too few for a ratio of variances
    assert rating_notes(RunResults({})) == []
    assert rating_notes(run(blocks=1)) == []


GAME = ("lives", 4)


def outlook(**changes: object) -> PairForecast:
    known = {"needed": 400, "low": 200, "high": 600, "error": 20.0, "los": 0.8, "separated": False, **changes}
    args = {"better": "greedy", "worse": "prudent", "elo": 12.34, "blocks": 100, "of_run": 200, **known}
    return PairForecast(game=GAME, **args)  # type: ignore[arg-type]


def last_lines(*forecasts: PairForecast, seconds: float = 0.5, jobs: int = 2) -> tuple[list[str], str]:
    [row, *_], notes = (
        part.splitlines()
        for part in format_table(plan_table(forecasts, {GAME: seconds}, jobs, 0.8), "plain").split("\n\n")[1:]
    )
    assert row.split() == list(column_docs(FORECAST_COLUMNS))
    table = format_table(plan_table(forecasts, {GAME: seconds}, jobs, 0.8), "plain").split("\n\n")[1]
    return table.splitlines()[2:], "\n".join(notes)


def test_blocks_become_blocks_of_the_run_and_minutes() -> None:
    [line], note = last_lines(outlook())
    assert line.split() == ["greedy", "prudent", "12.3", "20.0", "80.0%", "100", "200–600", "200–1,000", "5"]
    assert note == "Each pair: 600 blocks more suffice with 80 %, 5 min with 2 jobs."


def test_those_that_take_longest_decide_over_all() -> None:
    lines, note = last_lines(outlook(), outlook(needed=1000), seconds=3.0, jobs=1)
    assert lines[1].split()[-2:] == ["200–1,000", "90"]
    assert note == "Each pair: 1,800 blocks more suffice with 80 %, 90 min with 1 job."


def test_who_is_told_apart_needs_nothing() -> None:
    [line], note = last_lines(outlook(separated=True))
    assert line.split()[-2:] == ["0", "0"]
    assert note == f"Each pair is separated: no more blocks needed. {OPEN_NOTE}"


def test_where_nothing_can_be_said_nothing_is() -> None:
    [_, line], note = last_lines(outlook(), outlook(needed=None, low=None, high=None, error=None, los=None))
    assert line.split()[3:] == ["–", "–", "100", "–", "–", "–"]
    assert note.startswith(
        "Each pair with a number: 600 blocks more suffice with 80 %, 5 min with 2 jobs.\n– no estimate: "
    )


def test_where_nothing_is_known_of_anybody_it_does_not_say_that_nothing_is_missing() -> None:
    _, note = last_lines(outlook(needed=None, low=None, high=None, error=None, los=None))
    assert note.startswith("– no estimate: ")
    lines, note = last_lines(outlook(separated=True), outlook(needed=None))
    assert note.startswith(
        f"Each pair with a number is separated: no more blocks needed. {OPEN_NOTE}\n– no estimate: "
    )
    assert lines[0].split()[-2:] == ["0", "0"]


@pytest.mark.parametrize(("high", "text"), [(4001, "200–4,001"), (None, "200 or more")])
def test_few_blocks_are_said_to_be_too_few_to_plan_from(high: int | None, text: str) -> None:
    [line], note = last_lines(outlook(high=high))
    assert text in line
    assert "Too few blocks to plan from where a range is wider than 1 to 20" in note
    assert "Too few" not in last_lines(outlook(high=4000))[1]


def test_a_knockout_is_not_told_to_go_on() -> None:
    [line], note = last_lines(outlook(goes_on=False))
    assert line.split()[-3:] == ["200–600", "–", "–"]
    assert note.startswith(
        "A knockout plays no more blocks of eliminated bots: separate two with `arena compare`"
    )
    assert "unknown" not in note
    [record] = plan_table([outlook(goes_on=False)], {GAME: 0.01}, 1, 0.8).records
    assert record[-5:] == (400, None, None, 200, 600)


def test_programs_get_minutes_unrounded_enough() -> None:
    [record] = plan_table([outlook()], {GAME: 0.01}, 1, 0.8).records
    assert record[-4:] == (600, 0.1, 200, 600)


END = " The worst of 10 pairs; one is named by chance in at most 5% of ladders."


def describe(assessed: ModelFit | None) -> str:
    """Return the line of a game of two bots."""
    game: Any = SimpleNamespace(model_fit=assessed, label=lambda bot: ("ann", "ben")[bot])
    return describe_model_fit(cast(Any, game))


@pytest.mark.parametrize(
    ("score", "expected", "p", "line"),
    [
        (0.6, 0.5, 0.2, "Fit: fine; the ratings explain the results of 10 pairs."),
        (0.79, 0.71, 0.01, f"Fit: ann beats ben in 79% (a tie is half); the ratings say 71%.{END}"),
        (0.44, 0.3, 0.01, f"Fit: ben beats ann in 56% (a tie is half); the ratings say 70%.{END}"),
        (
            *(0.4432, 0.4365, 0.01),
            "Fit: fine to within 2 points: ben beats ann in 55.7% (a tie is half); the ratings say 56.4%."
            f"{END}",
        ),
    ],
)
def test_line_names_the_worst_pair_by_its_better_bot(
    score: float, expected: float, p: float, line: str
) -> None:
    assessed = ModelFit(pairs=10, blocks=60, bot=0, other=1, score=score, expected=expected, p=p)
    assert describe(assessed) == line
    if assessed.is_rejected:
        assert describe(dataclasses.replace(assessed, blocks=8)) == line


def test_few_blocks_show_no_fit() -> None:
    assessed = ModelFit(pairs=10, blocks=29, bot=0, other=1, score=0.6, expected=0.5, p=0.2)
    assert describe(assessed).startswith("Fit: not known yet; exceptions show from about 30 blocks")
    assert describe(dataclasses.replace(assessed, blocks=30)).startswith("Fit: fine")


def test_game_of_which_nothing_is_tested_has_no_line() -> None:
    assert describe(None) == ""


TABLES: Mapping[str, ColumnDocs] = {
    "ratings": column_docs(RATINGS),
    "matrix": column_docs(MATRIX),
    "exceptions": column_docs(EXCEPTIONS),
    "fair-play": column_docs(FAIR_PLAY),
    "seats": column_docs(SEATS),
    "variants": column_docs(PROFILE),
    "plan": column_docs(PLAN),
    **{
        module.__name__: column_docs(module.COLUMNS)
        for module in (comparison, grading, knockout, selection, round_robin, rounds)
    },
    "compare": comparison.LINES,
}
ONE_FOR_ALL = {"matrix": "score", "variants": "game"}
"""Content of the columns that are named after bots, or after games."""


@pytest.mark.parametrize("table", TABLES)
def test_each_column_has_a_meaning_and_no_empty_label(table: str) -> None:
    for column, doc in TABLES[table].items():
        assert doc.meaning.split(), f"{table}: {column} has no meaning"
        assert doc.meaning.strip().endswith("."), column
        assert not doc.warning or doc.warning.strip().endswith("."), column
    text = explain_columns(TABLES[table])
    assert max(map(len, text.splitlines())) <= 80
    for label, part in (("Unit: ", "unit"), ("Formula: ", "formula"), ("Note: ", "warning")):
        assert text.count(label) == sum(bool(getattr(doc, part)) for doc in TABLES[table].values())


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("matrix", matrix_table),
        ("exceptions", exceptions_table),
        ("variants", profile_table),
    ],
)
def test_every_column_of_a_table_is_documented(name: str, report: object) -> None:
    assert callable(report)
    made = config(4, 3, blocks=6, variants=[{"name": "lives", "players": 3}, {"name": "pool", "players": 3}])
    tallies: dict[Game, Tally] = tally_blocks(
        ((block, result(block)) for block in RoundRobin(made, SEED)), tuple(names(4))
    )
    table_set: TableSet = report(make_results(tallies))
    called_after = {*names(4), "lives/3", "pool/3"}
    for sheet in table_set.sheets:
        assert set(sheet.headings) - called_after <= set(table_set.docs)
    assert table_set.docs == TABLES[name]
    assert name not in ONE_FOR_ALL or ONE_FOR_ALL[name] in table_set.docs


def test_the_page_has_the_documentation_in_one_line() -> None:
    doc = ColumnDoc("How\n   much.", "shares", "a / b", "It is not all.")
    assert one_line_doc(doc) == "How much. Unit: shares. Formula: a / b. Note: It is not all."
    assert one_line_doc(ColumnDoc("How much.")) == "How much."


@pytest.mark.parametrize(
    ("p", "text"), [(1.0, "1.000"), (0.0005, "0.001"), (0.00049, "5e-4"), (1e-5, "1e-5"), (0.0, "<1e-300")]
)
def test_small_probabilities_are_not_printed_as_zero(p: float, text: str) -> None:
    assert format_probability(p) == text
    (column,) = (column for column in EXCEPTIONS if column.name == "p")
    residual = PairResidual(bot=0, other=1, blocks=9, score=0.9, expected=0.5, z=9.0, p=p)
    row = PairRow(cast(GameResults, None), residual)
    assert (column.text_cell(row), column.number(row), column.cell(row)) == (text, p, p)
