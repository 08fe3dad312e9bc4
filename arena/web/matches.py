"""The matches of a league or run in the viewer, and their reviews.

`ReviewPages` shows the matches of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

import msgspec
from anyio import to_thread
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.errors import StoreError
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults, PublicView
from arena.league.store import Bot
from arena.output.pages.page import SERVER_LINKS, render_replay_page
from arena.output.site.content import game_title
from arena.play.players import Note
from arena.play.records.record_schema import encode_record
from arena.tournament.files import RunFolder
from arena.tournament.records import read_records, replay_deals
from arena.tournament.run import Run, read_stored_records
from arena.tournament.store.codec import unpack_outcome
from arena.tournament.store.played_blocks import PlayedBlock, unpack_played
from arena.web.context import RateLimit, name_client, refuse_if
from arena.web.jobs import ReviewQueue
from arena.web.pages import render
from arena.web.requests import Identity
from arena.web.review_process import Review, describe_review
from arena.web.static_files import format_links, page_policy

# --- pages of a review ---


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
        """Ask for the review of a match, for an account or an address."""
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


# --- league matches ---
# Pages for signed-in submitters: the replay with their own bots' notes, and the review.

MAX_BLOCKS: Final = 30
"""Limit on blocks of a bot in which its matches are listed, the latest first."""
LOOKS_PER_MINUTE: Final = 60
LOOKS_BURST: Final = 60
"""Matches that an account may look at at once: each is played again."""
MAX_LISTED: Final = 30
MAX_NUMBER: Final = (1 << 63) - 1


class _ListedMatch(NamedTuple):
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
        """Return the match in the address; None if nobody is signed in."""
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


def _list_league_matches(league: LeagueFolder, account: str) -> list[_ListedMatch]:
    with LeagueResults.open(league.path) as results:
        own = [bot for bot in results.bots if bot.owner == account and bot.state != "banned"]
        matches = [match for bot in own for match in _matches_of_bot(results, bot)]
    matches.sort(key=lambda match: match.payoff)
    return matches[:MAX_LISTED]


def _matches_of_bot(results: LeagueResults, bot: Bot) -> Iterator[_ListedMatch]:
    names = {version.label: results.name_of(version.number) for version in results.versions}
    label = results.versions[bot.version].label
    view = PublicView(results, results.settings.public_top)
    for number, block in islice(results.played_blocks(bot.version, latest_first=True), MAX_BLOCKS):
        matches = unpack_outcome(results.packed(number)).matches
        for rotation, (seating, match) in enumerate(zip(block.seatings, matches, strict=True)):
            yield _ListedMatch(
                bot.name,
                game_title((block.variant, block.players)),
                ", ".join([view.mask(names[other], bot.owner) for other in seating if other != label]),
                match.payoffs[seating.index(label)],
                f"/matches/{number}/{rotation}",
            )


# --- run matches ---
# Pages for all who reach the server of a run: the viewer, and reviews on request.

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
        """Return the match in the address."""
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


def _list_run_matches(folder: RunFolder, bot: str) -> tuple[list[str], list[_ListedMatch]]:
    run = Run.open(folder.path)
    bots = sorted(spec.name for spec in run.config.bots)
    if bot and bot not in bots:
        raise HTTPException(404, "There is no such bot in this run.")
    blocks = islice((block for block in _read_latest(run) if _has_bot(block, bot)), MAX_BLOCKS)
    matches = [match for block in blocks for match in _matches_in_run(block, bot)]
    if bot:
        matches.sort(key=lambda match: match.payoff)
    return bots, matches[:MAX_LISTED]


def _read_latest(run: Run) -> Iterator[PlayedBlock]:
    """Yield the latest blocks of the schedule that are stored, the last first."""
    names = [spec.name for spec in run.config.bots]
    with run.open_store() as store:
        end = max(store.indices(), default=-1) + 1
        for stop in range(end, max(end - MAX_SEARCHED, 0), -PIECE):
            for block in reversed(list(store.read(range(max(stop - PIECE, 0), stop)))):
                yield unpack_played(block, names)


def _has_bot(block: PlayedBlock, bot: str) -> bool:
    return not bot or any(bot in seating for seating in block.seatings)


def _matches_in_run(block: PlayedBlock, bot: str) -> Iterator[_ListedMatch]:
    for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
        if bot and bot not in seating:
            continue
        seat = seating.index(bot) if bot else match.placings.index(min(match.placings))
        yield _ListedMatch(
            seating[seat],
            game_title(block.game),
            ", ".join([*seating[:seat], *seating[seat + 1 :]]),
            match.payoffs[seat],
            f"/matches/{block.index}/{rotation}",
        )
