"""The section of deviation ratings on the page of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from arena.columns.column import column_docs, text_rows
from arena.report.equilibrium import EQUILIBRIUM, EquilibriumRow, describe_disagreement
from arena.report.league_site.page import Cell, SiteSection, SiteTable

MAX_BOTS: Final = 40
"""Largest field that is rated on the site; `arena table --equilibrium` rates any."""
SUMMARY: Final = (
    "Score against the equilibrium of the field, the mixture of bots that leaves the others least: 50 % is "
    "as good as any. Elo counts what a bot takes from everybody, so ten old versions of a bot count ten "
    "times; here copies of a bot change nothing."
)


def equilibrium_sections(rows: list[EquilibriumRow], link: Callable[[str], Cell]) -> Iterator[SiteSection]:
    """Yield the deviation ratings of a game; nothing for fewer than three bots.

    Args:
        rows: Its ratings, best first.
        link: Returns a bot's name with a link to its page.
    """
    if len(rows) < 3:
        return
    columns = list(column_docs(EQUILIBRIUM))
    bot = columns.index("bot")
    cells: list[list[Cell]] = [
        [*texts[:bot], link(row.game.fit.bots[row.of.bot]), *texts[bot + 1 :]]
        for row, texts in zip(rows, text_rows(EQUILIBRIUM, rows), strict=True)
    ]
    note = describe_disagreement(rows)
    yield SiteSection(
        "equilibrium",
        "Against the equilibrium",
        SUMMARY,
        table=SiteTable("Against the equilibrium", columns, cells, (bot,), bot),
        notes=[note] if note else [],
    )


def equilibrium_data(rows: list[EquilibriumRow]) -> list[dict[str, Any]]:
    """Return the ratings for programs, in percent."""
    columns = [column for column in EQUILIBRIUM if column.value]
    return [{column.field or column.name: column.number(row) for column in columns} for row in rows]
