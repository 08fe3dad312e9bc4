"""The table of how long bots took for their decisions."""

from collections.abc import Sequence
from typing import Final

from arena.tournament.results.columns import (
    Column,
    ColumnDoc,
    Sheet,
    TableSet,
    column_docs,
    make_table,
    text_rows,
)
from arena.tournament.storage.decision_times import TimeSummary


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:,.3f}"


COLUMNS: Final[tuple[Column[TimeSummary], ...]] = (
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column("bot", ColumnDoc("Name of the bot; the slowest come first."), value=lambda row: row.bot),
    Column(
        "decisions",
        ColumnDoc(
            "Decisions that the bot answered, in the blocks played for this run.",
            warning="Blocks of `--reuse` are left out, and moves without a choice: no bot is asked them.",
        ),
        value=lambda row: row.decisions,
    ),
    Column(
        "mean ms",
        ColumnDoc(
            "Mean wall time of a decision.",
            "milliseconds",
            "sum of times / decisions",
            """A reading of the clock: it differs from run to run. Of a bot in a process of its own it
            contains the way there and back, and decisions that came back together count their mean.""",
        ),
        value=lambda row: row.mean_s * 1000,
        text=lambda row: _milliseconds(row.mean_s),
        field="mean_ms",
    ),
    Column(
        "median ms",
        ColumnDoc("Half of the decisions took less, within 9 %.", "milliseconds"),
        value=lambda row: row.median_s * 1000,
        text=lambda row: _milliseconds(row.median_s),
        field="median_ms",
    ),
    Column(
        "p99 ms",
        ColumnDoc("99 of 100 decisions took less, within 9 %.", "milliseconds"),
        value=lambda row: row.p99_s * 1000,
        text=lambda row: _milliseconds(row.p99_s),
        field="p99_ms",
    ),
    Column(
        "max ms",
        ColumnDoc(
            "The longest decision.",
            "milliseconds",
            warning="On a busy machine it may be time waited for a processor, which no bot is charged for.",
        ),
        value=lambda row: row.longest_s * 1000,
        text=lambda row: _milliseconds(row.longest_s),
        field="max_ms",
    ),
)


def times_table(summaries: Sequence[TimeSummary]) -> TableSet:
    """Return the times of the bots of each game, the slowest first."""
    sheets, rows = [], []
    for game in dict.fromkeys(one.game for one in summaries):
        own = sorted((one for one in summaries if one.game == game), key=lambda one: -one.mean_s)
        title = f"{game[0]}, {game[1]} players"
        sheets.append(Sheet(title, list(column_docs(COLUMNS)), text_rows(COLUMNS, own)))
        rows += own
    return make_table(COLUMNS, sheets, rows)
