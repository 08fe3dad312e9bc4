"""The data of a final, and the page of one that is held back: its rounds as far as they are revealed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.columns.column import Column, records
from arena.columns.kinds import INTEGER, NAME, PERCENT, TEXT
from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet
from arena.league.held_back_final import list_pairings
from arena.league.store import FinalRun as LeagueFinal
from arena.output.site.page_model import SitePage, SiteSection
from arena.tournament.formats import Pairing
from arena.tournament.run import Run

COMING: Final = "Who meets whom; the results are not revealed yet."


def final_path(final: LeagueFinal) -> str:
    """Return the page of a final, relative to the site."""
    return f"finals/{final.number}.html"


def final_page(final: LeagueFinal, run: Run, revealed: int | None = None) -> SitePage:
    """Return the page of a final with its rounds as far as they are revealed, and their data.

    Args:
        final: The final.
        run: Its run.
        revealed: Number of rounds revealed; None for all, of which the report of the run is the page.
    """
    pairings = list_pairings(run, revealed)
    rounds = sorted({pairing.round for pairing in pairings})
    return SitePage(
        path=final_path(final),
        title=run.config.title or f"Final {final.number}",
        lead="" if revealed is None else f"{format_count(revealed, 'rounds')} revealed.",
        sections=[_round_section(number, pairings, revealed) for number in rounds],
        data={"pairings": records(COLUMNS, pairings)},
    )


def _round_section(number: int, pairings: Sequence[Pairing], revealed: int | None) -> SiteSection:
    rows = [pairing for pairing in pairings if pairing.round == number]
    summary = COMING if revealed is not None and number > revealed else ""
    title = f"Round {number}"
    return SiteSection(f"round-{number}", title, summary, table=Sheet(title, COLUMNS[1:], rows))


COLUMNS: Final[tuple[Column[Pairing], ...]] = (
    Column("round", value=lambda row: row.round, kind=INTEGER),
    Column("table", value=lambda row: row.table, kind=INTEGER, missing=""),
    Column("bot", value=lambda row: row.bot, kind=NAME),
    Column("score", value=lambda row: row.score, kind=PERCENT, missing="", error=lambda row: row.error),
    Column("result", value=lambda row: row.result, kind=TEXT),
)
