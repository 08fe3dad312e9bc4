"""Who can play: the bots that are installed and those that were submitted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from tabulate import tabulate

from arena.errors import ArenaError, PluginError
from arena.play import Limits
from arena.play.conformance.environments import find_startup_error
from arena.play.isolation import LEVELS, LevelSelector
from arena.plugins import BotEntry, BotSpec, FolderBot, InstalledBot, Kind
from arena.plugins.submissions import Submission
from arena.report.text_format import strip_unprintable

HEADERS = ["bot", "what it does", "hash", "origin", "isolation", "state"]
TITLE_WIDTH = 50
SHORT = 12  # of a hash
LONG = 200  # an error whose first line has to do


class BotRow(msgspec.Struct, frozen=True, kw_only=True):
    """What a listing says of one bot; `error` says why it cannot play."""

    name: str
    title: str
    kind: Kind
    content: str
    """The hash of what it is made of; empty where that cannot be told."""
    distribution: str
    version: str
    built_in: bool
    origin: str
    """Of an installed bot "package.module:Class", of a submission the word for it in a config."""
    author: str = ""
    team: str = ""
    variants: tuple[str, ...] = ()
    isolation: str = ""
    """Where it would live in a run that says nothing of it."""
    error: str | None = None


def bot_rows(entries: Sequence[BotEntry], submissions: Sequence[Submission]) -> list[BotRow]:
    """The bots that are installed, then those that were submitted, each with the level it would live at.

    Submissions are started there, and stopped again.
    """
    chooser = LevelSelector()
    installed = [_settled(_of_entry(entry), chooser) for entry in entries]
    return installed + [_started(_settled(_of_submission(one), chooser), one.path) for one in submissions]


def bots_table(rows: Sequence[BotRow]) -> str:
    """The bots, one a line; the state of one that cannot play is why."""
    cells = [[*map(strip_unprintable, _cells(row))] for row in rows]
    widths = [None, TITLE_WIDTH]
    return tabulate(cells, HEADERS, disable_numparse=True, maxcolwidths=widths)


def _of_entry(entry: BotEntry) -> BotRow:
    source, error = InstalledBot(entry.name), entry.error
    sha = ""
    games: tuple[str, ...] = ()
    try:
        sha, games = source.digest(), source.variants()
    except (PluginError, OSError) as found:
        error = error or str(found)
    return BotRow(
        name=entry.name,
        title=entry.title,
        kind="built-in" if entry.built_in else "plug-in",
        content=sha,
        distribution=entry.distribution,
        version=entry.version,
        built_in=entry.built_in,
        origin=entry.origin,
        variants=games,
        error=error,
    )


def _of_submission(one: Submission) -> BotRow:
    return BotRow(
        name=one.name,
        title=one.description,
        kind="folder",
        content=one.content,
        distribution="",
        version=str(one.version),
        built_in=False,
        origin=f"submitted:{one.name}",
        author=one.author,
        team=one.team,
        variants=one.variants,
        error=one.error,
    )


def _settled(row: BotRow, chooser: LevelSelector) -> BotRow:
    try:
        level = chooser.select(row.kind, "auto")
    except ArenaError as error:
        return msgspec.structs.replace(row, error=row.error or str(error))
    return msgspec.structs.replace(row, isolation=level)


def _started(row: BotRow, path: str) -> BotRow:
    """A submission's row, once it was seen whether it starts where it would live."""
    if row.error or not row.isolation:
        return row
    (level,) = [level for level in LEVELS if level == row.isolation]
    return msgspec.structs.replace(
        row, error=find_startup_error(BotSpec(FolderBot(path), row.name), level, Limits())
    )


def _cells(row: BotRow) -> list[str]:
    return [row.name, row.title, row.content[:SHORT], _source(row), row.isolation or "–", _state(row)]


def _source(row: BotRow) -> str:
    if row.distribution:
        return f"{row.distribution} {row.version}"
    return f"{row.author or 'submitted'}, version {row.version}"


def _state(row: BotRow) -> str:
    if not row.error:
        return "ok"
    lines = row.error.strip().splitlines()
    if len(lines) > 1 and lines[0].startswith("Traceback"):
        return lines[-1]
    return " ".join(lines) if len(row.error) < LONG else f"{lines[0]} …"
