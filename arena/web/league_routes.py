"""The parts of the server that need a league: signing in, handing in, live events, and the updater."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from arena.league.live import LeagueWatcher
from arena.web.account_list import AccountList
from arena.web.check_queue import CheckQueue
from arena.web.context import Feature, WebContext
from arena.web.hand_in import HandingIn
from arena.web.hand_in_pages import AccountPages
from arena.web.identity import Identity
from arena.web.live_page import LiveFeed, LivePages
from arena.web.pages import SIGN_IN
from arena.web.private_pages import PrivatePages
from arena.web.sign_in import SignIn
from arena.web.updater import Updater


def league_feature(context: WebContext) -> Feature | None:
    """Return what a league's server has beside the site; None if no league is served."""
    if context.league is None:
        return None
    identity, queue = Identity(context, context.league), CheckQueue(context.league)
    feed = LiveFeed(LeagueWatcher(context.league), context.stopping)
    handing_in = HandingIn(context.league, identity, queue, context.stopping)

    @asynccontextmanager
    async def run() -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(queue.running())
            await stack.enter_async_context(feed.running())
            if context.updates and context.league:
                await stack.enter_async_context(Updater(context.league, queue).running())
            yield

    routes = [
        *SignIn(identity).routes(),
        *handing_in.routes(),
        *AccountPages(handing_in).routes(),
        *PrivatePages(identity).routes(),
        *AccountList(identity).routes(),
        *LivePages(feed, identity).routes(),
    ]
    return Feature(routes, [("Hand in", "/account"), ("Live", "/live"), SIGN_IN], run)
