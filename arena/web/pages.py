"""Pages made from the templates of the server."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from arena import __version__

PAGE: Final = "arena.output.pages"
OWN: Final = "arena.web"


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
    return [Mount(f"/static/{kind}", StaticFiles(packages=[(PAGE, kind), (OWN, kind)])) for kind in kinds]


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader(OWN),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
