"""Handing in bots, and the pages of accounts: for people, for programs, and for the organiser.

`HandingIn` answers programs; the pages of an account call its methods.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from arena.errors import ConfigError, PluginError
from arena.league.accounts import (
    MAX_NOTE_CHARS,
    Account,
    HandIn,
    ServerDatabase,
    confirm,
    content_path,
    describe_accounts,
    extend,
    find_hand_in,
    hand_in,
    is_organiser,
    list_hand_ins,
    list_noted,
    revoke,
    write_note,
)
from arena.league.bot_names import name_bot_of
from arena.league.folder import LeagueFolder
from arena.league.requests import Aliases, choose_alias, request_change
from arena.league.results import LeagueResults, PublicView, reveal_rounds
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase, LeagueRequest, Version
from arena.output.site.bots import student_path
from arena.output.site.content import bot_path, game_path, game_title
from arena.output.site.site import write_site
from arena.output.texts.league_kit import kit_files, list_limits
from arena.plugins.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES
from arena.plugins.manifest import MAX_NAME_CHARS, name_of_file
from arena.tournament.files import write_files
from arena.web.context import RateLimit, refuse_if
from arena.web.jobs import CheckQueue, HandInProgress
from arena.web.pages import Links, render
from arena.web.requests import Identity, read_upload
from arena.web.static_files import SiteFiles, add_links, page_policy

# --- state of hand-ins ---
# A hand-in as pages and programs see it, with what the league made of it.


class SeenHandIn(NamedTuple):
    """A hand-in, its request to the league, and the version that was admitted."""

    hand_in: HandIn
    request: LeagueRequest | None
    version: Version | None
    page: str
    """Path of the bot's page; empty before it is admitted."""

    @property
    def state(self) -> str:
        """The state in a word: that of the league once the check is passed."""
        if self.request is None or self.request.state == "waiting":
            return self.hand_in.state
        return self.request.outcome

    @property
    def reason(self) -> str:
        """Why it was rejected."""
        return self.request.reason if self.request and self.request.reason else self.hand_in.reason

    @property
    def received(self) -> str:
        """Time at which it was handed in, in UTC."""
        return datetime.fromtimestamp(self.hand_in.received, UTC).strftime("%Y-%m-%d %H:%M")

    @property
    def title(self) -> str:
        """Name of the bot, with its version once it has one."""
        name = self.hand_in.name or f"hand-in {self.hand_in.number}"
        return f"{name} v{self.version.ordinal}" if self.version else name

    @property
    def file_name(self) -> str:
        """Name of the file in which its author gets it back."""
        return f"{self.hand_in.name or 'bot'}-{self.hand_in.number}{self.hand_in.suffix}"

    def fields(self) -> dict[str, Any]:
        """Return it for programs."""
        stored = self.hand_in
        return {
            "number": stored.number,
            "bot": stored.name,
            "file": stored.file,
            "remark": stored.remark,
            "state": self.state,
            "reason": self.reason,
            "received": self.received,
            "content": stored.content,
            "card": stored.card,
            "note": stored.note,
            "is_waiting": stored.is_waiting,
            "provisional": stored.provisional_places,
            "version": self.version.ordinal if self.version else None,
            "url": f"/account/hand-ins/{stored.number}",
            "page": self.page,
        }


class _SeenBot(NamedTuple):
    """A bot of an account in the league."""

    name: str
    state: str
    page: str
    is_leaving: bool
    """True if its withdrawal waits for the next update."""


def see_hand_ins(league: LeagueFolder, hand_ins: Sequence[HandIn]) -> list[SeenHandIn]:
    """Return hand-ins with what the league made of them, and with the present names of bots."""
    with LeagueResults.open(league.path) as results:
        view = PublicView(results, results.settings.public_top)
        requests = {known.number: known for known in results.requests}
        seen = []
        for hand_in in hand_ins:
            request = requests.get(hand_in.request) if hand_in.request is not None else None
            version, page = None, ""
            if request and request.version is not None:
                entry = results.entry_of(request.version)
                version, page = entry.version, _page(league, bot_path(entry.bot))
                hand_in = msgspec.structs.replace(hand_in, name=entry.bot.name)
            seen.append(SeenHandIn(_mask_places(view, hand_in), request, version, page))
        return seen


def _mask_places(view: PublicView, hand_in: HandIn) -> HandIn:
    """Return a hand-in whose provisional places name only bots that others see."""
    if view.top is None or not hand_in.places:
        return hand_in
    places = [
        msgspec.structs.replace(place, opponents=tuple(map(view.mask, place.opponents)))
        for place in hand_in.provisional_places
    ]
    return msgspec.structs.replace(hand_in, places=msgspec.json.encode(places).decode())


def _see_names(league: LeagueFolder, account: str) -> tuple[str, list[str]]:
    """Return the alias of an account, empty without one, and the patterns of the names of its bots."""
    with LeagueDatabase.open(league.path) as database:
        aliases = Aliases.read(database, read_settings(league.path))
    return aliases.find(account), list(aliases.patterns(account))


def _see_terms(league: LeagueFolder) -> dict[str, Any]:
    """Return the games of a league with the pages of their rules, the limits of bots, and the deadline."""
    settings = read_settings(league.path)
    games = [(str(entry.rules), players) for entry in settings.variants for players in entry.players]
    with LeagueResults.open(league.path) as results:
        view = PublicView(results, results.settings.public_top)
        pages = [_page(league, game_path(view, game)) if game in view.games else "" for game in games]
    return {
        "games": [
            (game_title(game), f"{page}#rules" if page else "")
            for game, page in zip(games, pages, strict=True)
        ],
        "limits": list_limits(settings),
        "deadline": f"{settings.deadline:%Y-%m-%d %H:%M %Z}" if settings.deadline else "",
    }


def _see_bots(league: LeagueFolder, account: str) -> list[_SeenBot]:
    with LeagueResults.open(league.path) as results:
        leaving = {
            request.name
            for request in results.requests
            if request.kind == "withdraw" and request.state == "waiting"
        }
        return [
            _SeenBot(bot.name, results.state_of(bot), _page(league, bot_path(bot)), bot.name in leaving)
            for bot in results.bots
            if bot.owner == account
        ]


def _page(league: LeagueFolder, path: str) -> str:
    return f"/{path}" if (league.site / path).is_file() else ""


# --- handing in ---
# The routes of the HTTP API, and what the pages share with them.

UPLOADS_PER_MINUTE: Final = 6
UPLOAD_BURST: Final = 12
ALIASES_PER_MINUTE: Final = 0.2
ALIAS_BURST: Final = 10
"""Aliases that an account may try at once: each refusal says that a name may be somebody's."""
ORGANISER: Final = (
    "An organiser's account hands in no bot. Make yourself another account with `arena league invite`, "
    "without --organiser, or use `arena league submit`."
)
MAX_ALIAS_BYTES: Final = 1 << 10
MAX_NOTE_BYTES: Final = 16 * MAX_NOTE_CHARS
"""Maximum size of a form with a note, most characters of which may take twelve bytes in an address."""
NOTES_PER_MINUTE: Final = 12
NOTE_BURST: Final = 30
MAX_NUMBER: Final = (1 << 63) - 1
"""Greatest number that the database can hold."""
KEEP_ALIVE_S: Final = 15.0
"""Seconds after which a stream without events sends a comment, which finds out who left."""


class HandingIn:
    """Requests of an account: hand in, list and download hand-ins, withdraw bots."""

    def __init__(
        self, league: LeagueFolder, identity: Identity, queue: CheckQueue, stopping: asyncio.Event
    ) -> None:
        self.league, self.identity = league, identity
        self._queue, self._stopping = queue, stopping
        self._uploads = RateLimit(UPLOADS_PER_MINUTE, UPLOAD_BURST)
        self._aliases = RateLimit(ALIASES_PER_MINUTE, ALIAS_BURST)
        self._notes = RateLimit(NOTES_PER_MINUTE, NOTE_BURST)

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the HTTP API."""
        return [
            Route("/api/account", self.show_account),
            Route("/api/account/alias", self.post_alias, methods=["POST"]),
            Route("/api/hand-ins", self.list),
            Route("/api/hand-ins", self.post, methods=["POST"]),
            Route("/api/hand-ins/{number:int}", self.show),
            Route("/api/hand-ins/{number:int}/code", self.code),
            Route("/api/hand-ins/{number:int}/events", self.events),
            Route("/api/hand-ins/{number:int}/note", self.post_note, methods=["POST"]),
            Route("/api/bots/{name}/withdrawal", self.withdraw, methods=["POST"]),
        ]

    async def receive(self, request: Request, account: str) -> tuple[HandIn, bool]:
        """Store what a request hands in; return it, and whether it is new."""
        settings = await run_in_threadpool(read_settings, self.league.path)
        if await self.identity.read(lambda database: is_organiser(database, account)):
            raise HTTPException(403, ORGANISER)
        if account not in settings.submitters:
            raise HTTPException(403, f"{account} is not in the table [submitters] of league.toml.")
        refuse_if(self._uploads.take(account), "You hand in too often.")
        upload = await read_upload(request)
        try:
            settings.refuse_late()
            received, is_new = await self.identity.read(
                lambda database: hand_in(
                    *(self.league, database, account, upload.name, upload.suffix, upload.payload),
                    file=upload.file,
                    asks=upload.asks,
                )
            )
        except PluginError as error:
            raise HTTPException(400, f"{error}.") from error
        self._queue.wake()
        return received, is_new

    async def find(self, account: str, number: int) -> SeenHandIn:
        """Return a hand-in of an account."""

        def read(database: ServerDatabase) -> HandIn | None:
            query = "SELECT 1 FROM hand_in WHERE number = ? AND account = ?"
            return find_hand_in(database, number) if database.rows(query, number, account) else None

        stored = await self.identity.read(read) if number <= MAX_NUMBER else None
        if stored is None:
            raise HTTPException(404)
        [seen] = await run_in_threadpool(see_hand_ins, self.league, [stored])
        return seen

    async def all_of(self, account: str) -> list[SeenHandIn]:
        """Return what an account handed in, the latest first."""
        hand_ins = await self.identity.read(lambda database: list_hand_ins(database, account))
        return await run_in_threadpool(see_hand_ins, self.league, hand_ins)

    async def withdraw_bot(self, account: str, name: str) -> None:
        """Ask for the withdrawal of a bot of an account with the next update."""

        def change() -> bool:
            bots = {bot.name: bot for bot in _see_bots(self.league, account)}
            if name not in bots:
                return False
            if not bots[name].is_leaving and bots[name].state != "withdrawn":
                with LeagueDatabase.open(self.league.path, "rw") as database:
                    request_change(database, "withdraw", name)
            return True

        if not await run_in_threadpool(change):
            raise HTTPException(404, "You have no bot of this name in the league.")

    async def set_alias(self, request: Request, account: str) -> str:
        """Store the alias that a form sends, and return it."""
        refuse_if(self._aliases.take(account), "You try too many aliases.")
        async with request.form(max_files=0, max_fields=4, max_part_size=MAX_ALIAS_BYTES) as form:
            text = str(form.get("alias", ""))

        def change() -> str:
            with LeagueDatabase.open(self.league.path, "rw") as database:
                return choose_alias(database, read_settings(self.league.path), account, text)

        try:
            return await run_in_threadpool(change)
        except PluginError as error:
            raise HTTPException(400, f"{error}.") from error

    async def set_note(self, request: Request, account: str) -> SeenHandIn:
        """Store the private note that a form sends on a hand-in of an account, and return the hand-in."""
        refuse_if(self._notes.take(account), "You change notes too often.")
        number = (await self.find(account, request.path_params["number"])).hand_in.number
        async with request.form(max_files=0, max_fields=4, max_part_size=MAX_NOTE_BYTES) as form:
            if "note" not in form:
                raise HTTPException(
                    400, "Send the note as the field `note` of a form; an empty one removes it."
                )
            text = str(form["note"])
        try:
            await self.identity.read(lambda database: write_note(database, number, text))
        except PluginError as error:
            raise HTTPException(400, f"{error}.") from error
        return await self.find(account, number)

    async def confirm_name(self, request: Request, account: str) -> int:
        """Give an unconfirmed hand-in of an account the name that a form sends; return its number."""
        stored = (await self.find(account, request.path_params["number"])).hand_in
        async with request.form(max_files=0, max_fields=4, max_part_size=MAX_ALIAS_BYTES) as form:
            name = str(form.get("name", "")).strip()
        try:
            await self.identity.read(lambda database: confirm(database, stored, name))
        except PluginError as error:
            raise HTTPException(400, f"{error}.") from error
        self._queue.wake()
        return stored.number

    async def post_alias(self, request: Request) -> Response:
        """Set the alias of an account."""
        account = await self.identity.require(request)
        return _json({"account": account, "alias": await self.set_alias(request, account)})

    async def show_account(self, request: Request) -> Response:
        """Return the account, its alias, its bots, and the names that it may use."""
        account = await self.identity.require(request)
        bots = await run_in_threadpool(_see_bots, self.league, account)
        alias, names = await run_in_threadpool(_see_names, self.league, account)
        fields = {"account": account, "alias": alias, "names": names}
        return _json({**fields, "bots": [bot._asdict() for bot in bots]})

    async def list(self, request: Request) -> Response:
        """Return what was handed in, the latest first."""
        hand_ins = await self.all_of(await self.identity.require(request))
        return _json({"hand_ins": [seen.fields() for seen in hand_ins]})

    async def post(self, request: Request) -> Response:
        """Take a hand-in: 201, or 200 if it is the same as the last one."""
        account = await self.identity.require(request)
        received, is_new = await self.receive(request, account)
        seen = await self.find(account, received.number)
        return _json(seen.fields(), 201 if is_new else 200, Location=f"/api/hand-ins/{received.number}")

    async def show(self, request: Request) -> Response:
        """Return a hand-in."""
        account = await self.identity.require(request)
        return _json((await self.find(account, request.path_params["number"])).fields())

    async def code(self, request: Request) -> Response:
        """Return the bytes of a hand-in."""
        account = await self.identity.require(request)
        seen = await self.find(account, request.path_params["number"])
        path = content_path(self.league, seen.hand_in.content)
        headers = {"Cache-Control": "no-store"}
        return FileResponse(path, 200, headers, "application/octet-stream", filename=seen.file_name)

    async def post_note(self, request: Request) -> Response:
        """Set the private note on a hand-in."""
        account = await self.identity.require(request)
        return _json((await self.set_note(request, account)).fields())

    async def withdraw(self, request: Request) -> Response:
        """Withdraw a bot with the next update."""
        account = await self.identity.require(request)
        await self.withdraw_bot(account, request.path_params["name"])
        return _json({"bot": request.path_params["name"], "state": "leaving"}, 202)

    async def events(self, request: Request) -> Response:
        """Stream what happens to a hand-in, from its beginning to its provisional places."""
        account = await self.identity.require(request)
        seen = await self.find(account, request.path_params["number"])
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._stream(account, seen), 200, headers, "text/event-stream")

    async def _stream(self, account: str, seen: SeenHandIn) -> AsyncIterator[bytes]:
        """Yield server-sent events: `state`, `name`, `game`, and at the end `hand-in` with all of it."""
        progress = None
        if seen.hand_in.is_waiting:
            progress, sent = self._queue.progress_of(seen.hand_in.number), 0
            is_waiting = await self._is_waiting(seen.hand_in.number)  # asked again: it may just have ended
            while is_waiting and not (progress.is_over or self._stopping.is_set()):
                changed = progress.changed
                for event in progress.events[sent:]:
                    yield _event(event.kind, event.data)
                sent = len(progress.events)
                try:
                    async with asyncio.timeout(KEEP_ALIVE_S):
                        await changed.wait()
                except TimeoutError:
                    yield b": waiting\n\n"
                    is_waiting = await self._is_waiting(seen.hand_in.number)
            for event in progress.events[sent:]:
                yield _event(event.kind, event.data)
        if not self._stopping.is_set():
            yield _event("hand-in", (await self._result(account, seen, progress)).fields())

    async def _result(self, account: str, seen: SeenHandIn, progress: HandInProgress | None) -> SeenHandIn:
        """Return a hand-in as it is at the end of its progress, which is read once for all who follow it."""
        if progress is None:
            return seen
        if progress.result is None:
            progress.result = asyncio.ensure_future(self.find(account, seen.hand_in.number))
        result: SeenHandIn = await asyncio.shield(progress.result)
        return result

    async def _is_waiting(self, number: int) -> bool:
        return await self.identity.read(lambda database: find_hand_in(database, number).is_waiting)


def _event(kind: str, data: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), msgspec.json.encode(data))


def _json(value: Any, status: int = 200, **headers: str) -> Response:
    return Response(
        msgspec.json.encode(value) + b"\n",
        status,
        {"Cache-Control": "no-store", **headers},
        media_type="application/json",
    )


# --- results of one account ---
# A submitter's own results, and those of the organiser.

NO_RESULTS: Final = "There are no results yet: the next update writes them."
LINKS: Final[Links] = (("Hand in", "/account"), ("Live", "/live"))
ORGANISER_LINKS: Final[Links] = (("Organiser", "/organiser"), ("Live", "/live"))


class PrivatePages:
    """The results of each submitter, and the pages of the organiser."""

    def __init__(self, identity: Identity) -> None:
        self._identity, self._league = identity, identity.league
        self._files = SiteFiles(identity.league.organiser, links=ORGANISER_LINKS)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/account/results", self.show_own),
            Route("/organiser", self.show_organiser),
            Route("/organiser/reveal", self.reveal, methods=["POST"]),
            Route("/organiser/notes", self.show_notes),
            Route("/organiser/pages/{path:path}", self.show_page),
        ]

    async def show_own(self, request: Request) -> Response:
        """Show a submitter what beats the own bots, and where they lose."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        path = self._league.organiser / student_path(account)
        if not await run_in_threadpool(path.is_file):
            raise HTTPException(404, NO_RESULTS)
        page = await run_in_threadpool(path.read_bytes)
        headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-store"}
        return HTMLResponse(add_links(_show_at_top(page), LINKS), 200, headers)

    async def show_organiser(self, request: Request) -> Response:
        """Show the finals that are held back, and the way to all pages of the organiser."""
        await self._identity.require_organiser(request)
        return await self._page(request)

    async def reveal(self, request: Request) -> Response:
        """Reveal the next round of a final; the site is written after the answer."""
        await self._identity.require_organiser(request)
        async with request.form(max_files=0, max_fields=4) as form:
            number = str(form.get("final", ""))
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise HTTPException(400, "Name a final.")
        try:
            await run_in_threadpool(reveal_rounds, self._league, int(number))
        except ConfigError as error:
            return await self._page(request, f"{error}.")
        return RedirectResponse("/organiser", 303, background=BackgroundTask(write_site, self._league))

    async def show_notes(self, request: Request) -> Response:
        """Show the private notes of all submitters."""
        await self._identity.require_organiser(request)
        noted = await self._identity.read(list_noted)
        return render(
            request, "notes.html", hand_ins=await run_in_threadpool(see_hand_ins, self._league, noted)
        )

    async def show_page(self, request: Request) -> Response:
        """Send a file of the organiser's pages."""
        await self._identity.require_organiser(request)
        path = request.path_params["path"]
        if path == "":
            return RedirectResponse("/organiser/pages/index.html", 303)
        response = await self._files.get_response(path, request.scope)
        response.headers["Cache-Control"] = "no-store"
        return response

    async def _page(self, request: Request, error: str = "") -> Response:
        held = await run_in_threadpool(_list_held, self._league)
        return render(request, "organiser.html", status=400 if error else 200, held=held, error=error)


def _read_places(league: LeagueFolder, account: str) -> Sequence[Mapping[str, Any]]:
    """Return the places of an account's bots in all ladders, at the end of the last update."""
    path = (league.organiser / student_path(account)).with_suffix(".json")
    try:
        places: list[dict[str, Any]] = msgspec.json.decode(path.read_bytes())["places"]
    except (OSError, msgspec.DecodeError, KeyError):
        return ()
    return places


def _show_at_top(page: bytes) -> bytes:
    """Return a page of a folder whose links lead from the top of the server, without those to its data."""
    page = page.replace(b'href="../', b'href="/')
    return re.sub(
        rb'The same as <a href="[^"]*\.json">JSON</a> and <a href="[^"]*\.csv">CSV</a>\. ', b"", page
    )


def _list_held(league: LeagueFolder) -> list[dict[str, Any]]:
    """Return the finals that are held back."""
    with LeagueResults.open(league.path) as results:
        held = results.held_finals
        return [
            {
                "number": final.number,
                "date": final.date,
                "format": final.format,
                "revealed": held[final.number],
            }
            for final in results.finals
            if final.number in held
        ]


# --- pages of an account ---
# Handing in, one's own bots, the report card of each hand-in.

EXAMPLE = """\
class Mine:
    def act(self, view):
        for action in view.legal:
            if view.text(action) == "knock":
                return action
        return view.legal[0]
"""

AGAIN = "again"
"""Query of the page of a hand-in whose bytes were handed in a second time."""


def _suggest_name(hand_in: HandIn, own: str) -> str:
    """Return a name for a hand-in whose sender is asked for one: that of the account and of its file."""
    name = name_of_file(hand_in.given_name or Path(hand_in.file).stem)
    own = name_bot_of(own)
    return f"{own}-{name if name and name != own else 2}"[:MAX_NAME_CHARS]


class AccountPages:
    """The pages of an account."""

    def __init__(self, handing_in: HandingIn) -> None:
        self._handing_in = handing_in
        self._identity = handing_in.identity

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/account", self.show),
            Route("/account/hand-ins", self.post, methods=["POST"]),
            Route("/account/hand-ins/{number:int}", self.show_hand_in),
            Route("/account/hand-ins/{number:int}/name", self.confirm_name, methods=["POST"]),
            Route("/account/hand-ins/{number:int}/note", self.set_note, methods=["POST"]),
            Route("/account/kit.zip", self.send_kit),
            Route("/account/withdrawals", self.withdraw, methods=["POST"]),
            Route("/account/alias", self.set_alias, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the forms, the bots and what was handed in; an organiser is led to other pages."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        if await self._identity.read(lambda database: is_organiser(database, account)):
            return RedirectResponse("/organiser", 303)
        return await self._page(request, account)

    async def post(self, request: Request) -> Response:
        """Take a hand-in from a form; what is wrong with it is shown above the form."""
        account = await self._identity.require(request)
        try:
            hand_in, is_new = await self._handing_in.receive(request, account)
        except HTTPException as error:
            return await self._page(request, account, error)
        again = "" if is_new else f"?{AGAIN}"
        return RedirectResponse(f"/account/hand-ins/{hand_in.number}{again}", 303)

    async def show_hand_in(self, request: Request) -> Response:
        """Show the report card and the provisional places of a hand-in."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        return await self._hand_in_page(request, account)

    async def confirm_name(self, request: Request) -> Response:
        """Have a hand-in checked under the name that was confirmed or chosen."""
        account = await self._identity.require(request)
        try:
            number = await self._handing_in.confirm_name(request, account)
        except HTTPException as error:
            return await self._hand_in_page(request, account, error)
        return RedirectResponse(f"/account/hand-ins/{number}", 303)

    async def set_note(self, request: Request) -> Response:
        """Store the private note on a hand-in; what is wrong with it is shown above it."""
        account, number = await self._identity.require(request), request.path_params["number"]
        try:
            await self._handing_in.set_note(request, account)
        except HTTPException as error:
            return await self._hand_in_page(request, account, error)
        return RedirectResponse(f"/account/hand-ins/{number}", 303)

    async def send_kit(self, request: Request) -> Response:
        """Send the starter kit of the league, as `arena league kit` writes it."""
        await self._identity.require(request)

        def pack() -> bytes:
            packed = BytesIO()
            write_files(packed, kit_files(self._handing_in.league))
            return packed.getvalue()

        headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="kit.zip"'}
        return Response(await run_in_threadpool(pack), 200, headers, "application/zip")

    async def withdraw(self, request: Request) -> Response:
        """Withdraw a bot with the next update."""
        account = await self._identity.require(request)
        async with request.form(max_files=0, max_fields=4) as form:
            await self._handing_in.withdraw_bot(account, str(form.get("bot", "")))
        return RedirectResponse("/account", 303)

    async def set_alias(self, request: Request) -> Response:
        """Set the alias; what is wrong with it is shown above the forms."""
        account = await self._identity.require(request)
        try:
            await self._handing_in.set_alias(request, account)
        except HTTPException as error:
            return await self._page(request, account, error)
        return RedirectResponse("/account", 303)

    async def _hand_in_page(
        self, request: Request, account: str, error: HTTPException | None = None
    ) -> Response:
        one = await self._handing_in.find(account, request.path_params["number"])
        alias, names = await run_in_threadpool(_see_names, self._handing_in.league, account)
        return render(
            request,
            "hand_in.html",
            status=error.status_code if error else 200,
            one=one,
            error=error.detail if error else "",
            max_chars=MAX_NOTE_CHARS,
            is_again=AGAIN in request.query_params,
            names=names,
            suggestion=_suggest_name(one.hand_in, alias or account),
        )

    async def _page(self, request: Request, account: str, error: HTTPException | None = None) -> Response:
        league = self._handing_in.league
        alias, names = await run_in_threadpool(_see_names, league, account)
        return render(
            request,
            "account.html",
            status=error.status_code if error else 200,
            account=account,
            error=error.detail if error else "",
            example=EXAMPLE,
            alias=alias,
            names=names,
            places=await run_in_threadpool(_read_places, league, account),
            bots=await run_in_threadpool(_see_bots, league, account),
            hand_ins=await self._handing_in.all_of(account),
            max_mib=MAX_BOT_BYTES >> 20,
            max_files=f"{MAX_BOT_FILES:,}",
            burst=UPLOAD_BURST,
            per_minute=UPLOADS_PER_MINUTE,
            **await run_in_threadpool(_see_terms, league),
        )


# --- list of people ---
# Aliases, bots, tokens and last hand-ins, for the organiser.

EXTENSION_DAYS: Final = 180.0
NOT_INVITED: Final = "not invited"


class Person(NamedTuple):
    """A submitter or an organiser."""

    name: str
    role: str
    alias: str
    team: str
    state: str
    """State of the token."""
    expires: str
    bots: str
    last_hand_in: str


class AccountList:
    """The list of people, and the forms that end or extend an account."""

    def __init__(self, identity: Identity) -> None:
        self._identity, self._league = identity, identity.league

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/organiser/people", self.show),
            Route("/organiser/people/revoke", self.revoke, methods=["POST"]),
            Route("/organiser/people/extend", self.extend, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the list."""
        account = await self._identity.require_organiser(request)
        people = await run_in_threadpool(_list_people, self._league)
        return render(request, "accounts.html", people=people, account=account, days=f"{EXTENSION_DAYS:g}")

    async def revoke(self, request: Request) -> Response:
        """End an account, but not the own one."""
        organiser = await self._identity.require_organiser(request)
        name = await _read_name(request)
        if name == organiser:
            raise HTTPException(400, "You cannot end your own account here.")
        return _answer(await self._identity.read(lambda database: revoke(database, name)))

    async def extend(self, request: Request) -> Response:
        """Let an account expire later."""
        await self._identity.require_organiser(request)
        name = await _read_name(request)
        return _answer(await self._identity.read(lambda database: extend(database, name, EXTENSION_DAYS)))


async def _read_name(request: Request) -> str:
    async with request.form(max_files=0, max_fields=4) as form:
        return str(form.get("name", ""))


def _answer(is_done: bool) -> Response:
    if not is_done:
        raise HTTPException(404, "There is no such account with a token.")
    return RedirectResponse("/organiser/people", 303)


def _list_people(league: LeagueFolder) -> list[Person]:
    """Return the submitters in the order of the settings, then all others with an account."""
    settings = read_settings(league.path)
    with LeagueDatabase.open(league.path) as database:
        aliases, bots = Aliases.read(database, settings), database.bots()
    with ServerDatabase.open(league) as server:
        accounts = {account.name: account for account in describe_accounts(server)}

    def describe(name: str, account: Account | None) -> Person:
        return Person(
            name=name,
            role="organiser" if account and account.is_organiser else "submitter",
            alias=aliases.find(name),
            team=settings.teams.get(name, ""),
            state=account.state if account else NOT_INVITED,
            expires=_format_time(account.expires)[:10] if account and account.state != "revoked" else "",
            bots=", ".join(bot.name for bot in bots if bot.owner == name),
            last_hand_in=_format_time(account.last_hand_in) if account else "",
        )

    names = dict.fromkeys([*settings.submitters, *accounts])
    return [describe(name, accounts.get(name)) for name in names]


def _format_time(seconds: float | None) -> str:
    """Return a time in UTC to the minute."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
