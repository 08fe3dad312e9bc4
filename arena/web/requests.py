"""Requests: checks before they are answered, who sent them, and what is handed in with them.

The sections follow a request: the server's checks, the sender's account, then the body of a hand-in.
"""

from __future__ import annotations

import asyncio
import math
import re
import zipfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.league.accounts import (
    MAX_FILE_CHARS,
    SESSION_S,
    ServerDatabase,
    Suffix,
    find_by_cookie,
    find_by_token,
    is_organiser,
    printable,
)
from arena.league.folder import LeagueFolder
from arena.plugins.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES
from arena.plugins.manifest import MANIFEST
from arena.web.context import RateLimit, Result, WebContext, address_of, call_database, refuse_if

# --- checks ---
# Host, origin, sizes and times; and the headers of every answer.

LOOPBACK_HOSTS: Final = ("127.0.0.1", "localhost", "::1")
HOST: Final = re.compile(
    r"(?:\[(?P<address>[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{1,5})?"
)
"""Header `Host`: an address or a name, and perhaps a port; no user, path or query."""
SAFE_METHODS: Final = ("GET", "HEAD", "OPTIONS")
MAX_BODY_BYTES: Final = MAX_BOT_BYTES + (2 << 20)
"""Maximum size of a request's body, in bytes: a bot's files, and what a form adds to them."""
MAX_PATH_CHARS: Final = 2048
BODY_TIMEOUT_S: Final = 120.0
"""Seconds in which a whole body has to arrive."""
NO_FRAMES: Final = "'none'"
HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        f"form-action 'self'; base-uri 'none'; frame-ancestors {NO_FRAMES}"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
HSTS: Final = "max-age=31536000"


class SecurityHeaders:
    """Adds the headers of `HEADERS` to every answer that does not have its own.

    A page whose own policy allows frames gets no `X-Frame-Options`, which would forbid them.
    """

    def __init__(self, app: ASGIApp, is_secure: bool) -> None:
        self._app = app
        self._headers = {**HEADERS, **({"Strict-Transport-Security": HSTS} if is_secure else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if f"frame-ancestors {NO_FRAMES}" not in headers["Content-Security-Policy"]:
                    del headers["X-Frame-Options"]
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class RequestCheck:
    """Refuses requests before they are answered; each subclass says which."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self.refuse(scope) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def refuse(self, scope: Scope) -> Response | None:
        """Return the answer to a request that is refused; None for all others."""
        raise NotImplementedError


class AddressLimit(RequestCheck):
    """Limits the requests of each address; a whole class may share one."""

    def __init__(self, app: ASGIApp, per_minute: float, burst: int) -> None:
        super().__init__(app)
        self._limit = RateLimit(per_minute, burst)

    def refuse(self, scope: Scope) -> Response | None:
        """Refuse an address that asks too often."""
        wait_s = self._limit.take(address_of(scope))
        headers = {"Retry-After": str(math.ceil(wait_s))}
        error = {"error": "Too many requests from this address."}
        return JSONResponse(error, 429, headers) if wait_s else None


class HostCheck(RequestCheck):
    """Refuses requests to another host name, by which a page elsewhere could reach a server on loopback."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        super().__init__(app)
        self._hosts = {host.lower(), *(LOOPBACK_HOSTS if host in LOOPBACK_HOSTS else ())}

    def refuse(self, scope: Scope) -> Response | None:
        """Refuse a request with another or no header `Host`."""
        hosts = Headers(scope=scope).getlist("host")
        match = HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        name = (match["address"] or match["name"]).lower() if match else ""
        return None if name in self._hosts else PlainTextResponse("This server has another name.\n", 421)


class OriginCheck(RequestCheck):
    """Refuses requests that change something from pages of other sites.

    Browsers send `Origin` with every POST. A request without it is refused unless it has a bearer token,
    which no page of another site can send.
    """

    def __init__(self, app: ASGIApp, url: str) -> None:
        super().__init__(app)
        self._is_loopback = (urlsplit(url).hostname or "") in LOOPBACK_HOSTS
        self._origin = url.lower()

    def refuse(self, scope: Scope) -> Response | None:
        """Refuse a request that comes from another site."""
        if scope["method"] in SAFE_METHODS or self._is_allowed(scope):
            return None
        return JSONResponse({"error": "The request comes from a page of another site."}, 403)

    def _is_allowed(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        if origin is None:
            return headers.get("authorization", "").lower().startswith(BEARER)
        if self._is_loopback:  # any of its names and ports, if it is what the request is sent to
            return origin.lower() == f"http{'s' * (scope['scheme'] == 'https')}://{headers['host'].lower()}"
        return origin.lower() == self._origin


class RequestLimits(RequestCheck):
    """Limits a path and a body, before it is read, and the time in which it arrives."""

    def refuse(self, scope: Scope) -> Response | None:
        """Refuse a request that is too long by its own words."""
        if len(scope["path"]) > MAX_PATH_CHARS:
            return PlainTextResponse("The address is too long.\n", 414)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MAX_BODY_BYTES:
            return JSONResponse({"error": TOO_LARGE}, 413, {"Connection": "close"})  # the body is not read
        return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + BODY_TIMEOUT_S
        left, is_whole = MAX_BODY_BYTES, False

        async def receive_limited() -> Message:
            nonlocal left, is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The body of the request did not arrive in time.") from None
            left -= len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if left < 0:
                raise HTTPException(413, TOO_LARGE)
            return message

        await super().__call__(scope, receive_limited, send)


TOO_LARGE: Final = f"The request is larger than {MAX_BODY_BYTES >> 20} MiB."


# --- sender ---
# The account of a request's cookie or of its token.

COOKIE: Final = "arena_session"
FAILED_PER_MINUTE: Final = 20
FAILED_BURST: Final = 50
"""Wrong secrets at once, of an address or with the same beginning."""
PREFIX_CHARS: Final = 8
"""Characters of a wrong secret that are compared with those of others."""
BEARER: Final = "bearer "
INVALID: Final = (
    "This token or link is not valid: it expired, was used or was replaced. A link works once: sign in with "
    "the token that came with it, or ask the organiser for another invitation."
)


class Identity:
    """Finds accounts, and limits how often secrets may be guessed."""

    def __init__(self, context: WebContext, league: LeagueFolder) -> None:
        self._context, self.league = context, league
        self._failures = RateLimit(FAILED_PER_MINUTE, FAILED_BURST)
        self._beginnings = RateLimit(FAILED_PER_MINUTE, FAILED_BURST)

    @property
    def cookie(self) -> str:
        """Name of the cookie; browsers take one with this prefix over TLS only, from this host alone."""
        return f"__Host-{COOKIE}" if self._context.is_secure else COOKIE

    async def find(self, request: Request) -> str | None:
        """Return the account of a request, if it has one."""
        header = request.headers.get("authorization", "")
        if header.lower().startswith(BEARER) and request.url.path.startswith("/api/"):
            return await self.check(request, find_by_token, header[len(BEARER) :].strip())
        cookie = request.cookies.get(self.cookie)
        if not cookie:
            return None

        def look_up(database: ServerDatabase) -> tuple[str | None, bool]:
            name = find_by_cookie(database, cookie)
            return name, name is not None and is_organiser(database, name)

        name, is_one = await self.read(look_up)
        if name:
            request.scope.update(account=name, is_organiser=is_one)
        return name

    async def require(self, request: Request) -> str:
        """Return the account of a request."""
        if name := await self.find(request):
            return name
        raise HTTPException(401, "Sign in first.", {"WWW-Authenticate": "Bearer"})

    async def require_page(self, request: Request) -> str:
        """Return the account of a request for a page; who has none is led to the page for signing in."""
        if name := await self.find(request):
            return name
        raise HTTPException(303, headers={"Location": "/sign-in"})

    async def require_organiser(self, request: Request) -> str:
        """Return the account of a request, which is one of the organisers."""
        name = await self.require(request)
        if not await self.read(lambda database: is_organiser(database, name)):
            raise HTTPException(404)
        return name

    async def check(
        self, request: Request, find: Callable[[ServerDatabase, str], str | None], secret: str
    ) -> str:
        """Return what a function finds for a secret that was sent.

        A valid secret is never refused: others may share its address.

        Raises:
            HTTPException: 401 if it finds nothing; 429 if the address sent too many such secrets, or if too
                many began as this one does.
        """
        account = await self.read(lambda database: find(database, secret))
        if account is None:
            address = address_of(request.scope)
            wait_s = self._failures.take(address) or self._beginnings.take(secret[:PREFIX_CHARS])
            refuse_if(wait_s, "Too many wrong tokens or links.")
            raise HTTPException(401, INVALID, {"WWW-Authenticate": "Bearer"})
        if find is find_by_token:
            request.scope["account"] = account
        return account

    async def read(self, function: Callable[[ServerDatabase], Result]) -> Result:
        """Call a function with the database of the server, in a thread."""
        return await call_database(self.league, function)

    def sign_in(self, response: Response, cookie: str) -> None:
        """Have a response set the cookie of a session."""
        response.set_cookie(
            self.cookie, cookie, max_age=int(SESSION_S), secure=self._context.is_secure, httponly=True,
            samesite="lax",
        )  # fmt: skip

    def sign_out(self, response: Response) -> None:
        """Have a response remove the cookie."""
        response.delete_cookie(self.cookie, secure=self._context.is_secure, httponly=True, samesite="lax")


def for_account(
    path: str,
    require: Callable[[Request], Awaitable[str]],
    answer: Callable[[Request, str], Awaitable[Response]],
    method: str = "GET",
) -> BaseRoute:
    """Return a route for an account, which `require`, a method of `Identity`, finds."""

    async def answer_account(request: Request) -> Response:
        return await answer(request, await require(request))

    return Route(path, answer_account, methods=[method])


# --- forms and uploads ---
# A field; or a file, the files of a folder, an archive, or text.


async def read_field(request: Request, name: str, max_bytes: int = 1 << 20) -> str | None:
    """Return a field of a short form; None if it is not there."""
    async with request.form(max_files=0, max_fields=4, max_part_size=max_bytes) as form:
        return str(form[name]) if name in form else None


MAX_TEXT_BYTES: Final = 1 << 20
ZIP_START: Final = b"PK\x03\x04"
OLDEST: Final = (1980, 1, 1, 0, 0, 0)
"""Date of files in an archive that the server makes: the same files are the same bytes."""
NOT_A_BOT: Final = (
    "neither a Python file, whose name ends in .py, nor a zip archive, whose name ends in .zip: hand in one "
    "of these, or a folder with a bot.toml."
)
EXPECTED: Final = "Hand in a Python file, a zip archive, the files of a folder, or code as text."


class Upload(NamedTuple):
    """Content of a hand-in, of which only the first bytes of an archive are looked at here."""

    name: str
    """Name of the bot; empty if none was given."""
    suffix: Suffix
    payload: bytes
    file: str = ""
    """Name of the file, archive or folder; empty for text and bytes without one."""
    asks: bool = False
    """True if a person is at a page, to confirm the name of the bot."""


async def read_upload(request: Request) -> Upload:
    """Return what a request hands in: a form, or one file as its body."""
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        upload = await _read_form(request)
    else:
        payload = await request.body()
        upload = Upload(request.query_params.get("name", ""), _suffix_of(payload), payload)
    if not upload.payload.strip():
        raise HTTPException(400, EXPECTED)
    if len(upload.payload) > MAX_BOT_BYTES:
        raise HTTPException(413, f"A bot has at most {MAX_BOT_BYTES >> 20} MiB.")
    return upload


async def _read_form(request: Request) -> Upload:
    form = await request.form(max_files=MAX_BOT_FILES, max_fields=8, max_part_size=MAX_TEXT_BYTES)
    try:
        name, code = str(form.get("name", "")).strip(), str(form.get("code", ""))
        asks = "asks" in form
        sent = [file for file in form.getlist("bot") if isinstance(file, UploadFile) and file.filename]
        files = [(file.filename or "", await file.read()) for file in sent]
    finally:
        await form.close()
    if code.strip() and files:
        raise HTTPException(400, "Hand in files or code, not both.")
    if code.strip():
        return Upload(name, ".py", code.replace("\r\n", "\n").encode(errors="replace"), "", asks)
    if len(files) == 1 and "/" not in files[0][0]:
        file, payload = files[0]
        return Upload(name, _suffix_of_file(file, payload), payload, file, asks)
    if not files:
        raise HTTPException(400, EXPECTED)
    folders = {path.partition("/")[0] if "/" in path else "" for path, _ in files}
    folder = folders.pop() if len(folders) == 1 else ""
    return Upload(name, ".zip", await run_in_threadpool(pack_files, files), folder, asks)


def _suffix_of_file(file: str, payload: bytes) -> Suffix:
    """Return the suffix of a file that was sent with its name."""
    name, kind = printable(file)[:MAX_FILE_CHARS], PurePath(file).suffix.lower()
    if file == MANIFEST:
        raise HTTPException(400, f"{name} is without the other files of its bot: hand in its whole folder.")
    if kind not in (".py", ".zip"):
        raise HTTPException(400, f"{name} is {NOT_A_BOT}")
    suffix = _suffix_of(payload)
    if kind == ".zip" != suffix:
        raise HTTPException(400, f"{name} is not a zip archive, though its name ends in .zip: pack it again.")
    return suffix


def _suffix_of(payload: bytes) -> Suffix:
    return ".zip" if payload.startswith(ZIP_START) else ".py"


def pack_files(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return files as a zip archive: the same names and bytes give the same archive.

    The names are only data here; the check looks at them.
    """
    packed = BytesIO()
    try:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for name, content in sorted(files):
                archive.writestr(zipfile.ZipInfo(name, OLDEST), content)
    except (ValueError, OverflowError, zipfile.LargeZipFile) as error:
        raise HTTPException(400, "A file has a name that is too long.") from error
    return packed.getvalue()
