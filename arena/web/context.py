"""Context of the server's parts: the league or run that is served, and its address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.routing import BaseRoute

from arena.league.settings import LeagueFolder
from arena.tournament.files import RunFolder


@dataclass(frozen=True, kw_only=True)
class WebContext:
    """Context that the parts of a server share.

    Args:
        url: Address at which browsers reach the server, without a slash at the end.
        league: Folder of the league that is served, if one is.
        run: Folder of the run that is served, if one is.
        updates: True to update the league.
        title: Name of what is served, for headings.
        stopping: Set when the server stops; streams of events end then.
    """

    url: str
    league: LeagueFolder | None = None
    run: RunFolder | None = None
    updates: bool = False
    title: str = "The arena"
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_secure(self) -> bool:
        """True if browsers reach the server over TLS."""
        return self.url.startswith("https:")

    @property
    def host(self) -> str:
        """Host name of the address, without a port."""
        return urlsplit(self.url).hostname or ""


class Feature(NamedTuple):
    """A part of the server: its routes, its links in the navigation, and what runs while the server does."""

    routes: Sequence[BaseRoute]
    navigation: Sequence[tuple[str, str]] = ()
    """Text and path of each link."""
    lifespan: Callable[[], AbstractAsyncContextManager[None]] | None = None


MakeFeature = Callable[[WebContext], Feature | None]
"""Returns a part of the server, or None if what is served does not have it."""
