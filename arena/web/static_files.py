"""Files of a league's site or of a run, as they are."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Scope

from arena.output.pages.page import PLAYGROUND, SERVER_LINKS, hash_script, script_hashes
from arena.output.pages.run_pages import write_report
from arena.output.site.site import write_site
from arena.playground.assets import POLICY
from arena.tournament.run import Run
from arena.tournament.store.database import is_being_written
from arena.web.context import WebContext
from arena.web.pages import ExactFiles, Links, asset_routes, format_bar, has_session, render
from arena.web.requests import NO_FRAMES, Identity

PAGE_SUFFIX: Final = ".html"
RUN_FILES: Final = (
    *("report.html", "elo.csv", "elo.md", "matches.csv", "standings.csv", "pairings.csv"),
    *("replays.jsonl.zst", "run.toml", "seal.json", "seal.json.sig"),
)
"""Files of a run's folder that are sent; its database has the seed."""


def routes(context: WebContext, links: Links = ()) -> list[BaseRoute]:
    """Return the routes of styles, scripts, and what is served, whose pages get the links of the server."""
    if context.league:
        files = SiteFiles(context.league.site, links=links, identity=Identity(context, context.league))
        return [*asset_routes(), Mount("/", files)]
    if context.run:
        home = Route("/", _to_report)
        return [*asset_routes(), home, Mount("/", SiteFiles(context.run.path, RUN_FILES, links))]
    return [*asset_routes(), Route("/", _home)]


def write_missing(context: WebContext) -> None:
    """Write the site of a league, or the report of a run, if there is none with the scripts of this version.

    While another process updates the league nothing is written: the update does.
    """
    if context.run and not _is_current(context.run.report):
        write_report(Run.open(context.run.path))
    league = context.league
    if league and not _is_current(league.site / "index.html") and not is_being_written(league.path):
        write_site(league)


def _is_current(page: Path) -> bool:
    """Return whether a page exists and all its scripts are allowed."""
    if not page.is_file():
        return False
    scripts = re.findall("<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    return {hash_script(script) for script in scripts} <= set(script_hashes())


class SiteFiles(ExactFiles):
    """Sends files of a folder; no listing, no hidden file, no link that leads out of it.

    Args:
        folder: The folder, which may be created later.
        allowed: Names of the files that are sent; all of them if empty.
        links: Text and path of links that pages get.
        first: Those of the links that are in the bar itself, if they are not those of all pages.
        identity: Finds out who is signed in.
    """

    def __init__(
        self,
        folder: Path,
        allowed: Collection[str] = (),
        links: Links = (),
        first: Links = (),
        identity: Identity | None = None,
    ) -> None:
        super().__init__(directory=folder, html=True, check_dir=False)
        self._allowed, self._links, self._first = frozenset(allowed), links, first
        self._identity = identity

    async def check_config(self) -> None:
        """Accept a folder that does not exist yet."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return a file and its status, if it may be sent."""
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if is_hidden or (self._allowed and path not in self._allowed):
            return "", None
        return super().lookup_path(path)

    def is_not_modified(self, response_headers: Headers, request_headers: Headers) -> bool:
        """Return whether a browser has a file as it is; pages are others for who is signed in."""
        tag = response_headers["etag"]
        if response_headers.get("content-type", "").startswith("text/html"):
            tag = add_session(tag, request_headers)
        return super().is_not_modified(Headers({**response_headers, "etag": tag}), request_headers)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file whose scripts are only those of the arena's own pages."""
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            raise HTTPException(404) if error.status_code == 401 else error from None
        if isinstance(response, FileResponse) and str(response.path).endswith(PAGE_SUFFIX):
            page = await run_in_threadpool(Path(response.path).read_bytes)
            kept = {name: response.headers[name] for name in ("etag", "last-modified")}
            kept["etag"] = add_session(kept["etag"], Headers(scope=scope))
            if self._identity:
                await self._identity.find(Request(scope))
            page = add_bar(page, format_bar(scope, self._links, self._first))
            response = HTMLResponse(page, response.status_code, {**kept, "Vary": "Cookie"})
        headers = MutableHeaders(raw=response.raw_headers)
        headers["Cache-Control"] = "no-cache"
        is_playground = path == PLAYGROUND
        headers["Content-Security-Policy"] = (
            f"{POLICY}; frame-ancestors 'none'" if is_playground else page_policy()
        )
        return response


def add_bar(page: bytes, bar: Sequence[str]) -> bytes:
    """Return a page of a site or report with the links of the server, of `format_bar`, in its navigation."""
    for comment, links in zip(SERVER_LINKS, bar, strict=True):
        page = page.replace(comment.encode(), links.encode(), 1)
    return page


def add_session(tag: str, headers: Headers) -> str:
    """Return the tag of a page as it is for the session of a request, as it names who is signed in."""
    if not has_session(headers):
        return tag
    return f'{tag[:-1]}-{sha256(headers["cookie"].encode()).hexdigest()[:16]}"'


def page_policy(*, may_be_framed: bool = False) -> str:
    """Return the content security policy of report pages, which have their styles and scripts inside.

    Args:
        may_be_framed: True for a page that those of other sites may show in a frame.
    """
    hashes = " ".join(f"'{value}'" for value in script_hashes())
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        f"base-uri 'none'; form-action 'none'; frame-ancestors {'*' if may_be_framed else NO_FRAMES}"
    )


async def _to_report(request: Request) -> Response:
    return RedirectResponse("/report.html", 307)


async def _home(request: Request) -> Response:
    return render(request, "home.html")
