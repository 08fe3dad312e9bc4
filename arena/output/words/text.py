"""Counts, durations, tables and lines of text as they are printed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import click

from arena.columns.column import Column
from arena.columns.kinds import LABEL, TEXT
from arena.columns.table_formats import plain_table

# --- text format ---
# Numbers and untrusted texts in messages and tables.

MAX_MESSAGE_CHARS: Final = 2_000
"""Maximum length of an error, in characters: it may contain what a stranger wrote."""
MAX_QUOTED_CHARS: Final = 200
"""Maximum length of a word and of a quotation in an error, such as a name, in characters."""
MAX_SCANNED_CHARS: Final = 1 << 13
"""Maximum length of an error that is searched for quotations, in characters."""
QUOTATION: Final = r"""(?<!\w)(['"`])((?:(?!\1)[^\\]|\\.)*+)(\1)(?!\w)"""
"""Pattern of a text as `repr` quotes it, or a command in backquotes: compiled for the first message."""

STEERING: Final = frozenset(
    map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Characters that control a terminal, and those that turn the direction of the text after them."""


def format_duration(seconds: float) -> str:
    """Return a time rounded to seconds, from two minutes on to minutes.

    Example:
        >>> format_duration(0.2), format_duration(75), format_duration(200)
        ('1 s', '75 s', '3 min')
    """
    return f"{max(1, round(seconds))} s" if seconds < 120 else f"{round(seconds / 60):,} min"


def format_ordinal(number: int) -> str:
    """Return an ordinal number: `1st`, `12th`."""
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


def format_signed(number: int) -> str:
    """Return a number with its sign; zero has none."""
    return f"{number:+}" if number else "0"


def truncate(text: str, max_chars: int) -> str:
    """Shorten a text to at most `max_chars`, the last of them an ellipsis."""
    return text if len(text) <= max_chars else f"{text[: max_chars - 1]}…"


def shorten_names(names: Sequence[str], max_chars: int) -> list[str]:
    """Shorten names to at most `max_chars`; different names stay different, as those of a bot's settings.

    Example:
        >>> shorten_names(["greedy", "mine.py:Cautious(bold=0.2)", "mine.py:Cautious(bold=0.4)"], 13)
        ['greedy', 'mine.p…d=0.2)', 'mine.p…d=0.4)']
    """
    short = [truncate(name, max_chars) for name in names]
    if len(set(short)) < len(set(names)):
        short = [_truncate_middle(name, max_chars) for name in names]
    if len(set(short)) < len(set(names)):
        numbers = {name: f" {number}" for number, name in enumerate(dict.fromkeys(names), 1)}
        short = [truncate(name, max_chars - len(numbers[name])) + numbers[name] for name in names]
    return short


def _truncate_middle(text: str, max_chars: int) -> str:
    """Shorten a text to at most `max_chars`, an ellipsis in its middle."""
    left = max_chars // 2
    return text if len(text) <= max_chars else f"{text[:left]}…{text[left + 1 - max_chars :]}"


def strip_unprintable(text: str) -> str:
    """Remove control characters, which could steer the terminal, from a text of unknown origin."""
    return "".join(char for char in text if char.isprintable())


def printable_line(message: str) -> str:
    """Return a message of unknown origin and length as a line that is safe to print."""
    words = (_truncate_middle(word, MAX_QUOTED_CHARS) for word in message.split())
    line = _truncate_middle(strip_unprintable(" ".join(words)), MAX_SCANNED_CHARS)
    return _truncate_middle(re.sub(QUOTATION, _shorten_quotation, line), MAX_MESSAGE_CHARS)


def _shorten_quotation(match: re.Match[str]) -> str:
    opening, text, closing = match.groups()
    return f"{opening}{_truncate_middle(text, MAX_QUOTED_CHARS)}{closing}"


def steers_terminal(text: str) -> bool:
    """Return whether a text, which has to be printed as it is, would change how others are shown."""
    return not STEERING.isdisjoint(text)


# --- column kinds ---
# Kinds of columns whose words need care.

STRANGE: Final = TEXT._replace(write=strip_unprintable)
"""Kind of columns of texts of unknown origin."""


# --- terminal layout ---
# The size of the terminal, and text in columns.

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
