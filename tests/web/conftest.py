"""A small league, its accounts, and clients that ask a server without a network."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from starlette.applications import Starlette

from arena.league.accounts import Invitation, ServerDatabase, add_submitters, invite
from arena.league.folder import LeagueFolder
from arena.output.site.site import write_site
from arena.web.application import build_application
from arena.web.context import WebContext

Result = TypeVar("Result")
URL = "http://127.0.0.1:8000"
Ask = Callable[..., httpx.Response]
BOT = b"class Mine:\n    def act(self, view):\n        return view.legal[0]\n"


def run_async(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a thread of its own: Playwright leaves a loop running in that of the tests."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, coroutine).result()


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    """A league without bots, with its site."""
    folder = LeagueFolder.create(tmp_path / "course", "A course", ["lives"])
    write_site(folder)
    return folder


@pytest.fixture
def invitations(league: LeagueFolder) -> dict[str, Invitation]:
    """The accounts `ann` and `ben`."""
    add_submitters(league, ["ann", "ben"])
    with ServerDatabase.open(league) as database:
        return {account.name: account for account in invite(database, ["ann", "ben"], 1)}


@pytest.fixture
def ask(league: LeagueFolder) -> Ask:
    """Send one request to a server of the league, and return its response."""
    return make_ask(build_application(WebContext(url=URL, league=league)))


def make_ask(app: Starlette, client: str = "127.0.0.1") -> Ask:
    """Return a function that sends one request from an address; its first arguments are method and path.

    Requests come from a page of the server. With `account` they have the token of an invitation.
    """
    url = app.state.context.url

    def ask(method: str, path: str, account: Invitation | None = None, **options: Any) -> httpx.Response:
        own = {"Origin": url} | ({"Authorization": f"Bearer {account.token}"} if account else {})
        headers = {**own, **options.pop("headers", {})}
        cookies = options.pop("cookies", None)

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(client, 123))
            async with httpx.AsyncClient(transport=transport, base_url=url, cookies=cookies) as browser:
                return await browser.request(method, path, headers=headers, **options)

        return run_async(send())

    return ask
