"""Make the screenshots of README and docs from the pages of two seeded runs.

Needs the optional extra `browser` and chromium:

    .venv/bin/python docs/make_pictures.py
"""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from arena.output.pages.run_pages import write_report
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config

PICTURES = Path(__file__).with_name("pictures")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
WIDTH = 1060
# Nothing covers an element, and no gradient makes the pictures four times as large.
SCREENSHOT_STYLE = """
.bar-nav { position: static !important }
.felt { background: var(--felt) !important; box-shadow: none !important }
.face { filter: none !important }
"""
RUN: dict[str, Any] = {
    "bots": ["random", "stand-pat", "greedy", "prudent", "counter"],
    "variants": [{"name": "lives", "players": 4}],
    "blocks": 60,
    "seed": "commerce",
}
GAMES: dict[str, Any] = {
    "bots": ["greedy", "counter", "thirty", "thrifty", "cautious", "rememberer", "collector", "random"],
    "variants": [
        {"name": name, "players": 4}
        for name in (
            "lives",
            "schwimmen",
            "whisky-poker",
            "trade-and-barter",
            "thirty-one",
            "cuccu",
            "cambio",
            "cox",
        )
    ],
    "tables": 8,
    "blocks": 3,
    "seed": "commerce",
}


def play_run(table: dict[str, Any], folder: Path) -> str:
    """Play a run and return the URL of its page."""
    run = Run.create(make_config(table, base=Path(), where="the pictures"), RunFolder.create(folder))
    run.play(RunOptions(jobs=1))
    write_report(run)
    return run.folder.report.as_uri()


def main() -> None:
    """Play the runs and write the pictures."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as play:
        lives, games = play_run(RUN, Path(folder) / "lives"), play_run(GAMES, Path(folder) / "games")
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take_screenshot(browser, lives, "report", height=860)
        take_screenshot(browser, lives, "replay", of="#viewer", place="#match=1&deal=3&step=4")
        take_screenshot(
            browser, lives, "seat", of=".felt", place="#match=1&deal=3&step=4&seat=1", scheme="dark"
        )
        take_screenshot(browser, games, "games", of="#games-all")
        take_screenshot(
            browser,
            games,
            "cox",
            of=".felt",
            place=f"#match={find_first_match(browser, games, 'cox')}&deal=1&step=30",
        )
        browser.close()


def take_screenshot(
    browser: Any,
    address: str,
    name: str,
    *,
    of: str = "",
    place: str = "",
    height: int = 800,
    scheme: str = "light",
) -> None:
    """Take a screenshot of a page, or of the element that the selector `of` matches."""
    context = browser.new_context(viewport={"width": WIDTH, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address + place)
    page.locator(".felt").wait_for()
    page.add_style_tag(content=SCREENSHOT_STYLE)
    seen = page.locator(of) if of else page
    seen.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
    context.close()


def find_first_match(browser: Any, address: str, game: str) -> str:
    """Return the number of the first match of a game on a page."""
    page = browser.new_page()
    page.goto(address)
    row = page.locator("#match-list tbody tr", has=page.get_by_role("cell", name=game, exact=True)).first
    number: str = row.locator("a").inner_text().replace(",", "")
    page.close()
    return number


if __name__ == "__main__":
    main()
