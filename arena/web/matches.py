"""The matches of a league or run in the viewer, and their reviews."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

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
from arena.output.pages.page import render_replay_page
from arena.output.site.content import game_title
from arena.play.players import Note
from arena.play.records.record_schema import MatchRecord, encode_record
from arena.tournament.files import RunFolder
from arena.tournament.record_search import read_records, replay_deals
from arena.tournament.run import Run, read_stored_records
from arena.tournament.store.codec import unpack_outcome
from arena.tournament.store.played_blocks import PlayedBlock, unpack_played
from arena.web.context import MAX_NUMBER, RateLimit, name_client, refuse_if
from arena.web.jobs import ReviewQueue
from arena.web.pages import format_bar, render
from arena.web.requests import Identity
from arena.web.review_process import Review, describe_review
from arena.web.static_files import add_bar, page_policy

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

    async def answer(self, request: Request, match: ReviewedMatch, account: str = "") -> Response:
        """Show the review of a match or, if that is posted, ask for it, for an account or an address."""
        if request.method == "POST":
            if await to_thread.run_sync(self.queue.find, match.record) is None:
                self.queue.ask(match.record, name_client(request.scope, account))
            return RedirectResponse(request.url.path, 303)
        return await self._show(request, match)

    async def _show(self, request: Request, match: ReviewedMatch) -> Response:
        """Show the review; how far it is, if it is computed; else the button that asks for it."""
        waiting = self.queue.find_waiting(match.record)  # first: it may be stored meanwhile
        review = await to_thread.run_sync(self.queue.find, match.record)
        if review is not None:
            return await show_replay(request, match, review)
        problem = self.queue.find_problem(match.record)
        return render(request, "review.html", match=match, waiting=waiting, problem=problem)


async def show_replay(request: Request, match: ReviewedMatch, review: Review | None = None) -> Response:
    """Return the page with a match in the viewer, with its review if there is one."""
    other = ("The match without the review", match.replay) if review else ("Review", match.review)
    bar = format_bar(request.scope, request.app.state.links, [match.back, other])
    frame = f"{request.app.state.context.url}{match.frame}" if match.frame else ""
    page = await to_thread.run_sync(_render, match, review, frame)
    headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-store"}
    return HTMLResponse(add_bar(page.encode(), bar), headers=headers)


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


# --- lists of matches ---

MAX_BLOCKS: Final = 30
"""Limit on blocks of a bot in which its matches are listed, the latest first."""
MAX_LISTED: Final = 30


class _ListedMatch(NamedTuple):
    """A match as a bot sees it."""

    bot: str
    game: str
    opponents: str
    payoff: int
    path: str


def _list_match(
    block: int, rotation: int, game: tuple[str, int], names: Sequence[str], payoffs: Sequence[int], seat: int
) -> _ListedMatch:
    opponents = ", ".join([*names[:seat], *names[seat + 1 :]])
    path = f"/matches/{block}/{rotation}"
    return _ListedMatch(names[seat], game_title(game), opponents, payoffs[seat], path)


# --- matches of a league ---


@dataclass(frozen=True)
class LeagueMatches:
    """The matches of a league, as its submitters see them."""

    league: LeagueFolder
    template = "matches.html"
    back = "Your matches"

    def list(self, account: str, bot: str) -> dict[str, Any]:
        """Return the latest matches of the own bots, those that cost most first."""
        with LeagueResults.open(self.league.path) as results:
            own = [bot for bot in results.bots if bot.owner == account and bot.state != "banned"]
            matches = [match for bot in own for match in _matches_of_bot(results, bot)]
        return {"matches": sorted(matches, key=lambda match: match.payoff)[:MAX_LISTED]}

    def read(self, account: str, block: int, rotation: int) -> tuple[MatchRecord, Sequence[Note]]:
        """Return a match with the notes of an account's bots, or of all where the settings say so."""
        with LeagueResults.open(self.league.path) as results:
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
        return msgspec.structs.replace(record, block=str(block)), notes


def _matches_of_bot(results: LeagueResults, bot: Bot) -> Iterator[_ListedMatch]:
    label = results.versions[bot.version].label
    view = PublicView(results, results.settings.public_top)
    names = {
        version.label: view.mask(results.name_of(version.number), bot.owner) for version in results.versions
    }
    names[label] = bot.name
    for block in islice(results.blocks.played_blocks(bot.version, latest_first=True), MAX_BLOCKS):
        game = (block.variant, block.players)
        matches = unpack_outcome(results.blocks.played(block.index)[1]).matches
        for rotation, (seating, match) in enumerate(zip(block.seatings, matches, strict=True)):
            seated = [names[other] for other in seating]
            yield _list_match(block.index, rotation, game, seated, match.payoffs, seating.index(label))


# --- matches of a run ---

PIECE: Final = 100
"""Places of the schedule that are read at a time, from its end."""
MAX_SEARCHED: Final = 5_000
"""Limit on places in which the blocks of a bot are looked for."""


@dataclass(frozen=True)
class RunMatches:
    """The matches of a run, which all see alike."""

    folder: RunFolder
    template = "run_matches.html"
    back = "All matches"

    def list(self, account: str, bot: str) -> dict[str, Any]:
        """Return the latest matches with their winners, or those of a bot, the costliest first."""
        run = Run.open(self.folder.path)
        bots = sorted(spec.name for spec in run.config.bots)
        if bot and bot not in bots:
            raise HTTPException(404, "There is no such bot in this run.")
        blocks = islice((block for block in _read_latest(run) if _has_bot(block, bot)), MAX_BLOCKS)
        matches = [match for block in blocks for match in _matches_in_run(block, bot)]
        if bot:
            matches.sort(key=lambda match: match.payoff)
        return {"bots": bots, "bot": bot, "matches": matches[:MAX_LISTED]}

    def read(self, account: str, block: int, rotation: int) -> tuple[MatchRecord, Sequence[Note]]:
        """Return a match."""
        run = Run.open(self.folder.path)
        with run.open_store() as store:
            is_stored = bool(store.count(range(block, block + 1)))
        records = read_stored_records(run, block) if is_stored else []
        if rotation >= len(records):
            raise HTTPException(404)
        return records[rotation], ()


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
        if not bot or bot in seating:
            seat = seating.index(bot) if bot else match.placings.index(min(match.placings))
            yield _list_match(block.index, rotation, block.game, seating, match.payoffs, seat)


# --- pages of matches ---
# At a league for submitters who are signed in, with the notes of their bots; at a run for all.

LOOKS_PER_MINUTE: Final = 60
LOOKS_BURST: Final = 60
"""Matches that an account or address may look at at once: each is played again."""
MatchSource = LeagueMatches | RunMatches


class MatchPages:
    """The pages of matches: their list, the viewer, and reviews on request.

    Args:
        source: Reads the matches.
        reviews: Shows their reviews.
        identity: Finds out who is signed in; others see frames alone. None to show all to anybody.
    """

    def __init__(self, source: MatchSource, reviews: ReviewPages, identity: Identity | None = None) -> None:
        self._source, self._reviews, self._identity = source, reviews, identity
        self._looks = RateLimit(LOOKS_PER_MINUTE, LOOKS_BURST)

    def routes(self) -> list[BaseRoute]:
        match = "/matches/{block:int}/{rotation:int}"
        return [
            Route("/matches", self._list),
            Route(match, self._show),
            Route(f"{match}/review", self._review, methods=["GET", "POST"]),
            Route("/embed/{block:int}/{rotation:int}", self._show_in_frame),
        ]

    async def _list(self, request: Request) -> Response:
        """List the latest matches, those of a bot by what they cost."""
        account, bot = await self._account(request), request.query_params.get("bot", "")
        self._limit(request, account)
        values = await run_in_threadpool(self._source.list, account, bot)
        return render(request, self._source.template, **values)

    async def _show(self, request: Request) -> Response:
        return await show_replay(request, await self._find(request, await self._account(request)))

    async def _show_in_frame(self, request: Request) -> Response:
        """Show a match as anybody may see it, in a frame of any page, where nobody is signed in."""
        return await show_in_frame(await self._find(request, ""))

    async def _review(self, request: Request) -> Response:
        account = await self._account(request)
        return await self._reviews.answer(request, await self._find(request, account), account)

    async def _account(self, request: Request) -> str:
        if self._identity is None:
            return ""
        require = self._identity.require if request.method == "POST" else self._identity.require_page
        return await require(request)

    async def _find(self, request: Request, account: str) -> ReviewedMatch:
        """Return the match in the address as an account sees it."""
        self._limit(request, account)
        block, rotation = (request.path_params[name] for name in ("block", "rotation"))
        if block > MAX_NUMBER:
            raise HTTPException(404)
        return await run_in_threadpool(find_match, self._source, account, block, rotation)

    def _limit(self, request: Request, account: str) -> None:
        refuse_if(self._looks.take(name_client(request.scope, account)), "You look at many matches.")


def find_match(source: MatchSource, account: str, block: int, rotation: int) -> ReviewedMatch:
    """Return a match as an account sees it, without the seed, or raise HTTPException 404."""
    record, notes = source.read(account, block, rotation)
    heading = f"{record.variant}, match {rotation + 1} of block {block}"
    line = encode_record(msgspec.structs.replace(record, seed=None))
    path, frame = f"/matches/{block}/{rotation}", f"/embed/{block}/{rotation}"
    return ReviewedMatch(line, heading, path, f"{path}/review", (source.back, "/matches"), frame, notes)
