"""Accounts and hand-ins of a league's server, and the import of lists of submitters.

The first three sections are on `server.db`; the import writes to the settings of the league.
"""

from __future__ import annotations

import csv
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from hashlib import sha256
from hmac import compare_digest
from io import StringIO
from pathlib import Path
from sqlite3 import Cursor
from tempfile import NamedTemporaryFile
from typing import Any, Final, Literal, NamedTuple, Self
from unicodedata import normalize

import msgspec
import tomli_w

from arena.errors import ConfigError, PluginError
from arena.league.bot_names import name_bot_of, parse_name
from arena.league.folder import LeagueFolder
from arena.league.settings import parse_settings
from arena.plugins.bot_source import is_content_hash
from arena.plugins.manifest import MAX_NAME_CHARS, name_of_file
from arena.tournament.files import FOLDER_MODE, make_private_folder, replace_file
from arena.tournament.setup.toml_checks import read_text
from arena.tournament.store import database as db
from arena.tournament.store.database import wait_for_lock, writer_lock

# --- server database ---
# `server.db`, separate from `league.db`, whose content follows from the requests alone. Its tables:
#
# account   Who may hand in. Of tokens and links only hashes are kept; they are random, so that a fast hash is
#           enough.
# session   Browsers that are signed in.
# organiser The accounts that see all of the league.
# hand_in   What was handed in, in order, with the result of its check and its provisional places.
# hand_in_file  Names of files and folders as they were sent, and what is said about the names of bots.
# private_note  Notes of submitters on their own hand-ins, for themselves and the organiser.

TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS account (
        name TEXT PRIMARY KEY,         -- of the submitter, as in league.toml
        token BLOB UNIQUE,             -- SHA-256 of the token; NULL: revoked
        link BLOB UNIQUE,              -- SHA-256 of the secret in the link; NULL once it was used, or revoked
        expires REAL NOT NULL          -- seconds since 1970, for token and link
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS session (
        digest BLOB PRIMARY KEY,       -- SHA-256 of the cookie
        account TEXT NOT NULL,
        expires REAL NOT NULL
        ) STRICT""",
    "CREATE TABLE IF NOT EXISTS organiser (account TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
    """CREATE TABLE IF NOT EXISTS hand_in (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        account TEXT NOT NULL,
        given_name TEXT NOT NULL,      -- empty: that in its bot.toml
        suffix TEXT NOT NULL,          -- .py or .zip
        content TEXT NOT NULL,         -- SHA-256 of the bytes, which name their file in handed-in/
        received REAL NOT NULL,        -- seconds since 1970
        state TEXT NOT NULL,           -- received, unconfirmed, rejected, passed, failed
        name TEXT NOT NULL,            -- of the bot, once it is known
        reason TEXT NOT NULL,          -- why it was rejected, in a line
        card TEXT NOT NULL,            -- the report card of its check
        request INTEGER,               -- its request to the league, once it passed
        places TEXT NOT NULL           -- provisional places as a JSON array; empty: not known yet
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS hand_in_file (
        hand_in INTEGER PRIMARY KEY,   -- its number
        file TEXT NOT NULL,            -- name of the file, archive or folder; empty: text without one
        asks INTEGER NOT NULL,         -- the sender is at a page, to confirm or change its name
        remark TEXT NOT NULL           -- its name, and the version that it replaces or is the same as
        ) STRICT""",
    """CREATE TABLE IF NOT EXISTS private_note (
        hand_in INTEGER PRIMARY KEY,   -- its number
        note TEXT NOT NULL             -- not empty
        ) STRICT""",
)
FILE: Final = "server.db"


class ServerDatabase(db.Database):
    """A connection to the database, which is created if it is missing."""

    @classmethod
    def open(cls, league: LeagueFolder) -> Self:
        """Open the database of a league's server; nobody but the owner may read it."""
        path = league.path / FILE
        with ExitStack() as stack, db.translate_errors(path):
            # "rwc" opens and closes the file, which releases the locks of this process's other connections.
            mode: db.Mode = "rw" if path.exists() else "rwc"
            connection = stack.enter_context(closing(db.connect(path, mode)))
            db.hide(path)  # a copy from a back-up may be open to all
            db.begin_writing(connection)
            connection.execute("PRAGMA synchronous = FULL")  # what was answered survives a power cut
            for statement in TABLES:
                connection.execute(statement)
            return cls(path, connection, stack.pop_all())

    def execute(self, statement: str, *values: Any) -> Cursor:
        """Execute a statement."""
        with db.translate_errors(self.path):
            return self.connection.execute(statement, values)


# --- invitations and sessions ---
# Tokens, links and cookies are random texts of 192 bits. The database has their SHA-256: who reads it cannot
# sign in, and a guess is no easier than a collision.

SECRET_BYTES: Final = 24
MAX_SECRET_CHARS: Final = 64
SESSION_S: Final = 30 * 86_400.0
"""Seconds for which a browser stays signed in."""


class Invitation(NamedTuple):
    """A submitter's token and link, the only place where these secrets are readable."""

    name: str
    token: str
    link: str
    """Secret of the one-time link."""


TokenState = Literal["issued", "used", "expired", "revoked"]
"""`used`: its owner signed in or handed in something."""


class Account(NamedTuple):
    """An account as its organiser sees it."""

    name: str
    is_organiser: bool
    state: TokenState
    expires: float
    """Time in seconds since 1970."""
    last_hand_in: float | None
    """The same of the last hand-in; None before the first."""


def invite(
    database: ServerDatabase, names: Iterable[str], days: float, *, is_organiser: bool = False
) -> list[Invitation]:
    """Create accounts; of existing ones the token, the link and all sessions are replaced.

    Args:
        database: Database of the server.
        names: Names of submitters.
        days: Days after which tokens and links expire.
        is_organiser: True for accounts that see all of the league, and reveal finals.
    """
    invitations = [Invitation(name, _make_secret(), _make_secret()) for name in names]
    expires = time.time() + days * 86_400
    with database.transaction():
        for invitation in invitations:
            _forget(database, invitation.name)
            query = "INSERT OR REPLACE INTO account VALUES (?, ?, ?, ?)"
            database.execute(
                query, invitation.name, _digest(invitation.token), _digest(invitation.link), expires
            )
            if is_organiser:
                database.execute("INSERT INTO organiser VALUES (?)", invitation.name)
    return invitations


def revoke(database: ServerDatabase, name: str) -> bool:
    """End an account's token, link and sessions; return whether there is such an account."""
    with database.transaction():
        _forget(database, name)
        query = "UPDATE account SET token = NULL, link = NULL WHERE name = ?"
        return database.execute(query, name).rowcount > 0


def extend(database: ServerDatabase, name: str, days: float) -> bool:
    """Let the token and the link of an account expire some days from now.

    Returns:
        Whether there is such an account with a token: one that was revoked needs another invitation.
    """
    query = "UPDATE account SET expires = ? WHERE name = ? AND token IS NOT NULL"
    return database.execute(query, time.time() + days * 86_400, name).rowcount > 0


def describe_accounts(database: ServerDatabase) -> list[Account]:
    """Return all accounts by name, as the organiser sees them."""
    query = """SELECT name, EXISTS (SELECT 1 FROM organiser WHERE organiser.account = account.name),
        CASE WHEN token IS NULL THEN 'revoked' WHEN expires <= ? THEN 'expired'
            WHEN link IS NULL OR EXISTS (SELECT 1 FROM session WHERE session.account = account.name)
                OR EXISTS (SELECT 1 FROM hand_in WHERE hand_in.account = account.name) THEN 'used'
            ELSE 'issued' END,
        expires, (SELECT max(received) FROM hand_in WHERE hand_in.account = account.name)
        FROM account ORDER BY name"""
    rows = database.query(query, time.time())
    return [Account(name, bool(organises), *rest) for name, organises, *rest in rows]


def is_organiser(database: ServerDatabase, name: str) -> bool:
    """Return whether an account is one of the organisers."""
    return bool(database.query("SELECT 1 FROM organiser WHERE account = ?", name))


def find_by_token(database: ServerDatabase, token: str) -> str | None:
    """Return the account of a token; None for one that is not valid."""
    return _find(database, "SELECT name, token FROM account WHERE token = ? AND expires > ?", token)


def find_by_link(database: ServerDatabase, secret: str) -> str | None:
    """Return the account of a link that was not used yet; None for one that is not valid."""
    return _find(database, "SELECT name, link FROM account WHERE link = ? AND expires > ?", secret)


def find_by_cookie(database: ServerDatabase, cookie: str) -> str | None:
    """Return the account of a session; None for one that is not valid."""
    return _find(database, "SELECT account, digest FROM session WHERE digest = ? AND expires > ?", cookie)


def use_link(database: ServerDatabase, secret: str) -> str | None:
    """Sign in by a link, which is not valid any more then; return the cookie, None for an invalid link."""
    with database.transaction():
        name = find_by_link(database, secret)
        if name is None:
            return None
        database.execute("UPDATE account SET link = NULL WHERE name = ?", name)
        return _start_session(database, name)


def use_token(database: ServerDatabase, token: str) -> str | None:
    """Sign in by a token; return the cookie, None for an invalid token."""
    with database.transaction():
        name = find_by_token(database, token)
        return None if name is None else _start_session(database, name)


def end_session(database: ServerDatabase, cookie: str) -> None:
    """Sign out."""
    database.execute("DELETE FROM session WHERE digest = ?", _digest(cookie))


def list_accounts(league: LeagueFolder) -> list[str]:
    """Return the names of all accounts of a league's server, also of organisers; none without a server."""
    if not (league.path / FILE).exists():
        return []
    with ServerDatabase.open(league) as database:
        return [name for [name] in database.query("SELECT name FROM account ORDER BY name")]


def _make_secret() -> str:
    """Return a random text of hexadecimal digits, which no shell or spreadsheet takes for something else."""
    return secrets.token_hex(SECRET_BYTES)


def _start_session(database: ServerDatabase, name: str) -> str:
    cookie, now = _make_secret(), time.time()
    [(expires,)] = database.query("SELECT expires FROM account WHERE name = ?", name)
    database.execute("DELETE FROM session WHERE expires <= ?", now)
    ending = min(expires, now + SESSION_S)
    database.execute("INSERT INTO session VALUES (?, ?, ?)", _digest(cookie), name, ending)
    return cookie


def _forget(database: ServerDatabase, name: str) -> None:
    database.execute("DELETE FROM session WHERE account = ?", name)
    database.execute("DELETE FROM organiser WHERE account = ?", name)


def _find(database: ServerDatabase, query: str, secret: str) -> str | None:
    """Return the name in the row with the hash of a secret."""
    digest = _digest(secret)
    for name, stored in database.query(query, digest, time.time()):
        if compare_digest(stored, digest):
            return str(name)
    return None


def _digest(secret: str) -> bytes:
    return sha256(secret[:MAX_SECRET_CHARS].encode(errors="replace")).digest()


# --- hand-ins ---
# The server stores the bytes and a row, in this order, before it answers. Another process checks them. What
# passes becomes a request to the league, which the next update applies like any other.

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
    """Something that was handed in. Fields are documented beside the tables above."""

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
    """Be the only process that serves a league, within the context."""
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
    """
    if suffix == ".py":
        name = name or name_of_file(Path(file).stem)
    name = parse_name(name) if name else ""
    content = sha256(payload).hexdigest()
    _store(content_path(league, content), payload)
    with database.transaction():
        query = f"{HAND_INS} WHERE account = ? AND given_name = ? ORDER BY number DESC LIMIT 1"
        for row in database.query(query, account, name):
            last = HandIn(*row)
            if (last.content, last.suffix) == (content, suffix) and last.state != "rejected":
                return last, False
        values = (account, name, suffix, content, time.time(), name)
        query = "INSERT INTO hand_in VALUES (NULL, ?, ?, ?, ?, ?, 'received', ?, '', '', NULL, '')"
        number = database.execute(query, *values).lastrowid or 0
        file = printable(file)[:MAX_FILE_CHARS]
        database.execute("INSERT INTO hand_in_file VALUES (?, ?, ?, '')", number, file, asks)
    return find_hand_in(database, number), True


def find_hand_in(database: ServerDatabase, number: int) -> HandIn:
    """Return a hand-in by its number, which exists."""
    [row] = database.query(f"{HAND_INS} WHERE number = ?", number)
    return HandIn(*row)


def list_hand_ins(database: ServerDatabase, account: str) -> list[HandIn]:
    """Return what an account handed in, the latest first."""
    rows = database.query(f"{HAND_INS} WHERE account = ? ORDER BY number DESC", account)
    return [HandIn(*row) for row in rows]


def list_noted(database: ServerDatabase) -> list[HandIn]:
    """Return the hand-ins of all accounts with a private note, and those rejected, the latest first."""
    query = f"{HAND_INS} WHERE note <> '' OR state IN ('rejected', 'failed') ORDER BY number DESC"
    return [HandIn(*row) for row in database.query(query)]


def list_rejected(league: LeagueFolder) -> list[HandIn]:
    """Return the hand-ins that the server's check did not let into the league, in order."""
    if not (league.path / FILE).exists():
        return []
    query = f"{HAND_INS} WHERE state IN ('rejected', 'failed') AND request IS NULL ORDER BY number"
    with ServerDatabase.open(league) as database:
        return [HandIn(*row) for row in database.query(query)]


def write_note(database: ServerDatabase, number: int, text: str) -> None:
    """Store the private note on a hand-in instead of the last one; an empty text removes it.

    Characters that do not print are left out.
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
    used = {content for [content] in database.query("SELECT content FROM hand_in")}
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


# --- submitter import ---
# The file of settings stays the organiser's own: lines are added, the others stay as they are.

HEADING: Final = r"^\[{}\][ \t]*(#.*)?$"
"""Pattern of the heading of a table, which is alone on its line."""
NAME_COLUMN: Final = "name"
TEAM_COLUMN: Final = "team"
UNKNOWN_HEADINGS: Final = ("names", "student", "students", "team", "user", "username", "login", "email")
"""First lines of a single column that are more likely its heading than a name."""
MAX_TEAM_CHARS: Final = 200


class Student(NamedTuple):
    """A submitter as a list of students has it."""

    name: str
    team: str = ""


def read_names(text: str) -> list[str]:
    """Return the names in a CSV file, see `read_students`."""
    return [student.name for student in read_students(text)]


def read_students(text: str) -> list[Student]:
    """Return the students in a CSV file: names in its column `name`, teams in its column `team`, if any.

    A single column needs no heading.
    """
    rows = [row for row in csv.reader(StringIO(text.removeprefix("\ufeff"))) if any(map(str.strip, row))]
    heading = [NAME_COLUMN]
    first = [cell.strip().lower() for cell in rows[0]] if rows else []
    if NAME_COLUMN in first:
        heading, rows = first, rows[1:]
    elif max(map(len, rows), default=1) > 1 or "".join(first) in UNKNOWN_HEADINGS:
        raise ConfigError(
            f"the first line, {', '.join(rows[0])[:80]!r}, names no column {NAME_COLUMN!r}: write "
            f"{f'{NAME_COLUMN},{TEAM_COLUMN}'!r} above the names; other columns are not read"
        )
    students: dict[str, Student] = {}
    for row in rows:
        cells = dict(zip(heading, map(str.strip, row), strict=False))
        if NAME_COLUMN in cells:
            name = cells[NAME_COLUMN]
            is_name = name[:1].isalnum() and name.isprintable() and "/" not in name
            if not is_name or len(name) > MAX_NAME_CHARS:
                raise ConfigError(
                    f"{name[:60]!r} is not the name of a person here: take up to {MAX_NAME_CHARS} characters "
                    "that print, no slash, a letter or digit first"
                )
            student = Student(normalize("NFC", name), cells.get(TEAM_COLUMN, ""))
            if not student.team.isprintable() or len(student.team) > MAX_TEAM_CHARS:
                raise ConfigError(
                    f"the team of {student.name} is not a text of at most {MAX_TEAM_CHARS} characters"
                )
            if students.setdefault(student.name, student) != student:
                raise ConfigError(
                    f"{student.name} is listed twice, in different teams: keep one of the lines"
                )
    if not students:
        raise ConfigError(f"there are no names: write one a line, or a table with a column {NAME_COLUMN}")
    return list(students.values())


def add_submitters(folder: LeagueFolder, names: Sequence[str]) -> list[str]:
    """Add the names that are missing to the table `[submitters]` of a league, and return those.

    Each may submit bots of its own name, and of names that begin with it and a dash, and gets an inbox, which
    nobody but the owner of the league may enter at first.
    """
    with wait_for_lock(folder.settings_lock):
        text = read_text(folder.settings)
        known = parse_settings(text, str(folder.settings), folder.path).submitters
        missing = [name for name in names if name not in known]
        if missing:
            _replace_settings(folder, _insert_submitters(text, missing), missing)
        return missing


def add_students(folder: LeagueFolder, students: Sequence[Student]) -> None:
    """Add students to the table `[submitters]` of a league, their teams to `[teams]`; lines there stay.

    Each gets an inbox, as by `add_submitters`.
    """
    with wait_for_lock(folder.settings_lock):
        text = read_text(folder.settings)
        known = parse_settings(text, str(folder.settings), folder.path)
        names = [student.name for student in students if student.name not in known.submitters]
        teams = {
            student.name: _text(student.team)
            for student in students
            if student.team and student.name not in known.teams
        }
        text = _insert_submitters(text, names) if names else text
        _replace_settings(folder, _insert(text, "teams", teams) if teams else text, names)


def _insert_submitters(text: str, names: Sequence[str]) -> str:
    own = {name: name_bot_of(name) for name in names}
    lines = {name: f"[{_text(bot)}, {_text(f'{bot}-*')}]" for name, bot in own.items()}
    return _insert(text, "submitters", lines)


def _insert(text: str, table: str, values: Mapping[str, str]) -> str:
    """Return the text of settings with lines more in one of its tables."""
    lines = "".join(f"{_key(name)} = {value}\n" for name, value in values.items())
    if heading := re.search(HEADING.format(table), text, re.MULTILINE):
        return f"{text[: heading.end()]}\n{lines}{text[heading.end() :].removeprefix(chr(10))}"
    return f"{text.rstrip()}\n\n[{table}]\n{lines}"


def _replace_settings(folder: LeagueFolder, text: str, names: Sequence[str]) -> None:
    if not set(names) <= set(parse_settings(text, str(folder.settings), folder.path).submitters):
        raise ConfigError(f"{folder.settings}: write the submitters as a table [submitters], a line each")
    with replace_file(folder.settings, is_private=True) as file:
        file.write(text.encode())
    for name in names:
        (folder.inbox / name).mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def _key(name: str) -> str:
    return tomli_w.dumps({name: 0}).removesuffix(" = 0\n")


def _text(text: str) -> str:
    return tomli_w.dumps({"a": text}).removeprefix("a = ").removesuffix("\n")


def printable(text: str) -> str:
    """Return a text from outside in one line that any terminal, file or page can show."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
