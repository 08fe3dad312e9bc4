"""Matches of a run for all who reach its server: in the viewer, and reviewed on request."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from arena.output.site.content import game_title
from arena.play.records.record_schema import encode_record
from arena.tournament.files import RunFolder
from arena.tournament.results.results import CountedBlock, unpack_counted
from arena.tournament.run import Run
from arena.tournament.store.store import StoredOutcome
from arena.tournament.stored_run import read_stored_records
from arena.web.pages import render
from arena.web.rate_limits import RateLimit, name_client, refuse_if
from arena.web.review.league_matches import (
    LOOKS_BURST,
    LOOKS_PER_MINUTE,
    MAX_BLOCKS,
    MAX_LISTED,
    MAX_NUMBER,
    ListedMatch,
)
from arena.web.review.pages import ReviewedMatch, ReviewPages, show_in_frame, show_replay

PIECE: Final = 100
"""Places of the schedule that are read at a time, from its end."""
MAX_SEARCHED: Final = 5_000
"""Limit on places in which the blocks of a bot are looked for."""


class RunMatches:
    """The pages of a run's matches."""

    def __init__(self, folder: RunFolder, reviews: ReviewPages) -> None:
        self._folder, self._reviews = folder, reviews
        self._looks = RateLimit(LOOKS_PER_MINUTE, LOOKS_BURST)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        match = "/matches/{block:int}/{rotation:int}"
        return [
            Route("/matches", self.list),
            Route(match, self.show),
            Route(f"{match}/review", self.review, methods=["GET", "POST"]),
            Route("/embed/{block:int}/{rotation:int}", self.show_in_frame),
        ]

    async def list(self, request: Request) -> Response:
        """List the latest matches with their winners, or those of a bot, the costliest first."""
        self._limit(request)
        bot = request.query_params.get("bot", "")
        bots, matches = await run_in_threadpool(_list_run_matches, self._folder, bot)
        return render(request, "run_matches.html", bots=bots, bot=bot, matches=matches)

    async def show(self, request: Request) -> Response:
        """Show a match in the viewer."""
        return await show_replay(request, await self._find(request))

    async def show_in_frame(self, request: Request) -> Response:
        """Show a match in the viewer, in a frame of any page."""
        return await show_in_frame(await self._find(request))

    async def review(self, request: Request) -> Response:
        """Show the review of a match, or ask for it."""
        match = await self._find(request)
        answer = self._reviews.ask if request.method == "POST" else self._reviews.show
        return await answer(request, match)

    async def _find(self, request: Request) -> ReviewedMatch:
        """Return the match in the address.

        Raises:
            HTTPException: 404 if there is no such match, 429 if the visitor looks at too many.
        """
        self._limit(request)
        block, rotation = (request.path_params[name] for name in ("block", "rotation"))
        if block > MAX_NUMBER:
            raise HTTPException(404)
        return await run_in_threadpool(_read_run_match, self._folder, block, rotation)

    def _limit(self, request: Request) -> None:
        refuse_if(self._looks.take(name_client(request.scope, None)), "You look at many matches.")


def _read_run_match(folder: RunFolder, block: int, rotation: int) -> ReviewedMatch:
    run = Run.open(folder.path)
    with run.open_store() as store:
        is_stored = bool(store.count(range(block, block + 1)))
    records = read_stored_records(run, block) if is_stored else []
    if rotation >= len(records):
        raise HTTPException(404)
    record = records[rotation]
    line = encode_record(msgspec.structs.replace(record, seed=None))
    heading = f"{record.variant}, match {rotation + 1} of block {block}"
    path = f"/matches/{block}/{rotation}"
    back = ("All matches", "/matches")
    return ReviewedMatch(line, heading, path, f"{path}/review", back, f"/embed/{block}/{rotation}")


def _list_run_matches(folder: RunFolder, bot: str) -> tuple[list[str], list[ListedMatch]]:
    """Return the bots of a run, and its latest matches or those of one of the bots."""
    run = Run.open(folder.path)
    bots = sorted(spec.name for spec in run.config.bots)
    if bot and bot not in bots:
        raise HTTPException(404, "There is no such bot in this run.")
    blocks = islice((block for block in _read_latest(run) if _has_bot(block, bot)), MAX_BLOCKS)
    matches = [match for block in blocks for match in _matches_in_run(block, bot)]
    if bot:
        matches.sort(key=lambda match: match.payoff)
    return bots, matches[:MAX_LISTED]


def _read_latest(run: Run) -> Iterator[CountedBlock]:
    """Yield the latest blocks of the schedule that are stored, the last first."""
    names = [spec.name for spec in run.config.bots]
    with run.open_store() as store:
        end = max(store.indices(), default=-1) + 1
        for stop in range(end, max(end - MAX_SEARCHED, 0), -PIECE):
            for block in reversed(list(store.sound_blocks(range(max(stop - PIECE, 0), stop)))):
                stored = StoredOutcome(block.index, block.address, block.seats, block.outcome)
                yield unpack_counted(stored, names)


def _has_bot(block: CountedBlock, bot: str) -> bool:
    return not bot or any(bot in seating for seating in block.seatings)


def _matches_in_run(block: CountedBlock, bot: str) -> Iterator[ListedMatch]:
    """Yield the matches of a block, with a bot in each or the winner."""
    for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
        if bot and bot not in seating:
            continue
        seat = seating.index(bot) if bot else match.placings.index(min(match.placings))
        yield ListedMatch(
            seating[seat],
            game_title(block.game),
            ", ".join([*seating[:seat], *seating[seat + 1 :]]),
            match.payoffs[seat],
            f"/matches/{block.place}/{rotation}",
        )
