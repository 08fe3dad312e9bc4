"""Identity of the sender of a request: the account of its cookie or of its token."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from arena.league.accounts import SESSION_S, ServerDatabase, find_by_cookie, find_by_token, is_organiser
from arena.league.settings import LeagueFolder
from arena.web.context import WebContext
from arena.web.rate_limits import RateLimit, address_of, refuse_if

Result = TypeVar("Result")
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
        """Return the account of a request, if it has one.

        Raises:
            HTTPException: For a token that is not valid, and for an address with too many of those.
        """
        header = request.headers.get("authorization", "")
        if header.lower().startswith(BEARER) and request.url.path.startswith("/api/"):
            return await self.check(request, find_by_token, header[len(BEARER) :].strip())
        cookie = request.cookies.get(self.cookie)
        name = await self.read(lambda database: find_by_cookie(database, cookie)) if cookie else None
        if name:
            request.scope["account"] = name
        return name

    async def require(self, request: Request) -> str:
        """Return the account of a request.

        Raises:
            HTTPException: 401 without one.
        """
        if name := await self.find(request):
            return name
        raise HTTPException(401, "Sign in first.", {"WWW-Authenticate": "Bearer"})

    async def require_organiser(self, request: Request) -> str:
        """Return the account of a request, which is one of the organisers.

        Raises:
            HTTPException: 401 without an account, 404 for one of somebody else.
        """
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

        def call() -> Result:
            with ServerDatabase.open(self.league) as database:
                return function(database)

        return await run_in_threadpool(call)

    def sign_in(self, response: Response, cookie: str) -> None:
        """Have a response set the cookie of a session."""
        response.set_cookie(
            self.cookie, cookie, max_age=int(SESSION_S), secure=self._context.is_secure, httponly=True,
            samesite="lax",
        )  # fmt: skip

    def sign_out(self, response: Response) -> None:
        """Have a response remove the cookie."""
        response.delete_cookie(self.cookie, secure=self._context.is_secure, httponly=True, samesite="lax")
