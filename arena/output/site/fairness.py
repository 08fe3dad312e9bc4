"""The section of suspected collusion on the page of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from arena.columns.column import column_docs
from arena.columns.kinds import NAME
from arena.columns.sheets import Sheet
from arena.output.site.page import SiteSection
from arena.output.tables.collusion import COLLUSION, collusion_sheets
from arena.tournament.results.run_results import GameResults

SUMMARY = (
    "Pairs of which one helps the other against the rest of the table, beyond what their ratings explain. In "
    "at most 5 % of honest fields a pair is listed: a reason to look at their games, no proof."
)


def collusion_sections(game: GameResults, link: Callable[[str], str]) -> Iterator[SiteSection]:
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
        table=_linked(suspects, link) if suspects.rows else None,
        notes=suspects.notes,
    )
    for sheet in ratings:
        yield SiteSection(
            "without-suspects",
            "Ratings without their tables",
            table=_linked(sheet, link),
            notes=sheet.notes,
        )


def _linked(sheet: Sheet, link: Callable[[str], str]) -> Sheet:
    """Return a sheet whose names of bots lead to their pages."""
    kinds = {True: NAME._replace(write=link)}
    columns = [replace(column, kind=kinds.get(column.kind is NAME, column.kind)) for column in sheet.columns]
    return sheet._replace(columns=columns, notes=())
