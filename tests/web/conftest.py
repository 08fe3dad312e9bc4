"""A small league and a small run, and clients that ask a server without a network."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.report.league_site.site import write_site
from arena.web.application import build_application
from arena.web.context import WebContext

URL = "http://127.0.0.1:8000"
Ask = Callable[..., httpx.Response]


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    """A league without bots, with its site."""
    folder = LeagueFolder.create(tmp_path / "course", "A course", ["lives"])
    with LeagueResults.open(folder.path) as results:
        write_site(results)
    return folder


@pytest.fixture
def ask(league: LeagueFolder) -> Ask:
    """Send one request to a server of the league, and return its response."""
    return make_ask(WebContext(url=URL, league=league))


def make_ask(context: WebContext) -> Ask:
    """Return a function that sends one request, whose first arguments are method and path."""
    app = build_application(context)

    def ask(method: str, path: str, **options: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=context.url) as client:
                return await client.request(method, path, **options)

        return run_async(send())

    return ask


def run_async(coroutine: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
    return asyncio.run(coroutine)
