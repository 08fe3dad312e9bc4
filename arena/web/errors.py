"""Answers to requests that cannot be served: a page, or JSON for programs."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from arena.errors import ArenaError, StoreError
from arena.web.access_log import hide_secret
from arena.web.pages import render

log = logging.getLogger(__name__)

MESSAGES: Final = {
    404: "There is no such page here.",
    405: "This page does not take such a request.",
    500: "The server failed. Its log has the reason.",
}
"""Texts of pages for errors without a message of their own."""


def answer_error(
    request: Request, status: int, message: str, headers: dict[str, str] | None = None
) -> Response:
    """Return an error as a page or, for programs, as JSON with the key `error`."""
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
