"""Handing in bots, and the pages of accounts and of the organiser, readable and as JSON."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute

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
from arena.web.context import MAX_NUMBER, RateLimit, refuse_if
from arena.web.jobs import CheckQueue, HandInProgress
from arena.web.pages import (
    ORGANISER,
    WAITING,
    Links,
    format_bar,
    format_event,
    is_quiet,
    render,
    stream_events,
)
from arena.web.requests import Identity, for_account, read_field, read_upload
from arena.web.static_files import SiteFiles, add_bar, page_policy

# --- state of hand-ins ---
# A hand-in as pages and programs see it, with what the league made of it.


FOLDERS: Final = re.compile(r"\S*/(?=[^\s/]+\.py:\d)")
"""Folders before a file and its line."""
INNERMOST_FRAME: Final = re.compile(
    r'File "(?:[^"]*/)?(?P<file>[^"/]+)", line (?P<line>\d+), in .*\n\s*(?P<code>.*)\n'
    r"(?:[\s~^]*\n)?\s*(?P<error>(?!File |[~^])\S.*)"
)
"""The last frame of a traceback, with its line of code, and the exception."""


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
    def short_reason(self) -> str:
        """The reason with the names of files in place of their paths, which are hashes."""
        return FOLDERS.sub("", self.reason)

    @property
    def crash(self) -> re.Match[str] | None:
        """File, line, code and error of the first exception on the report card."""
        return INNERMOST_FRAME.search(self.hand_in.card)

    @property
    def received(self) -> str:
        """Time at which it was handed in, in UTC."""
        return _format_time(self.hand_in.received)

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
        """Return it as JSON."""
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


def _see_account(league: LeagueFolder, account: str) -> dict[str, Any]:
    """Return the alias of an account, empty without one, the patterns of names of its bots, and its bots."""
    with LeagueResults.open(league.path) as results:
        withdrawals = [request for request in results.requests if request.kind == "withdraw"]
        leaving = {request.name for request in withdrawals if request.state == "waiting"}
        bots = [
            {
                "name": bot.name,
                "state": results.state_of(bot),
                "page": _page(league, bot_path(bot)),
                "is_leaving": bot.name in leaving,  # with the next update
            }
            for bot in results.bots
            if bot.owner == account
        ]
    with LeagueDatabase.open(league.path) as database:
        aliases = Aliases.read(database, read_settings(league.path))
    return {"alias": aliases.find(account), "names": list(aliases.patterns(account)), "bots": bots}


def _see_terms(league: LeagueFolder) -> dict[str, Any]:
    """Return the games of a league with the pages of their rules, the limits of bots, and the deadline."""
    settings = read_settings(league.path)  # as they are for a bot that is handed in now
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


def _page(league: LeagueFolder, path: str) -> str:
    return f"/{path}" if (league.site / path).is_file() else ""


# --- pages of an account ---
# What an account does has a form and a route of the API, which differ only in their answers.

UPLOADS_PER_MINUTE: Final = 6
UPLOAD_BURST: Final = 12
ALIASES_PER_MINUTE: Final = 0.2
ALIAS_BURST: Final = 10
"""Aliases that an account may try at once: each refusal says that a name may be somebody's."""
NO_BOT: Final = (
    "An organiser's account hands in no bot. Make yourself another account with `arena league invite`, "
    "without --organiser, or use `arena league submit`."
)
MAX_ALIAS_BYTES: Final = 1 << 10
MAX_NOTE_BYTES: Final = 16 * MAX_NOTE_CHARS
"""Maximum size of a form with a note, most characters of which may take twelve bytes in an address."""
NOTES_PER_MINUTE: Final = 12
NOTE_BURST: Final = 30
NO_RESULTS: Final = "There are no results yet: the next update writes them."
AGAIN: Final = "again"
"""Query of the page of a hand-in whose bytes were handed in a second time."""
EXAMPLE: Final = """\
class Mine:
    def act(self, view):
        for action in view.legal:
            if view.text(action) == "knock":
                return action
        return view.legal[0]
"""


class _Outcome(NamedTuple):
    """Outcome of a request of an account."""

    fields: dict[str, Any]
    """Answer to programs."""
    page: str = "/account"
    """Path of the page to which a person is led."""
    status: int = 200
    """Status of the answer to programs."""
    location: str = ""
    """Path of what was made, in answers of the API."""


Act = Callable[[Request, str], Awaitable[_Outcome]]
"""Does what a request of an account asks for."""
ShowProblem = Callable[[Request, str, HTTPException], Awaitable[Response]]
"""Shows an account what is wrong with a form."""


class AccountPages:
    """Handing in, one's own bots and results, the report card of each hand-in; as JSON at `/api`."""

    def __init__(self, identity: Identity, queue: CheckQueue, stopping: asyncio.Event) -> None:
        self._identity, self._league = identity, identity.league
        self._queue, self._stopping = queue, stopping
        self._uploads = RateLimit(UPLOADS_PER_MINUTE, UPLOAD_BURST)
        self._aliases = RateLimit(ALIASES_PER_MINUTE, ALIAS_BURST)
        self._notes = RateLimit(NOTES_PER_MINUTE, NOTE_BURST)

    def routes(self) -> list[BaseRoute]:
        page, api = "/account/hand-ins/{number:int}", "/api/hand-ins/{number:int}"
        account, person = self._identity.require, self._identity.require_page
        return [
            for_account("/account", person, self._show),
            for_account("/account/results", person, self._show_results),
            for_account("/account/kit.zip", account, self._send_kit),
            for_account(page, person, self._hand_in_page),
            for_account(f"{api}/code", account, self._send_code),
            for_account(f"{api}/events", account, self._send_events),
            self._for_programs("GET", "/api/account", self._read_account),
            self._for_programs("GET", "/api/hand-ins", self._read_hand_ins),
            self._for_programs("GET", api, self._read_hand_in),
            self._for_programs("POST", "/api/hand-ins", self._hand_in),
            self._for_people("/account/hand-ins", self._hand_in, self._page),
            self._for_people(f"{page}/name", self._confirm_name, self._hand_in_page),
            self._for_programs("POST", f"{api}/note", self._set_note),
            self._for_people(f"{page}/note", self._set_note, self._hand_in_page),
            self._for_programs("POST", "/api/account/alias", self._set_alias),
            self._for_people("/account/alias", self._set_alias, self._page),
            self._for_programs("POST", "/api/bots/{name}/withdrawal", self._withdraw),
            self._for_people("/account/withdrawals", self._withdraw),
        ]

    def _for_programs(self, method: str, path: str, act: Act) -> BaseRoute:
        async def answer(request: Request, account: str) -> Response:
            outcome = await act(request, account)
            headers = {"Location": outcome.location} if outcome.location else {}
            return _json(outcome.fields, outcome.status, **headers)

        return for_account(path, self._identity.require, answer, method)

    def _for_people(self, path: str, act: Act, show: ShowProblem | None = None) -> BaseRoute:
        async def answer(request: Request, account: str) -> Response:
            try:
                return RedirectResponse((await act(request, account)).page, 303)
            except HTTPException as error:
                if show is None:
                    raise
                return await show(request, account, error)

        return for_account(path, self._identity.require, answer, "POST")

    # --- what an account does ---

    async def _hand_in(self, request: Request, account: str) -> _Outcome:
        """Take a bot: 201, or 200 if it is the same as the last one."""
        settings = await run_in_threadpool(read_settings, self._league.path)
        if await self._identity.read(lambda database: is_organiser(database, account)):
            raise HTTPException(403, NO_BOT)
        if account not in settings.submitters:
            raise HTTPException(403, f"{account} is not in the table [submitters] of league.toml.")
        refuse_if(self._uploads.take(account), "You hand in too often.")
        upload = await read_upload(request)
        with _refusals():
            settings.refuse_late()
            received, is_new = await self._identity.read(
                lambda database: hand_in(
                    *(self._league, database, account, upload.name, upload.suffix, upload.payload),
                    file=upload.file,
                    asks=upload.asks,
                )
            )
        self._queue.wake()
        seen = await self._find(account, received.number)
        page, location = (f"/{part}/hand-ins/{received.number}" for part in ("account", "api"))
        page, status = (page, 201) if is_new else (f"{page}?{AGAIN}", 200)
        return _Outcome(seen.fields(), page, status, location)

    async def _confirm_name(self, request: Request, account: str) -> _Outcome:
        """Have a hand-in checked under the name that was confirmed or chosen."""
        stored = (await self._find(account, request.path_params["number"])).hand_in
        name = (await read_field(request, "name", MAX_ALIAS_BYTES) or "").strip()
        with _refusals():
            await self._identity.read(lambda database: confirm(database, stored, name))
        self._queue.wake()
        return await self._outcome_of(account, stored.number)

    async def _set_note(self, request: Request, account: str) -> _Outcome:
        """Store the private note on a hand-in."""
        refuse_if(self._notes.take(account), "You change notes too often.")
        number = (await self._find(account, request.path_params["number"])).hand_in.number
        text = await read_field(request, "note", MAX_NOTE_BYTES)
        if text is None:
            raise HTTPException(400, "Send the note as the field `note` of a form; an empty one removes it.")
        with _refusals():
            await self._identity.read(lambda database: write_note(database, number, text))
        return await self._outcome_of(account, number)

    async def _set_alias(self, request: Request, account: str) -> _Outcome:
        refuse_if(self._aliases.take(account), "You try too many aliases.")
        text = await read_field(request, "alias", MAX_ALIAS_BYTES) or ""

        def change() -> str:
            with LeagueDatabase.open(self._league.path, "rw") as database:
                return choose_alias(database, read_settings(self._league.path), account, text)

        with _refusals():
            alias = await run_in_threadpool(change)
        return _Outcome({"account": account, "alias": alias})

    async def _withdraw(self, request: Request, account: str) -> _Outcome:
        """Withdraw a bot with the next update."""
        name = request.path_params.get("name") or await read_field(request, "bot") or ""

        def change() -> bool:
            bots = {bot["name"]: bot for bot in _see_account(self._league, account)["bots"]}
            if name not in bots:
                return False
            if not bots[name]["is_leaving"] and bots[name]["state"] != "withdrawn":
                with LeagueDatabase.open(self._league.path, "rw") as database:
                    request_change(database, "withdraw", name)
            return True

        if not await run_in_threadpool(change):
            raise HTTPException(404, "You have no bot of this name in the league.")
        return _Outcome({"bot": name, "state": "leaving"}, status=202)

    async def _outcome_of(self, account: str, number: int) -> _Outcome:
        seen = await self._find(account, number)
        return _Outcome(seen.fields(), f"/account/hand-ins/{number}")

    # --- what an account sees ---

    async def _show(self, request: Request, account: str) -> Response:
        """Show the forms, the bots and what was handed in; an organiser is led to other pages."""
        if await self._identity.read(lambda database: is_organiser(database, account)):
            return RedirectResponse("/organiser", 303)
        return await self._page(request, account)

    async def _read_account(self, request: Request, account: str) -> _Outcome:
        return _Outcome({"account": account, **await run_in_threadpool(_see_account, self._league, account)})

    async def _read_hand_ins(self, request: Request, account: str) -> _Outcome:
        return _Outcome({"hand_ins": [seen.fields() for seen in await self._find_all(account)]})

    async def _read_hand_in(self, request: Request, account: str) -> _Outcome:
        return await self._outcome_of(account, request.path_params["number"])

    async def _send_code(self, request: Request, account: str) -> Response:
        """Send the bytes of a hand-in."""
        seen = await self._find(account, request.path_params["number"])
        path = content_path(self._league, seen.hand_in.content)
        headers = {"Cache-Control": "no-store"}
        return FileResponse(path, 200, headers, "application/octet-stream", filename=seen.file_name)

    async def _send_events(self, request: Request, account: str) -> Response:
        """Stream what happens to a hand-in, from its beginning to its provisional places."""
        seen = await self._find(account, request.path_params["number"])
        return stream_events(self._stream(account, seen))

    async def _show_results(self, request: Request, account: str) -> Response:
        """Show what beats the own bots, and where they lose."""
        path = self._league.organiser / student_path(account)
        if not await run_in_threadpool(path.is_file):
            raise HTTPException(404, NO_RESULTS)
        page = await run_in_threadpool(path.read_bytes)
        headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-store"}
        bar = format_bar(request.scope, request.app.state.links)
        return HTMLResponse(add_bar(_show_at_top(page), bar), 200, headers)

    async def _send_kit(self, request: Request, account: str) -> Response:
        """Send the starter kit of the league, as `arena league kit` writes it."""

        def pack() -> bytes:
            packed = BytesIO()
            write_files(packed, kit_files(self._league))
            return packed.getvalue()

        headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="kit.zip"'}
        return Response(await run_in_threadpool(pack), 200, headers, "application/zip")

    async def _find(self, account: str, number: int) -> SeenHandIn:
        """Return a hand-in of an account."""

        def read(database: ServerDatabase) -> HandIn | None:
            query = "SELECT 1 FROM hand_in WHERE number = ? AND account = ?"
            return find_hand_in(database, number) if database.query(query, number, account) else None

        stored = await self._identity.read(read) if number <= MAX_NUMBER else None
        if stored is None:
            raise HTTPException(404)
        [seen] = await run_in_threadpool(see_hand_ins, self._league, [stored])
        return seen

    async def _find_all(self, account: str) -> list[SeenHandIn]:
        """Return what an account handed in, the latest first."""
        hand_ins = await self._identity.read(lambda database: list_hand_ins(database, account))
        return await run_in_threadpool(see_hand_ins, self._league, hand_ins)

    async def _stream(self, account: str, seen: SeenHandIn) -> AsyncIterator[bytes]:
        """Yield server-sent events: `state`, `name`, `game`, and at the end `hand-in` with all of it."""
        progress = None
        if seen.hand_in.is_waiting:
            progress, sent = self._queue.progress_of(seen.hand_in.number), 0
            is_waiting = await self._is_waiting(seen.hand_in.number)  # asked again: it may just have ended
            while is_waiting and not (progress.is_over or self._stopping.is_set()):
                changed = progress.changed
                for event in progress.events[sent:]:
                    yield format_event(*event)
                sent = len(progress.events)
                if await is_quiet(changed):
                    yield WAITING
                    is_waiting = await self._is_waiting(seen.hand_in.number)
            for event in progress.events[sent:]:
                yield format_event(*event)
        if not self._stopping.is_set():
            yield format_event("hand-in", (await self._result(account, seen, progress)).fields())

    async def _result(self, account: str, seen: SeenHandIn, progress: HandInProgress | None) -> SeenHandIn:
        """Return a hand-in as it is at the end of its progress, which is read once for all who follow it."""
        if progress is None:
            return seen
        if progress.result is None:
            progress.result = asyncio.ensure_future(self._find(account, seen.hand_in.number))
        result: SeenHandIn = await asyncio.shield(progress.result)
        return result

    async def _is_waiting(self, number: int) -> bool:
        return await self._identity.read(lambda database: find_hand_in(database, number).is_waiting)

    async def _hand_in_page(
        self, request: Request, account: str, error: HTTPException | None = None
    ) -> Response:
        """Show the report card and the provisional places of a hand-in."""
        one = await self._find(account, request.path_params["number"])
        about = await run_in_threadpool(_see_account, self._league, account)
        return render(
            request,
            "hand_in.html",
            error=error,
            one=one,
            max_chars=MAX_NOTE_CHARS,
            is_again=AGAIN in request.query_params,
            names=about["names"],
            suggestion=_suggest_name(one.hand_in, about["alias"] or account),
        )

    async def _page(self, request: Request, account: str, error: HTTPException | None = None) -> Response:
        league = self._league
        return render(
            request,
            "account.html",
            error=error,
            account=account,
            example=EXAMPLE,
            places=await run_in_threadpool(_read_places, league, account),
            hand_ins=await self._find_all(account),
            max_mib=MAX_BOT_BYTES >> 20,
            max_files=f"{MAX_BOT_FILES:,}",
            burst=UPLOAD_BURST,
            per_minute=UPLOADS_PER_MINUTE,
            **await run_in_threadpool(_see_account, league, account),
            **await run_in_threadpool(_see_terms, league),
        )


@contextmanager
def _refusals() -> Iterator[None]:
    """Raise what the league refuses as the error of a request."""
    try:
        yield
    except PluginError as error:
        raise HTTPException(400, f"{error}.") from error


def _json(value: Any, status: int = 200, **headers: str) -> Response:
    return Response(
        msgspec.json.encode(value) + b"\n",
        status,
        {"Cache-Control": "no-store", **headers},
        media_type="application/json",
    )


def _suggest_name(hand_in: HandIn, own: str) -> str:
    """Return a name for a hand-in whose sender is asked for one: that of the account and of its file."""
    name = name_of_file(hand_in.given_name or Path(hand_in.file).stem)
    own = name_bot_of(own)
    return f"{own}-{name if name and name != own else 2}"[:MAX_NAME_CHARS]


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


# --- pages of the organiser ---
# Finals that are held back, notes, all of the site, and the list of people.

ORGANISER_LINKS: Final[Links] = (ORGANISER, ("Live", "/live"))
EXTENSION_DAYS: Final = 180.0
NOT_INVITED: Final = "not invited"


class OrganiserPages:
    """The pages of the organiser."""

    def __init__(self, identity: Identity) -> None:
        self._identity, self._league = identity, identity.league
        self._files = SiteFiles(identity.league.organiser, first=ORGANISER_LINKS)

    def routes(self) -> list[BaseRoute]:
        pages = {
            "GET": {
                "": self._page,
                "/notes": self._show_notes,
                "/pages/{path:path}": self._show_page,
                "/people": self._show_people,
            },
            "POST": {"/reveal": self._reveal, "/people/revoke": self._revoke, "/people/extend": self._extend},
        }
        return [
            for_account(f"/organiser{path}", self._identity.require_organiser, answer, method)
            for method, answers in pages.items()
            for path, answer in answers.items()
        ]

    async def _reveal(self, request: Request, account: str) -> Response:
        """Reveal the next round of a final; the site is written after the answer."""
        number = await read_field(request, "final") or ""
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise HTTPException(400, "Name a final.")
        try:
            await run_in_threadpool(reveal_rounds, self._league, int(number))
        except ConfigError as error:
            return await self._page(request, account, HTTPException(400, f"{error}."))
        return RedirectResponse("/organiser", 303, background=BackgroundTask(write_site, self._league))

    async def _page(self, request: Request, account: str, error: HTTPException | None = None) -> Response:
        """Show the finals that are held back, and the way to all pages of the organiser."""
        held = await run_in_threadpool(_list_held, self._league)
        return render(request, "organiser.html", error=error, held=held)

    async def _show_notes(self, request: Request, account: str) -> Response:
        """Show the private notes of all submitters."""
        noted = await self._identity.read(list_noted)
        hand_ins = await run_in_threadpool(see_hand_ins, self._league, noted)
        return render(request, "notes.html", hand_ins=hand_ins)

    async def _show_page(self, request: Request, account: str) -> Response:
        """Send a file of the organiser's pages."""
        path = request.path_params["path"]
        if path == "":
            return RedirectResponse("/organiser/pages/index.html", 303)
        response = await self._files.get_response(path, request.scope)
        response.headers["Cache-Control"] = "no-store"
        return response

    async def _show_people(self, request: Request, account: str) -> Response:
        """Show aliases, bots, tokens and last hand-ins of people."""
        people = await run_in_threadpool(_list_people, self._league)
        return render(request, "accounts.html", people=people, account=account, days=f"{EXTENSION_DAYS:g}")

    async def _revoke(self, request: Request, account: str) -> Response:
        """End an account, but not the own one."""
        name = await read_field(request, "name") or ""
        if name == account:
            raise HTTPException(400, "You cannot end your own account here.")
        return await self._change(lambda database: revoke(database, name))

    async def _extend(self, request: Request, account: str) -> Response:
        """Let an account expire later."""
        name = await read_field(request, "name") or ""
        return await self._change(lambda database: extend(database, name, EXTENSION_DAYS))

    async def _change(self, change: Callable[[ServerDatabase], bool]) -> Response:
        if not await self._identity.read(change):
            raise HTTPException(404, "There is no such account with a token.")
        return RedirectResponse("/organiser/people", 303)


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


def _list_people(league: LeagueFolder) -> list[Person]:
    """Return the submitters in the order of the settings, then all others with an account."""
    settings = read_settings(league.path)
    with LeagueDatabase.open(league.path) as database:
        aliases, bots = Aliases.read(database, settings), database.read_bots()
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
