"""The window that text is printed in: how much fits, and rows of cells in columns."""

import shutil
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tabulate import tabulate

MARGIN: Final = "  "


class TerminalSize(NamedTuple):
    """How much fits into a window."""

    columns: int
    lines: int


def terminal_size() -> TerminalSize:
    """The terminal's size as it is now."""
    return TerminalSize(*shutil.get_terminal_size())


def align_columns(rows: Iterable[Sequence[str]]) -> str:
    """Rows as lines in columns, the first set to the right, after a margin."""
    table = tabulate(list(rows), tablefmt="plain", disable_numparse=True, colalign=["right"])
    return "\n".join(f"{MARGIN}{line.rstrip()}" for line in table.splitlines())
