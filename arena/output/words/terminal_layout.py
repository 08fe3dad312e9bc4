"""Tables and lines of text, as wide as the terminal that they are printed on."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import click

from arena.columns.column import Column
from arena.columns.kinds import LABEL, TEXT
from arena.columns.table_formats import plain_table
from arena.output.words.text import strip_unprintable

# --- column kinds ---

STRANGE: Final = TEXT._replace(write=strip_unprintable)
"""Kind of columns of texts of unknown origin."""


# --- size and columns ---

MARGIN: Final = "  "
REMARK_INDENT: Final = "     "


class TerminalSize(NamedTuple):
    """Characters that fit into a terminal."""

    columns: int
    lines: int


def terminal_size() -> TerminalSize:
    """Return the current size of the terminal."""
    return TerminalSize(*shutil.get_terminal_size())


def table_width() -> int | None:
    """Return the width that tables have to fit into; None for output into a file or a pipe."""
    return shutil.get_terminal_size((0, 0)).columns or None


def align_columns(rows: Iterable[Sequence[str]]) -> str:
    """Return rows as lines in columns, the first right-aligned, after a margin."""
    cells = list(rows)
    columns = [
        Column[Any]("", kind=LABEL if at == 0 else TEXT) for at in range(max(map(len, cells), default=0))
    ]
    table = plain_table(columns, cells)
    return "\n".join(f"{MARGIN}{line.rstrip()}" for line in table.splitlines())


def align_rows(rows: Sequence[Sequence[str]], columns: int, remarks: int) -> list[str]:
    """Return a text for each row, in columns.

    If these are wider than `columns`, the last cells of each row, its `remarks`, are in no column, and in a
    line of their own where they do not fit; where the others are still too wide, so is the cell before.
    """
    texts = _align_heads(rows, columns, 0)
    for loose in (remarks, remarks + 1):
        if max(_widest_line(text) for text in texts) > columns:
            texts = _align_heads(rows, columns, loose)
    return texts


def _align_heads(rows: Sequence[Sequence[str]], columns: int, loose: int) -> list[str]:
    """Return a text for each row, of which the last `loose` cells are in no column."""
    texts = align_columns([row[: len(row) - loose] for row in rows]).splitlines()
    for place, row in enumerate(rows):
        if rest := MARGIN.join(filter(None, row[len(row) - loose :])):
            line = f"{texts[place]}{MARGIN}{rest}"
            texts[place] = line if _widest_line(line) <= columns else f"{texts[place]}\n{REMARK_INDENT}{rest}"
    return texts


def _widest_line(text: str) -> int:
    """Return the characters of the longest line, of which styles are none."""
    return max(map(len, click.unstyle(text).split("\n")))
