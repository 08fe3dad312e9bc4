"""A small league, its accounts, and clients that ask a server without a network."""

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette

from arena.league.accounts import Invitation, ServerDatabase, add_submitters, invite
from arena.league.folder import LeagueFolder
from arena.output.site.site import write_site
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from arena.web.context import WebContext
from arena.web.server import build_application

Result = TypeVar("Result")
URL = "http://127.0.0.1:8000"
Ask = Callable[..., httpx.Response]
Invitations = dict[str, Invitation]
Cookies = dict[str, str]
BOTS = ["greedy", {"bot": "random", "name": "<b>random</b>"}, "stand-pat"]
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
def invitations(league: LeagueFolder) -> Invitations:
    """The accounts `ann` and `ben`."""
    add_submitters(league, ["ann", "ben"])
    with ServerDatabase.open(league) as database:
        return {account.name: account for account in invite(database, ["ann", "ben"], 1)}


@pytest.fixture
def ask(league: LeagueFolder) -> Ask:
    """Send one request to a server of the league, and return its response."""
    return make_ask(build_application(WebContext(url=URL, league=league)))


def sign_in(ask: Ask, secret: str) -> Cookies:
    """Sign in by the secret of a link, and return the cookies."""
    return dict(ask("POST", f"/sign-in/{secret}").cookies)


@pytest.fixture
def cookies(ask: Ask, invitations: Invitations) -> dict[str, Cookies]:
    """The cookies of `ann` and `ben`, who are signed in."""
    return {name: sign_in(ask, account.link) for name, account in invitations.items()}


@pytest.fixture
def prof(ask: Ask, league: LeagueFolder) -> Cookies:
    """The cookies of the organiser `prof`."""
    with ServerDatabase.open(league) as database:
        [account] = invite(database, ["prof"], 1, is_organiser=True)
    return sign_in(ask, account.link)


def make_run(folder: Path, **config: Any) -> Run:
    """Create a run, of which nothing has been played: 12 blocks of three bots, without other settings."""
    games = [{"name": "cuccu", "players": 2, "tokens": 1}]
    table = {"bots": BOTS, "variants": games, "blocks": 4, "seed": "the seed of the run", **config}
    return Run.create(make_config(table, base=Path(), where="the test"), RunFolder.create(folder))


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


@contextmanager
def serve_on_port(make_app: Callable[[str], Starlette]) -> Iterator[str]:
    """Serve what is made for an address on a free port, in a thread of this process; yield the address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = uvicorn.Server(uvicorn.Config(make_app(url), log_level="critical", ws="none"))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield url
        finally:
            server.should_exit = server.force_exit = True
            thread.join()
