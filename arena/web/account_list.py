"""The list of people for the organiser: their aliases, bots, tokens and last hand-ins."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arena.league.accounts import Account, ServerDatabase, describe_accounts, extend, revoke
from arena.league.requests import Aliases
from arena.league.settings import LeagueFolder, read_settings
from arena.league.store import LeagueDatabase
from arena.web.identity import Identity
from arena.web.pages import render

EXTENSION_DAYS: Final = 180.0
NOT_INVITED: Final = "not invited"


class Person(NamedTuple):
    """A submitter or an organiser."""

    name: str
    role: str
    alias: str
    team: str
    state: str
    """State of the token."""
    expires: str
    bots: str
    last_hand_in: str


class AccountList:
    """The list of people, and the forms that end or extend an account."""

    def __init__(self, identity: Identity) -> None:
        self._identity, self._league = identity, identity.league

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/organiser/people", self.show),
            Route("/organiser/people/revoke", self.revoke, methods=["POST"]),
            Route("/organiser/people/extend", self.extend, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Show the list."""
        account = await self._identity.require_organiser(request)
        people = await run_in_threadpool(_list_people, self._league)
        return render(request, "accounts.html", people=people, account=account, days=f"{EXTENSION_DAYS:g}")

    async def revoke(self, request: Request) -> Response:
        """End an account, but not the own one."""
        organiser = await self._identity.require_organiser(request)
        name = await _read_name(request)
        if name == organiser:
            raise HTTPException(400, "You cannot end your own account here.")
        return _answer(await self._identity.read(lambda database: revoke(database, name)))

    async def extend(self, request: Request) -> Response:
        """Let an account expire later."""
        await self._identity.require_organiser(request)
        name = await _read_name(request)
        return _answer(await self._identity.read(lambda database: extend(database, name, EXTENSION_DAYS)))


async def _read_name(request: Request) -> str:
    async with request.form(max_files=0, max_fields=4) as form:
        return str(form.get("name", ""))


def _answer(is_done: bool) -> Response:
    if not is_done:
        raise HTTPException(404, "There is no such account with a token.")
    return RedirectResponse("/organiser/people", 303)


def _list_people(league: LeagueFolder) -> list[Person]:
    """Return the submitters in the order of the settings, then all others with an account."""
    settings = read_settings(league.path)
    with LeagueDatabase.open(league.path) as database:
        aliases, bots = Aliases.read(database, settings), database.bots()
    with ServerDatabase.open(league) as server:
        accounts = {account.name: account for account in describe_accounts(server)}

    def describe(name: str, account: Account | None) -> Person:
        return Person(
            name=name,
            role="organiser" if account and account.is_organiser else "submitter",
            alias=aliases.find(name),
            team=settings.teams.get(name, ""),
            state=account.state if account else NOT_INVITED,
            expires=_format_time(account.expires)[:10] if account and account.state != "revoked" else "",
            bots=", ".join(bot.name for bot in bots if bot.owner == name),
            last_hand_in=_format_time(account.last_hand_in) if account else "",
        )

    names = dict.fromkeys([*settings.submitters, *accounts])
    return [describe(name, accounts.get(name)) for name in names]


def _format_time(seconds: float | None) -> str:
    """Return a time in UTC to the minute."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
