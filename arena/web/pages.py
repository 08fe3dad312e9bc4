"""Pages made from the templates of the server."""

from __future__ import annotations

import os
import posixpath
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from arena import __version__

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
            navigation=state.navigation,
            path=request.url.path,
            version=__version__,
            **values,
        )
    )
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})


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
