"""The live page, its stream of events, and the page for a projector."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol

import msgspec
from anyio import to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arena.columns.number_format import format_count
from arena.errors import ArenaError
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults, PublicView, count_rounds, list_pairings
from arena.output.pages.replay_data import ReplayData, replay_of_record
from arena.output.pages.run_pages import list_rounds
from arena.output.site.content import game_title
from arena.play.records.record_check import replay_record
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.review.live import LiveMatch, LiveState, choose_standings
from arena.tournament.run import Run
from arena.web.context import Feature, WebContext
from arena.web.jobs import run_in_background
from arena.web.pages import WAITING, format_event, is_quiet, render, stream_events
from arena.web.requests import Identity

log = logging.getLogger(__name__)


# --- live page ---
# A page of a league or run, with a stream of server-sent events.

LOOK_EVERY_S: Final = 2.0
REST_RATIO: Final = 4
"""Minimum pause between two looks, as a multiple of the time one takes, to keep looking cheap."""
FEATURED_FOR_S: Final = 20.0
"""Seconds for which a featured match stays."""
DIGITS: Final = 4
"""Decimals of ratings, which pages round."""
NOTHING: Final = "Nothing has been played yet."
RUN_STATES: Final = {"open": "", "stopped": " (not being played now)", "done": ", finished"}


class Watcher(Protocol):
    """Reads a league or a run again and again."""

    def look(self) -> LiveState:
        """Return it as it is now."""


class LiveFeed:
    """Events of a league or run, read once for all who follow it, and only while somebody does."""

    def __init__(self, watcher: Watcher, stopping: asyncio.Event) -> None:
        self._watcher = watcher
        self._stopping = stopping
        self._looking = asyncio.Lock()
        self._followers, self._is_followed = 0, asyncio.Event()
        self._changed = asyncio.Event()
        self._events: dict[str, bytes] = {}
        self._state: LiveState | None = None
        self._looked, self._took_s = -math.inf, 0.0
        self._featured_since = 0.0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Look within the context while somebody follows."""
        async with run_in_background(self._work):
            yield

    @property
    def _pause_s(self) -> float:
        return max(LOOK_EVERY_S, REST_RATIO * self._took_s)

    async def look(self) -> LiveState:
        """Return the state of the last look; after a while, look again and store what changed."""
        async with self._looking:
            began = time.monotonic()
            if self._state is not None and began - self._looked < self._pause_s:
                return self._state
            state = await run_in_threadpool(self._watcher.look)
            self._state, self._looked = state, time.monotonic()
            self._took_s = self._looked - began
            events: dict[str, Any] = {
                "standings": _describe_standings(state),
                "matches": [describe_match(match) for match in state.matches],
            }
            if state.update is not None:
                events["final"] = {"final": state.final, "revealed": state.revealed}
            is_due = time.monotonic() - self._featured_since >= FEATURED_FOR_S
            if state.featured and (is_due or "featured" not in self._events):
                replay = await run_in_threadpool(_make_replay, state.featured)
                events["featured"] = msgspec.to_builtins(replay)
                self._featured_since = time.monotonic()
            for kind, data in events.items():
                self._store(kind, format_event(kind, data))
            return state

    def _store(self, kind: str, event: bytes) -> None:
        if self._events.get(kind) != event:
            self._events[kind] = event
            self._changed.set()
            self._changed = asyncio.Event()

    async def follow(self) -> AsyncIterator[bytes]:
        """Yield the present state as events, then what changes."""
        sent: dict[str, bytes] = {}
        self._followers += 1
        self._is_followed.set()
        try:
            while not self._stopping.is_set():
                changed = self._changed
                for kind, event in list(self._events.items()):
                    if sent.get(kind) is not event:
                        sent[kind] = event
                        yield event
                if await is_quiet(changed):
                    yield WAITING
        finally:
            self._followers -= 1
            if not self._followers:
                self._is_followed.clear()

    async def _work(self) -> None:
        while True:
            await self._is_followed.wait()
            try:
                await self.look()
            except ArenaError as error:
                log.error("live: %s", error)
            await asyncio.sleep(self._pause_s)


class LivePages:
    """The live page, its events, and at a league's server the own rows of an account."""

    def __init__(self, feed: LiveFeed, identity: Identity | None = None) -> None:
        self._feed, self._identity = feed, identity

    def routes(self) -> list[BaseRoute]:
        own = [Route("/api/live/own", self._own)] if self._identity else []
        return [Route("/live", self._show), Route("/api/live/events", self._events), *own]

    async def _show(self, request: Request) -> Response:
        """Show the standings, the latest matches and a featured match."""
        account = await self._identity.find(request) if self._identity else None
        state = await self._feed.look()
        return render(
            request,
            "live.html",
            standings=_describe_standings(state),
            matches=[describe_match(match) for match in state.matches],
            own=describe_rows(state.own.get(account, ())) if account else [],
            account=account,
        )

    async def _own(self, request: Request) -> Response:
        """Return the rows of the bots of an account, also those that others do not see."""
        assert self._identity
        account = await self._identity.require(request)
        state = await self._feed.look()
        return JSONResponse({"rows": describe_rows(state.own.get(account, ()))})

    async def _events(self, request: Request) -> Response:
        """Stream `standings`, `matches`, `featured` and `final`, each when it changes."""
        return stream_events(self._feed.follow())


def _describe_standings(state: LiveState) -> dict[str, Any]:
    """Return the standings for a page and as JSON, with a sentence about what is played."""
    game = "over all games" if state.game is None else game_title(state.game)
    about: dict[str, Any] = {"state": state.state, "blocks": state.blocks, "game": game}
    if state.update is not None:
        finished = ", finished" if state.state == "done" else ""
        about["update"] = state.update
        summary = f"Update {state.update}{finished}: {format_count(state.blocks, 'blocks')} in all, {game}."
        is_empty = not state.update
    else:
        about["total"], is_empty = state.total, not state.blocks
        of = "" if state.total is None else f" of {state.total:,}"
        summary = f"{state.blocks:,}{of} blocks{RUN_STATES[state.state]}, {game}."
    return {**about, "summary": NOTHING if is_empty else summary, "rows": describe_rows(state.rows)}


def describe_rows(rows: Sequence[RatingRow]) -> list[dict[str, Any]]:
    """Return rows of standings for a page and as JSON; `error` is the ± for comparing."""
    return [
        {
            "rank": row.rank or "",
            "bot": row.text_name,
            "bound": row.text_bound,
            "elo": None if row.text_elo is None else round(row.text_elo, DIGITS),
            "error": None if row.comparison_error is None else round(row.comparison_error, DIGITS),
        }
        for row in rows
    ]


def describe_match(match: LiveMatch) -> dict[str, Any]:
    """Return a match for a page and as JSON, its bots by placing."""
    record = match.record
    placings, payoffs, bots = record.placings or (), record.payoffs or (), record.bots or ()
    seats = sorted(zip(placings, bots, payoffs, strict=True), key=lambda seat: seat[0])
    return {
        "game": game_title(match.game),
        "block": match.block,
        "seats": [{"placing": placing, "bot": bot, "payoff": payoff} for placing, bot, payoff in seats],
    }


def _make_replay(match: LiveMatch) -> ReplayData:
    """Return a match as the viewer reads it, with the number of its block."""
    deals = replay_record(match.record)
    return replay_of_record(match.block + 1, match.record, deals)


# --- projector page ---
# Standings in large type, or the bracket of a knockout, renewed during play.

MAX_ROWS: Final = 12
"""Bots that fit on a screen."""
RENEWED_EVERY_S: Final = 10


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
    """Return the variables of the page of a league: its latest final or, without one, its main ladder."""
    with LeagueResults.open(folder.path) as results:
        view = PublicView(results, results.settings.public_top)
        if view.finals:
            final = view.finals[-1]
            return describe_run(Run.open(folder.path / final.folder), results.held_finals.get(final.number))
        ladder = next(iter(view.ladders.values()), [])
        return {
            **_present([row for row in ladder if not results.entry_of(row.version).is_ghost]),
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
    """
    about = {
        "name": run.config.title or f"{run.config.format.capitalize()} tournament",
        "rounds": list_rounds(list_pairings(run, revealed)),
        "rounds_title": "Bracket" if run.stages.format.eliminates else "Rounds",
    }
    if revealed is not None:
        played = f"{revealed} of {format_count(count_rounds(run), 'rounds')} revealed"
        return {**about, **_present(None), "played": played, "progress": None, "is_finished": False}
    results, total = run.results(), run.total
    is_over = run.is_over()
    results = results if is_over else results.with_anytime()  # it is looked at again and again
    return {
        **about,
        **_present(choose_standings(results)[1]),
        "progress": results.blocks / total if total else None,
        "played": format_count(results.matches, "matches"),
        "is_finished": is_over,
    }


def _present(rows: Sequence[RatingRow] | None) -> dict[str, Any]:
    """Return the variables of the standings of rated bots; None shows none."""
    rated = describe_rows([row for row in rows or () if row.elo is not None])
    return {
        "has_standings": rows is not None,
        "rows": rated[:MAX_ROWS],
        "others": max(len(rated) - MAX_ROWS, 0),
    }
