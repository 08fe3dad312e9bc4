"""What has been submitted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabulate import tabulate

from arena.plugins.submissions import Submission

HEADERS = ["bot", "version", "hash", "author", "team", "games", "state"]
SHORT = 12  # of a hash


def submissions_table(submissions: Sequence[Submission]) -> str:
    """The submissions, one a line."""
    if not submissions:
        return "Nothing has been submitted yet; `arena submit BOT` does."
    cells = [
        [
            one.name,
            one.version,
            one.content[:SHORT],
            one.author,
            one.team,
            ", ".join(one.variants) or "all",
            one.error or "ready",
        ]
        for one in submissions
    ]
    return tabulate(cells, HEADERS, disable_numparse=True)


def submission_text(one: Submission, store: Path) -> str:
    """A word on a bot that is in the store now, and what may be done with it next."""
    by = f" by {one.author}" if one.author else ""
    return (
        f"{one.name}{by}, version {one.version}, is in {store} as {one.content[:SHORT]}.\n\n"
        f"  arena check submitted:{one.name}    plays it and prints its report card\n"
        f'  bots = ["submitted"]    in a config takes all that have been submitted'
    )
