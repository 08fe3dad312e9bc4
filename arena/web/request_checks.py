"""Checks before a request is answered: host, origin, sizes and times; and the headers of every answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.plugins.submissions.bot_files import MAX_BOT_BYTES

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


class HostCheck:
    """Refuses requests to another host name, by which a page elsewhere could reach a server on loopback."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._hosts = {host.lower(), *(LOOPBACK_HOSTS if host in LOOPBACK_HOSTS else ())}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._name(scope) not in self._hosts:
            answer = PlainTextResponse("This server has another name.\n", 421)
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _name(self, scope: Scope) -> str:
        hosts = Headers(scope=scope).getlist("host")
        match = HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        return (match["address"] or match["name"]).lower() if match else ""


class OriginCheck:
    """Refuses requests that change something from pages of other sites.

    Browsers send `Origin` with every POST. A request without it is refused unless it has a bearer token,
    which no page of another site can send.
    """

    def __init__(self, app: ASGIApp, url: str) -> None:
        self._app = app
        self._is_loopback = (urlsplit(url).hostname or "") in LOOPBACK_HOSTS
        self._origin = url.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] not in SAFE_METHODS and not self._is_allowed(scope):
            answer = JSONResponse({"error": "The request comes from a page of another site."}, 403)
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        if origin is None:
            return headers.get("authorization", "").lower().startswith("bearer ")
        if self._is_loopback:  # any of its names and ports, if it is what the request is sent to
            return origin.lower() == f"http{'s' * (scope['scheme'] == 'https')}://{headers['host'].lower()}"
        return origin.lower() == self._origin


class RequestLimits:
    """Limits a path and a body, before it is read, and the time in which it arrives."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if len(scope["path"]) > MAX_PATH_CHARS:
            await PlainTextResponse("The address is too long.\n", 414)(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MAX_BODY_BYTES:
            await _too_large(scope, receive, send)
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

        await self._app(scope, receive_limited, send)


TOO_LARGE: Final = f"The request is larger than {MAX_BODY_BYTES >> 20} MiB."


async def _too_large(scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"Connection": "close"}  # the body is not read
    await JSONResponse({"error": TOO_LARGE}, 413, headers)(scope, receive, send)
