"""Every column of every table is documented."""

from collections.abc import Mapping
from typing import cast

import pytest

from arena.columns.column import ColumnDoc, ColumnDocs, column_docs, explain_columns, one_line_doc
from arena.columns.number_format import format_probability
from arena.columns.table_formats import TableSet
from arena.output.tables.breakdowns import FORECAST_COLUMNS as PLAN
from arena.output.tables.breakdowns import PROFILE, SEATS, profile_table
from arena.output.tables.pairs import EXCEPTIONS, FAIR_PLAY, MATRIX, PairRow, exceptions_table, matrix_table
from arena.rating.model_fit import PairResidual
from arena.tournament.formats import comparison, grading, knockout, round_robin, rounds, selection
from arena.tournament.results.rating_table import COLUMNS as RATINGS
from arena.tournament.results.results import GameResults
from arena.tournament.schedule import RoundRobin
from arena.tournament.store.played_blocks import Game, Tally
from tests.tournament.fake_formats import SEED, config, names, result
from tests.tournament.tallies import make_results, tally_blocks

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
