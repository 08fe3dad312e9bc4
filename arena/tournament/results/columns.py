"""Table columns, each declared in one place, and the formats tables are written in."""

import csv
import io
import re
import textwrap
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, get_args

import msgspec
from tabulate import tabulate

Format = Literal["plain", "md", "csv", "json"]
FORMATS: Final = get_args(Format)
MARKDOWN_SIGNS: Final = re.compile(r"[\\|<>&\[\]`*]")
"""Characters that begin formatting, links or HTML."""
MISSING: Final = "–"
"""Cell of a number that the data do not support."""
NO_ERROR_NOTE: Final = "No ± is given for fewer than six blocks, or for blocks that do not differ."
MAX_DOC_CHARS: Final = 80
"""Width of the text beside the column names."""

NAME_FIELDS: Final = frozenset({"bot", "other", "third", "helper", "better", "worse"})
"""Columns of names of bots."""
MIN_NAME_CHARS: Final = 12
"""Names are not shortened below this, however narrow the terminal."""

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
    """A column: its name, documentation, value for programs and text for people."""

    name: str
    """Heading for people."""
    doc: ColumnDoc | None = None
    value: Callable[[RowT], Any] | None = None
    """Value for programs; None: they do not get this column."""
    text: Callable[[RowT], str] | None = None
    """Text for people, by default that of `value`; only documented columns are shown to them."""
    field: str = ""
    """Name for programs, if it is not `name`."""
    digits: int | None = None
    """Decimals of a CSV cell, padded with zeros; by default up to four, without padding."""
    is_rounded: bool = True
    """False: programs get every digit, as of probabilities far below 0.0001."""
    is_share: bool = False
    """True if `value` is a share from 0 to 1, which people and programs get in percent."""
    is_extra: bool = False
    """True if only `arena table` has it, not the run's `elo.csv`."""

    def text_cell(self, row: RowT) -> str:
        """Return the cell for people."""
        if self.text:
            return self.text(row)
        value = self.value(row) if self.value else None
        if self.is_share:
            return format_percent(value)
        return value if isinstance(value, str) else format_number(value, ",d")

    def number(self, row: RowT) -> Any:
        """Return the value rounded for programs; negative zero becomes zero."""
        assert self.value
        value = to_percent(self.value(row)) if self.is_share else self.value(row)
        if isinstance(value, float) and self.is_rounded:
            return round(value, 4 if self.digits is None else self.digits) + 0.0
        return value

    def cell(self, row: RowT) -> Any:
        """Return the CSV cell; None is an empty one."""
        value = self.number(row)
        return value if self.digits is None or value is None else f"{value:.{self.digits}f}"


Columns = Sequence[Column[RowT]]


def column_docs(columns: Columns[Any]) -> dict[str, ColumnDoc]:
    """Return the documentation of the columns that have any, by name."""
    return {column.name: column.doc for column in columns if column.doc}


def field_names(columns: Columns[Any]) -> list[str]:
    """Return the names of the columns for programs."""
    return [column.field or column.name for column in columns if column.value]


def text_rows(columns: Columns[RowT], rows: Iterable[RowT]) -> list[list[str]]:
    """Return the cells for people."""
    shown = [column for column in columns if column.doc and (column.text or column.value)]
    return [[column.text_cell(row) for column in shown] for row in rows]


class Sheet(NamedTuple):
    """A table for people: a title, rows of cells, and notes below it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Container[str] = frozenset({"bot"})
    """Names of the columns aligned to the left."""
    notes: Sequence[str] = ()
    optional: Sequence[str] = ()
    """Columns left out where the terminal is too narrow, in this order; by default from the right."""
    full: str = "`arena table DIR --wide` shows all"
    """Command that shows the columns left out."""


class TableSet(NamedTuple):
    """One kind of results: sheets for people, one flat table for programs."""

    sheets: Sequence[Sheet]
    fields: Sequence[str]
    records: Sequence[Sequence[Any]]
    """Values by field, rounded."""
    docs: ColumnDocs
    """Documentation of the columns of the sheets."""


def make_table(columns: Columns[RowT], sheets: Sequence[Sheet], rows: Iterable[RowT]) -> TableSet:
    """Return sheets with the values of their rows for programs."""
    valued = [column for column in columns if column.value]
    records = [tuple(column.number(row) for column in valued) for row in rows]
    return TableSet(sheets, field_names(columns), records, column_docs(columns))


def mark_names(table: TableSet, marks: Mapping[str, str]) -> TableSet:
    """Return a table with the marks of bots: after the names for people, in columns for programs.

    The mark of the first bot of a row is `mark`, that of another one has the name of its column before it,
    such as `other_mark`; both are empty for a bot without a mark.
    """
    marked = {name: f"{name} ({mark})" for name, mark in marks.items()}
    sheets = [
        sheet._replace(
            rows=[
                [
                    marked.get(cell, cell) if column in sheet.left else cell
                    for column, cell in zip(sheet.columns, row, strict=True)
                ]
                for row in sheet.rows
            ]
        )
        for sheet in table.sheets
    ]
    named = [field for field in table.fields if field in NAME_FIELDS]
    places = [table.fields.index(field) for field in named]
    return table._replace(
        sheets=sheets,
        fields=[*table.fields, *("mark" if at == 0 else f"{name}_mark" for at, name in enumerate(named))],
        records=[(*record, *(marks.get(record[place], "") for place in places)) for record in table.records],
    )


def format_table(table: TableSet, style: Format, width: int | None = None) -> str:
    """Return a table in one of the formats, without a line end at its end; see `format_sheet`."""
    if style == "json":
        records = [dict(zip(table.fields, one, strict=True)) for one in table.records]
        return msgspec.json.encode(records).decode()
    if style == "csv":
        return csv_text(table.fields, table.records).removesuffix("\n")
    if not table.sheets:
        return "Nothing has been played yet."
    return "\n\n".join(format_sheet(sheet, style, width) for sheet in table.sheets)


def format_sheet(sheet: Sheet, style: Format = "plain", width: int | None = None) -> str:
    """Return a sheet as plain text or Markdown; its title and notes are paragraphs.

    Plain text wider than `width` has its names shortened and optional columns left out; a note says which.
    """
    if style == "md":
        table = markdown(sheet.columns, sheet.rows, sheet.left).removesuffix("\n")
    else:
        table = _plain_table(sheet)
        if width and _table_width(table) > width:
            sheet, table = _fit_width(sheet, width)
    return "\n\n".join(
        [sheet.title, *([table] if sheet.rows else []), *[wrap_text(note, width) for note in sheet.notes]]
    )


def wrap_text(text: str, width: int | None) -> str:
    """Return each line of a text wrapped between words; as it is without a width."""
    if not width:
        return text
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    )


def shorten_middle(text: str, max_chars: int) -> str:
    """Return a text of at most `max_chars`: of a longer one its beginning and its end."""
    head = max_chars * 2 // 5
    return text if len(text) <= max_chars else f"{text[:head]}…{text[head + 1 - max_chars :]}"


def _plain_table(sheet: Sheet) -> str:
    sides = ["left" if column in sheet.left else "right" for column in sheet.columns]
    return tabulate(sheet.rows, sheet.columns, colalign=sides, disable_numparse=True)


def _table_width(table: str) -> int:
    return max(map(len, table.splitlines()), default=0)


def _fit_width(sheet: Sheet, width: int) -> tuple[Sheet, str]:
    """Return a sheet without the columns that do not fit, a note about them, and its table."""
    names = max(width // 3, MIN_NAME_CHARS)
    kept = list(range(len(sheet.columns)))
    optional = [sheet.columns.index(name) for name in sheet.optional if name in sheet.columns]
    optional = optional or [at for at in kept[:0:-1] if sheet.columns[at] not in sheet.left]
    left_out = []
    while True:
        columns = [sheet.columns[at] for at in kept]
        rows = [
            [shorten_middle(row[at], names) if sheet.columns[at] in sheet.left else row[at] for at in kept]
            for row in sheet.rows
        ]
        table = _plain_table(sheet._replace(columns=columns, rows=rows))
        excess = _table_width(table) - width
        if excess <= 0 or not (optional or names > MIN_NAME_CHARS):
            break
        if optional:
            left_out.append(sheet.columns[optional[0]])
            kept.remove(optional.pop(0))
        else:
            names = max(names - excess, MIN_NAME_CHARS)
    notes = list(sheet.notes)
    if left_out:
        left_out.sort(key=list(sheet.columns).index)
        notes.insert(0, f"Left out at this width: {', '.join(left_out)}; {sheet.full}.")
    return sheet._replace(notes=notes), table


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]], left: Container[str]) -> str:
    """Return a Markdown table; the columns named in `left` are aligned to the left."""
    sides = ["left" if column in left else "right" for column in columns]
    escaped = [
        [
            MARKDOWN_SIGNS.sub(r"\\\g<0>", cell) if side == "left" else cell
            for cell, side in zip(row, sides, strict=True)
        ]
        for row in rows
    ]
    return tabulate(escaped, columns, tablefmt="pipe", colalign=sides, disable_numparse=True) + "\n"


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV under a header, if there is one."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    if header:
        table.writerow(header)
    table.writerows(rows)
    return text.getvalue()


def explain_columns(docs: ColumnDocs) -> str:
    """Return the documentation of columns, a paragraph each."""
    cells = [
        (name if number == 0 else "", line)
        for name, doc in docs.items()
        for number, line in enumerate(doc.lines())
    ]
    return tabulate(cells, tablefmt="plain", maxcolwidths=[None, MAX_DOC_CHARS], disable_numparse=True)


def one_line_doc(doc: ColumnDoc) -> str:
    """Return the documentation of a column in one line."""
    return " ".join(f"{line.rstrip('.')}." for line in doc.lines())


def format_number(value: float | None, spec: str) -> str:
    """Return a number in a format, or the sign of a missing one."""
    return MISSING if value is None else format(value, spec)


def to_percent(share: float | None) -> float | None:
    """Return a share from 0 to 1 in percent, as programs get it."""
    return None if share is None else 100 * share


def format_percent(share: float | None, error: float | None = None) -> str:
    """Return a share from 0 to 1 in percent with its error, which is printed as 0.1 at least."""
    return percent_text(to_percent(share), to_percent(error))


def percent_text(percent: float | None, error: float | None = None) -> str:
    """Return a number that is in percent with its error; see `format_percent`."""
    if percent is None:
        return MISSING
    return f"{percent:.1f}%" if error is None else f"{percent:.1f} ± {max(error, 0.1):.1f}%"


def format_probability(p: float) -> str:
    """Return a probability with three decimals, or as 1e-5 where those would all be 0."""
    if p >= 0.0005:
        return f"{p:.3f}"
    mantissa, _, exponent = f"{p:.0e}".partition("e")
    return f"{mantissa}e{int(exponent)}" if p else "<1e-300"  # 0 only where a float can be no smaller


def format_decimal(value: float | None, error: float | None = None) -> str:
    """Return a number with two decimals and its error, which is printed as 0.01 at least."""
    if value is None or error is None:
        return format_number(value, "z.2f")
    return f"{value:z.2f} ± {max(error, 0.01):.2f}"
