"""Support for browser tests: opened pages and accessibility checks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HOSTILE = "<script>alert(1)</script>"


@dataclass
class Opened:
    """A page in the browser with its requests and errors."""

    page: Any
    requests: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """Script errors, console lines and dialogs."""

    def dismiss(self, dialog: Any) -> None:
        """Close a dialog; no page should open one."""
        self.troubles.append(dialog.message)
        dialog.dismiss()


Opener = Callable[..., Opened]


def accessibility_violations(opened: Opener, path: Path, scheme: str, width: int) -> list[str]:
    """Return the serious and critical violations of a report, with their elements."""
    page = opened(path, width=width, color_scheme=scheme).page
    page.locator(".felt").wait_for()
    return find_violations(page)


def find_violations(page: Any) -> list[str]:
    """Return the serious and critical violations that axe finds on a page, with their elements.

    axe would also describe each element that passes, which takes longer than to judge it.
    """
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is missing: pip install '.[browser]'"
    )
    violations = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{violation['id']}: {node['html'][:200]}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


LINKS = """[...document.querySelectorAll('a[href]')]
    .map((link) => new URL(link.getAttribute('href'), document.baseURI).href.split('#')[0])"""


def follow_links(opened: Opener, first: Path) -> tuple[set[str], Opened]:
    """Open a page and every page that its links lead to; return their addresses, and what was seen."""
    window = opened(first)
    visited, waiting = set[str](), [first.as_uri()]
    while waiting:
        if (page := waiting.pop()) in visited:
            continue
        visited.add(page)
        window.page.goto(page)
        waiting += [link for link in window.page.evaluate(LINKS) if link.endswith(".html")]
    return visited, window
