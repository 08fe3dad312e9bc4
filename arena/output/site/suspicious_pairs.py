"""Sections about pairs of bots to look at: suspected collusion, and near copies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from arena.columns.column import column_docs
from arena.columns.kinds import NAME
from arena.columns.table_formats import Sheet
from arena.output.site.page_model import SiteSection
from arena.output.tables.fair_play import COLLUSION, COPIES, collusion_sheets, copies_sheet
from arena.tournament.results.results import GameResults
from arena.tournament.review.differences import Agreement

SUMMARY = (
    "Pairs of which one helps the other against the rest of the table, beyond what their ratings explain. In "
    "at most 5 % of honest fields a pair is listed: a reason to look at their games, no proof."
)

COPIES_SUMMARY = (
    "Pairs that decided alike in nearly all decisions in which both saw the same. Good bots agree on most: "
    "compare the share with the median. A reason to read the code of both, no proof."
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


def copies_section(
    game: GameResults, agreements: Sequence[Agreement], link: Callable[[str], str]
) -> SiteSection:
    """Return the pairs of a game that decide alike.

    Args:
        game: Its results.
        agreements: The agreement of all pairs.
        link: Returns a bot's name with a link to its page.
    """
    sheet = copies_sheet(agreements, game.game, game.title)
    facts = [(name, " ".join(doc.meaning.split())) for name, doc in column_docs(COPIES).items()]
    return SiteSection(
        "copies",
        "Near copies",
        COPIES_SUMMARY,
        facts=facts if sheet.rows else (),
        table=_linked(sheet, link) if sheet.rows else None,
        notes=sheet.notes,
    )


def _linked(sheet: Sheet, link: Callable[[str], str]) -> Sheet:
    """Return a sheet whose names of bots lead to their pages."""
    kinds = {True: NAME._replace(write=link)}
    columns = [replace(column, kind=kinds.get(column.kind is NAME, column.kind)) for column in sheet.columns]
    return sheet._replace(columns=columns, notes=())
