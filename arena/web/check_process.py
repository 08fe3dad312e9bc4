"""The process that checks what was handed in: the server itself runs no bot and reads no archive.

`python -m arena.web.check_process check|place LEAGUE NUMBER` writes JSON objects to standard output, one a
line: `{"event": …, "data": …}`. It ends when its standard input is closed, so that it does not outlive its
server.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec

from arena.errors import ArenaError, BotNameError, PluginError
from arena.league.accounts import (
    HandIn,
    ProvisionalPlace,
    ServerDatabase,
    change_hand_in,
    content_path,
    find_hand_in,
    write_remark,
)
from arena.league.bot_names import name_bot_of
from arena.league.folder import LeagueFolder
from arena.league.inbox import MAX_FILE_BYTES, without_folders
from arena.league.requests import (
    MAX_REASON_CHARS,
    Aliases,
    copy_bot,
    describe_replacement,
    find_owned_bot,
    find_source,
    games_of,
    hide_paths,
)
from arena.league.results import LeagueResults
from arena.league.runs import estimate_places
from arena.league.settings import Settings, read_settings
from arena.league.store import LeagueDatabase, LeagueRequest
from arena.output.texts.checks import card_text, game_line
from arena.output.words.text import printable_line
from arena.play.conformance import OneGameFindings
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec
from arena.plugins.inspection import PythonFile
from arena.plugins.manifest import name_of_file
from arena.tournament.engine.cores import usable_cores
from arena.tournament.engine.levels import BotCheck, run_check

UNNAMED: Final = {".py": ("bot.py", "the code"), ".zip": ("bot.zip", "the archive")}
"""File of what was handed in without a name, and how messages call it."""


class _Unconfirmed(Exception):
    """A hand-in whose sender is to confirm or change its name: the name, if it may have it, and why."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name


class _Rejection(Exception):
    """A hand-in that is not admitted: the reason, and a report card if it was checked."""

    def __init__(self, reason: str, card: str = "") -> None:
        super().__init__(reason)
        self.card = card


def check(league: LeagueFolder, database: ServerDatabase, number: int) -> None:
    """Check a hand-in, and queue it for the next update if it passes.

    Raises:
        ArenaError: If it cannot be checked for a reason that is not its own.
    """
    hand_in, settings = find_hand_in(database, number), read_settings(league.path)
    try:
        with _refusals(league, hand_in):
            spec, request, remark = _copy(league, settings, hand_in, _find_same(league, database, hand_in))
        write_remark(database, number, remark)
        change_hand_in(database, number, name=spec.name)
        emit("name", spec.name)
        card = _play(league, settings, spec)
    except _Unconfirmed as error:
        write_remark(database, number, str(error))
        change_hand_in(database, number, state="unconfirmed", name=error.name)
        return
    except _Rejection as error:
        change_hand_in(database, number, state="rejected", reason=str(error), card=error.card)
        return
    queued = _queue(league, request, hand_in)
    change_hand_in(database, number, state="passed", card=card, request=queued)


def place(league: LeagueFolder, database: ServerDatabase, number: int) -> None:
    """Estimate the places of a hand-in that passed its check, and store them."""
    hand_in = find_hand_in(database, number)
    places: list[ProvisionalPlace] = []
    with LeagueResults.open(league.path) as results:
        request = next(request for request in results.requests if request.number == hand_in.request)
        if not (_is_replaced(database, hand_in) or _is_rated(results, request)):
            spec = find_source(league, request.source, request.name)
            games = [str(rules) for rules in games_of(spec, read_settings(league.path))]
            places = estimate_places(results, spec, games, usable_cores())
    change_hand_in(database, number, places=msgspec.json.encode(places).decode())


def _is_replaced(database: ServerDatabase, hand_in: HandIn) -> bool:
    """Return whether a later hand-in has the name of this one."""
    query = "SELECT 1 FROM hand_in WHERE account = ? AND name = ? AND number > ?"
    return bool(database.query(query, hand_in.account, hand_in.name, hand_in.number))


def _is_rated(results: LeagueResults, request: LeagueRequest) -> bool:
    """Return whether an update has rated the version of a request already."""
    if request.version is None:
        return request.state == "rejected"
    return any(row.version == request.version for ladder in results.ladders.values() for row in ladder)


def emit(event: str, data: Any) -> None:
    """Write an event for the server."""
    print(msgspec.json.encode({"event": event, "data": data}).decode(), flush=True)  # noqa: T201


def main(arguments: Sequence[str]) -> int:
    """Do what the command line names, and return the exit status: 1 if it could not be done."""
    action, path, number = arguments
    threading.Thread(target=_end_with_server, daemon=True).start()
    logging.getLogger("arena").addHandler(logging.NullHandler())  # the report card shows failures
    league = LeagueFolder.open(Path(path))
    try:
        with ServerDatabase.open(league) as database:
            (check if action == "check" else place)(league, database, int(number))
    except ArenaError as error:
        print(f"hand-in {number}: {printable_line(str(error))}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


def _end_with_server() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


@contextmanager
def _refusals(league: LeagueFolder, hand_in: HandIn | None = None) -> Iterator[None]:
    """Raise refusals of a bot's files as rejections, without the folders of the organiser."""
    try:
        yield
    except (PluginError, UnicodeError, RecursionError) as error:
        reason = hide_paths(without_folders(str(error), league), league.path)
        if hand_in and not _is_plain(hand_in.file):
            file, words = UNNAMED[hand_in.suffix]
            reason = re.sub(rf"^{re.escape(file)}\b", hand_in.file or words, reason)
        raise _Rejection(printable_line(reason)[:MAX_REASON_CHARS]) from error


def _copy(
    league: LeagueFolder, settings: Settings, hand_in: HandIn, same: str
) -> tuple[BotSpec, LeagueRequest, str]:
    """Copy the bot into the league; return it, the request for it, which is not queued yet, and a remark.

    Args:
        league: Folder of the league.
        settings: Settings of the league.
        hand_in: The hand-in.
        same: Sentence about the version that its bytes are; empty for new ones.
    """
    stem = Path(hand_in.file).stem
    is_renamed = hand_in.suffix == ".py" and name_of_file(stem) == hand_in.given_name != stem
    called = f"{hand_in.file} is called {hand_in.given_name}." if is_renamed else ""
    try:
        request = _copy_files(league, hand_in)
        with LeagueDatabase.open(league.path) as database:
            request = Aliases.read(database, settings).rename(request)
            spec = find_source(league, request.source, request.name)
            bot = find_owned_bot(database, settings, request, spec.source.author)
            replaced = describe_replacement(database, bot, request)
    except BotNameError as error:
        if not hand_in.asks:
            raise
        why, _, _ = str(error).partition(": ")  # what follows is advice for those who are not at the page
        raise _Unconfirmed("", f"{called} It needs another name: {printable_line(why)}.".strip()) from error
    remark = " ".join(filter(None, (called, "" if same[:-1] in replaced else same, replaced)))
    if hand_in.asks and replaced:
        raise _Unconfirmed(request.name, remark)
    return spec, request, remark


def _copy_files(league: LeagueFolder, hand_in: HandIn) -> LeagueRequest:
    with TemporaryDirectory(prefix=".new-", dir=league.path) as scratch:
        folder = Path(scratch, "bot")
        folder.mkdir()
        file = folder / (hand_in.file if _is_plain(hand_in.file) else UNNAMED[hand_in.suffix][0])
        file.write_bytes(content_path(league, hand_in.content).read_bytes())
        text = f"{file}:{PythonFile(file).find_bot()}" if hand_in.suffix == ".py" else str(file)
        name = hand_in.given_name or (name_bot_of(hand_in.account) if hand_in.suffix == ".py" else "")
        copied = copy_bot(league, text, folder, name=name, submitter=hand_in.account)
    return msgspec.structs.replace(copied, file=hand_in.request_file, payload=hand_in.content)


def _is_plain(file: str) -> bool:
    """Return whether a name that was sent can be that of a file in any folder."""
    return bool(re.fullmatch(r"\w[\w .()!+,-]*", file)) and len(file.encode()) <= MAX_FILE_BYTES


def _find_same(league: LeagueFolder, database: ServerDatabase, hand_in: HandIn) -> str:
    """Return a sentence about the version that an account got for the same bytes; empty for new ones."""
    query = """SELECT request FROM hand_in WHERE account = ? AND content = ? AND number < ?
               AND request NOT NULL ORDER BY number DESC"""
    numbers = [number for [number] in database.query(query, hand_in.account, hand_in.content, hand_in.number)]
    with LeagueDatabase.open(league.path) as opened:
        for number in numbers:
            [request] = opened.read_requests("number = ?", number)
            if request.version is not None:
                version = opened.read_versions()[request.version]
                name = next(bot.name for bot in opened.read_bots() if bot.number == version.bot)
                return f"It is the same file as version {version.ordinal} of {name}."
    return ""


def _play(league: LeagueFolder, settings: Settings, spec: BotSpec) -> str:
    """Play the bot through the league's games, and return its report card."""
    with _refusals(league):
        games = games_of(spec, settings)
    LevelSelector().refuse_unconfirmed(spec.name, spec.source.kind, settings.isolation, None)
    checked = BotCheck(spec, tuple(games), settings.isolation, settings.limits, settings.check_matches)

    def show(game: OneGameFindings) -> None:
        emit("game", game_line(game))

    with _refusals(league):
        findings = run_check(checked, show)
    card = card_text(spec.name, spec.source.kind, spec.source.digest(), findings, settings.limits)
    card = hide_paths(card, league.path, str(spec.source))
    if kinds := dict.fromkeys(issue.kind for issue in findings.issues):
        raise _Rejection(f"its check found: {', '.join(kinds)}", card)
    return card


def _queue(league: LeagueFolder, request: LeagueRequest, hand_in: HandIn) -> int:
    """Queue a request, unless a process that was killed did so before; return its number."""
    with LeagueDatabase.open(league.path, "rw") as database:
        for known in database.read_requests("file = ?", hand_in.request_file):
            return known.number
        return database.add_request(request, time.time()).number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
