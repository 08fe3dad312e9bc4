"""Limits on how often an account or an address may do something."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from ipaddress import IPv6Address, IPv6Interface
from typing import Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

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


def name_client(scope: Scope, account: str | None) -> str:
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


class AddressLimit:
    """Limits the requests of each address; a whole class may share one."""

    def __init__(self, app: ASGIApp, per_minute: float, burst: int) -> None:
        self._app, self._limit = app, RateLimit(per_minute, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (wait := self._limit.take(address_of(scope))):
            headers = {"Retry-After": str(math.ceil(wait))}
            answer = JSONResponse({"error": "Too many requests from this address."}, 429, headers)
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)
