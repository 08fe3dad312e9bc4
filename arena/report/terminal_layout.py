"""The size of the terminal, and text in columns."""

import shutil
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tabulate import tabulate

MARGIN: Final = "  "


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
    table = tabulate(list(rows), tablefmt="plain", disable_numparse=True, colalign=["right"])
    return "\n".join(f"{MARGIN}{line.rstrip()}" for line in table.splitlines())
