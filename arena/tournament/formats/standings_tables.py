"""The ranking by the rules of a format, and the tables of its rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple

from arena.columns.column import Column, ColumnDoc, Columns, documented
from arena.columns.kinds import COUNT, INTEGER, NAME, PERCENT, TEXT, Kind
from arena.columns.table_formats import NO_MARKS, Sheet, TableSet, label_names
from arena.rating.two_bots import format_los

ELO_LEAD: Final = "elo lead"
"""Heading of a difference in Elo."""
LOS: Final = Kind(".1f", is_share=True, write=format_los)


def board_column(
    name: str, doc: ColumnDoc | None, kind: Kind = INTEGER, *, field: str = "", **options: Any
) -> Column[Any]:
    """Return a column of a scoreboard: an attribute of its rows, empty where that is None.

    Args:
        name: Name of the column; that of the attribute, with underscores, if `field` is empty.
        doc: Its documentation; None for a column that only programs get.
        kind: Kind of its values, which have as many digits for programs as for people.
        field: Name of the attribute, and of the column for programs.
        options: Further arguments of `Column`.
    """
    return Column(name, doc, kind=kind, missing="", field=field, digits=kind.digits, **options)


BOT: Final = board_column("bot", ColumnDoc("The bot, as the config names it."), NAME)
WITHDRAWN: Final = Column[Any]("withdrawn", value=lambda row: "yes" if row.is_withdrawn else "no")
"""Column for programs: `yes` for a bot that was withdrawn, else `no`."""


class Pairing(NamedTuple):
    """One bot in one round of a tournament."""

    round: int
    """Number of the round, from 1."""
    table: int | None
    """Number of the table, from 1; None for a bot that sat out."""
    bot: str
    score: float | None
    """Share of the points that it took at this table; None without a table or before results."""
    blocks: int
    """Blocks of the table so far, over all games."""
    result: str
    """`sits out`, or in a knockout `advances`, `out` or `wins`; may be empty."""
    error: float | None = None
    """Half width of the 95 % interval of the score; None where there is none."""


PAIRINGS: Final = (
    board_column("round", None),
    board_column("table", ColumnDoc("Number of the table in the round; empty for a bot that sat out.")),
    board_column("bot", ColumnDoc("The bot; at each table the best first."), NAME),
    board_column(
        "score",
        ColumnDoc(
            "Share of points taken at this table.",
            "percent",
            "100 · (better places + ties / 2) / all it could take there; ± in a knockout as in the standings",
        ),
        PERCENT,
        error=attrgetter("error"),
    ),
    board_column("blocks", ColumnDoc("Blocks of the table over all games."), COUNT),
    board_column(
        "result", ColumnDoc("Empty, `sits out`, or in a knockout `advances`, `out` or `wins`."), TEXT
    ),
    board_column("error", None, PERCENT),
)


@dataclass(frozen=True)
class Scoreboard:
    """The ranking by the rules of a format; the ratings are another table.

    Attributes:
        title: What it ranks, and how far the tournament is.
        columns: Columns of the rows.
        rows: Rows, best first: named tuples with a `bot` and a `place`, where the format ranks bots.
        pairings: Tables by round; None for a format that does not pair bots by their results.
        disqualified: Bots that were disqualified for their faults.
        labels: What is printed for the names of bots.
        stretches_elo: True if results decide who meets whom in few matches, which stretches the ratings:
            tables for people have them on request alone.
    """

    title: str
    columns: Columns[Any]
    rows: Sequence[Any]
    pairings: Sequence[Pairing] | None = None
    disqualified: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=lambda: NO_MARKS)
    stretches_elo: bool = False

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """The reason for which a bot has no place, by name."""
        withdrawn = [row.bot for row in self.rows if getattr(row, "is_withdrawn", False)]
        return {**dict.fromkeys(withdrawn, "withdrawn"), **dict.fromkeys(self.disqualified, "disqualified")}

    @property
    def ranked_rows(self) -> Sequence[Any]:
        """The rows, the bots with a mark last and without a place; the places of the others follow."""
        marks = self.marks
        if not marks or "place" not in (column.name for column in self.columns):
            return self.rows
        ranked = [row for row in self.rows if row.bot not in marks]
        return [
            *(row._replace(place=row.place and number) for number, row in enumerate(ranked, 1)),
            *(row._replace(place=None) for row in self.rows if row.bot in marks),
        ]

    @property
    def standings(self) -> TableSet:
        """The ranking as a table."""
        rows = self.ranked_rows
        columns = [
            column
            for column in documented(self.columns)
            if column.name != "note" or any(row.note for row in rows)
        ]
        names = [column for column in self.columns if column.name == "bot"]
        sheet = Sheet(self.title, columns, rows, marks=self.marks)
        table = TableSet([*self.columns, *(self._mark for _ in names)], [sheet], rows)
        return label_names(table, self.labels)

    @property
    def rounds(self) -> TableSet:
        """The tables of each round."""
        columns, pairings = documented(PAIRINGS), self.pairings or ()
        sheets = [
            Sheet(f"Round {number}", columns, list(own), marks=self.marks)
            for number, own in groupby(pairings, key=attrgetter("round"))
        ]
        return label_names(TableSet([*PAIRINGS, self._mark], sheets, pairings), self.labels)

    @property
    def _mark(self) -> Column[Any]:
        marks = self.marks
        return Column("mark", value=lambda row: marks.get(row.bot, ""))
