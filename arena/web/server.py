"""The server: its application, put together from its parts, and its process."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import struct
import sys
import webbrowser
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena import __version__
from arena.errors import ConfigError
from arena.interactive import save_record
from arena.interactive.session import SeriesSetup
from arena.interactive.table_form import BotChoices
from arena.league.live import LeagueWatcher
from arena.tournament.review.live import RunWatcher
from arena.web import context as access_log
from arena.web import static_files
from arena.web.accounts import AccountPages, OrganiserPages
from arena.web.context import (
    AccessLog,
    Feature,
    MakeFeature,
    WebContext,
    address_of,
    unmap_ipv4,
    utc_time,
)
from arena.web.jobs import CheckQueue, Updater
from arena.web.live import LiveFeed, LivePages, presentation_feature
from arena.web.pages import EXCEPTION_HANDLERS, HAND_IN, SignIn
from arena.web.play import PlayPages, Tables, make_token, play_feature
from arena.web.requests import AddressLimit, HostCheck, Identity, OriginCheck, RequestLimits, SecurityHeaders

# --- process ---
# Connections, TLS, signals and log.

HEADER_TIMEOUT_S: Final = 10.0
"""Seconds in which the head of a request has to arrive, from the first byte of the connection or request."""
SEND_TIMEOUT_S: Final = 30.0
"""Seconds in which a client has to take what waits to be sent."""
KEEP_ALIVE_S: Final = 15
STOP_TIMEOUT_S: Final = 10
"""Seconds that answers have to end when the server stops."""
MAX_CONNECTIONS: Final = 10_000
"""Limit on connections that are open at the same time; one address may have half of them."""
BACKLOG: Final = 128
"""Connections that wait to be accepted; asyncio accepts this many, repeatedly, before one is counted."""
RESERVED_DESCRIPTORS: Final = 4 * BACKLOG + 500
"""Descriptors that are kept for connections not yet counted, for files and for the pipes of bots."""

SHORTAGE_INTERVAL_S: Final = 60.0
"""Seconds between two lines of the log on a shortage of descriptors."""


@dataclass(frozen=True, kw_only=True)
class Listening:
    """Address and certificate of a server.

    Args:
        host: Address of this machine.
        port: 0 takes any that is free.
        certificate: File of the TLS certificate and those above it; None for plain HTTP.
        key: File of its key.
        is_proxied: True to take the client's address from what a proxy on this machine says.
    """

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    is_proxied: bool = False


class ConnectionLimits(NamedTuple):
    """Limits on connections that are open at the same time."""

    total: int
    of_address: int


class _TimedProtocol(H11Protocol):
    """Ends connections on which the head of a request does not arrive in time, or an answer is not taken.

    Uvicorn does not. A connection is reset, as closing it would wait for what the client does not take.
    A client that reaches a socket for IPv6 by IPv4 has its address of IPv4. Connections above the limits are
    closed at once: those that wait for a descriptor would keep asyncio busy.
    """

    _head_timer: asyncio.TimerHandle | None = None
    _send_timer: asyncio.TimerHandle | None = None

    def __init__(
        self, *arguments: Any, opened: Counter[str], limits: ConnectionLimits, **options: Any
    ) -> None:
        super().__init__(*arguments, **options)
        self._opened, self._limits = opened, limits
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client:
            self.client = unmap_ipv4(self.client[0]), self.client[1]
        self._address = address_of({"client": self.client})
        self._opened[self._address] += 1
        if self._opened[self._address] > self._limits.of_address or self._opened.total() > self._limits.total:
            transport.abort()
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._await_head()
        else:
            self._forget_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._send_timer is None:
            self._send_timer = self.loop.call_later(SEND_TIMEOUT_S, self._reset)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._forget_send()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        self._forget_send()
        self._opened[self._address] -= 1
        if not self._opened[self._address]:
            del self._opened[self._address]
        super().connection_lost(exc)

    def _await_head(self) -> None:
        if self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(HEADER_TIMEOUT_S, self.transport.abort)

    def _forget_head(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _reset(self) -> None:
        """End the connection, and throw away what waits to be sent, in the kernel too."""
        connection: socket.socket = self.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.transport.abort()

    def _forget_send(self) -> None:
        if self._send_timer is not None:
            self._send_timer.cancel()
            self._send_timer = None


class LeagueHTTPServer(uvicorn.Server):
    """A server whose streams of events end when it stops."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    async def main_loop(self) -> None:
        await super().main_loop()
        self._stopping.set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; a second Ctrl-C does not wait for answers, a third for nothing."""
        if self.force_exit:
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        super().handle_exit(sig, frame)
        self._captured_signals.clear()  # or it would be raised again after the end


def open_socket(listening: Listening) -> socket.socket:
    """Return a socket that listens."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            listening.host, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with ExitStack() as stack:
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(BACKLOG)
            stack.pop_all()
            return listener
    except OSError as error:
        raise ConfigError(
            f"{listening.host} port {listening.port} cannot be used: {error.strerror}; choose another with "
            "--host or --port"
        ) from error


def run_server(
    app: ASGIApp,
    context: WebContext,
    listening: Listening,
    listener: socket.socket,
    log_level: int = logging.INFO,
) -> None:
    """Serve until SIGINT or SIGTERM, then finish the answers that are being sent.

    The access log is written at the level INFO.
    """
    _raise_descriptor_limit()
    _log_to_standard_error(log_level)
    config = make_config(app, listening)
    try:
        config.load()
    except OSError as error:  # ssl.SSLError among them
        raise ConfigError(f"the TLS files cannot be used: {error.strerror or error}") from error
    LeagueHTTPServer(config, context.stopping).run([listener])


def make_config(app: ASGIApp, listening: Listening) -> uvicorn.Config:
    """Return the settings of the server."""
    return uvicorn.Config(
        app,
        http=partial(_TimedProtocol, opened=Counter(), limits=_limit_connections(listening)),  # type: ignore[arg-type]
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=listening.is_proxied,
        forwarded_allow_ips="127.0.0.1,::1",
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=STOP_TIMEOUT_S,
        backlog=BACKLOG,
        ssl_certfile=listening.certificate,
        ssl_keyfile=listening.key,
    )


def _limit_connections(listening: Listening) -> ConnectionLimits:
    """Return limits that leave descriptors for files and bots; behind a proxy all have one address."""
    total = MAX_CONNECTIONS
    if sys.platform != "win32":
        import resource

        descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        total = min(total, max(descriptors - RESERVED_DESCRIPTORS, descriptors // 4))
    return ConnectionLimits(total, total if listening.is_proxied else total // 2)


def _raise_descriptor_limit() -> None:
    """Allow as many connections as the system lets this process have."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _log_to_standard_error(level: int) -> None:
    """Log to standard error; with the access log every line is a JSON object, also failures of bots."""
    handler = logging.StreamHandler()
    handler.setFormatter(_JsonLines() if level <= logging.INFO else logging.Formatter("%(message)s"))
    handler.addFilter(_ShortageFilter())
    for name in ("arena", "asyncio", "uvicorn"):
        logging.getLogger(name).addHandler(handler)
    logging.getLogger("arena.web").setLevel(level)


class _JsonLines(logging.Formatter):
    """Puts what is no line of the access log into a JSON object, a traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        if record.name == access_log.__name__:
            return text
        entry = {"time": utc_time(record.created), "level": record.levelname, "message": text}
        return msgspec.json.encode(entry).decode()


class _ShortageFilter(logging.Filter):
    """Lets through one record a minute on files that cannot be opened, as each request would have one."""

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        text = logging.Formatter().format(record)
        if not any(os.strerror(number) in text for number in (errno.EMFILE, errno.ENFILE)):
            return True
        if record.created < self._next:
            return False
        self._next = record.created + SHORTAGE_INTERVAL_S
        return True


# --- parts for a run ---


def _run_feature(context: WebContext) -> Feature | None:
    """Return what a run's server has beside the report; None if no run is served."""
    if context.run is None:
        return None
    feed = LiveFeed(RunWatcher(context.run), context.stopping)
    return Feature(LivePages(feed).routes(), [("Live", "/live")], feed.running)


# --- parts for a league ---
# Signing in, handing in, live events, and the updater.


def league_feature(context: WebContext) -> Feature | None:
    """Return what a league's server has beside the site; None if no league is served."""
    if context.league is None:
        return None
    identity, queue = Identity(context, context.league), CheckQueue(context.league)
    feed = LiveFeed(LeagueWatcher(context.league), context.stopping)

    @asynccontextmanager
    async def run() -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(queue.running())
            await stack.enter_async_context(feed.running())
            if context.updates and context.league:
                await stack.enter_async_context(Updater(context.league, queue).running())
            yield

    routes = [
        *SignIn(identity).routes(),
        *AccountPages(identity, queue, context.stopping).routes(),
        *OrganiserPages(identity).routes(),
        *LivePages(feed, identity).routes(),
    ]
    return Feature(routes, [HAND_IN, ("Live", "/live")], run)


# --- ASGI application ---

REQUESTS_PER_MINUTE: Final = 6000
"""Requests of one address; a whole class may share one."""
REQUEST_BURST: Final = 2000
FEATURES: Final[tuple[MakeFeature, ...]] = (
    play_feature,
    league_feature,
    _run_feature,
    presentation_feature,
)
"""The parts of the server, in the order in which their routes are looked up."""


def build_application(context: WebContext, features: Sequence[MakeFeature] = FEATURES) -> Starlette:
    """Return the application that serves a league, a run, or nothing but what needs neither.

    Args:
        context: What is served, and where.
        features: The parts of the server; the files of the league or run come after all of them.
    """
    made = [feature for make in features if (feature := make(context)) is not None]
    routes: list[BaseRoute] = [
        Route("/health", _health),
        Route("/version", _version),
        Route("/favicon.ico", _no_icon),
    ]
    for feature in made:
        routes += feature.routes
    links = [link for feature in made for link in feature.navigation]
    routes += static_files.routes(context, links)

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for feature in made:
                if feature.lifespan is not None:
                    await stack.enter_async_context(feature.lifespan())
            yield

    application = Starlette(
        routes=routes,
        middleware=[
            Middleware(AccessLog),
            Middleware(SecurityHeaders, is_secure=context.is_secure),
            Middleware(AddressLimit, per_minute=REQUESTS_PER_MINUTE, burst=REQUEST_BURST),
            Middleware(HostCheck, host=context.host),
            Middleware(OriginCheck, url=context.url),
            Middleware(RequestLimits),
        ],
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=lifespan,
    )
    application.state.context = context
    application.state.links = links
    return application


async def _health(request: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _no_icon(request: Request) -> Response:
    """Answer browsers that ask for an icon, of which there is none."""
    return Response(status_code=204)


async def _version(request: Request) -> Response:
    return JSONResponse({"version": __version__})


# --- local server ---
# A server for the person at this machine only, behind a secret in the link.

LOOPBACK: Final = "127.0.0.1"


class SavedRecords:
    """Saves the matches of a series, each in a file of its own.

    Args:
        name: Begins the names of the files.
        out: The file of the first match; None for the first free name.
        say: Prints a line.
    """

    def __init__(self, name: str, out: Path | None, say: Callable[[str], object]) -> None:
        self._name, self._out, self._say = name, out, say
        self._paths: dict[int, Path] = {}

    def save(self, number: int, record: bytes) -> None:
        """Save a match by its number in the series; one whose end was taken back replaces its file."""
        if path := self._paths.get(number):
            path.write_bytes(record + b"\n")
            return
        out, self._out = self._out, None
        self._paths[number] = path = save_record(record, self._name, out)
        self._say(f"Saved the record to {path}")


def serve_table(setup: SeriesSetup, seed: str, records: SavedRecords, say: Callable[[str], object]) -> None:
    """Serve one table on loopback, open the browser there, and go on until SIGINT or SIGTERM."""
    listening = Listening(host=LOOPBACK, port=0)
    owner, tables = make_token(), Tables()
    with open_socket(listening) as listener:
        context = WebContext(url=f"http://{LOOPBACK}:{listener.getsockname()[1]}")
        table = tables.open(owner, setup, seed, records.save)
        pages = PlayPages(context.is_secure, tables, BotChoices(None, "auto"), owner)
        application = build_application(context, [lambda context: pages.feature()])
        listener.listen(BACKLOG)  # so that a browser that is fast waits for the server
        link = f"{context.url}/play/with-key?{urlencode({'key': owner, 'table': table})}"
        say(f"The table is at\n\n  {link}\n\nCtrl-C ends it.")
        open_browser(link)
        run_server(application, context, listening, listener, log_level=logging.WARNING)


def open_browser(link: str) -> None:
    """Open a link in a browser with a window; one that would take over the terminal is left alone."""
    try:
        browser = webbrowser.get()
        if type(browser) is not webbrowser.GenericBrowser:
            browser.open(link)
    except webbrowser.Error:
        pass  # the link is printed
