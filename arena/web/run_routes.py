"""The parts of the server that need a run: live events of it."""

from __future__ import annotations

from arena.tournament.review.live import RunWatcher
from arena.web.context import Feature, WebContext
from arena.web.live_page import LiveFeed, LivePages


def run_feature(context: WebContext) -> Feature | None:
    """Return what a run's server has beside the report; None if no run is served."""
    if context.run is None:
        return None
    feed = LiveFeed(RunWatcher(context.run), context.stopping)
    return Feature(LivePages(feed).routes(), [("Live", "/live")], feed.running)
