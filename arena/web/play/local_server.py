"""A server for the person at this machine alone, behind a secret in the link."""

from __future__ import annotations

import logging
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from arena.interactive import save_record
from arena.interactive.match_series import SeriesSetup
from arena.web.application import build_application
from arena.web.context import WebContext
from arena.web.play.routes import PlayPages
from arena.web.play.table_form import BotChoices
from arena.web.play.tables import Tables, make_token
from arena.web.server import BACKLOG, Listening, open_socket, run_server

LOOPBACK: Final = "127.0.0.1"


class SavedRecords:
    """Saves the matches of a series, each in a file of its own.

    Args:
        name: Begins the names of the files.
        out: The file of the first match; None for the first free name.
        say: Prints a line.
    """

    def __init__(self, name: str, out: Path | None, say: Callable[[str], object]) -> None:
        self._name, self._out, self._say = name, out, say
        self._paths: dict[int, Path] = {}

    def save(self, number: int, record: bytes) -> None:
        """Save a match by its number in the series; one whose end was taken back replaces its file."""
        if path := self._paths.get(number):
            path.write_bytes(record + b"\n")
            return
        out, self._out = self._out, None
        self._paths[number] = path = save_record(record, self._name, out)
        self._say(f"Saved the record to {path}")


def serve_table(setup: SeriesSetup, seed: str, records: SavedRecords, say: Callable[[str], object]) -> None:
    """Serve one table on loopback, open the browser there, and go on until SIGINT or SIGTERM.

    Raises:
        InvalidRules: If the match cannot begin.
        PluginError: If the match cannot begin.
        ConfigError: If there is no free port.
    """
    listening = Listening(host=LOOPBACK, port=0)
    owner, tables = make_token(), Tables()
    with open_socket(listening) as listener:
        context = WebContext(url=f"http://{LOOPBACK}:{listener.getsockname()[1]}")
        table = tables.open(owner, setup, seed, records.save)
        pages = PlayPages(context.is_secure, tables, BotChoices(None, "auto"), owner)
        application = build_application(context, [lambda context: pages.feature()])
        listener.listen(BACKLOG)  # so that a browser that is fast waits for the server
        link = f"{context.url}/play/with-key?{urlencode({'key': owner, 'table': table})}"
        say(f"The table is at\n\n  {link}\n\nCtrl-C ends it.")
        open_browser(link)
        run_server(application, context, listening, listener, log_level=logging.WARNING)


def open_browser(link: str) -> None:
    """Open a link in a browser with a window; one that would take over the terminal is left alone."""
    try:
        browser = webbrowser.get()
        if type(browser) is not webbrowser.GenericBrowser:
            browser.open(link)
    except webbrowser.Error:
        pass  # the link is printed
