"""Pages of the server, its answers to requests that cannot be served, and signing in."""

from __future__ import annotations

import asyncio
import logging
import os
import posixpath
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from arena import __version__
from arena.errors import ArenaError, StoreError
from arena.league.accounts import MAX_SECRET_CHARS, end_session, find_by_link, use_link, use_token
from arena.output.pages.page import list_pages
from arena.web.context import hide_secret
from arena.web.requests import COOKIE, Identity, read_field

log = logging.getLogger(__name__)


# --- templates ---

Links = Sequence[tuple[str, str]]
"""Text and path of each link."""
HAND_IN: Final = ("Hand in", "/account")
ORGANISER: Final = ("Organiser", "/organiser")
"""Link of the organisers, who hand in no bots."""
MAIN_LINKS: Final = ("Live", "Play", HAND_IN[0], ORGANISER[0])
"""Links that are in the bar itself; all others are below "More"."""
PAGE: Final = "arena.output.pages"
OWN: Final = "arena.web"


class ExactFiles(StaticFiles):
    """Sends each file at one path alone: not with a slash at its end, two slashes or a dot within."""

    def get_path(self, scope: Scope) -> str:
        """Return the path of a request below the folder, as it was sent."""
        path: str = scope["path"]
        return path.removeprefix(scope.get("root_path", "")).removeprefix("/")

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return a file and its status, if this is its path."""
        if path and path != posixpath.normpath(path):
            return "", None
        return super().lookup_path(path)


def render(
    request: Request, template: str, *, status: int = 200, error: HTTPException | None = None, **values: Any
) -> HTMLResponse:
    """Return a page made from a template, perhaps with an error; `values` are its variables.

    Every template also has `context`, `navigation` and `links` of the site and of the server, `server_links`
    (see `format_bar`), `path`, `version`, and `error` as text.
    """
    state = request.app.state
    text = (
        _environment()
        .get_template(template)
        .render(
            context=state.context,
            navigation=list_pages(state.context.league.site)
            if state.context.league
            else [(state.context.title, "")],
            links=state.links,
            server_links=[Markup(part) for part in format_bar(request.scope, state.links)],
            path=request.url.path,
            version=__version__,
            error=error.detail if error else "",
            **values,
        )
    )
    return HTMLResponse(text, error.status_code if error else status, {"Cache-Control": "no-store"})


def format_bar(scope: Scope, links: Links, first: Links = ()) -> tuple[str, str, str]:
    """Return the links of the server as items of a list: before the pages of a site, and after them.

    Those after them end a menu that begins before them. The last item is who is signed in, if a league is
    served. The third text has buttons for the home of a league.

    Args:
        scope: The request for the page, with the account that `Identity.find` put there.
        links: Links of the server.
        first: Links that are in the bar itself, if they are not those of `MAIN_LINKS`.
    """
    account, own = scope.get("account"), [("Your account", HAND_IN[1])]
    if scope.get("is_organiser"):
        links, own = [ORGANISER if link == HAND_IN else link for link in links], []
    main = first or [link for name in MAIN_LINKS for link in links if link[0] == name]
    rest = format_links([link for link in links if link not in main], scope["path"])
    menu = '<li{}><details class="menu"><summary>{}</summary><ul>\n'
    end = "</ul></details></li>\n"
    if scope["app"].state.context.league is None:
        who = ""
    elif has_session(Headers(scope=scope)):
        items = format_links([*own, ("Sign out", "/sign-out")], scope["path"])
        who = menu.format(' class="who"', escape(account or "Account")) + items + end
    else:
        who = format_links((("Sign in", "/sign-in"),), scope["path"]).replace("<li", '<li class="who"')
    buttons = [
        f'<a class="button{" main-button" if text == "Play" else ""}" href="{href}">{text}</a>'
        for text, href in main
        if text != "Live"
    ]
    return format_links(main, scope["path"]) + menu.format("", "More"), rest + end + who, "".join(buttons)


def format_links(links: Links, here: str) -> str:
    """Return links as items of a list."""
    items = []
    for text, href in links:
        current = ' aria-current="page"' if href == here else ""
        items.append(f'<li><a href="{escape(href)}"{current}>{escape(text)}</a></li>\n')
    return "".join(items)


def has_session(headers: Headers) -> bool:
    """Return whether a request has the cookie of a session, which may have ended."""
    return any(COOKIE in cookie for cookie in headers.getlist("cookie"))


def asset_routes() -> list[BaseRoute]:
    """Return the routes of styles and scripts: those of reports and of the server's own pages."""
    kinds = ("style", "script")
    return [Mount(f"/static/{kind}", ExactFiles(packages=[(PAGE, kind), (OWN, kind)])) for kind in kinds]


@cache
def _environment() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader(OWN), PrefixLoader({"pages": PackageLoader(PAGE)})]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


# --- streams of events ---

KEEP_ALIVE_S: Final = 15.0
"""Seconds after which a stream without events sends a comment, which finds out who left."""
WAITING: Final = b": waiting\n\n"
"""Comment in a stream without events."""


def stream_events(events: AsyncIterator[bytes]) -> Response:
    """Return a response of server-sent events."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events, 200, headers, "text/event-stream")


def format_event(kind: str, data: Any) -> bytes:
    """Return a server-sent event, with its data as JSON."""
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), msgspec.json.encode(data))


async def is_quiet(changed: asyncio.Event) -> bool:
    """Wait for a change; return True if there is none for a while."""
    try:
        async with asyncio.timeout(KEEP_ALIVE_S):
            await changed.wait()
        return False
    except TimeoutError:
        return True


# --- errors ---
# A page, or JSON.

MESSAGES: Final = {
    404: "There is no such page here.",
    405: "This page does not take such a request.",
    500: "The server failed. Its log has the reason.",
}
"""Texts of pages for errors without a message of their own."""


def answer_error(
    request: Request, status: int, message: str, headers: dict[str, str] | None = None
) -> Response:
    """Return an error as a page or, in the API, as JSON with the key `error`."""
    if wants_json(request):
        return JSONResponse({"error": message}, status, headers)
    title = HTTPStatus(status).phrase
    response = render(request, "error.html", status=status, title=title, message=message, code=status)
    response.headers.update(headers or {})
    return response


def wants_json(request: Request) -> bool:
    """Return whether a request is to the HTTP API, or does not accept HTML."""
    accepted = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or ("json" in accepted and "html" not in accepted)


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 303:
        return Response(status_code=303, headers=error.headers)
    context = request.app.state.context
    if context.league and not wants_json(request):
        with suppress(StoreError):
            await Identity(context, context.league).find(request)  # the bar names who is signed in
    own_words = error.detail != HTTPStatus(error.status_code).phrase
    message = error.detail if own_words else MESSAGES.get(error.status_code, f"{error.detail}.")
    return answer_error(request, error.status_code, message, dict(error.headers or {}))


async def _answer_arena(request: Request, error: Exception) -> Response:
    """Answer an error of the arena, whose message may name folders of the organiser: log it."""
    log.error("%s %s: %s", request.method, hide_secret(request.url.path), error)
    return answer_error(request, 500, MESSAGES[500])


async def _answer_store(request: Request, error: Exception) -> Response:
    """Answer that a file could not be read or written now."""
    log.error("%s %s: %s", request.method, hide_secret(request.url.path), error)
    return answer_error(request, 503, "The server is busy. Try again.", {"Retry-After": "5"})


async def _answer_nobody(request: Request, error: Exception) -> Response:
    """Answer a client that left before its request was whole, for the log alone: it is no failure."""
    return Response(status_code=400)


async def _answer_failure(request: Request, error: Exception) -> Response:
    return answer_error(request, 500, MESSAGES[500])


EXCEPTION_HANDLERS: Final[dict[Any, Any]] = {
    HTTPException: _answer_http,
    StoreError: _answer_store,
    ClientDisconnect: _answer_nobody,
    ArenaError: _answer_arena,
    Exception: _answer_failure,
}


# --- signing in and out ---


class SignIn:
    """The pages of signing in and out."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/sign-in", self._show_form),
            Route("/sign-in", self._use_token, methods=["POST"]),
            Route("/sign-in/{secret}", self._show_link),
            Route("/sign-in/{secret}", self._use_link, methods=["POST"]),
            Route("/sign-out", self._show_sign_out),
            Route("/sign-out", self._sign_out, methods=["POST"]),
        ]

    async def _show_form(self, request: Request) -> Response:
        if await self._identity.find(request):
            return RedirectResponse("/account", 303)
        return render(request, "sign_in.html", name="", ends=False)

    async def _show_link(self, request: Request) -> Response:
        """Show who a link is for; programs that look at links in mails do not use it up."""
        try:
            name = await self._identity.check(request, find_by_link, request.path_params["secret"])
        except HTTPException:
            if await self._identity.find(request):  # the link was used by this browser
                return RedirectResponse("/account", 303)
            raise
        return render(request, "sign_in.html", name=name, ends=False)

    async def _use_link(self, request: Request) -> Response:
        return await self._start(await self._identity.check(request, use_link, request.path_params["secret"]))

    async def _use_token(self, request: Request) -> Response:
        token = (await read_field(request, "token", 16 * MAX_SECRET_CHARS) or "").strip()
        return await self._start(await self._identity.check(request, use_token, token))

    async def _show_sign_out(self, request: Request) -> Response:
        """Ask whether to sign out: pages of the site have no forms, only a link to this."""
        return render(request, "sign_in.html", name=await self._identity.require_page(request), ends=True)

    async def _sign_out(self, request: Request) -> Response:
        if cookie := request.cookies.get(self._identity.cookie):
            await self._identity.read(lambda database: end_session(database, cookie))
        response = RedirectResponse("/", 303)
        self._identity.sign_out(response)
        return response

    async def _start(self, cookie: str) -> Response:
        response = RedirectResponse("/account", 303)
        self._identity.sign_in(response, cookie)
        return response
