"""The page for a projector: standings in large type, or the bracket of a knockout, renewed during play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.columns.number_format import format_count
from arena.league.results import LeagueResults, PublicView, count_rounds, list_pairings
from arena.league.settings import LeagueFolder
from arena.output.pages.run_pages import list_rounds
from arena.tournament.results.rating_table import RatingRow
from arena.tournament.review.live import choose_standings
from arena.tournament.run import Run
from arena.web.context import Feature, WebContext
from arena.web.pages import render

MAX_ROWS: Final = 12
"""Bots that fit on a screen."""
RENEWED_EVERY_S: Final = 10


class PresentedRow(NamedTuple):
    """A bot of a ladder."""

    rank: str
    """Its ranks, as `1–6`; empty without one."""
    bot: str
    bound: str
    """`<` or `>` if the Elo is a bound."""
    elo: float | None
    """None where nothing is known of it."""
    error: float | None


def presentation_feature(context: WebContext) -> Feature | None:
    """Return the page of the run or league that is served; None if neither is."""
    run, league = context.run, context.league
    if run is None and league is None:
        return None

    def describe() -> dict[str, Any]:
        if league is not None:
            return describe_league(league)
        assert run is not None
        return describe_run(Run.open(run.path))

    async def show(request: Request) -> Response:
        values = await to_thread.run_sync(describe)
        return render(request, "presentation.html", every_s=RENEWED_EVERY_S, **values)

    return Feature([Route("/presentation", show)], [("Presentation", "/presentation")])


def describe_league(folder: LeagueFolder) -> dict[str, Any]:
    """Return the variables of the page of a league: its latest final or, without one, its main ladder.

    Raises:
        StoreError: For a damaged league or final.
    """
    with LeagueResults.open(folder.path) as results:
        view = PublicView(results, results.settings.public_top)
        if view.finals:
            final = view.finals[-1]
            return describe_run(Run.open(folder.path / final.folder), results.held_finals.get(final.number))
        ladder = [change.rating for change in next(iter(view.ladders.values()), [])]
        rows = [
            PresentedRow(
                rating.text_rank,
                results.name_of(rating.version),
                rating.mark,
                elo,
                rating.comparison_error,
            )
            for rating in ladder
            if (elo := rating.shown_elo) is not None and not results.entry_of(rating.version).is_ghost
        ]
        return {
            **_describe_rows(rows),
            "name": results.title,
            "progress": None,
            "played": format_count(results.count_blocks(), "blocks"),
            "is_finished": False,
            "rounds": [],
            "rounds_title": "",
        }


def describe_run(run: Run, revealed: int | None = None) -> dict[str, Any]:
    """Return the variables of the page of a run.

    Args:
        run: The run.
        revealed: Rounds that are revealed, of a final that is held back; None for a run that is not.

    Raises:
        StoreError: For a damaged run.
    """
    about = {
        "name": run.config.title or f"{run.config.format.capitalize()} tournament",
        "rounds": list_rounds(list_pairings(run, revealed)),
        "rounds_title": "Bracket" if run.stages.format.eliminates else "Rounds",
    }
    if revealed is not None:
        played = f"{revealed} of {format_count(count_rounds(run), 'rounds')} revealed"
        return {**about, **_describe_rows(None), "played": played, "progress": None, "is_finished": False}
    results, total = run.results(), run.total
    is_over = run.is_over()
    results = results if is_over else results.with_anytime()  # it is looked at again and again
    return {
        **about,
        **_describe_rows([_present(row) for row in choose_standings(results)[1] if row.elo is not None]),
        "progress": results.blocks / total if total else None,
        "played": format_count(results.matches, "matches"),
        "is_finished": is_over,
    }


def _present(row: RatingRow) -> PresentedRow:
    return PresentedRow(row.rank or "", row.text_name, row.text_bound, row.text_elo, row.comparison_error)


def _describe_rows(rows: Sequence[PresentedRow] | None) -> dict[str, Any]:
    """Return the variables of the standings; None shows none."""
    if rows is None:
        return {"has_standings": False, "rows": [], "others": 0}
    return {"has_standings": True, "rows": rows[:MAX_ROWS], "others": max(len(rows) - MAX_ROWS, 0)}
