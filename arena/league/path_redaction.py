"""Removal of this machine's paths from what submitters see: report cards and reasons."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

FOLDERS: Final = re.compile(r"(?<![\w.…/:])/(?!(?:usr|bin|lib|lib64|dev|proc)/)(?:[\w.+@~%=,-]+/)+")
"""Folders at the beginning of an absolute path, but those that every machine has; not of `https://host/a/b`."""
SHARED: Final = frozenset({"/", "/usr", "/usr/local"})
HIDDEN: Final = "…"


def hide_paths(text: str, league: Path, source: str = "") -> str:
    """Return a text with `…` for the folders in paths of this machine, and a bot's own files by their names.

    Args:
        text: What a check, a traceback or a bot itself said.
        league: Folder of the league.
        source: Folder of the bot; empty if there is none.
    """
    if source:
        text = text.replace(f"{source}/", "").replace(source, ".")
    roots = {league, Path.home(), *map(Path, (sys.prefix, sys.base_prefix, sys.executable))}
    places = {str(place) for root in roots for place in (root, root.resolve())} - SHARED
    for place in sorted(places, key=len, reverse=True):  # they may have spaces in them
        text = text.replace(place, HIDDEN)
    return FOLDERS.sub(f"{HIDDEN}/", text)
