"""Makes the pictures of README and docs anew: a seeded run, its page in a browser, and what is seen there.

Run it from anywhere, with the optional extra `browser` installed and a chromium at hand:

    .venv/bin/python docs/make_pictures.py
"""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from arena.report.page.run_page import write_report
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import make_config

PICTURES = Path(__file__).with_name("pictures")
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
WIDTH = 1060
# Nothing hangs over a part, and no shade of the felt makes its picture four times as large.
PLAIN = """
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


def page_of(table: dict[str, Any], folder: Path) -> str:
    """Plays a run and gives the address of its page."""
    run = Run.create(make_config(table, base=Path(), where="the pictures"), RunFolder.create(folder))
    run.play(RunOptions(jobs=1))
    write_report(run)
    return run.folder.report.as_uri()


def main() -> None:
    """Plays, looks, and writes the pictures."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as play:
        lives, games = page_of(RUN, Path(folder) / "lives"), page_of(GAMES, Path(folder) / "games")
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take(browser, lives, "report", height=860)
        take(browser, lives, "replay", of="#viewer", place="#match=1&deal=3&step=4")
        take(browser, lives, "seat", of=".felt", place="#match=1&deal=3&step=4&seat=1", scheme="dark")
        take(browser, games, "games", of="#games-all")
        take(browser, games, "cox", of=".felt", place=f"#match={first(browser, games, 'cox')}&deal=1&step=30")
        browser.close()


def take(
    browser: Any,
    address: str,
    name: str,
    *,
    of: str = "",
    place: str = "",
    height: int = 800,
    scheme: str = "light",
) -> None:
    """Takes a picture of a page, or of one part of it."""
    context = browser.new_context(viewport={"width": WIDTH, "height": height}, color_scheme=scheme)
    page = context.new_page()
    page.goto(address + place)
    page.locator(".felt").wait_for()
    page.add_style_tag(content=PLAIN)
    seen = page.locator(of) if of else page
    seen.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
    context.close()


def first(browser: Any, address: str, game: str) -> str:
    """The number of the first match of a game on a page."""
    page = browser.new_page()
    page.goto(address)
    row = page.locator("#match-list tbody tr", has=page.get_by_role("cell", name=game, exact=True)).first
    number: str = row.locator("a").inner_text().replace(",", "")
    page.close()
    return number


if __name__ == "__main__":
    main()
