"""Pages made from the templates of the server."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from arena import __version__
from arena.web.identity import COOKIE

Links = Sequence[tuple[str, str]]
"""Text and path of each link."""
SIGN_IN: Final = ("Sign in", "/sign-in")
"""Link that is left out where somebody is signed in."""
PAGE: Final = "arena.output.pages"
OWN: Final = "arena.web"


class ExactFiles(StaticFiles):
    """Sends each file at one path alone: not with a slash at its end, two slashes or a dot within."""

    def get_path(self, scope: Scope) -> str:
        """Return the path of a request below the folder, as it was sent."""
        path: str = scope["path"]
        return path.removeprefix(scope.get("root_path", "")).removeprefix("/")

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return a file and its status, if this is its path."""
        if path and path != posixpath.normpath(path):
            return "", None
        return super().lookup_path(path)


def render(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page made from a template; `values` are its variables.

    Every template also has `context`, `navigation`, `path` and `version`.
    """
    state = request.app.state
    text = (
        _environment()
        .get_template(template)
        .render(
            context=state.context,
            navigation=choose_links(request.scope, state.navigation),
            path=request.url.path,
            version=__version__,
            **values,
        )
    )
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})


def choose_links(scope: Scope, links: Links) -> Links:
    """Return the links for the sender of a request: to sign in only without the cookie of a session."""
    is_signed_in = has_session(Headers(scope=scope))
    return [link for link in links if not (is_signed_in and link == SIGN_IN)]


def has_session(headers: Headers) -> bool:
    """Return whether a request has the cookie of a session, which may have ended."""
    return any(COOKIE in cookie for cookie in headers.getlist("cookie"))


def asset_routes() -> list[BaseRoute]:
    """Return the routes of styles and scripts: those of reports and of the server's own pages."""
    kinds = ("style", "script")
    return [Mount(f"/static/{kind}", ExactFiles(packages=[(PAGE, kind), (OWN, kind)])) for kind in kinds]


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(OWN),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
