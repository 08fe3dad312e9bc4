"""The pages of an account: handing in, one's own bots, the report card of each hand-in."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.league.accounts import is_organiser
from arena.league.hand_ins import MAX_NOTE_CHARS
from arena.web.hand_in import HandingIn
from arena.web.hand_in_status import see_bots, see_names
from arena.web.pages import render
from arena.web.private_pages import read_places

EXAMPLE = """\
class Mine:
    def act(self, view):
        for action in view.legal:
            if view.text(action) == "knock":
                return action
        return view.legal[0]
"""


class AccountPages:
    """The pages of an account."""

    def __init__(self, handing_in: HandingIn) -> None:
        self._handing_in = handing_in
        self._identity = handing_in.identity

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/account", self.show),
            Route("/account/hand-ins", self.post, methods=["POST"]),
            Route("/account/hand-ins/{number:int}", self.show_hand_in),
            Route("/account/hand-ins/{number:int}/note", self.set_note, methods=["POST"]),
            Route("/account/withdrawals", self.withdraw, methods=["POST"]),
            Route("/account/alias", self.set_alias, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the forms, the bots and what was handed in; an organiser is led to other pages."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        if await self._identity.read(lambda database: is_organiser(database, account)):
            return RedirectResponse("/organiser", 303)
        return await self._page(request, account)

    async def post(self, request: Request) -> Response:
        """Take a hand-in from a form; what is wrong with it is shown above the form."""
        account = await self._identity.require(request)
        try:
            hand_in, _ = await self._handing_in.receive(request, account)
        except HTTPException as error:
            return await self._page(request, account, error)
        return RedirectResponse(f"/account/hand-ins/{hand_in.number}", 303)

    async def show_hand_in(self, request: Request) -> Response:
        """Show the report card and the provisional places of a hand-in."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        hand_in = await self._handing_in.find(account, request.path_params["number"])
        return render(request, "hand_in.html", one=hand_in, error="", max_chars=MAX_NOTE_CHARS)

    async def set_note(self, request: Request) -> Response:
        """Store the private note on a hand-in; what is wrong with it is shown above it."""
        account, number = await self._identity.require(request), request.path_params["number"]
        try:
            await self._handing_in.set_note(request, account)
        except HTTPException as error:
            hand_in = await self._handing_in.find(account, number)
            about = {"one": hand_in, "error": error.detail, "max_chars": MAX_NOTE_CHARS}
            return render(request, "hand_in.html", status=error.status_code, **about)
        return RedirectResponse(f"/account/hand-ins/{number}", 303)

    async def withdraw(self, request: Request) -> Response:
        """Withdraw a bot with the next update."""
        account = await self._identity.require(request)
        async with request.form(max_files=0, max_fields=4) as form:
            await self._handing_in.withdraw_bot(account, str(form.get("bot", "")))
        return RedirectResponse("/account", 303)

    async def set_alias(self, request: Request) -> Response:
        """Set the alias; what is wrong with it is shown above the forms."""
        account = await self._identity.require(request)
        try:
            await self._handing_in.set_alias(request, account)
        except HTTPException as error:
            return await self._page(request, account, error)
        return RedirectResponse("/account", 303)

    async def _page(self, request: Request, account: str, error: HTTPException | None = None) -> Response:
        league = self._handing_in.league
        alias, names = await run_in_threadpool(see_names, league, account)
        return render(
            request,
            "account.html",
            status=error.status_code if error else 200,
            account=account,
            error=error.detail if error else "",
            example=EXAMPLE,
            alias=alias,
            names=names,
            places=await run_in_threadpool(read_places, league, account),
            bots=await run_in_threadpool(see_bots, league, account),
            hand_ins=await self._handing_in.all_of(account),
        )
