"""The server's process: its connections, TLS, signals and log."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import struct
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

import msgspec
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.errors import ConfigError
from arena.web import access_log
from arena.web.access_log import utc_time
from arena.web.context import WebContext
from arena.web.rate_limits import address_of, unmap_ipv4

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
"""Connections that wait to be accepted; asyncio accepts so many, a few times, before the first is counted."""
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


class TimedProtocol(H11Protocol):
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
    """Return a socket that listens.

    Raises:
        ConfigError: If the address is not one of this machine or the port is taken.
    """
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

    Raises:
        ConfigError: For TLS files that cannot be used.
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
        http=partial(TimedProtocol, opened=Counter(), limits=limit_connections(listening)),  # type: ignore[arg-type]
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


def limit_connections(listening: Listening) -> ConnectionLimits:
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
