"""Pages for one account alone: a submitter's own results, and those of the organiser."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.errors import ConfigError
from arena.league.accounts import list_noted
from arena.league.results import LeagueResults, reveal_rounds
from arena.league.settings import LeagueFolder
from arena.output.site.bots import student_path
from arena.output.site.site import write_site
from arena.web.hand_in_status import see_hand_ins
from arena.web.identity import Identity
from arena.web.pages import Links, render
from arena.web.static_files import SiteFiles, add_links, page_policy

NO_RESULTS: Final = "There are no results yet: the next update writes them."
LINKS: Final[Links] = (("Hand in", "/account"), ("Live", "/live"))
ORGANISER_LINKS: Final[Links] = (("Organiser", "/organiser"), ("Live", "/live"))


class PrivatePages:
    """The results of each submitter, and the pages of the organiser."""

    def __init__(self, identity: Identity) -> None:
        self._identity, self._league = identity, identity.league
        self._files = SiteFiles(identity.league.organiser, links=ORGANISER_LINKS)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/account/results", self.show_own),
            Route("/organiser", self.show_organiser),
            Route("/organiser/reveal", self.reveal, methods=["POST"]),
            Route("/organiser/notes", self.show_notes),
            Route("/organiser/pages/{path:path}", self.show_page),
        ]

    async def show_own(self, request: Request) -> Response:
        """Show a submitter what beats the own bots, and where they lose."""
        account = await self._identity.find(request)
        if account is None:
            return RedirectResponse("/sign-in", 303)
        path = self._league.organiser / student_path(account)
        if not await run_in_threadpool(path.is_file):
            raise HTTPException(404, NO_RESULTS)
        page = await run_in_threadpool(path.read_bytes)
        headers = {"Content-Security-Policy": page_policy(), "Cache-Control": "no-store"}
        return HTMLResponse(add_links(_show_at_top(page), LINKS), 200, headers)

    async def show_organiser(self, request: Request) -> Response:
        """Show the finals that are held back, and the way to all pages of the organiser."""
        await self._identity.require_organiser(request)
        return await self._page(request)

    async def reveal(self, request: Request) -> Response:
        """Reveal the next round of a final; the site is written after the answer."""
        await self._identity.require_organiser(request)
        async with request.form(max_files=0, max_fields=4) as form:
            number = str(form.get("final", ""))
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise HTTPException(400, "Name a final.")
        try:
            await run_in_threadpool(reveal_rounds, self._league, int(number))
        except ConfigError as error:
            return await self._page(request, f"{error}.")
        return RedirectResponse("/organiser", 303, background=BackgroundTask(write_site, self._league))

    async def show_notes(self, request: Request) -> Response:
        """Show the private notes of all submitters."""
        await self._identity.require_organiser(request)
        noted = await self._identity.read(list_noted)
        return render(
            request, "notes.html", hand_ins=await run_in_threadpool(see_hand_ins, self._league, noted)
        )

    async def show_page(self, request: Request) -> Response:
        """Send a file of the organiser's pages."""
        await self._identity.require_organiser(request)
        path = request.path_params["path"]
        if path == "":
            return RedirectResponse("/organiser/pages/index.html", 303)
        response = await self._files.get_response(path, request.scope)
        response.headers["Cache-Control"] = "no-store"
        return response

    async def _page(self, request: Request, error: str = "") -> Response:
        held = await run_in_threadpool(_list_held, self._league)
        return render(request, "organiser.html", status=400 if error else 200, held=held, error=error)


def read_places(league: LeagueFolder, account: str) -> Sequence[Mapping[str, Any]]:
    """Return the places of an account's bots in all ladders, at the end of the last update."""
    path = (league.organiser / student_path(account)).with_suffix(".json")
    try:
        places: list[dict[str, Any]] = msgspec.json.decode(path.read_bytes())["places"]
    except (OSError, msgspec.DecodeError, KeyError):
        return ()
    return places


def _show_at_top(page: bytes) -> bytes:
    """Return a page of a folder whose links lead from the top of the server, without those to its data."""
    page = page.replace(b'href="../', b'href="/')
    return re.sub(
        rb'The same as <a href="[^"]*\.json">JSON</a> and <a href="[^"]*\.csv">CSV</a>\. ', b"", page
    )


def _list_held(league: LeagueFolder) -> list[dict[str, Any]]:
    """Return the finals that are held back."""
    with LeagueResults.open(league.path) as results:
        held = results.held_finals
        return [
            {
                "number": final.number,
                "date": final.date,
                "format": final.format,
                "revealed": held[final.number],
            }
            for final in results.finals
            if final.number in held
        ]
