"""Matches of a league for those who are signed in: the replay with their own bots' notes, and the review."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.errors import StoreError
from arena.league.results import LeagueResults, PublicView
from arena.league.settings import LeagueFolder
from arena.league.store import Bot
from arena.output.site.content import game_title
from arena.play.records.record_schema import encode_record
from arena.tournament.store.codec import unpack_outcome
from arena.web.identity import Identity
from arena.web.pages import render
from arena.web.rate_limits import RateLimit, name_client, refuse_if
from arena.web.review.pages import ReviewedMatch, ReviewPages, show_in_frame, show_replay

MAX_BLOCKS: Final = 30
"""Limit on blocks of a bot in which its matches are listed, the latest first."""
LOOKS_PER_MINUTE: Final = 60
LOOKS_BURST: Final = 60
"""Matches that an account may look at at once: each is played again."""
MAX_LISTED: Final = 30
MAX_NUMBER: Final = (1 << 63) - 1


class ListedMatch(NamedTuple):
    """A match of one's own bot."""

    bot: str
    game: str
    opponents: str
    payoff: int
    path: str


class LeagueMatches:
    """The pages of a league's matches."""

    def __init__(self, league: LeagueFolder, identity: Identity, reviews: ReviewPages) -> None:
        self._league, self._identity, self._reviews = league, identity, reviews
        self._looks = RateLimit(LOOKS_PER_MINUTE, LOOKS_BURST)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        match = "/matches/{block:int}/{rotation:int}"
        return [
            Route("/matches", self.list),
            Route(match, self.show),
            Route(f"{match}/review", self.show_review, methods=["GET"]),
            Route(f"{match}/review", self.ask, methods=["POST"]),
            Route("/embed/{block:int}/{rotation:int}", self.show_in_frame),
        ]

    async def list(self, request: Request) -> Response:
        """List the latest matches of one's own bots, those that cost most first."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        return render(
            request,
            "matches.html",
            matches=await run_in_threadpool(_list_league_matches, self._league, account),
        )

    async def show(self, request: Request) -> Response:
        """Show a match in the viewer."""
        match = await self._find(request)
        return await show_replay(request, match) if match else RedirectResponse("/sign-in", 303)

    async def show_in_frame(self, request: Request) -> Response:
        """Show a match as anybody may see it, in a frame of any page, where nobody is signed in."""
        return await show_in_frame(await self._read(request, name_client(request.scope, None), ""))

    async def show_review(self, request: Request) -> Response:
        """Show the review of a match, or ask whether to compute it."""
        match = await self._find(request)
        return await self._reviews.show(request, match) if match else RedirectResponse("/sign-in", 303)

    async def ask(self, request: Request) -> Response:
        """Ask for the review of a match."""
        account = await self._identity.require(request)
        match = await self._find(request)
        assert match is not None
        return await self._reviews.ask(request, match, account)

    async def _find(self, request: Request) -> ReviewedMatch | None:
        """Return the match in the address; None if nobody is signed in.

        Raises:
            HTTPException: 404 if there is no such match, 429 if the account looks at too many.
        """
        account = await self._identity.find(request)
        return await self._read(request, account, account) if account else None

    async def _read(self, request: Request, client: str, account: str) -> ReviewedMatch:
        """Return the match in the address as an account sees it, or with an empty one anybody."""
        refuse_if(self._looks.take(client), "You look at many matches.")
        block, rotation = (request.path_params[name] for name in ("block", "rotation"))
        if block > MAX_NUMBER:
            raise HTTPException(404)
        return await run_in_threadpool(_read_league_match, self._league, account, block, rotation)


def _read_league_match(league: LeagueFolder, account: str, block: int, rotation: int) -> ReviewedMatch:
    with LeagueResults.open(league.path) as results:
        try:
            records = results.records(block)
        except StoreError as error:
            raise HTTPException(404) from error
        if rotation >= len(records):
            raise HTTPException(404)
        record = records[rotation]
        notes = results.notes(block, rotation)
        if not results.settings.show_notes:
            owners = {results.name_of(version.number): version.bot for version in results.versions}
            own = {bot.number for bot in results.bots if bot.owner == account}
            names: Sequence[str] = record.bots or ()
            notes = [note for note in notes if owners.get(names[note.seat]) in own]
        view = PublicView(results, results.settings.public_top)
        record = view.mask_record(record, block, account)
    path = f"/matches/{block}/{rotation}"
    line = encode_record(msgspec.structs.replace(record, seed=None, block=str(block)))
    heading, back = f"{record.variant}, match {rotation + 1} of block {block}", ("Your matches", "/matches")
    frame = f"/embed/{block}/{rotation}"
    return ReviewedMatch(line, heading, path, f"{path}/review", back, frame, notes)


def _list_league_matches(league: LeagueFolder, account: str) -> list[ListedMatch]:
    with LeagueResults.open(league.path) as results:
        own = [bot for bot in results.bots if bot.owner == account and bot.state != "banned"]
        matches = [match for bot in own for match in _matches_of_bot(results, bot)]
    matches.sort(key=lambda match: match.payoff)
    return matches[:MAX_LISTED]


def _matches_of_bot(results: LeagueResults, bot: Bot) -> Iterator[ListedMatch]:
    names = {version.label: results.name_of(version.number) for version in results.versions}
    label = results.versions[bot.version].label
    view = PublicView(results, results.settings.public_top)
    for number, block in islice(results.played_blocks(bot.version, latest_first=True), MAX_BLOCKS):
        matches = unpack_outcome(results.packed(number)).matches
        for rotation, (seating, match) in enumerate(zip(block.seatings, matches, strict=True)):
            yield ListedMatch(
                bot.name,
                game_title((block.variant, block.players)),
                ", ".join([view.mask(names[other], bot.owner) for other in seating if other != label]),
                match.payoffs[seating.index(label)],
                f"/matches/{number}/{rotation}",
            )
