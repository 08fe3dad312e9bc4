"""The routes of play in the browser."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError
from arena.games import VARIANTS
from arena.interactive.browser_session import OutdatedStep
from arena.interactive.duplicate_text import sum_by_game
from arena.interactive.help_text import split_rules
from arena.interactive.match_series import MatchSeries
from arena.output.words.cards import get_family_text
from arena.tournament.schedule import make_seed
from arena.web.context import Feature, WebContext
from arena.web.errors import answer_error, wants_json
from arena.web.identity import Identity
from arena.web.pages import render
from arena.web.play.table_form import NO_RIVAL, BotChoices, read_form, suggest_rival
from arena.web.play.tables import IDLE_S, QUIET_S, Tables, TooManyTables, make_token
from arena.web.rate_limits import RateLimit, name_client, refuse_if
from arena.web.review.league_matches import LeagueMatches
from arena.web.review.pages import ReviewedMatch, ReviewPages, show_replay
from arena.web.review.queue import ReviewQueue
from arena.web.review.run_matches import RunMatches

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
"""Threads in which hints and what else takes long for people at tables is computed."""
TABLES_PER_MINUTE: Final = 20
TABLE_BURST: Final = 60
"""Tables at once for an account or an address, which a class may share."""
COOKIE_AGE_S: Final = 30 * 24 * 3600


class AnswerMessage(msgspec.Struct, forbid_unknown_fields=True):
    """Answer sent by a page: its kind, the step it is meant for, and the action of a decision."""

    kind: str
    step: int
    action: str = ""


def play_feature(context: WebContext) -> Feature:
    """Return the tables that anybody who reaches the server can sit down at."""
    league, run = context.league, context.run
    stored = league.reviews if league else run.path / REVIEWS if run else None
    reviews = ReviewPages(ReviewQueue(stored))
    tables, choices = Tables(), BotChoices(league)
    if league is None:
        feature = PlayPages(context.is_secure, tables, choices, reviews=reviews).feature()
        if run is None:
            return feature
        return feature._replace(
            routes=[*feature.routes, *RunMatches(run, reviews).routes()],
            navigation=[*feature.navigation, ("Matches", "/matches")],
        )
    identity = Identity(context, league)
    feature = PlayPages(context.is_secure, tables, choices, reviews=reviews, identity=identity).feature()
    matches = LeagueMatches(league, identity, reviews)
    return feature._replace(
        routes=[*feature.routes, *matches.routes()],
        navigation=[*feature.navigation, ("Your matches", "/matches")],
    )


class PlayPages:
    """The pages of play and what they ask for.

    Args:
        is_secure: Browsers reach the server over TLS.
        tables: The tables.
        choices: The bots that can be chosen.
        owner: The visitor who alone may play, by the secret of the link; None for anybody.
        save: Is given the finished matches, see `MatchSeries`.
        reviews: The reviews of finished matches.
        identity: Finds out who is signed in at a league's server, whose bots are counted apart.
    """

    def __init__(
        self,
        is_secure: bool,
        tables: Tables,
        choices: BotChoices,
        owner: str | None = None,
        save: Callable[[int, bytes], object] | None = None,
        reviews: ReviewPages | None = None,
        identity: Identity | None = None,
    ) -> None:
        self._identity = identity
        self._reviews = reviews or ReviewPages(ReviewQueue(None))
        self._is_secure, self._tables, self._choices = is_secure, tables, choices
        self._owner, self._save = owner, save
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
            Route("/play", self.form, methods=["GET"]),
            Route("/play", self.sit_down, methods=["POST"]),
            Route("/play/with-key", self.enter),
            Route(table, self.page),
            Route(f"{table}/state", self.state),
            Route(f"{table}/answer", self.answer, methods=["POST"]),
            Route(f"{table}/records.jsonl", self.records),
            Route(f"{table}/replay", self.replay),
            Route(f"{table}/review", self.review, methods=["GET", "POST"]),
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

    async def enter(self, request: Request) -> Response:
        """Take the secret of the link from the address into a cookie."""
        key, table = (request.query_params.get(name, "") for name in ("key", "table"))
        if self._owner is None or not secrets.compare_digest(key.encode(), self._owner.encode()):
            raise HTTPException(404)
        response = RedirectResponse(f"/play/{table}" if table.isascii() and table else "/play", 303)
        self._set_cookie(response, self._owner)
        return response

    async def form(self, request: Request) -> Response:
        """Show the form with which one sits down."""
        self._check_owner(request)
        return await self._show_form(request, list(request.query_params.multi_items()))

    async def sit_down(self, request: Request) -> Response:
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
            number = await to_thread.run_sync(self._tables.open, visitor, setup, seed, self._save, client)
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
        admitted = await to_thread.run_sync(self._choices.admitted)
        values = dict(fields)
        against = [value for name, value in fields if name == "against"]
        return render(
            request,
            "sit-down.html",
            status=status,
            variants=VARIANTS,
            built_in=sorted(self._choices.built_in),
            admitted=sorted(admitted),
            values={"variant": "lives", "players": "4", "seat": "0", **values},
            against=[*against, "", "", ""][:3],
            rival=values.get("rival") or suggest_rival(VARIANTS[0], self._choices.built_in),
            no_rival=NO_RIVAL,
            problem=problem,
            scores=sum_by_game(self._tables.list_compared(request.cookies.get(COOKIE, ""))),
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

    async def page(self, request: Request) -> Response:
        """Show the table."""
        series = self._find(request)
        rules = series.setup.rules
        text = get_family_text(rules)
        setup = {
            "table": f"/play/{request.path_params['table']}",
            "seat": series.setup.seat,
            "pack": text.card_pack,
            "guide": [text.how_to_win(rules), text.lesson] if series.setup.is_guided else None,
            "rival": series.setup.rival.bot.name if series.setup.rival else None,
        }
        return render(
            request,
            "play.html",
            rules=rules,
            how_to_win=text.how_to_win(rules),
            card_help=text.card_help,
            values=text.card_values(rules),
            clauses=split_rules(rules),
            setup=msgspec.json.encode(setup).decode().replace("<", "\\u003c"),
        )

    async def state(self, request: Request) -> Response:
        """Return the state of the match after a step, once no bot is to act."""
        after = request.query_params.get("after", "0")
        series = self._find(request)
        if not (after.isascii() and after.isdigit() and len(after) <= MAX_STEP_DIGITS):
            raise HTTPException(400, "after: the number of a step is expected.")
        with self._ask(request):
            return JSONResponse(await series.wait(int(after), MAX_WAIT_S))

    async def answer(self, request: Request) -> Response:
        """Take an answer of the person and return the next state; 409 and the state if it came too late."""
        series = self._find(request)
        try:
            message = msgspec.json.decode(await _read_body(request), type=AnswerMessage)
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

    async def _take(self, series: MatchSeries, message: AnswerMessage) -> dict[str, Any] | None:
        """Go on as an answer says; return the hint if it asks for one.

        Raises:
            OutdatedStep: If the match has moved on.
            ArenaError: For what cannot be done.
        """
        session, step = series.session, message.step
        match message.kind:
            case "act":
                session.act(step, message.action)
            case "proceed":
                session.proceed(step)
            case "hint":
                return await self._run(session.hint, step)
            case "take-back":
                await self._run(session.take_back, step)
            case "next-match":
                await self._run(series.begin_next, step, make_seed())
            case _:
                raise HTTPException(400, f"There is no answer called {message.kind[:40]!r}.")
        return None

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

    async def records(self, request: Request) -> Response:
        """Return the records of the matches that are over, one a line."""
        series = self._find(request)
        records = await self._run(series.finished_records)
        name = f"{series.setup.rules.name}.jsonl"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(
            b"".join([record + b"\n" for record in records]), media_type="application/jsonl", headers=headers
        )

    async def replay(self, request: Request) -> Response:
        """Show the match last finished in the viewer."""
        return await show_replay(request, await self._last_match(request))

    async def review(self, request: Request) -> Response:
        """Show the review of the match last finished, or compute it."""
        match = await self._last_match(request)
        page = self._reviews.ask if request.method == "POST" else self._reviews.show
        return await page(request, match)

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
