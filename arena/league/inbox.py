"""The inbox of a league: files, folders and archives dropped into it become submissions.

What is admitted leaves the inbox; what is rejected stays, with a report card `NAME.rejected.txt` beside it.
Removing the card, or changing what it is about, submits it again. A folder with the name of a submitter in
`league.toml` is that submitter's own inbox.

Whatever is still being written has a name that begins with a dot or ends in `.part` or `.tmp`, and is renamed
when it is complete: an update may look at any time.
"""

from __future__ import annotations

import logging
import os
import re
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from arena.errors import PluginError
from arena.league.folder import LeagueFolder
from arena.league.inbox_scan import CARD_SUFFIX, MAX_FILE_BYTES, Drop, hash_payload, list_drops, printable
from arena.league.requests import MAX_REASON_CHARS, copy_bot, hide_paths
from arena.league.settings import Settings
from arena.league.store import LeagueDatabase, LeagueRequest
from arena.plugins import BotSpec, FolderBot
from arena.plugins.bot_files import copy_files, files_of, remove_tree
from arena.plugins.bot_source import find_temporary_error
from arena.plugins.inspection import PythonFile
from arena.plugins.manifest import MANIFEST, MAX_NAME_CHARS, name_of_file

REMOVED_SUFFIX: Final = ".removed"
SCRATCH: Final = ".new-*"
MAX_SCRATCH_AGE_S: Final = 86_400
INCOMPLETE_HINT: Final = (
    "If it was still being copied: copy it under a name that ends in .part, and rename it when it is "
    "complete."
)


log = logging.getLogger(__name__)


def collect(
    folder: LeagueFolder,
    database: LeagueDatabase,
    settings: Settings,
    announce: Callable[[str], None] = lambda line: None,
) -> int:
    """Queue what was dropped into the inbox, in the order of names, and return how many are new."""
    folder.inbox.mkdir(exist_ok=True)
    _remove_scratch(folder, settings.submitters)
    for submitter in settings.submitters:  # written before it was an inbox of its own
        _remove_card(folder.inbox / f"{submitter}{CARD_SUFFIX}")
    settle(folder, database, settings)
    requests = 0
    for drop in list_drops(folder.inbox, settings.submitters):
        try:
            payload = hash_payload(drop)
        except OSError as error:
            log.warning("%s in the inbox cannot be read: %s", drop.file, error.strerror)
            continue
        known = database.requests("file = ? AND payload = ?", drop.file, payload)
        is_unsettled = any(not request.is_settled for request in known)
        if is_unsettled or (drop.card.exists() and any(request.state == "rejected" for request in known)):
            continue
        request = _make_request(folder, drop, payload, settings, announce)
        if request is None:
            continue
        _remove_card(drop.card)
        database.add_request(request, drop.changed_s)
        requests += 1
    return requests


def settle(folder: LeagueFolder, database: LeagueDatabase, settings: Settings) -> None:
    """Show in the inbox what became of each submission: removed if admitted, a card if rejected.

    A process that is killed within leaves the rest to the next call.
    """
    unsettled = database.requests("is_settled = 0 AND state != 'waiting'")
    drops = list(list_drops(folder.inbox, settings.submitters)) if unsettled else []
    for request in unsettled:
        try:
            for drop in drops:
                if drop.file == request.file and hash_payload(drop) == request.payload:
                    _write_card(drop.card, request) if request.state == "rejected" else _remove_all(drop)
        except OSError as error:
            log.warning("%s in the inbox cannot be settled: %s", request.file, error.strerror)
        else:
            database.change_request(request.number, is_settled=1)


def _remove_scratch(folder: LeagueFolder, submitters: Iterable[str]) -> None:
    """Remove what processes left that were killed while they copied a bot, or removed an admitted one."""
    for path in folder.path.glob(SCRATCH):
        if time.time() - path.lstat().st_mtime > MAX_SCRATCH_AGE_S:
            remove_tree(path)
    for submitter in ("", *submitters):
        with suppress(OSError, RecursionError):  # they may be another user's
            for path in list((folder.inbox / submitter).glob(f".*{REMOVED_SUFFIX}")):
                remove_tree(path)


def _make_request(
    folder: LeagueFolder,
    drop: Drop,
    payload: str,
    settings: Settings,
    announce: Callable[[str], None],
) -> LeagueRequest | None:
    """Return the request for what was dropped; a rejected one if it cannot be copied.

    None, with a warning, where that is the machine's fault or the index's: the next update tries again.
    """
    about = LeagueRequest(file=drop.file, payload=payload, submitter=drop.submitter, is_settled=0)
    name = drop.path.name
    try:
        settings.refuse_late(drop.changed_s)
        if not name.isprintable() or len(os.fsencode(name)) > MAX_FILE_BYTES:
            raise PluginError(f"its file name does not print, or is longer than {MAX_FILE_BYTES} bytes")
        with _gather(folder, drop) as path:
            text, name = _describe(path, drop, settings.submitters)
            copied = copy_bot(folder, text, folder.inbox, name=name, announce=announce)
        if hash_payload(drop) != payload:
            raise PluginError(f"it changed while it was copied. {INCOMPLETE_HINT}")
        return msgspec.structs.replace(about, name=copied.name, digest=copied.digest, source=copied.source)
    except (PluginError, OSError, UnicodeError, RecursionError, MemoryError) as error:
        if temporary := find_temporary_error(error):
            why = printable(without_folders(str(temporary) or "there is no memory left", folder))
            log.warning("%s stays in the inbox for the next update: %s", drop.file, why[:MAX_REASON_CHARS])
            return None
        reason = printable(hide_paths(without_folders(str(error), folder), folder.path))[:MAX_REASON_CHARS]
        name = printable(drop.path.stem)[:MAX_NAME_CHARS]
        return msgspec.structs.replace(
            about, name=name, state="rejected", reason=reason, card=INCOMPLETE_HINT
        )


def without_folders(text: str, folder: LeagueFolder) -> str:
    """Return a message without the folders that only the organiser knows."""
    home = re.escape(str(folder.path.resolve()))
    return re.sub(rf"{home}/(inbox/|\.new-[^/]*/bot/?)", "", text)


@contextmanager
def _gather(folder: LeagueFolder, drop: Drop) -> Iterator[Path]:
    """Yield the path of what was dropped; files without their folder are copied into one."""
    if not drop.loose:
        yield drop.path
        return
    names = {path.name for path in drop.loose}
    files = files_of(BotSpec(FolderBot(str(drop.path.parent)), drop.file), "")
    with TemporaryDirectory(prefix=".new-", dir=folder.path) as scratch:
        gathered = Path(scratch, "bot")
        gathered.mkdir()
        copy_files((file for file in files if file.name.partition("/")[0] in names), gathered)
        yield gathered


def _describe(path: Path, drop: Drop, submitters: Iterable[str]) -> tuple[str, str]:
    """Return the text that names what was dropped, and the name of the bot where that does not say it."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode) or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise PluginError("it is a link or a device: a bot is made of files and folders")
    if stat.S_ISDIR(mode):
        if not os.path.lexists(path / MANIFEST):
            raise PluginError(_explain_folder(path, drop, sorted(submitters)))
    elif path.name == MANIFEST:
        raise PluginError(f"it is without the other files of its bot: copy the folder with the {MANIFEST}")
    elif path.suffix == ".py":
        return f"{path}:{PythonFile(path).find_bot()}", name_of_file(path.stem)
    return str(path), ""


def _explain_folder(path: Path, drop: Drop, submitters: Sequence[str]) -> str:
    """Return what to do with a folder that has no `bot.toml`."""
    name = path.name
    if submitters and not drop.submitter:
        return (
            f"inbox/{name} is not the inbox of a submitter: league.toml lists {', '.join(submitters)}. The "
            f'organiser can add a line {name} = ["{name}", "{name}-*"] to the table [submitters]'
        )
    inner = next((inside for inside in sorted(path.iterdir()) if os.path.lexists(inside / MANIFEST)), None)
    if inner:
        return f"{name} has no {MANIFEST}, but {name}/{inner.name} has: copy the folder {inner.name} itself"
    return f"{name} has no {MANIFEST}: `arena new NAME` creates a folder with one, to put its files into"


def _write_card(path: Path, request: LeagueRequest) -> None:
    text = f"{request.name} was not admitted: {request.reason}\n\n{request.card}\n"
    part = path.with_name(f".{path.name}.part")
    for other in (part, path):
        _remove(other)  # a submitter may have put a folder or a link there
    with part.open("x", encoding="utf-8", errors="replace") as file:
        file.write(text)
    part.replace(path)


def _remove_card(path: Path) -> None:
    """Remove what has the name of a card: whatever it is, it stops no other submission."""
    try:
        _remove(path)
    except OSError as error:
        log.warning("%s in the inbox cannot be removed: %s", printable(path.name), error.strerror)


def _remove_all(drop: Drop) -> None:
    for path in drop.paths:
        _remove(path)


def _remove(path: Path) -> None:
    """Remove a file or a folder, of which no rest is a submission where that is killed or forbidden."""
    if path.is_dir() and not path.is_symlink():
        hidden = next(name for name in _hidden_names(path) if not os.path.lexists(name))
        path.rename(hidden)
        with suppress(OSError, RecursionError):  # files of another user, or too deep
            remove_tree(hidden)
    else:
        path.unlink(missing_ok=True)


def _hidden_names(path: Path) -> Iterator[Path]:
    for number in count():
        yield path.with_name(f".{path.name}.{number}{REMOVED_SUFFIX}")
