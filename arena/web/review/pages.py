"""The pages of a review: asked for, waited for, and seen in the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.output.pages.page import SERVER_LINKS, render_replay_page
from arena.play.players import Note
from arena.tournament.records import read_records, replay_deals
from arena.web.pages import render
from arena.web.rate_limits import name_client
from arena.web.review.process import Review, describe_review
from arena.web.review.queue import ReviewQueue
from arena.web.static_files import format_links, page_policy


class ReviewedMatch(NamedTuple):
    """A match that can be reviewed.

    Attributes:
        record: Its record, without a newline.
        heading: Its name.
        replay: Address of its replay without a review.
        review: Address of its review.
        back: Text and address of the page on which it is listed.
        frame: Path at which other pages can show it in a frame; empty if there is none.
        notes: Notes of bots that the reader may see.
    """

    record: bytes
    heading: str
    replay: str
    review: str
    back: tuple[str, str]
    frame: str = ""
    notes: Sequence[Note] = ()


class ReviewPages:
    """Answers to those who read reviews."""

    def __init__(self, queue: ReviewQueue) -> None:
        self.queue = queue

    async def show(self, request: Request, match: ReviewedMatch) -> Response:
        """Show the review of a match; how far it is, if it is computed; else the button that asks for it."""
        waiting = self.queue.find_waiting(match.record)  # first: it may be stored meanwhile
        review = await to_thread.run_sync(self.queue.find, match.record)
        if review is not None:
            return await show_replay(request, match, review)
        return render(
            request,
            "review.html",
            match=match,
            waiting=waiting,
            problem=self.queue.find_problem(match.record),
        )

    async def ask(self, request: Request, match: ReviewedMatch, account: str | None = None) -> Response:
        """Ask for the review of a match, for an account or an address.

        Raises:
            HTTPException: 429 if too many wait.
        """
        if await to_thread.run_sync(self.queue.find, match.record) is None:
            self.queue.ask(match.record, name_client(request.scope, account))
        return RedirectResponse(request.url.path, 303)


async def show_replay(request: Request, match: ReviewedMatch, review: Review | None = None) -> Response:
    """Return the page with a match in the viewer, with its review if there is one."""
    other = ("The match without the review", match.replay) if review else ("Review", match.review)
    links = f"<ul>\n{format_links([match.back, other])}</ul>\n"
    frame = f"{request.app.state.context.url}{match.frame}" if match.frame else ""
    page = await to_thread.run_sync(_render, match, review, frame)
    headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-store"}
    return HTMLResponse(page.replace(SERVER_LINKS, links, 1), headers=headers)


async def show_in_frame(match: ReviewedMatch) -> Response:
    """Return the page with a match for frames of other pages: without notes, and without links to others."""
    page = await to_thread.run_sync(_render, match._replace(notes=()), None, "")
    headers = {
        "Content-Security-Policy": page_policy(may_be_framed=True),
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return HTMLResponse(page, headers=headers)


def _render(match: ReviewedMatch, review: Review | None, frame: str) -> str:
    [record] = read_records("the match", [match.record])
    deals = replay_deals("the match", record)
    if review is None:
        return render_replay_page(record, deals, notes=match.notes, frame=frame)
    parts = [review.bot], review.suggestions, "", review.chances, match.notes, describe_review(review), frame
    return render_replay_page(record, deals, *parts)
