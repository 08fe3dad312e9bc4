"""The table of installed bots."""

from collections.abc import Sequence

from tabulate import tabulate

from arena.plugins import BotEntry

HEADERS = ["bot", "what it does", "distribution", "version", "origin", "state"]
TITLE_WIDTH = 50


def bots_table(rows: Sequence[BotEntry]) -> str:
    """The bots, one a line; the state of one that cannot play is why."""
    cells = [
        [row.name, row.title, row.distribution, row.version, row.origin, _line(row.error or "ready")]
        for row in rows
    ]
    return tabulate(cells, HEADERS, disable_numparse=True, maxcolwidths=[None, TITLE_WIDTH])


def _line(text: str) -> str:
    return " ".join(text.split())
