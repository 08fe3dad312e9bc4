"""Every column of every table says what it is, its unit, its formula, and what it does not mean."""

from collections.abc import Mapping

import pytest

from arena.report.column_docs import ColumnDoc, ColumnDocs, explain_columns, one_line_doc
from arena.report.comparison import LINES
from arena.report.pairs import CYCLES, MATRIX, THIRD, cycles, matrix, third_parties
from arena.report.plan import PLAN
from arena.report.profiles import VARIANTS, variants
from arena.report.rating_table import COLUMNS
from arena.report.seats import SEATS
from arena.report.standings import COMPARISON, KNOCKOUT, RESOLVING, SWISS
from arena.report.table_formats import Report
from arena.tournament.scheduling.schedule import RoundRobin
from arena.tournament.storage.tally import Game, Tally, tallied
from tests.tournament.fake_formats import SEED, config, names, result

TABLES: Mapping[str, ColumnDocs] = {
    "ratings": COLUMNS,
    "matrix": MATRIX,
    "cycles": CYCLES,
    "third": THIRD,
    "seats": SEATS,
    "variants": VARIANTS,
    "plan": PLAN,
    "swiss": SWISS,
    "knockout": KNOCKOUT,
    "comparison": COMPARISON,
    "resolving": RESOLVING,
    "compare": LINES,
}
ONE_FOR_ALL = {"matrix": "score", "variants": "game"}
"""What the columns that are called after bots, or after games, hold."""


@pytest.mark.parametrize("table", TABLES)
def test_each_column_has_all_four_parts(table: str) -> None:
    for column, meaning in TABLES[table].items():
        for part, text in zip(ColumnDoc._fields, meaning, strict=True):
            assert text.split(), f"{table}: {column} lacks {part}"
        assert meaning.what.strip().endswith("."), column
        assert meaning.but.strip().endswith("."), column
    told = explain_columns(TABLES[table])
    assert max(map(len, told.splitlines())) <= 100
    for label in ("Unit: ", "Formula: ", "But: "):
        assert told.count(label) == len(TABLES[table])


@pytest.mark.parametrize(
    ("name", "report"),
    [("matrix", matrix), ("cycles", cycles), ("third", third_parties), ("variants", variants)],
)
def test_no_column_of_a_table_goes_unexplained(name: str, report: object) -> None:
    assert callable(report)
    made = config(4, 3, blocks=6, variants=[{"name": "lives", "players": 3}, {"name": "pool", "players": 3}])
    tallies: dict[Game, Tally] = tallied(
        ((block, result(block)) for block in RoundRobin(made, SEED)), tuple(names(4))
    )
    found: Report = report(tallies)
    called_after = {*names(4), "lives/3", "pool/3"}
    for sheet in found.sheets:
        assert set(sheet.columns) - called_after <= set(found.docs)
    assert found.docs == TABLES[name]
    assert name not in ONE_FOR_ALL or ONE_FOR_ALL[name] in found.docs


def test_a_page_has_all_of_it_in_a_row() -> None:
    one = ColumnDoc("How\n   much.", "shares", "a / b", "It is not all.")
    assert one_line_doc(one) == "How much. Unit: shares. Formula: a / b. But: It is not all."
