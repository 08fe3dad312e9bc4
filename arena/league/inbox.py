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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from arena.errors import PluginError
from arena.league.accounts import printable
from arena.league.folder import LeagueFolder
from arena.league.requests import MAX_REASON_CHARS, copy_bot, hide_paths
from arena.league.settings import Settings
from arena.league.store import LeagueDatabase, LeagueRequest
from arena.plugins.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES, remove_tree
from arena.plugins.bot_source import find_temporary_error, open_without_links
from arena.plugins.inspection import PythonFile
from arena.plugins.manifest import MANIFEST, MAX_NAME_CHARS, name_of_file

CARD_SUFFIX: Final = ".rejected.txt"
UNFINISHED_SUFFIXES: Final = (".part", ".tmp", ".crdownload", ".filepart", "~")
MAX_FILE_BYTES: Final = 200
"""Maximum length of a name in the inbox, in bytes; its card has a longer one."""
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
        known = database.read_requests("file = ? AND payload = ?", drop.file, payload)
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
    unsettled = database.read_requests("is_settled = 0 AND state != 'waiting'")
    drops = list(list_drops(folder.inbox, settings.submitters)) if unsettled else []
    for request in unsettled:
        try:
            for drop in drops:
                if drop.file == request.file and hash_payload(drop) == request.payload:
                    _write_card(drop.card, request) if request.state == "rejected" else _remove(drop.path)
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
        text, name = _describe(drop, settings.submitters)
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


def _describe(drop: Drop, submitters: Iterable[str]) -> tuple[str, str]:
    """Return the text that names what was dropped, and the name of the bot where that does not say it."""
    path = drop.path
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode) or not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise PluginError("it is a link or a device: a bot is made of files and folders")
    if stat.S_ISDIR(mode):
        if not os.path.lexists(path / MANIFEST):
            raise PluginError(_explain_folder(drop, sorted(submitters)))
    elif path.name == MANIFEST:
        raise PluginError(f"it is without the other files of its bot: copy the folder with the {MANIFEST}")
    elif path.suffix == ".py":
        return f"{path}:{PythonFile(path).find_bot()}", name_of_file(path.stem)
    return str(path), ""


def _explain_folder(drop: Drop, submitters: Sequence[str]) -> str:
    """Return what to do with a folder that has no `bot.toml`."""
    path, name = drop.path, drop.path.name
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


# --- what lies in the inbox ---
# What is complete and not yet taken.


class Drop(NamedTuple):
    """Something in the inbox."""

    path: Path
    submitter: str
    file: str
    """Path relative to the inbox, safe to print."""

    @property
    def card(self) -> Path:
        """The report card beside it."""
        stem = os.fsencode(self.path.name)[:MAX_FILE_BYTES].decode(errors="ignore")
        return self.path.with_name(stem + CARD_SUFFIX)

    @property
    def changed_s(self) -> float | None:
        """The time at which it last changed in the inbox, in seconds since 1970; None if it is gone.

        That is not the time in the file, which a copy may keep and its owner may set.
        """
        try:
            return self.path.lstat().st_ctime
        except OSError:
            return None


def list_drops(inbox: Path, submitters: Mapping[str, object]) -> Iterator[Drop]:
    """Yield what is in an inbox and complete, by submitter and normalized name.

    An inbox that cannot be read is left out.
    """
    for submitter in ("", *sorted(submitters)):
        home = inbox / submitter
        if submitter and (home.is_symlink() or not home.is_dir()):
            continue
        try:
            paths = sorted(home.iterdir(), key=_sort_key)
        except OSError as error:  # its owner may forbid reading it, which does not affect the others
            log.warning("the inbox %s cannot be read: %s", submitter, error.strerror)
            continue
        complete = [path for path in paths if _is_complete(path.name)]
        if not submitter:
            complete = [path for path in complete if path.name not in submitters]
        for path in complete:
            yield Drop(path, submitter, printable(str(path.relative_to(inbox))))


def hash_payload(drop: Drop) -> str:
    """Return a hash of the names, sizes and bytes of what was dropped, of as much as a bot may have."""
    whole, left = sha256(), MAX_BOT_BYTES
    for number, path in enumerate(_walk(drop.path)):
        if number > MAX_BOT_FILES:
            break
        status = path.lstat()
        # `Path.relative_to` of Python 3.12 takes 10 ms for a file in 1,500 folders.
        name = os.path.relpath(path, drop.path.parent)
        whole.update(f"{name}\0{status.st_mode:o}\0{status.st_size}\0".encode(errors="surrogateescape"))
        if stat.S_ISREG(status.st_mode):
            left -= _hash_file(path, whole.update, left)
    return whole.hexdigest()


def _is_complete(name: str) -> bool:
    return not (name.startswith(".") or name.endswith((CARD_SUFFIX, *UNFINISHED_SUFFIXES)))


def _sort_key(path: Path) -> tuple[str, bytes]:
    return unicodedata.normalize("NFKC", path.name).casefold(), os.fsencode(path.name)


def _walk(path: Path) -> Iterator[Path]:
    """Yield a path and all that is below it, in a fixed order, however deep it is."""
    left = [path]
    while left:
        entry = left.pop()
        yield entry
        if entry.is_dir() and not entry.is_symlink():
            left += sorted(entry.iterdir(), key=lambda inner: os.fsencode(inner.name), reverse=True)


def _hash_file(path: Path, update: Callable[[bytes], None], max_bytes: int) -> int:
    read = 0
    try:
        with open_without_links(path.absolute()) as file:
            while read < max_bytes and (chunk := file.read(min(1 << 20, max_bytes - read))):
                update(chunk)
                read += len(chunk)
    except (OSError, PluginError) as error:
        if find_temporary_error(error):
            raise
        update(b"unreadable")
    return read
