"""The access log: one JSON object a request, on standard error."""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LINK: Final = "/sign-in/"
"""Part of a path before a secret."""

log = logging.getLogger(__name__)


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
