"""A page for a projector: the standings of a run in large type, and its bracket, renewed while it plays."""

from __future__ import annotations

from typing import Any, Final

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.report.page.run_page import list_rounds
from arena.report.text_format import format_count
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.results.rating_table import RatingRow
from arena.tournament.results.run_results import RunResults
from arena.tournament.running.run import Run
from arena.web.context import Feature, WebContext
from arena.web.pages import render

MAX_ROWS: Final = 12
"""Bots that fit on a screen."""
RENEWED_EVERY_S: Final = 10


def presentation_feature(context: WebContext) -> Feature | None:
    """Return the page of the run that is served; None if none is."""
    run = context.run
    if run is None:
        return None

    async def show(request: Request) -> Response:
        values = await to_thread.run_sync(describe_run, run)
        return render(request, "presentation.html", every_s=RENEWED_EVERY_S, **values)

    return Feature([Route("/presentation", show)], [("Presentation", "/presentation")])


def describe_run(folder: RunFolder) -> dict[str, Any]:
    """Return the variables of the page.

    Raises:
        StoreError: For a damaged run.
    """
    run = Run.open(folder.path)
    found = run.results()
    rows = [row for row in find_rows(found) if row.elo is not None]
    board, total = found.scoreboard, run.total
    return {
        "name": run.config.title or f"{run.config.format.capitalize()} tournament",
        "progress": found.blocks / total if total else None,
        "played": format_count(found.matches, "matches"),
        "is_finished": run.is_over(),
        "rows": rows[:MAX_ROWS],
        "others": max(len(rows) - MAX_ROWS, 0),
        "rounds": list_rounds(board) if board else [],
        "rounds_title": "Bracket" if run.stages.format.eliminates else "Rounds",
    }


def find_rows(found: RunResults) -> list[RatingRow]:
    """Return the rows over all games; with one game, or bots that differ by game, those of the first."""
    games = list(found.games.values())
    return found.overall or (list(games[0].rows) if games else [])
