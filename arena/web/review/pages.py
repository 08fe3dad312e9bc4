"""The pages of a review: asked for, waited for, and seen in the viewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arena.output.pages.render import render_replay_page
from arena.play.players import Note
from arena.tournament.files.record_files import read_records, replay_deals
from arena.web.files import page_policy
from arena.web.pages import render
from arena.web.rate_limits import name_client
from arena.web.review.process import Review, describe_review
from arena.web.review.queue import ReviewQueue


class ReviewedMatch(NamedTuple):
    """A match that can be reviewed.

    Attributes:
        record: Its record, without a newline.
        heading: Its name.
        replay: Address of its replay without a review.
        notes: Notes of bots that the reader may see.
    """

    record: bytes
    heading: str
    replay: str
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
            return await to_thread.run_sync(show_replay, match, review)
        return render(
            request,
            "review.html",
            heading=match.heading,
            replay=match.replay,
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


def show_replay(match: ReviewedMatch, review: Review | None = None) -> Response:
    """Return the page with a match in the viewer, with its review if there is one."""
    [found] = read_records("the match", [match.record])
    deals = replay_deals("the match", found)
    if review:
        parts = [review.bot], review.suggestions, "", review.chances, match.notes, describe_review(review)
        page = render_replay_page(found, deals, *parts)
    else:
        page = render_replay_page(found, deals, notes=match.notes)
    headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-store"}
    return HTMLResponse(page, headers=headers)
