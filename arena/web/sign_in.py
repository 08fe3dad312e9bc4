"""Signing in by a one-time link or a token, and signing out."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.league.accounts import MAX_SECRET_CHARS, end_session, find_by_link, use_link, use_token
from arena.web.identity import Identity
from arena.web.pages import render


class SignIn:
    """The pages of signing in and out."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/sign-in", self.show_form),
            Route("/sign-in", self.use_token, methods=["POST"]),
            Route("/sign-in/{secret}", self.show_link),
            Route("/sign-in/{secret}", self.use_link, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
        ]

    async def show_form(self, request: Request) -> Response:
        """Show the field for a token."""
        if await self._identity.find(request):
            return RedirectResponse("/account", 303)
        return render(request, "sign_in.html", name="")

    async def show_link(self, request: Request) -> Response:
        """Show who a link is for; programs that look at links in mails do not use it up."""
        try:
            name = await self._identity.check(request, find_by_link, request.path_params["secret"])
        except HTTPException:
            if await self._identity.find(request):  # the link was used by this browser
                return RedirectResponse("/account", 303)
            raise
        return render(request, "sign_in.html", name=name)

    async def use_link(self, request: Request) -> Response:
        """Sign in by a link."""
        return await self._start(await self._identity.check(request, use_link, request.path_params["secret"]))

    async def use_token(self, request: Request) -> Response:
        """Sign in by a token from the form."""
        async with request.form(max_files=0, max_fields=4, max_part_size=16 * MAX_SECRET_CHARS) as form:
            token = str(form.get("token", "")).strip()
        return await self._start(await self._identity.check(request, use_token, token))

    async def sign_out(self, request: Request) -> Response:
        """End the session."""
        if cookie := request.cookies.get(self._identity.cookie):
            await self._identity.read(lambda database: end_session(database, cookie))
        response = RedirectResponse("/", 303)
        self._identity.sign_out(response)
        return response

    async def _start(self, cookie: str) -> Response:
        response = RedirectResponse("/account", 303)
        self._identity.sign_in(response, cookie)
        return response
