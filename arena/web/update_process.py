"""The process of a server's updater: updates a league again and again until its standard input is closed."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.errors import ArenaError
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.update import Ending, UpdateOptions, update_league
from arena.output.site.site import write_site
from arena.output.tables.league import AT_REST, precision_text
from arena.output.texts.checks import card_text
from arena.output.words.text import printable_line
from arena.tournament.engine.cores import usable_cores
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest

EVERY_S: Final = 2.0
"""Seconds from an update with nothing to do to the next look."""
LOWEST_PRIORITY: Final = 19


def main(arguments: Sequence[str]) -> int:
    """Update the league that the command line names; return 1 if that is not possible."""
    [path] = arguments
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    folder = LeagueFolder.open(Path(path))
    run = RunOptions(jobs=usable_cores(), log_level=logging.ERROR)

    def show(ending: Ending) -> None:
        if ending != "nothing":
            write_site(folder)
        if ending == "done":
            with LeagueResults.open(folder.path) as results:
                if (text := precision_text(results)).startswith(AT_REST):
                    print(f"updater: update {results.updates[-1].number} is done. {text}", flush=True)  # noqa: T201

    with StopRequest() as stop:
        threading.Thread(target=_stop_with_server, args=(stop,), daemon=True).start()
        try:
            options = UpdateOptions(run=run, more=True)
            update_league(folder, options, card_text, stop, show, watch_every_s=EVERY_S)
        except ArenaError as error:
            print(f"updater: {printable_line(str(error))}", file=sys.stderr)  # noqa: T201
            return 1
    return 0


def _stop_with_server(stop: StopRequest) -> None:
    while os.read(0, 4096):
        pass
    stop.request("the server ended")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
