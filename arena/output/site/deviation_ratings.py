"""The section of deviation ratings on the page of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from arena.columns.column import documented, records
from arena.columns.kinds import NAME
from arena.columns.table_formats import Sheet
from arena.output.site.page_model import SiteSection
from arena.output.tables.deviation_ratings import EQUILIBRIUM, EquilibriumRow, describe_disagreement

MAX_BOTS: Final = 40
"""Largest field that is rated on the site; `arena table --equilibrium` rates any."""
SUMMARY: Final = (
    "Score against the equilibrium of the field, the mixture of bots that leaves the others least: 50 % is "
    "as good as any. Elo counts what a bot takes from everybody, so ten old versions of a bot count ten "
    "times; here copies of a bot change nothing."
)


def equilibrium_sections(rows: list[EquilibriumRow], link: Callable[[str], str]) -> Iterator[SiteSection]:
    """Yield the deviation ratings of a game; nothing for fewer than three bots.

    Args:
        rows: Its ratings, best first.
        link: Returns a bot's name with a link to its page.
    """
    if len(rows) < 3:
        return
    columns = [
        replace(column, text=lambda row: link(row.game.fit.bots[row.of.bot]))
        if column.kind is NAME
        else column
        for column in documented(EQUILIBRIUM)
    ]
    note = describe_disagreement(rows)
    yield SiteSection(
        "equilibrium",
        "Against the equilibrium",
        SUMMARY,
        table=Sheet("Against the equilibrium", columns, rows),
        notes=[note] if note else [],
    )


def equilibrium_data(rows: list[EquilibriumRow]) -> list[dict[str, Any]]:
    """Return the ratings for programs, in percent."""
    return records(EQUILIBRIUM, rows)
