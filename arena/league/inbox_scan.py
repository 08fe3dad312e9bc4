"""Drops in the inbox of a league that are complete and not yet taken."""

from __future__ import annotations

import logging
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from arena.errors import PluginError
from arena.plugins.bot_files import MAX_BOT_BYTES, MAX_BOT_FILES
from arena.plugins.bot_source import find_temporary_error, open_without_links
from arena.plugins.manifest import MANIFEST

CARD_SUFFIX: Final = ".rejected.txt"
UNFINISHED_SUFFIXES: Final = (".part", ".tmp", ".crdownload", ".filepart", "~")
MAX_FILE_BYTES: Final = 200
"""Maximum length of a name in the inbox, in bytes; its card has a longer one."""

log = logging.getLogger(__name__)


class Drop(NamedTuple):
    """Something in the inbox."""

    path: Path
    submitter: str
    file: str
    """Path relative to the inbox, safe to print."""
    loose: tuple[Path, ...] = ()
    """Files and folders of a bot that were copied without its folder; `path` is then its `bot.toml`."""

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
            return max(path.lstat().st_ctime for path in self.paths)
        except OSError:
            return None

    @property
    def paths(self) -> tuple[Path, ...]:
        """All that was dropped."""
        return self.loose or (self.path,)


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
        loose = _loose_files(complete) if submitter else ()
        for path in complete:
            if path.name == MANIFEST or path not in loose:
                file = printable(str(path.relative_to(inbox)))
                yield Drop(path, submitter, file, loose if path in loose else ())


def hash_payload(drop: Drop) -> str:
    """Return a hash of the names, sizes and bytes of what was dropped, of as much as a bot may have."""
    whole, left = sha256(), MAX_BOT_BYTES
    walked = (file for path in drop.paths for file in _walk(path))
    for number, path in enumerate(walked):
        if number > MAX_BOT_FILES:
            break
        status = path.lstat()
        # `Path.relative_to` of Python 3.12 takes 10 ms for a file in 1,500 folders.
        name = os.path.relpath(path, drop.path.parent)
        whole.update(f"{name}\0{status.st_mode:o}\0{status.st_size}\0".encode(errors="surrogateescape"))
        if stat.S_ISREG(status.st_mode):
            left -= _hash_file(path, whole.update, left)
    return whole.hexdigest()


def printable(text: str) -> str:
    """Return a text from outside in one line that any terminal, file or page can show."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _loose_files(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files of a bot whose `bot.toml` is among the paths, without other bots beside them."""
    if not any(path.name == MANIFEST for path in paths):
        return ()
    return tuple(path for path in paths if path.suffix != ".zip" and not os.path.lexists(path / MANIFEST))


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
