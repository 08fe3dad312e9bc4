"""The server as an ASGI application, put together from its parts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arena import __version__
from arena.web import static_files
from arena.web.access_log import AccessLog
from arena.web.context import Feature, MakeFeature, WebContext
from arena.web.errors import EXCEPTION_HANDLERS
from arena.web.league_routes import league_feature
from arena.web.play.routes import play_feature
from arena.web.projector_page import presentation_feature
from arena.web.rate_limits import AddressLimit
from arena.web.request_checks import HostCheck, OriginCheck, RequestLimits, SecurityHeaders
from arena.web.run_routes import run_feature

REQUESTS_PER_MINUTE: Final = 6000
"""Requests of one address; a whole class may share one."""
REQUEST_BURST: Final = 2000
FEATURES: Final[tuple[MakeFeature, ...]] = (
    play_feature,
    league_feature,
    run_feature,
    presentation_feature,
)
"""The parts of the server, in the order in which their routes are looked up."""


def build_application(context: WebContext, features: Sequence[MakeFeature] = FEATURES) -> Starlette:
    """Return the application that serves a league, a run, or nothing but what needs neither.

    Args:
        context: What is served, and where.
        features: The parts of the server; the files of the league or run come after all of them.
    """
    made = [feature for make in features if (feature := make(context)) is not None]
    routes: list[BaseRoute] = [
        Route("/health", _health),
        Route("/version", _version),
        Route("/favicon.ico", _no_icon),
    ]
    for feature in made:
        routes += feature.routes
    links = navigation(context, made)
    routes += static_files.routes(context, links[1:])

    @asynccontextmanager
    async def lifespan(application: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for feature in made:
                if feature.lifespan is not None:
                    await stack.enter_async_context(feature.lifespan())
            yield

    application = Starlette(
        routes=routes,
        middleware=[
            Middleware(AccessLog),
            Middleware(SecurityHeaders, is_secure=context.is_secure),
            Middleware(AddressLimit, per_minute=REQUESTS_PER_MINUTE, burst=REQUEST_BURST),
            Middleware(HostCheck, host=context.host),
            Middleware(OriginCheck, url=context.url),
            Middleware(RequestLimits),
        ],
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=lifespan,
    )
    application.state.context = context
    application.state.navigation = links
    return application


def navigation(context: WebContext, features: Sequence[Feature]) -> list[tuple[str, str]]:
    """Return text and path of the links of all parts."""
    own = [(context.title, "/")]
    return [*own, *(link for feature in features for link in feature.navigation)]


async def _health(request: Request) -> Response:
    """Answer that the server runs."""
    return JSONResponse({"status": "ok"})


async def _no_icon(request: Request) -> Response:
    """Answer browsers that ask for an icon, of which there is none."""
    return Response(status_code=204)


async def _version(request: Request) -> Response:
    """Return the version of the arena."""
    return JSONResponse({"version": __version__})
