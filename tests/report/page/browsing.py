"""What the tests in a browser share: a page that was opened, and what would hinder some of its readers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

HOSTILE = "<script>alert(1)</script>"


@dataclass
class Opened:
    """A page in the browser, and what it did meanwhile."""

    page: Any
    requests: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """Errors of scripts, lines on the console, and dialogs."""

    def dismiss(self, dialog: Any) -> None:
        """Closes a dialog, which no page of ours should open."""
        self.troubles.append(dialog.message)
        dialog.dismiss()


Opener = Callable[..., Opened]


def hindrances(opened: Opener, path: Path, scheme: str, width: int) -> list[str]:
    """What axe finds on a page that is serious or critical, with where it is."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe is missing: pip install '.[browser]'"
    )
    page = opened(path, width=width, color_scheme=scheme).page
    page.locator(".felt").wait_for()
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in axe.Axe().run(page).response["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
