"""Handing in bots: the routes of the HTTP API, and what the pages share with them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from arena.errors import PluginError
from arena.league.accounts import (
    MAX_NOTE_CHARS,
    HandIn,
    ServerDatabase,
    confirm,
    content_path,
    find_hand_in,
    hand_in,
    is_organiser,
    list_hand_ins,
    write_note,
)
from arena.league.requests import choose_alias, request_change
from arena.league.settings import LeagueFolder, read_settings
from arena.league.store import LeagueDatabase
from arena.web.check_queue import CheckQueue, HandInProgress
from arena.web.hand_in_status import SeenHandIn, see_bots, see_hand_ins, see_names
from arena.web.identity import Identity
from arena.web.rate_limits import RateLimit, refuse_if
from arena.web.uploads import read_upload

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
        """Store what a request hands in; return it, and whether it is new.

        Raises:
            HTTPException: 403 if the account may not hand in, 429 after too many, 400 for what is refused.
        """
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
        """Return a hand-in of an account.

        Raises:
            HTTPException: 404 if it has none with this number.
        """

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
        """Ask for the withdrawal of a bot of an account with the next update.

        Raises:
            HTTPException: 404 if it has no such bot.
        """

        def change() -> bool:
            bots = {bot.name: bot for bot in see_bots(self.league, account)}
            if name not in bots:
                return False
            if not bots[name].is_leaving and bots[name].state != "withdrawn":
                with LeagueDatabase.open(self.league.path, "rw") as database:
                    request_change(database, "withdraw", name)
            return True

        if not await run_in_threadpool(change):
            raise HTTPException(404, "You have no bot of this name in the league.")

    async def set_alias(self, request: Request, account: str) -> str:
        """Store the alias that a form sends, and return it.

        Raises:
            HTTPException: 400 for one that is refused, 429 after too many.
        """
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
        """Store the private note that a form sends on a hand-in of an account, and return the hand-in.

        Raises:
            HTTPException: 404 if it has no such hand-in, 400 for a note that is refused, 429 after too many.
        """
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
        """Give an unconfirmed hand-in of an account the name that a form sends; return its number.

        Raises:
            HTTPException: 404 if it has no such hand-in, 400 for a name that is refused.
        """
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
        bots = await run_in_threadpool(see_bots, self.league, account)
        alias, names = await run_in_threadpool(see_names, self.league, account)
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
