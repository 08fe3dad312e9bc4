"""Play in the browser: the tables, the form to sit down at one, and their routes."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import chain
from time import monotonic
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError
from arena.interactive.session import MatchSeries, OutdatedStep, SeriesSetup
from arena.interactive.table import ComparedMatch, sum_by_game
from arena.interactive.table_form import BotChoices, describe_form, describe_game, describe_setup, read_form
from arena.tournament.schedule import make_seed
from arena.web.context import Feature, RateLimit, WebContext, name_client, refuse_if
from arena.web.jobs import ReviewQueue
from arena.web.matches import LeagueMatches, MatchPages, ReviewedMatch, ReviewPages, RunMatches, show_replay
from arena.web.pages import answer_error, render, wants_json
from arena.web.requests import Identity

# --- tables ---
# Each table belongs to a visitor and is closed when nobody plays there.

MAX_BOTS: Final = 64
"""Limit on the bots at all tables, each in a process, until those of closed tables are gone."""
MAX_BOTS_OF_CLIENT: Final = 40
"""Limit on those of one account or address, which a class may share: others keep room."""
QUIET_S: Final = 300.0
"""Seconds without a move after which a table closes when others need its bots."""
IDLE_S: Final = 1800.0
"""Seconds without a move after which a table is closed."""
END_TIMEOUT_S: Final = 5.0
"""Seconds that all bots may take to end when the server stops."""
TOKEN_BYTES: Final = 16
MAX_COMPARED: Final = 50
"""Limit on matches of a visitor that are compared with those of a bot, the latest."""
MAX_VISITORS_REMEMBERED: Final = 1000
"""Limit on visitors whose matches at closed tables are remembered."""


class TooManyTables(ArenaError):
    """No further person can sit down now."""


@dataclass
class _Table:
    visitor: str
    client: str
    series: MatchSeries
    moved: float
    """Time of the last move of the person; requests that change nothing do not count."""

    @property
    def bots(self) -> int:
        """The number of bots that play here at the same time, at most."""
        return self.series.setup.max_bots


class Tables:
    """All tables of a server, by their numbers in addresses; several threads may open and close them.

    Args:
        clock: Returns seconds that never run back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._tables: dict[str, _Table] = {}
        self._ending: list[MatchSeries] = []
        """Those of closed tables whose bots may not be gone."""
        self._compared: dict[str, list[ComparedMatch]] = {}
        """Matches at closed tables that a bot has played, too, by visitor; the latest visitor is last."""
        self._clock = clock
        self._changing = threading.Lock()

    def open(
        self,
        visitor: str,
        setup: SeriesSetup,
        seed: str = "",
        save: Callable[[int, bytes], object] | None = None,
        client: str = "",
    ) -> str:
        """Begin a series of matches for a visitor and return its number.

        Args:
            visitor: Secret of the browser.
            setup: Settings of the series.
            seed: Seed of its first match; empty for a new one.
            save: Is given the finished matches, see `MatchSeries`.
            client: Account or address that the bots are counted for.
        """
        self.close_idle()
        number = secrets.token_urlsafe(9)
        with self._changing:
            self._make_room(visitor, client, setup.max_bots)
            ending = [series.session.match for series in self._ending]
            series = MatchSeries(setup, make_seed(seed), save, ending)
            self._tables[number] = _Table(visitor, client, series, self._clock())
        return number

    def _make_room(self, visitor: str, client: str, bots: int) -> None:
        """Close tables until there is room for further bots; the caller holds the lock.

        The visitor's own tables close first, then those that nobody has used for long. The bots of a new
        table start once those of closed tables are gone, so that there are never more than the limits say.
        """
        latest = self._clock() - QUIET_S
        for of_client, limit, problem in (
            (client, MAX_BOTS_OF_CLIENT, "Too many play from your address: close a table, or try"),
            (None, MAX_BOTS, "All tables are taken: try"),
        ):
            group = {
                number: table for number, table in self._tables.items() if of_client in (None, table.client)
            }
            may_close = [
                number for number, table in group.items() if table.visitor == visitor or table.moved < latest
            ]
            may_close.sort(key=lambda number: (group[number].visitor != visitor, group[number].moved))
            excess = sum([table.bots for table in group.values()]) + bots - limit
            if excess > sum([group[number].bots for number in may_close]):
                raise TooManyTables(f"{problem} again in a few minutes.")
            for number in may_close:
                if excess <= 0:
                    break
                excess -= group[number].bots
                self._end(number)

    def find(self, visitor: str, number: str) -> MatchSeries | None:
        """Return the series of a table; None if there is none, or it is another visitor's."""
        table = self._tables.get(number)
        own = table is not None and secrets.compare_digest(table.visitor.encode(), visitor.encode())
        if table is None or not visitor or not own:
            return None
        return table.series

    def note_move(self, number: str) -> None:
        """Remember that the person at a table has just moved."""
        if table := self._tables.get(number):
            table.moved = self._clock()

    def close_idle(self) -> None:
        """Close the tables at which nobody has played for long."""
        with self._changing:
            latest = self._clock() - IDLE_S
            for number in [number for number, table in self._tables.items() if table.moved < latest]:
                self._end(number)

    def close(self) -> None:
        """Close all tables, and wait a moment until their bots are gone."""
        with self._changing:
            for number in list(self._tables):
                self._end(number)
            until = monotonic() + END_TIMEOUT_S
            for series in self._ending:
                series.session.match.join(max(until - monotonic(), 0.0))

    def list_compared(self, visitor: str) -> list[ComparedMatch]:
        """Return the last matches of a visitor that a bot has played on the same cards."""
        with self._changing:
            own = [table.series for table in self._tables.values() if table.visitor == visitor]
            matches = [
                *self._compared.get(visitor, ()),
                *chain.from_iterable([s.list_compared() for s in own]),
            ]
            return matches[-MAX_COMPARED:]

    def _end(self, number: str) -> None:
        """Close a table; the caller holds the lock."""
        table = self._tables.pop(number)
        series = table.series
        series.close()
        if matches := series.list_compared():
            before = self._compared.pop(table.visitor, [])
            self._compared[table.visitor] = [*before, *matches][-MAX_COMPARED:]
            if len(self._compared) > MAX_VISITORS_REMEMBERED:
                del self._compared[next(iter(self._compared))]
        self._ending = [ending for ending in (*self._ending, series) if ending.session.match.is_alive()]


def make_token() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


# --- routes ---

Result = TypeVar("Result")
COOKIE: Final = "visitor"
REVIEWS: Final = "reviews"
"""Folder of a run in which reviews are stored."""
MAX_BODY_BYTES: Final = 4096
"""Maximum size of a form and of an answer."""
MAX_FIELDS: Final = 20
MAX_STEP_DIGITS: Final = 18
MAX_WAIT_S: Final = 15.0
"""Seconds that a request for the next state waits while bots think."""
MAX_REQUESTS_OF_TABLE: Final = 8
"""Requests that may wait for a table at a time: pages that are open at it."""
MAX_THREADS: Final = 4
"""Threads that compute hints and other slow answers for people at tables."""
TABLES_PER_MINUTE: Final = 20
TABLE_BURST: Final = 60
"""Tables at once for an account or an address, which a class may share."""
COOKIE_AGE_S: Final = 30 * 24 * 3600


class _AnswerMessage(msgspec.Struct, forbid_unknown_fields=True):
    """Answer sent by a page: its kind, the step it is meant for, and the action of a decision."""

    kind: str
    step: int
    action: str = ""


def play_feature(context: WebContext) -> Feature:
    """Return the tables that anybody who reaches the server can sit down at."""
    league, run = context.league, context.run
    stored = league.reviews if league else run.path / REVIEWS if run else None
    reviews = ReviewPages(ReviewQueue(stored))
    identity = Identity(context, league) if league else None
    play = PlayPages(context.is_secure, Tables(), BotChoices(league), reviews=reviews, identity=identity)
    feature = play.feature()
    source = LeagueMatches(league) if league else RunMatches(run) if run else None
    if source is None:
        return feature
    return feature._replace(
        routes=[*feature.routes, *MatchPages(source, reviews, identity).routes()],
        navigation=[*feature.navigation, ("Your matches" if league else "Matches", "/matches")],
    )


class PlayPages:
    """The pages of play and what they ask for.

    Args:
        is_secure: Browsers reach the server over TLS.
        tables: The tables.
        choices: The bots that can be chosen.
        owner: The visitor who alone may play, by the secret of the link; None for anybody.
        reviews: The reviews of finished matches.
        identity: Finds out who is signed in at a league's server, whose bots are counted apart.
    """

    def __init__(
        self,
        is_secure: bool,
        tables: Tables,
        choices: BotChoices,
        owner: str | None = None,
        reviews: ReviewPages | None = None,
        identity: Identity | None = None,
    ) -> None:
        self._identity = identity
        self._reviews = reviews or ReviewPages(ReviewQueue(None))
        self._is_secure, self._tables, self._choices = is_secure, tables, choices
        self._owner = owner
        self._limiter = CapacityLimiter(MAX_THREADS)
        self._asking: Counter[str] = Counter()
        """Requests that wait, by the number of their table."""
        self._sitting_down = RateLimit(TABLES_PER_MINUTE, TABLE_BURST)

    @property
    def waiting(self) -> int:
        """The number of requests that wait for a match to go on."""
        return self._asking.total()

    def feature(self) -> Feature:
        """Return the part of the server."""
        table = "/play/{table}"
        routes = [
            Route("/play", self._form, methods=["GET"]),
            Route("/play", self._sit_down, methods=["POST"]),
            Route("/play/with-key", self._enter),
            Route(table, self._page),
            Route(f"{table}/state", self._state),
            Route(f"{table}/answer", self._answer, methods=["POST"]),
            Route(f"{table}/records.jsonl", self._records),
            Route(f"{table}/replay", self._replay),
            Route(f"{table}/review", self._review, methods=["GET", "POST"]),
        ]
        return Feature(routes, [("Play", "/play")], self._lifespan)

    @asynccontextmanager
    async def _lifespan(self) -> AsyncIterator[None]:
        closing = asyncio.create_task(self._close_idle_tables())
        try:
            async with self._reviews.queue.running():
                yield
        finally:
            closing.cancel()
            await to_thread.run_sync(self._tables.close)

    async def _close_idle_tables(self) -> None:
        while True:
            await asyncio.sleep(IDLE_S / 10)
            await to_thread.run_sync(self._tables.close_idle)

    # --- sitting down ---

    async def _enter(self, request: Request) -> Response:
        """Take the secret of the link from the address into a cookie."""
        key, table = (request.query_params.get(name, "") for name in ("key", "table"))
        if self._owner is None or not secrets.compare_digest(key.encode(), self._owner.encode()):
            raise HTTPException(404)
        response = RedirectResponse(f"/play/{table}" if table.isascii() and table else "/play", 303)
        self._set_cookie(response, self._owner)
        return response

    async def _form(self, request: Request) -> Response:
        self._check_owner(request)
        if self._identity is not None:
            await self._identity.find(request)  # the bar names who is signed in
        return await self._show_form(request, list(request.query_params.multi_items()))

    async def _sit_down(self, request: Request) -> Response:
        """Begin a series of matches as the form asks for, and show its table."""
        self._check_owner(request)
        body = await _read_body(request)
        try:
            fields = parse_qsl(body.decode("utf-8", "replace"), max_num_fields=MAX_FIELDS)
        except ValueError as error:
            raise HTTPException(400, f"The form has more than {MAX_FIELDS} fields.") from error
        visitor = request.cookies.get(COOKIE) or make_token()
        seed = dict(fields).get("seed", "")[:200]
        account = await self._identity.find(request) if self._identity else None
        client = name_client(request.scope, account)
        refuse_if(self._sitting_down.take(client), "You sit down too often.")
        try:
            setup = await to_thread.run_sync(read_form, fields, self._choices)
            number = await to_thread.run_sync(self._tables.open, visitor, setup, seed, None, client)
        except ArenaError as error:
            is_full = isinstance(error, TooManyTables)
            status, headers = (503, {"Retry-After": f"{QUIET_S:.0f}"}) if is_full else (400, {})
            if wants_json(request):
                return answer_error(request, status, str(error), headers)
            response = await self._show_form(request, fields, str(error), status)
            response.headers.update(headers)
            return response
        response = RedirectResponse(f"/play/{number}", 303)
        self._set_cookie(response, visitor)
        return response

    async def _show_form(
        self, request: Request, fields: list[tuple[str, str]], problem: str = "", status: int = 200
    ) -> Response:
        scores = sum_by_game(self._tables.list_compared(request.cookies.get(COOKIE, "")))
        is_first = request.method == "GET" and not scores
        asked = [("guided", "yes"), *fields] if is_first else fields
        return render(
            request,
            "sit-down.html",
            status=status,
            **await to_thread.run_sync(describe_form, asked, self._choices),
            problem=problem,
            scores=scores,
        )

    def _set_cookie(self, response: Response, visitor: str) -> None:
        response.set_cookie(
            COOKIE,
            visitor,
            max_age=COOKIE_AGE_S,
            path="/play",
            secure=self._is_secure,
            httponly=True,
            samesite="lax",
        )

    def _check_owner(self, request: Request) -> None:
        visitor = request.cookies.get(COOKIE, "")
        if self._owner is not None and not secrets.compare_digest(visitor.encode(), self._owner.encode()):
            raise HTTPException(403, "Open the link that `arena play --browser` has printed.")

    # --- the table ---

    def _find(self, request: Request) -> MatchSeries:
        series = self._tables.find(request.cookies.get(COOKIE, ""), request.path_params["table"])
        if series is None:
            raise HTTPException(404, "There is no such table, or it was closed. Sit down at another one.")
        return series

    async def _page(self, request: Request) -> Response:
        series = self._find(request)
        setup = describe_setup(series.setup, f"/play/{request.path_params['table']}")
        return render(request, "play.html", **describe_game(series.setup.rules), setup=setup)

    async def _state(self, request: Request) -> Response:
        """Return the state of the match after a step, once no bot is to act."""
        after = request.query_params.get("after", "0")
        series = self._find(request)
        if not (after.isascii() and after.isdigit() and len(after) <= MAX_STEP_DIGITS):
            raise HTTPException(400, "after: the number of a step is expected.")
        with self._ask(request):
            return JSONResponse(await series.wait(int(after), MAX_WAIT_S))

    async def _answer(self, request: Request) -> Response:
        """Take an answer of the person and return the next state; 409 and the state if it came too late."""
        series = self._find(request)
        try:
            message = msgspec.json.decode(await _read_body(request), type=_AnswerMessage)
        except msgspec.DecodeError as error:
            raise HTTPException(400, f"This is not an answer: {error}.") from error
        with self._ask(request):
            try:
                hint = await self._take(series, message)
            except OutdatedStep as error:
                state = await series.wait(0, MAX_WAIT_S)
                return JSONResponse({"error": str(error), "state": state}, 409)
            except ArenaError as error:
                return JSONResponse({"error": str(error)}, 400)
            if hint:
                return JSONResponse(hint)
            self._tables.note_move(request.path_params["table"])
            return JSONResponse(await series.wait(message.step, MAX_WAIT_S))

    async def _take(self, series: MatchSeries, message: _AnswerMessage) -> dict[str, Any] | None:
        """Go on as an answer says; return the hint if it asks for one."""
        answer = message.kind, message.step, message.action
        if message.kind in ("act", "proceed"):
            return series.take(*answer)
        return await self._run(series.take, *answer)

    @contextmanager
    def _ask(self, request: Request) -> Iterator[None]:
        """Count a request that may wait at a table; raise HTTPException 429 if too many do already."""
        number = request.path_params["table"]
        refuse_if(self._asking[number] >= MAX_REQUESTS_OF_TABLE, "Too many requests wait for this table.")
        self._asking[number] += 1
        try:
            yield
        finally:
            self._asking[number] -= 1
            if not self._asking[number]:
                del self._asking[number]

    async def _run(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function that computes or reads, in a thread; other pages of the server have others."""
        return await to_thread.run_sync(function, *arguments, limiter=self._limiter)

    async def _records(self, request: Request) -> Response:
        """Return the records of the matches that are over, one a line."""
        series = self._find(request)
        records = await self._run(series.finished_records)
        name = f"{series.setup.rules.name}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(
            b"".join([record + b"\n" for record in records]), media_type="application/jsonl", headers=headers
        )

    async def _replay(self, request: Request) -> Response:
        """Show the match last finished in the viewer."""
        return await show_replay(request, await self._last_match(request))

    async def _review(self, request: Request) -> Response:
        """Show the review of the match last finished, or compute it."""
        return await self._reviews.answer(request, await self._last_match(request))

    async def _last_match(self, request: Request) -> ReviewedMatch:
        series = self._find(request)
        records = await self._run(series.finished_records)
        if not records:
            raise HTTPException(404, "No match at this table is over yet.")
        heading = f"{series.setup.rules}, match {len(records)}"
        table = f"/play/{request.path_params['table']}"
        back = ("Back to the table", table)
        return ReviewedMatch(records[-1], heading, f"{table}/replay", f"{table}/review", back)


async def _read_body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413, f"What was sent is larger than {MAX_BODY_BYTES} bytes.")
    return body
