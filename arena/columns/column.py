"""Columns, each declared in one place: its name, documentation, typed value and kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from arena.columns.kinds import COUNT, DATA, Kind
from arena.columns.number_format import MISSING, to_percent

MAX_DOC_CHARS: Final = 80
"""Width of the documentation of columns, with their names."""

RowT = TypeVar("RowT")


class ColumnDoc(NamedTuple):
    """Documentation of a column; unit, formula and warning only where there is something to say."""

    meaning: str
    unit: str = ""
    formula: str = ""
    warning: str = ""

    def lines(self) -> list[str]:
        """Return the parts that are not empty, each on one line with its label."""
        labels = ("", "Unit: ", "Formula: ", "Note: ")
        return [
            label + " ".join(part.split()) for label, part in zip(labels, self, strict=True) if part.strip()
        ]


ColumnDocs = Mapping[str, ColumnDoc]


@dataclass(frozen=True)
class Column(Generic[RowT]):
    """A column: every format of a table follows from its value and its kind."""

    name: str
    """Heading in readable tables."""
    doc: ColumnDoc | None = None
    value: Callable[[RowT], Any] | None = None
    """Machine-readable value; by default the attribute of this name. With `text` alone it has none."""
    kind: Kind = COUNT
    error: Callable[[RowT], float | None] | None = None
    """Half width of the interval of the value, which people get in the same cell."""
    text: Callable[[RowT], str] | None = None
    """Text in readable tables, if it does not follow from value, error and kind."""
    missing: str = MISSING
    """Text in readable tables where there is no value."""
    field: str = ""
    """Name in machine-readable tables, if it is not `name`."""
    digits: int | None = None
    """Decimals of a CSV cell, padded with zeros; by default up to four, without padding."""
    is_rounded: bool = True
    """False: programs get every digit, as of probabilities far below 0.0001."""
    max_chars: int | None = None
    """Width at which plain text is wrapped."""

    def __post_init__(self) -> None:
        if self.value is None and self.text is None:
            object.__setattr__(self, "value", attrgetter((self.field or self.name).replace("-", "_")))

    def text_cell(self, row: RowT) -> str:
        """Return the cell of a readable table."""
        if self.text:
            return self.text(row)
        value = self.value(row) if self.value else None
        if value is None:
            return self.missing
        return self.kind.text(value, self.error(row) if self.error else None)

    def number(self, row: RowT) -> Any:
        """Return the value rounded for machine-readable tables; negative zero becomes zero."""
        assert self.value
        value = to_percent(self.value(row)) if self.kind.is_share else self.value(row)
        if isinstance(value, float) and self.is_rounded:
            return round(value, 4 if self.digits is None else self.digits) + 0.0
        return value

    def cell(self, row: RowT) -> Any:
        """Return the CSV cell; None is an empty one."""
        value = self.number(row)
        return value if self.digits is None or value is None else f"{value:.{self.digits}f}"


Columns = Sequence[Column[RowT]]


def documented(columns: Columns[RowT]) -> list[Column[RowT]]:
    """Return the columns that are printed of a machine-readable table too: those with documentation."""
    return [column for column in columns if column.doc]


def shown(columns: Columns[RowT]) -> list[Column[RowT]]:
    """Return the columns that people get: all but those of machine-readable data."""
    return [column for column in columns if column.kind is not DATA]


def column_docs(columns: Columns[Any]) -> dict[str, ColumnDoc]:
    """Return the documentation of the columns that have any, by name."""
    return {column.name: column.doc for column in columns if column.doc}


def field_names(columns: Columns[Any]) -> list[str]:
    """Return the names of the machine-readable columns."""
    return [column.field or column.name for column in columns if column.value]


def records(columns: Columns[RowT], rows: Iterable[RowT]) -> list[dict[str, Any]]:
    """Return the machine-readable rows: the rounded values by field."""
    names, valued = field_names(columns), [column for column in columns if column.value]
    return [dict(zip(names, [column.number(row) for column in valued], strict=True)) for row in rows]


def explain_columns(docs: ColumnDocs) -> str:
    """Return the documentation of columns, a paragraph each."""
    cells = [
        (name if number == 0 else "", line)
        for name, doc in docs.items()
        for number, line in enumerate(doc.lines())
    ]
    rest = MAX_DOC_CHARS - max(map(len, docs), default=0) - len("  ")
    from tabulate import tabulate  # here: bots, which have no packages of the arena's, import this

    return tabulate(cells, tablefmt="plain", maxcolwidths=[None, rest], disable_numparse=True)


def one_line_doc(doc: ColumnDoc) -> str:
    """Return the documentation of a column in one line."""
    return " ".join(f"{line.rstrip('.')}." for line in doc.lines())
