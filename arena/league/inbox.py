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
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.errors import PluginError
from arena.league.folder import LeagueFolder
from arena.league.names import MAX_NAME_CHARS
from arena.league.requests import MAX_REASON_CHARS, copy_bot
from arena.league.settings import Settings
from arena.league.store import LeagueDatabase, Request
from arena.plugins.bot_classes import find_bot_class
from arena.plugins.source import open_without_links
from arena.plugins.submissions.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES, remove_tree

CARD_SUFFIX: Final = ".rejected.txt"
UNFINISHED_SUFFIXES: Final = (".part", ".tmp", ".crdownload", ".filepart", "~")
REMOVED_SUFFIX: Final = ".removed"
SCRATCH: Final = ".new-*"
MAX_SCRATCH_AGE_S: Final = 86_400
MAX_FILE_BYTES: Final = 200
"""Of a name in the inbox: its card has a longer one."""
INCOMPLETE_HINT: Final = (
    "If it was still being copied: copy it under a name that ends in .part, and rename it when it is "
    "complete."
)


log = logging.getLogger(__name__)


class Drop(NamedTuple):
    """Something in the inbox."""

    path: Path
    submitter: str
    file: str
    """Its path relative to the inbox, as it can be printed."""

    @property
    def card(self) -> Path:
        """The report card beside it."""
        stem = os.fsencode(self.path.name)[:MAX_FILE_BYTES].decode(errors="ignore")
        return self.path.with_name(stem + CARD_SUFFIX)


def collect(
    folder: LeagueFolder,
    database: LeagueDatabase,
    settings: Settings,
    announce: Callable[[str], None] = lambda line: None,
) -> int:
    """Queue what was dropped into the inbox, in the order of names, and return how many are new."""
    folder.inbox.mkdir(exist_ok=True)
    _remove_scratch(folder, settings.submitters)
    settle(folder, database, settings)
    found = 0
    for drop in list_drops(folder, settings):
        try:
            payload = hash_payload(drop.path)
        except OSError as error:
            log.warning("%s in the inbox cannot be read: %s", drop.file, error.strerror)
            continue
        known = database.requests("file = ? AND payload = ?", drop.file, payload)
        is_unsettled = any(not one.is_settled for one in known)
        if is_unsettled or (drop.card.exists() and any(one.state == "rejected" for one in known)):
            continue
        drop.card.unlink(missing_ok=True)
        database.add_request(_make_request(folder, drop, payload, announce))
        found += 1
    return found


def settle(folder: LeagueFolder, database: LeagueDatabase, settings: Settings) -> None:
    """Show in the inbox what became of each submission: removed if admitted, a card if rejected.

    A process that is killed within leaves the rest to the next call.
    """
    unsettled = database.requests("is_settled = 0 AND state != 'waiting'")
    drops = list(list_drops(folder, settings)) if unsettled else []
    for request in unsettled:
        try:
            for drop in drops:
                if drop.file == request.file and hash_payload(drop.path) == request.payload:
                    _write_card(drop.card, request) if request.state == "rejected" else _remove(drop.path)
        except OSError as error:
            log.warning("%s in the inbox cannot be settled: %s", request.file, error.strerror)
        else:
            database.change_request(request.number, is_settled=1)


def list_drops(folder: LeagueFolder, settings: Settings) -> Iterator[Drop]:
    """Yield what is in the inbox and complete, by submitter and normalized name.

    An inbox that cannot be read is left out.
    """
    for submitter in ("", *sorted(settings.submitters)):
        home = folder.inbox / submitter
        if submitter and (home.is_symlink() or not home.is_dir()):
            continue
        try:
            paths = sorted(home.iterdir(), key=_sort_key)
        except OSError as error:  # its owner may forbid to read it, which is no concern of the others
            log.warning("the inbox %s cannot be read: %s", submitter, error.strerror)
            continue
        for path in paths:
            name = path.name
            is_own = not submitter and name in settings.submitters
            if not (is_own or name.startswith(".") or name.endswith((CARD_SUFFIX, *UNFINISHED_SUFFIXES))):
                yield Drop(path, submitter, printable(str(path.relative_to(folder.inbox))))


def hash_payload(path: Path) -> str:
    """Return a hash of the names, sizes and bytes of what was dropped, of as much as a bot may have."""
    whole, left = sha256(), MAX_BOT_BYTES
    for number, one in enumerate(_walk(path)):
        if number > MAX_BOT_FILES:
            break
        found = one.lstat()
        whole.update(
            f"{one.relative_to(path.parent)}\0{found.st_mode:o}\0{found.st_size}\0".encode(
                errors="surrogateescape"
            )
        )
        if stat.S_ISREG(found.st_mode):
            left -= _hash_file(one, whole.update, left)
    return whole.hexdigest()


def printable(text: str) -> str:
    """Return a text from outside in one line that any terminal, file or page can show."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _sort_key(path: Path) -> tuple[str, bytes]:
    return unicodedata.normalize("NFKC", path.name).casefold(), os.fsencode(path.name)


def _walk(path: Path) -> Iterator[Path]:
    """Yield a path and all that is below it, in a fixed order, however deep it is."""
    left = [path]
    while left:
        one = left.pop()
        yield one
        if one.is_dir() and not one.is_symlink():
            left += sorted(one.iterdir(), key=lambda inner: os.fsencode(inner.name), reverse=True)


def _remove_scratch(folder: LeagueFolder, submitters: Iterable[str]) -> None:
    """Remove what processes left that were killed while they copied a bot, or removed an admitted one."""
    for path in folder.path.glob(SCRATCH):
        if time.time() - path.lstat().st_mtime > MAX_SCRATCH_AGE_S:
            remove_tree(path)
    for submitter in ("", *submitters):
        with suppress(OSError, RecursionError):  # they may be another user's
            for path in list((folder.inbox / submitter).glob(f".*{REMOVED_SUFFIX}")):
                remove_tree(path)


def _hash_file(path: Path, update: Callable[[bytes], None], max_bytes: int) -> int:
    read = 0
    try:
        with open_without_links(path.absolute()) as file:
            while read < max_bytes and (chunk := file.read(min(1 << 20, max_bytes - read))):
                update(chunk)
                read += len(chunk)
    except (OSError, PluginError):
        update(b"unreadable")
    return read


def _make_request(folder: LeagueFolder, drop: Drop, payload: str, announce: Callable[[str], None]) -> Request:
    """Return the request for what was dropped; a rejected one if it cannot be copied."""
    about = Request(file=drop.file, payload=payload, submitter=drop.submitter, is_settled=0)
    name = drop.path.name
    try:
        if not name.isprintable() or len(os.fsencode(name)) > MAX_FILE_BYTES:
            raise PluginError(f"its file name does not print, or is longer than {MAX_FILE_BYTES} bytes")
        text, name = _describe(drop.path)
        copied = copy_bot(folder, text, folder.inbox, name=name, announce=announce)
        if hash_payload(drop.path) != payload:
            raise PluginError(f"it changed while it was copied. {INCOMPLETE_HINT}")
        return msgspec.structs.replace(about, name=copied.name, digest=copied.digest, source=copied.source)
    except (PluginError, OSError, UnicodeError, RecursionError) as error:
        reason = printable(_without_folders(str(error), folder))[:MAX_REASON_CHARS]
        name = printable(drop.path.stem)[:MAX_NAME_CHARS]
        return msgspec.structs.replace(
            about, name=name, state="rejected", reason=reason, card=INCOMPLETE_HINT
        )


def _without_folders(text: str, folder: LeagueFolder) -> str:
    """Return a message without the folders that only the organiser knows."""
    home = re.escape(str(folder.path.resolve()))
    return re.sub(rf"{home}/(inbox/|\.new-[^/]*/bot/?)", "", text)


def _describe(path: Path) -> tuple[str, str]:
    """Return the text that names what was dropped, and the name of the bot where that does not say it."""
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode) or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise PluginError("it is a link or a device: a bot is made of files and folders")
    if path.suffix == ".py" and stat.S_ISREG(mode):
        return f"{path}:{find_bot_class(path)}", path.stem
    return str(path), ""


def _write_card(path: Path, request: Request) -> None:
    text = f"{request.name} was not admitted: {request.reason}\n\n{request.card}\n"
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with part.open("x", encoding="utf-8", errors="replace") as file:
        file.write(text)
    part.replace(path)


def _remove(path: Path) -> None:
    """Remove a file or a folder, of which no rest is a submission where that is killed or forbidden."""
    if path.is_dir() and not path.is_symlink():
        hidden = next(one for one in _hidden_names(path) if not os.path.lexists(one))
        path.rename(hidden)
        with suppress(OSError, RecursionError):  # files of another user, or too deep
            remove_tree(hidden)
    else:
        path.unlink(missing_ok=True)


def _hidden_names(path: Path) -> Iterator[Path]:
    for number in count():
        yield path.with_name(f".{path.name}.{number}{REMOVED_SUFFIX}")
