"""Styles and scripts of pages, put into the pages themselves, and what such a page may do."""

import re
from importlib.resources import files
from typing import Final

PACKAGES: Final = ("arena.playground", "arena.web", "arena.output.pages")
STYLE: Final = re.compile(r'<link rel="stylesheet" href="/static/(style/[a-z-]+\.css)">')
SCRIPT: Final = re.compile(r'<script src="/static/(script/[a-z-]+\.js)"></script>')

POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; "
    "frame-src blob:; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; webrtc 'block'"
)
"""Content security policy of the page; once it is loaded, its script forbids it all requests."""


def inline_assets(page: str) -> str:
    """Return a page with the contents of the styles and scripts that a server would send."""
    page = STYLE.sub(lambda link: f"<style>\n{read_asset(link[1])}</style>", page)
    return SCRIPT.sub(lambda script: f"<script>\n{read_asset(script[1])}</script>", page)


def read_asset(path: str) -> str:
    """Return the content of a file such as `style/page.css`, from the first package that has it."""
    found = (files(package).joinpath(path) for package in PACKAGES)
    return next(file for file in found if file.is_file()).read_text(encoding="utf-8")
