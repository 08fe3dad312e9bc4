"""Measure the page of `arena playground`: its size, and the time to a first table from disk and over HTTP.

.venv/bin/python -m benchmarks.playground --rounds 5
"""

import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import perf_counter
from typing import Any

import click
from playwright.sync_api import sync_playwright

from arena.playground.page import write_playground


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *args: Any) -> None:
        pass


def measure(browser: Any, address: str) -> tuple[float, float]:
    """Return the seconds until the first paint, and until the cards of a first table are dealt."""
    page = browser.new_page()
    page.set_default_timeout(180_000)
    start = perf_counter()
    page.goto(address, wait_until="commit")
    page.click("#view-play form button[type=submit]")
    page.frame_locator("#table-frame iframe").locator("#turn .main-button").wait_for()
    seconds = perf_counter() - start
    [paint] = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint').map((it) => it.startTime)"
    )
    page.close()
    return paint / 1000, seconds


@click.command()
@click.option("--rounds", default=5)
def main(rounds: int) -> None:
    """Print the figures; of the times the least, as other work on the machine only adds to them."""
    pyodide = Path("node_modules/pyodide")
    with TemporaryDirectory() as folder, sync_playwright() as play:
        whole, parts = Path(folder, "whole.html"), Path(folder, "parts")
        for out in (whole, parts):
            files = write_playground(out, pyodide)
            click.echo(f"{out.name}: {sum(file.stat().st_size for file in files) / 1e6:.1f} MB")
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=parts))
        Thread(target=server.serve_forever, daemon=True).start()
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, address in (
            ("from disk", whole.as_uri()),
            ("over loopback", f"http://127.0.0.1:{server.server_address[1]}/"),
        ):
            paints, tables = zip(*(measure(browser, address) for _ in range(rounds)), strict=True)
            click.echo(f"{name}: first paint {min(paints):.2f} s, first table {min(tables):.2f} s")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
