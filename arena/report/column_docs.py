"""What a column of a table is: every column of every table has all four parts."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tabulate import tabulate

WIDTH: Final = 80  # of the words, beside the names of the columns


class ColumnDoc(NamedTuple):
    """What a reader must know of a column before its numbers mislead."""

    what: str
    unit: str
    formula: str
    """How it is computed, or by what rule it is found."""
    but: str
    """What it does not mean, as a sentence."""


ColumnDocs = Mapping[str, ColumnDoc]


def explain_columns(docs: ColumnDocs) -> str:
    """What columns are: a paragraph each, and below it unit, formula, and what it does not mean."""
    cells = [
        cell
        for column, meaning in docs.items()
        for cell in zip((column, "", "", ""), _lines(meaning), strict=True)
    ]
    return tabulate(cells, tablefmt="plain", maxcolwidths=[None, WIDTH], disable_numparse=True)


def one_line_doc(meaning: ColumnDoc) -> str:
    """All four parts, one after another."""
    return " ".join(f"{line.rstrip('.')}." for line in _lines(meaning))


def _lines(meaning: ColumnDoc) -> list[str]:
    what, unit, formula, but = (" ".join(part.split()) for part in meaning)
    return [what, f"Unit: {unit}", f"Formula: {formula}", f"But: {but}"]
