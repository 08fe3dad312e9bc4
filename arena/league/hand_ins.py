"""Submissions to a league's server: bytes on the disk, and their way into the league.

The server stores the bytes and a row, in this order, before it answers. Another process checks them. What
passes becomes a request to the league, which the next update applies like any other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final, Literal

import msgspec

from arena.errors import PluginError
from arena.league.bot_names import parse_name
from arena.league.folder import LeagueFolder
from arena.league.inbox_scan import printable
from arena.league.server_database import FILE, ServerDatabase
from arena.plugins.bot_source import is_content_hash
from arena.plugins.manifest import name_of_file
from arena.tournament.files import make_private_folder
from arena.tournament.store.database import writer_lock

PART_SUFFIX: Final = ".part"
MAX_NOTE_CHARS: Final = 2000
MAX_FILE_CHARS: Final = 100
HAND_INS: Final = """SELECT hand_in.*, ifnull(note, ''), ifnull(file, ''), ifnull(asks, 0), ifnull(remark, '')
    FROM hand_in
    LEFT JOIN private_note ON private_note.hand_in = number
    LEFT JOIN hand_in_file ON hand_in_file.hand_in = number"""
REQUEST_FILE: Final = "server/{}"
"""The file of a request that was handed in, by the number of the hand-in."""
HandInState = Literal["received", "unconfirmed", "rejected", "passed", "failed"]
"""`unconfirmed`: its sender is to confirm or change its name. `failed`: the check could not be made, for a
reason that is not the bot's."""
Suffix = Literal[".py", ".zip"]


class ProvisionalPlace(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the ladder of one game, estimated from a few blocks."""

    variant: str
    players: int
    elo: float
    """On the scale of the ladder."""
    error: float | None
    """Half width of the 95 % interval; None if there is none."""
    place: int
    best: int
    """Best place within the interval."""
    worst: int
    of: int
    """Places of the ladder, its own included."""
    blocks: int
    opponents: tuple[str, ...]


class HandIn(msgspec.Struct, frozen=True):
    """Something that was handed in. Fields are documented in `server_database`."""

    number: int
    account: str
    given_name: str
    suffix: Suffix
    content: str
    received: float
    state: HandInState
    name: str
    reason: str
    card: str
    request: int | None
    places: str
    note: str
    """The private note of its submitter; empty without one."""
    file: str = ""
    asks: int = 0
    remark: str = ""

    @property
    def provisional_places(self) -> list[ProvisionalPlace]:
        """The provisional places by game; empty until they are known."""
        return msgspec.json.decode(self.places, type=list[ProvisionalPlace]) if self.places else []

    @property
    def request_file(self) -> str:
        """The file that its request to the league names."""
        return REQUEST_FILE.format(self.number)

    @property
    def is_waiting(self) -> bool:
        """True if something is still to be done for it."""
        return self.state == "received" or (self.state == "passed" and not self.places)


@contextmanager
def serving_lock(league: LeagueFolder) -> Iterator[None]:
    """Be the only process that serves a league, within the context.

    Raises:
        StoreError: If another process serves it.
    """
    folder = league.handed_in
    make_private_folder(folder)
    league.make_private()
    with writer_lock(folder, "belongs to a league that another process serves"):
        yield


def content_path(league: LeagueFolder, content: str) -> Path:
    """Return the file of the bytes with a hash."""
    return league.handed_in / content


def hand_in(
    league: LeagueFolder,
    database: ServerDatabase,
    account: str,
    name: str,
    suffix: Suffix,
    payload: bytes,
    *,
    file: str = "",
    asks: bool = False,
) -> tuple[HandIn, bool]:
    """Store something that was handed in, and return it, and whether it is new.

    The same bytes under the same name as the account's last hand-in of that name are the same hand-in, unless
    it was rejected: a client whose connection broke may send them again.

    Args:
        league: Folder of the league.
        database: Database of the server.
        account: Who hands it in.
        name: Name of the bot; empty to take that of the file, or that in its `bot.toml`.
        suffix: `.py` for a Python file, `.zip` for an archive of a folder.
        payload: The bytes.
        file: What the sender calls the file, archive or folder; empty if it has no name.
        asks: True to let the sender confirm or change the name where it would replace a version, or may not
            be had.

    Raises:
        BotNameError: For a name that is not valid.
        StoreError: If it cannot be stored.
    """
    if suffix == ".py":
        name = name or name_of_file(Path(file).stem, is_ascii=False)
    name = parse_name(name) if name else ""
    content = sha256(payload).hexdigest()
    _store(content_path(league, content), payload)
    with database.transaction():
        query = f"{HAND_INS} WHERE account = ? AND given_name = ? ORDER BY number DESC LIMIT 1"
        for row in database.rows(query, account, name):
            last = HandIn(*row)
            if (last.content, last.suffix) == (content, suffix) and last.state != "rejected":
                return last, False
        values = (account, name, suffix, content, time.time(), name)
        number = database.insert(
            "INSERT INTO hand_in VALUES (NULL, ?, ?, ?, ?, ?, 'received', ?, '', '', NULL, '')", *values
        )
        file = printable(file)[:MAX_FILE_CHARS]
        database.execute("INSERT INTO hand_in_file VALUES (?, ?, ?, '')", number, file, asks)
    return find_hand_in(database, number), True


def find_hand_in(database: ServerDatabase, number: int) -> HandIn:
    """Return a hand-in by its number, which exists."""
    [row] = database.rows(f"{HAND_INS} WHERE number = ?", number)
    return HandIn(*row)


def list_hand_ins(database: ServerDatabase, account: str) -> list[HandIn]:
    """Return what an account handed in, the latest first."""
    rows = database.rows(f"{HAND_INS} WHERE account = ? ORDER BY number DESC", account)
    return [HandIn(*row) for row in rows]


def list_noted(database: ServerDatabase) -> list[HandIn]:
    """Return the hand-ins of all accounts with a private note, and those rejected, the latest first."""
    query = f"{HAND_INS} WHERE note <> '' OR state IN ('rejected', 'failed') ORDER BY number DESC"
    return [HandIn(*row) for row in database.rows(query)]


def list_rejected(league: LeagueFolder) -> list[HandIn]:
    """Return the hand-ins that the server's check did not let into the league, in order."""
    if not (league.path / FILE).exists():
        return []
    query = f"{HAND_INS} WHERE state IN ('rejected', 'failed') AND request IS NULL ORDER BY number"
    with ServerDatabase.open(league) as database:
        return [HandIn(*row) for row in database.rows(query)]


def write_note(database: ServerDatabase, number: int, text: str) -> None:
    """Store the private note on a hand-in instead of the last one; an empty text removes it.

    Characters that do not print are left out.

    Raises:
        PluginError: For a text that is too long.
    """
    lines = text.replace("\r\n", "\n").strip()
    note = "".join([char for char in lines if char.isprintable() or char in "\n\t"])
    if len(note) > MAX_NOTE_CHARS:
        raise PluginError(f"a note has at most {MAX_NOTE_CHARS:,} characters, this one {len(note):,}")
    if note:
        database.execute("INSERT OR REPLACE INTO private_note VALUES (?, ?)", number, note)
    else:
        database.execute("DELETE FROM private_note WHERE hand_in = ?", number)


def confirm(database: ServerDatabase, stored: HandIn, name: str) -> None:
    """Give an unconfirmed hand-in a name and have it checked.

    The name that it has been asked about is confirmed; about another one its sender may be asked again.

    Raises:
        BotNameError: For a name that is not valid.
    """
    chosen = parse_name(name)
    asks = stored.asks and chosen != stored.name
    with database.transaction():
        database.execute(
            "UPDATE hand_in SET given_name = ?, name = ?, state = 'received' "
            "WHERE number = ? AND state = 'unconfirmed'",
            *(chosen, chosen, stored.number),
        )
        database.execute(
            "UPDATE hand_in_file SET asks = ?, remark = '' WHERE hand_in = ?", asks, stored.number
        )


def write_remark(database: ServerDatabase, number: int, remark: str) -> None:
    """Store what is to be said of a hand-in beside its check."""
    database.execute("UPDATE hand_in_file SET remark = ? WHERE hand_in = ?", remark, number)


def change_hand_in(database: ServerDatabase, number: int, **values: str | int | None) -> None:
    """Change columns of a hand-in."""
    changes = ", ".join(f"{name} = ?" for name in values)
    database.execute(f"UPDATE hand_in SET {changes} WHERE number = ?", *values.values(), number)


def remove_unused(league: LeagueFolder, database: ServerDatabase) -> None:
    """Remove bytes that a process left which was killed before it stored their row.

    Only a server calls this, when it starts: nothing is being handed in.
    """
    used = {content for [content] in database.rows("SELECT content FROM hand_in")}
    for path in league.handed_in.glob("*"):
        if path.name not in used and (is_content_hash(path.name) or path.suffix == PART_SUFFIX):
            path.unlink(missing_ok=True)


def _store(path: Path, payload: bytes) -> None:
    """Write bytes so that they survive a power cut, under their name only when they are complete."""
    make_private_folder(path.parent)
    if path.exists():
        return
    with NamedTemporaryFile(dir=path.parent, suffix=PART_SUFFIX, delete=False) as file:
        file.write(payload)
        file.flush()
        os.fsync(file.fileno())
    os.replace(file.name, path)
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
