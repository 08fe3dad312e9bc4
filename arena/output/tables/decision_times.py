"""The table of how long bots took for their decisions."""

from collections.abc import Callable, Sequence
from typing import Final

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import NAME, Kind
from arena.columns.table_formats import Sheet, TableSet
from arena.tournament.store.bot_records import TimeSummary

MILLISECONDS: Final = Kind(",.3f")


def _time_column(
    name: str, summary: str, seconds: Callable[[TimeSummary], float], formula: str = "", warning: str = ""
) -> Column[TimeSummary]:
    """Return a column of times in milliseconds."""
    return Column(
        f"{name} ms",
        ColumnDoc(summary, "milliseconds", formula, warning),
        value=lambda row: seconds(row) * 1000,
        kind=MILLISECONDS,
        field=f"{name}_ms",
    )


TIME_COLUMNS: Final[tuple[Column[TimeSummary], ...]] = (
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column("bot", ColumnDoc("Name of the bot; the slowest come first."), kind=NAME),
    Column(
        "decisions",
        ColumnDoc(
            "Decisions that the bot answered, in the blocks played for this run.",
            warning="Blocks of `--reuse` are left out, and moves without a choice: no bot is asked them.",
        ),
    ),
    _time_column(
        "mean",
        "Mean wall time of a decision.",
        lambda row: row.mean_s,
        "sum of times / decisions",
        """A reading of the clock: it differs from run to run. Of a bot in a process of its own it
        contains the way there and back, and decisions that came back together count their mean.""",
    ),
    _time_column("median", "Half of the decisions took less, within 9 %.", lambda row: row.median_s),
    _time_column("p99", "99 of 100 decisions took less, within 9 %.", lambda row: row.p99_s),
    _time_column(
        "max",
        "The longest decision.",
        lambda row: row.longest_s,
        warning="On a busy machine it may include waiting for the CPU, for which no bot is penalised.",
    ),
)


def times_table(summaries: Sequence[TimeSummary]) -> TableSet:
    """Return the times of the bots of each game, the slowest first."""
    sheets, rows = [], []
    for game in dict.fromkeys(summary.game for summary in summaries):
        own = sorted(
            (summary for summary in summaries if summary.game == game), key=lambda summary: -summary.mean_s
        )
        title = f"{game[0]}, {game[1]} players"
        sheets.append(Sheet(title, documented(TIME_COLUMNS), own))
        rows += own
    return TableSet(TIME_COLUMNS, sheets, rows)
