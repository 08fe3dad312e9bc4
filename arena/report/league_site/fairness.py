"""The section of suspected collusion on the page of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arena.columns.column import column_docs
from arena.columns.sheets import Sheet
from arena.report.collusion import COLLUSION, collusion_sheets
from arena.report.league_site.page import Cell, SiteSection, SiteTable
from arena.tournament.results.run_results import GameResults

SUMMARY = (
    "Pairs of which one helps the other against the rest of the table, beyond what their ratings explain. In "
    "at most 5 % of honest fields a pair is listed: a reason to look at their games, no proof."
)


def collusion_sections(game: GameResults, link: Callable[[str], Cell]) -> Iterator[SiteSection]:
    """Yield the suspected pairs of a game and, if there are any, the ratings without their tables.

    Args:
        game: Its results.
        link: Returns a bot's name with a link to its page.
    """
    suspects, *ratings = collusion_sheets(game)
    yield SiteSection(
        "collusion",
        "Collusion",
        SUMMARY,
        facts=[(name, " ".join(doc.meaning.split())) for name, doc in column_docs(COLLUSION).items()]
        if suspects.rows
        else (),
        table=_linked(suspects, link, 2) if suspects.rows else None,
        notes=suspects.notes,
    )
    for sheet in ratings:
        yield SiteSection(
            "without-suspects",
            "Ratings without their tables",
            table=_linked(sheet, link, 1),
            notes=sheet.notes,
        )


def _linked(sheet: Sheet, link: Callable[[str], Cell], names: int) -> SiteTable:
    """Return a sheet as a table; its first `names` columns are bots."""
    rows = [[*map(link, row[:names]), *row[names:]] for row in sheet.cells]
    return SiteTable(sheet.title, sheet.headings, rows, range(names))
