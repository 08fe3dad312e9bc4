"""Tables of typed columns in each format: plain text, Markdown, LaTeX, CSV and JSON."""

import csv
import io
import re
import textwrap
from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

from arena.columns.column import Column, ColumnDocs, Columns, column_docs, field_names, records

Format = Literal["plain", "md", "latex", "csv", "json"]
NOTHING_PLAYED = "Nothing has been played yet."
"""Sentence in place of a table without rows."""
TABLE_FORMATS: Final = get_args(Format)
MARKDOWN_SIGNS: Final = re.compile(r"[\\|<>&\[\]`*]")
"""Characters that begin formatting, links or HTML."""
NO_ERROR_NOTE: Final = "No ± is given for fewer than six blocks, or for blocks that do not differ."
NO_CONTROL_NOTE: Final = (
    "{}: not adjusted for luck. Nobody drops out of this game, so the seatings of a block already give every "
    "bot every hand."
)
MIN_NAME_CHARS: Final = 12
"""Names are not shortened below this, however narrow the terminal."""
NO_MARKS: Final[Mapping[str, str]] = MappingProxyType({})


class Sheet(NamedTuple):
    """A readable table: a title, typed columns with their rows, and notes below it."""

    title: str
    columns: Columns[Any]
    rows: Sequence[Any]
    notes: Sequence[str] = ()
    optional: Sequence[str] = ()
    """Columns left out where the terminal is too narrow, in this order; by default from the right."""
    full: str = "`arena table DIR --wide` shows all"
    """Command that shows the columns left out."""
    marks: Mapping[str, str] = NO_MARKS
    """Marks of bots, which stand after their names."""
    labels: Mapping[str, str] = NO_MARKS
    """Printed texts by the name of a bot."""

    @property
    def headings(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def cells(self) -> list[list[str]]:
        """The texts of the rows."""
        shown = {**self.labels} | {
            name: f"{self.labels.get(name, name)} ({mark})" for name, mark in self.marks.items()
        }
        return [
            [
                shown.get(cell, cell) if column.kind.is_name else cell
                for column, cell in ((column, column.text_cell(row)) for column in self.columns)
            ]
            for row in self.rows
        ]

    @property
    def header(self) -> int:
        """The place of the column whose cells name the rows: that of the bots, or the first."""
        return next((at for at, column in enumerate(self.columns) if column.kind.is_name), 0)


class TableSet(NamedTuple):
    """One kind of results: readable sheets, one flat machine-readable table."""

    columns: Columns[Any]
    sheets: Sequence[Sheet]
    rows: Sequence[Any]
    """Machine-readable rows; those of sheets may be fewer."""

    @property
    def fields(self) -> list[str]:
        """The names of the machine-readable columns."""
        return field_names(self.columns)

    @property
    def dicts(self) -> list[dict[str, Any]]:
        """The machine-readable rows: the rounded values by field."""
        return records(self.columns, self.rows)

    @property
    def records(self) -> list[tuple[Any, ...]]:
        """The values of the machine-readable rows."""
        return [tuple(record.values()) for record in self.dicts]

    @property
    def docs(self) -> ColumnDocs:
        """The documentation of the columns."""
        return column_docs(self.columns)


def mark_names(table: TableSet, marks: Mapping[str, str]) -> TableSet:
    """Return a table with the marks of bots: after the names, or in columns if it is machine-readable.

    The mark of the first bot of a row is `mark`, that of another one has the name of its column before it,
    such as `other_mark`; both are empty for a bot without a mark.
    """
    named = [column for column in table.columns if column.kind.is_name]
    added = [_mark_column(column, marks, is_first=at == 0) for at, column in enumerate(named)]
    sheets = [sheet._replace(marks=marks) for sheet in table.sheets]
    return table._replace(sheets=sheets, columns=[*table.columns, *added])


def label_names(table: TableSet, labels: Mapping[str, str]) -> TableSet:
    """Return a table with short names of bots to print, and machine-readable columns of them.

    The label of the first bot of a row is `label`, that of another one has the name of its column before it,
    such as `other_label`. They are left out where all labels are the names.
    """
    if not _has_labels(labels):
        return table
    named = [column for column in table.columns if column.kind.is_name]
    added = [_label_column(column, labels, is_first=at == 0) for at, column in enumerate(named)]
    sheets = [sheet._replace(labels=labels) for sheet in table.sheets]
    return table._replace(sheets=sheets, columns=[*table.columns, *added])


def _has_labels(labels: Mapping[str, str]) -> bool:
    """Return whether any label is another than the name."""
    return any(name != label for name, label in labels.items())


def _label_column(named: Column[Any], labels: Mapping[str, str], *, is_first: bool = True) -> Column[Any]:
    """Return the column of the labels of the bots in another column, machine-readable."""
    get_name = named.value
    assert get_name
    return Column(
        "label" if is_first else f"{named.name}_label",
        value=lambda row: labels.get(get_name(row), get_name(row)),
    )


def _mark_column(named: Column[Any], marks: Mapping[str, str], *, is_first: bool) -> Column[Any]:
    get_name = named.value
    assert get_name
    return Column(
        "mark" if is_first else f"{named.name}_mark", value=lambda row: marks.get(get_name(row), "")
    )


def format_table(table: TableSet, style: Format, width: int | None = None) -> str:
    """Return a table in one of the formats, without a line end at its end; see `format_sheet`."""
    if style == "json":
        return msgspec.json.encode(table.dicts).decode()
    if style == "csv":
        return csv_text(table.fields, table.records).removesuffix("\n")
    if not table.sheets:
        return NOTHING_PLAYED
    return "\n\n".join(format_sheet(sheet, style, width) for sheet in table.sheets)


def format_sheet(sheet: Sheet, style: Format = "plain", width: int | None = None) -> str:
    """Return a sheet as plain text, Markdown or LaTeX; its title and notes are paragraphs, in LaTeX comments.

    LaTeX is a `tabular` with the rules of the package booktabs.
    Plain text wider than `width` has its names shortened and optional columns left out; a note says which.
    """
    columns, cells, notes = sheet.columns, sheet.cells, sheet.notes
    if style == "latex":
        from tabulate import tabulate  # here: bots, which have no packages of the arena's, import this

        table = tabulate(
            cells,
            sheet.headings,
            tablefmt="latex_booktabs",
            colalign=[_side(column) for column in columns],
            disable_numparse=True,
        ).replace("±", r"$\pm$")
        comments = "".join(f"% {line}\n" for text in (sheet.title, *notes) for line in text.splitlines())
        return comments + table if cells else comments.removesuffix("\n") or NOTHING_PLAYED
    if style == "md":
        left = [column.name for column in columns if column.kind.is_text]
        table = markdown(sheet.headings, cells, left).removesuffix("\n")
        notes = [_escape_markdown(note) for note in notes]
    else:
        table = plain_table(columns, cells)
        if width and _table_width(table) > width:
            table, left_out = _fit_width(sheet, cells, width)
            notes = [*left_out, *notes]
    parts = [sheet.title, table if cells else "", *(wrap_text(note, width) for note in notes)]
    return "\n\n".join(filter(None, parts))


def wrap_text(text: str, width: int | None) -> str:
    """Return each line of a text wrapped between words; as it is without a width."""
    if not width:
        return text
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in text.splitlines()
    )


def _shorten_middle(text: str, max_chars: int) -> str:
    """Return a text of at most `max_chars`: of a longer one its beginning and its end."""
    head = max_chars * 2 // 5
    return text if len(text) <= max_chars else f"{text[:head]}…{text[head + 1 - max_chars :]}"


def plain_table(columns: Columns[Any], cells: Sequence[Sequence[str]]) -> str:
    """Return cells in columns, below their headings if there are any."""
    from tabulate import tabulate

    headings = [column.name for column in columns]
    widths = [column.max_chars for column in columns]
    return tabulate(
        cells,
        headings if any(headings) else (),
        tablefmt="simple" if any(headings) else "plain",
        colalign=[_side(column) for column in columns],
        maxcolwidths=widths if any(widths) else None,
        disable_numparse=True,
    )


def _side(column: Column[Any]) -> str:
    return "left" if column.kind.is_text else "right"


def _table_width(table: str) -> int:
    return max(map(len, table.splitlines()), default=0)


def _fit_width(sheet: Sheet, cells: Sequence[Sequence[str]], width: int) -> tuple[str, list[str]]:
    """Return a table without the columns that do not fit, and a note about them."""
    columns = sheet.columns
    names = max(width // 3, MIN_NAME_CHARS)
    kept = list(range(len(columns)))
    optional = [sheet.headings.index(name) for name in sheet.optional if name in sheet.headings]
    optional = optional or [at for at in kept[:0:-1] if not columns[at].kind.is_text]
    left_out = []
    while True:
        shown = [
            [_shorten_middle(row[at], names) if columns[at].kind.is_text else row[at] for at in kept]
            for row in cells
        ]
        table = plain_table([columns[at] for at in kept], shown)
        excess = _table_width(table) - width
        if excess <= 0 or not (optional or names > MIN_NAME_CHARS):
            break
        if optional:
            left_out.append(optional[0])
            kept.remove(optional.pop(0))
        else:
            names = max(names - excess, MIN_NAME_CHARS)
    missing = ", ".join(columns[at].name for at in sorted(left_out))
    return table, [f"Left out at this width: {missing}; {sheet.full}."] if missing else []


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]], left: Container[str]) -> str:
    """Return a Markdown table; the columns named in `left` are aligned to the left."""
    from tabulate import tabulate

    sides = ["left" if heading in left else "right" for heading in headings]
    escaped = [
        [_escape_markdown(cell) if side == "left" else cell for cell, side in zip(row, sides, strict=True)]
        for row in rows
    ]
    return tabulate(escaped, headings, tablefmt="pipe", colalign=sides, disable_numparse=True) + "\n"


def _escape_markdown(text: str) -> str:
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", text)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV under a header, if there is one."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    if header:
        table.writerow(header)
    table.writerows(rows)
    return text.getvalue()
