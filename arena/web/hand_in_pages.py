"""The pages of an account: handing in, one's own bots, the report card of each hand-in."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.league.accounts import MAX_NOTE_CHARS, HandIn, is_organiser
from arena.output.texts.league_kit import kit_files
from arena.plugins.manifest import MAX_NAME_CHARS, name_of_file
from arena.plugins.submissions.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES
from arena.tournament.files import write_files
from arena.web.hand_in import UPLOAD_BURST, UPLOADS_PER_MINUTE, HandingIn
from arena.web.hand_in_status import see_bots, see_names, see_terms
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

AGAIN = "again"
"""Query of the page of a hand-in whose bytes were handed in a second time."""


def suggest_name(hand_in: HandIn, own: str) -> str:
    """Return a name for a hand-in whose sender is asked for one: that of the account and of its file."""
    name = hand_in.given_name or name_of_file(Path(hand_in.file).stem, is_ascii=False)
    return f"{own}-{name if name and name != own else 2}"[:MAX_NAME_CHARS]


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
            Route("/account/hand-ins/{number:int}/name", self.confirm_name, methods=["POST"]),
            Route("/account/hand-ins/{number:int}/note", self.set_note, methods=["POST"]),
            Route("/account/kit.zip", self.send_kit),
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
            hand_in, is_new = await self._handing_in.receive(request, account)
        except HTTPException as error:
            return await self._page(request, account, error)
        again = "" if is_new else f"?{AGAIN}"
        return RedirectResponse(f"/account/hand-ins/{hand_in.number}{again}", 303)

    async def show_hand_in(self, request: Request) -> Response:
        """Show the report card and the provisional places of a hand-in."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        return await self._hand_in_page(request, account)

    async def confirm_name(self, request: Request) -> Response:
        """Have a hand-in checked under the name that was confirmed or chosen."""
        account = await self._identity.require(request)
        try:
            number = await self._handing_in.confirm_name(request, account)
        except HTTPException as error:
            return await self._hand_in_page(request, account, error)
        return RedirectResponse(f"/account/hand-ins/{number}", 303)

    async def set_note(self, request: Request) -> Response:
        """Store the private note on a hand-in; what is wrong with it is shown above it."""
        account, number = await self._identity.require(request), request.path_params["number"]
        try:
            await self._handing_in.set_note(request, account)
        except HTTPException as error:
            return await self._hand_in_page(request, account, error)
        return RedirectResponse(f"/account/hand-ins/{number}", 303)

    async def send_kit(self, request: Request) -> Response:
        """Send the starter kit of the league, as `arena league kit` writes it."""
        await self._identity.require(request)

        def pack() -> bytes:
            packed = BytesIO()
            write_files(packed, kit_files(self._handing_in.league))
            return packed.getvalue()

        headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="kit.zip"'}
        return Response(await run_in_threadpool(pack), 200, headers, "application/zip")

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

    async def _hand_in_page(
        self, request: Request, account: str, error: HTTPException | None = None
    ) -> Response:
        one = await self._handing_in.find(account, request.path_params["number"])
        alias, names = await run_in_threadpool(see_names, self._handing_in.league, account)
        return render(
            request,
            "hand_in.html",
            status=error.status_code if error else 200,
            one=one,
            error=error.detail if error else "",
            max_chars=MAX_NOTE_CHARS,
            is_again=AGAIN in request.query_params,
            names=names,
            suggestion=suggest_name(one.hand_in, alias or account),
        )

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
            max_mib=MAX_BOT_BYTES >> 20,
            max_files=f"{MAX_BOT_FILES:,}",
            burst=UPLOAD_BURST,
            per_minute=UPLOADS_PER_MINUTE,
            **await run_in_threadpool(see_terms, league),
        )
