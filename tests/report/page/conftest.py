"""A report page with hostile bot names, and a real browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.report.page.run_page import write_report
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import make_config
from tests.report.page.browsing import HOSTILE, Opened, Opener

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
BOTS = [
    {"bot": "greedy", "name": HOSTILE},
    "counter",
    "random",
    {"bot": "prudent", "name": '"><b onclick=x>&amp;'},
]
GAMES = [{"name": "lives", "players": 4, "tokens": 2}, {"name": "pool", "players": 4}]


@pytest.fixture(scope="session")
def reported_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Play four bots in two variants and write the report; one bot's name is a script."""
    folder = tmp_path_factory.mktemp("results") / "told"
    table = {"bots": BOTS, "variants": GAMES, "blocks": 8, "seed": "any text"}
    run = Run.create(make_config(table, base=Path(), where="the test"), RunFolder.create(folder))
    run.play(RunOptions())
    write_report(run)
    return run


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Launch chromium; skip the test if there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing: pip install '.[browser]'"
    )
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: apt-get install chromium, or say where it is in CHROMIUM")
    with playwright.sync_playwright() as play:
        # As root chromium has no sandbox of its own; the only page it opens is ours.
        launched = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Opener]:
    """Open a file in a new browser context."""
    contexts = []

    def open_page(path: Path, place: str = "", width: int = 1280, **options: Any) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, reduced_motion="reduce", **options
        )
        contexts.append(context)
        context.set_default_timeout(15_000)
        found = Opened(context.new_page())
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.on("pageerror", lambda error: found.troubles.append(str(error)))
        found.page.on("console", lambda line: found.troubles.append(line.text))
        found.page.on("dialog", found.dismiss)
        found.page.goto(path.as_uri() + place)
        return found

    yield open_page
    for context in contexts:
        context.close()
