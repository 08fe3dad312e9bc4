"""Tables in every format: wide ones with few digits for people, long ones for programs."""

import csv
import io
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from tabulate import tabulate

from arena.report.column_docs import ColumnDocs
from arena.tournament.files.export import markdown

Format = Literal["plain", "md", "csv", "json"]
FORMATS = get_args(Format)
DIGITS = 4  # of a number for programs; shares are from 0 to 1

NONE = "–"  # where a number cannot honestly be given
NO_ERROR = "Where there is no ± none is honest: fewer than six blocks, or blocks that do not differ."


class Sheet(NamedTuple):
    """A table for people: a title, rows of cells, and sentences that belong below it."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1
    """So many columns hold words, from the first."""
    notes: Sequence[str] = ()


class Report(NamedTuple):
    """What there is to say of one thing."""

    sheets: Sequence[Sheet]
    fields: Sequence[str]
    """The names of the values in `records`."""
    records: Sequence[Sequence[Any]]
    docs: ColumnDocs
    """Of the columns of the sheets."""


def rendered(report: Report, style: Format) -> str:
    """A report in one of the formats, without a line's end at the end."""
    records = [[_rounded(value) for value in record] for record in report.records]
    if style == "json":
        return msgspec.json.encode([dict(zip(report.fields, one, strict=True)) for one in records]).decode()
    if style == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([report.fields, *records])
        return text.getvalue().removesuffix("\n")
    if not report.sheets:
        return "Nothing has been played yet."
    return "\n\n".join(_for_people(sheet, style) for sheet in report.sheets)


def percent(share: float | None, error: float | None = None) -> str:
    """A share in percent with its error, which is never printed as nought."""
    if share is None:
        return NONE
    return f"{share:.1%}" if error is None else f"{100 * share:.1f} ± {max(100 * error, 0.1):.1f}%"


def hundredths(value: float | None, error: float | None = None) -> str:
    """A number with its error, which is never printed as nought."""
    if value is None:
        return NONE
    return f"{value:z.2f}" if error is None else f"{value:z.2f} ± {max(error, 0.01):.2f}"


def _rounded(value: Any) -> Any:
    """A number as programs get it."""
    return round(value, DIGITS) + 0.0 if isinstance(value, float) else value  # never minus nought


def _for_people(sheet: Sheet, style: Format) -> str:
    if style == "md":
        words = set(sheet.columns[: sheet.words])
        table = markdown(sheet.columns, sheet.rows, words).removesuffix("\n")
    else:
        sides = ["left"] * sheet.words + ["right"] * (len(sheet.columns) - sheet.words)
        table = tabulate(sheet.rows, sheet.columns, colalign=sides, disable_numparse=True)
    return "\n\n".join([sheet.title, *([table] if sheet.rows else []), *sheet.notes])
