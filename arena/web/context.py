"""The context that the server's parts share: the league or run that is served, the access log, limits."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from ipaddress import IPv6Address, IPv6Interface
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.league.accounts import ServerDatabase
from arena.league.folder import LeagueFolder
from arena.tournament.files import RunFolder

log = logging.getLogger(__name__)
Result = TypeVar("Result")


# --- league or run ---


@dataclass(frozen=True, kw_only=True)
class WebContext:
    """Context that the parts of a server share.

    Args:
        url: Address at which browsers reach the server, without a slash at the end.
        league: Folder of the league that is served, if one is.
        run: Folder of the run that is served, if one is.
        updates: True to update the league.
        title: Name of what is served, for headings.
        stopping: Set when the server stops; streams of events end then.
    """

    url: str
    league: LeagueFolder | None = None
    run: RunFolder | None = None
    updates: bool = False
    title: str = "The arena"
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_secure(self) -> bool:
        """True if browsers reach the server over TLS."""
        return self.url.startswith("https:")

    @property
    def host(self) -> str:
        """Host name of the address, without a port."""
        return urlsplit(self.url).hostname or ""


class Feature(NamedTuple):
    """A part of the server: its routes, its links in the navigation, and what runs while the server does."""

    routes: Sequence[BaseRoute]
    navigation: Sequence[tuple[str, str]] = ()
    """Text and path of each link."""
    lifespan: Callable[[], AbstractAsyncContextManager[None]] | None = None


MakeFeature = Callable[[WebContext], Feature | None]
"""Returns a part of the server, or None if what is served does not have it."""


async def call_database(league: LeagueFolder, function: Callable[[ServerDatabase], Result]) -> Result:
    """Call a function with the database of a league's server, in a thread."""

    def call() -> Result:
        with ServerDatabase.open(league) as database:
            return function(database)

    return await run_in_threadpool(call)


# --- access log ---
# One JSON object a request, on standard error.

LINK: Final = "/sign-in/"
"""Part of a path before a secret."""


class AccessLog:
    """Logs each request when its response ends: time, address, method, path, status, bytes, duration.

    The path is without its query. What follows `/sign-in/` is left out, also where a request is refused.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status, sent = time.perf_counter(), 0, 0

        async def count(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, count)
        finally:
            log.info("%s", _describe(scope, status, sent, time.perf_counter() - start))


def utc_time(seconds: float) -> str:
    """Return a time since 1970 as the log has it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def hide_secret(path: str) -> str:
    """Return a path without the secret of a link."""
    before, link, secret = path.partition(LINK)
    return before + link + ("…" if secret else "")


def _describe(scope: Scope, status: int, sent: int, seconds: float) -> str:
    entry: dict[str, Any] = {
        "time": utc_time(time.time()),
        "address": scope["client"][0] if scope.get("client") else "",
        "account": scope.get("account", ""),
        "method": scope["method"],
        "path": hide_secret(str(scope["path"])),
        "status": status,
        "bytes": sent,
        "ms": round(1000 * seconds, 1),
    }
    return msgspec.json.encode(entry).decode()


# --- rate limits ---
# How often an account or an address may do something.

MAX_NUMBER: Final = (1 << 63) - 1
"""Greatest number in an address that a database can hold."""
MAX_KEYS: Final = 10_000
"""Keys that are remembered; the one that was used longest ago is forgotten first."""


class RateLimit:
    """A token bucket for each key.

    Args:
        per_minute: Uses a minute in the long run.
        burst: Uses at once.
    """

    def __init__(self, per_minute: float, burst: int) -> None:
        self._per_s, self._burst = per_minute / 60, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, key: str) -> float:
        """Return the seconds until a key may be used; 0 if it may now."""
        return max(0.0, (1 - self._now_left(key)) / self._per_s)

    def take(self, key: str) -> float:
        """Use a key, if it may be used now; return the seconds until then, 0 if it was used."""
        if wait := self.wait_s(key):
            return wait
        self._left[key] = self._now_left(key) - 1, time.monotonic()
        self._left.move_to_end(key)
        if len(self._left) > MAX_KEYS:
            self._left.popitem(last=False)
        return 0.0

    def _now_left(self, key: str) -> float:
        left, since = self._left.get(key, (float(self._burst), 0.0))
        return min(self._burst, left + (time.monotonic() - since) * self._per_s)


def name_client(scope: Scope, account: str | None = None) -> str:
    """Return whose share a request takes: that of its account, or of its address if nobody is signed in."""
    return f"account {account}" if account else address_of(scope)


def refuse_if(wait_s: float, message: str) -> None:
    """Raise HTTPException 429 if something has to wait."""
    if wait_s:
        seconds = math.ceil(wait_s)
        raise HTTPException(429, f"{message} Try again in {seconds} s.", {"Retry-After": str(seconds)})


def address_of(scope: Scope) -> str:
    """Return the address of the client; of IPv6 the network of 64 bits, all of which one client may have."""
    address = unmap_ipv4((scope.get("client") or [""])[0])
    return str(IPv6Interface(f"{address}/64").network) if ":" in address and "%" not in address else address


def unmap_ipv4(address: str) -> str:
    """Return an address, an IPv4 address mapped into IPv6 as that: `::ffff:192.0.2.7` is 192.0.2.7."""
    mapped = IPv6Address(address).ipv4_mapped if ":" in address else None
    return str(mapped) if mapped else address
