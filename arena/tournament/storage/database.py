"""The database file under a store: its layout, who may write it, and its errors put into words."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

from arena.errors import StoreError

DATABASE = "arena.db"
LOCK = "arena.lock"
BEGINNING = "arena.db.part"  # a database until it is whole
UNFINISHED = frozenset({LOCK, f"{LOCK}-journal", BEGINNING, f"{BEGINNING}-journal"})
"""What may be left of a beginning that was killed."""
APPLICATION = 0x4152_4E41  # "ARNA": tells our databases from others'
SCHEMA = 3
Mode = Literal["ro", "rw", "rwc"]  # read, write, write and create
PATIENCE_S = 5.0  # how long another process's transaction is waited for
LONG_PATIENCE_S = 60.0  # and by a run under way, which would rather not end for it
GLANCE_S = 0.1  # for longer than somebody looks whether a folder is being written

MEANINGS = {
    sqlite3.SQLITE_BUSY: "is locked by another process",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; is its folder there, and writable?",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_IOERR: "cannot be read or written; is the disk full? What was stored before stands",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; what was stored before stands",
    sqlite3.SQLITE_NOTADB: "is not a database",
    sqlite3.SQLITE_READONLY: "is not writable",
}


def connect(database: Path, mode: Mode) -> sqlite3.Connection:
    """A connection on which transactions are begun by hand."""
    uri = f"{database.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=PATIENCE_S, isolation_level=None)


def lay_out(connection: sqlite3.Connection) -> None:
    """Makes the tables of a new database and signs it as ours."""
    connection.execute("CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID")
    connection.execute(
        """CREATE TABLE block (place INTEGER PRIMARY KEY, address TEXT NOT NULL,
                               outcome BLOB NOT NULL, actions BLOB NOT NULL,
                               digest BLOB NOT NULL, key BLOB NOT NULL, seats BLOB NOT NULL) STRICT"""
    )
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def discard(database: Path) -> None:
    """Removes what is left of a database that was never finished."""
    for path in (database, database.with_name(f"{database.name}-journal")):
        path.unlink(missing_ok=True)


def check_ours(connection: sqlite3.Connection, database: Path) -> None:
    """Raises: StoreError, for a database of another program or of another version of the arena."""
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [schema] = connection.execute("PRAGMA user_version").fetchone()
    if not database.stat().st_size:
        raise StoreError(f"{database} is empty: it was cut off, nothing of its run is left")
    if application != APPLICATION:
        raise StoreError(f"{database} is a database, but none of the arena's; it was left as it is")
    if schema != SCHEMA:
        raise StoreError(
            f"{database} has schema {schema}, this version of the arena reads schema {SCHEMA}; "
            "it was left as it is"
        )


def mend(database: Path) -> None:
    """Takes back what a killed process has left half done, which a reader may not.

    A process killed while it changes how SQLite keeps its journal leaves such a database, for some
    microseconds of its life; where nothing can be written it stays so.
    """
    with closing(connect(database, "ro")) as reader:
        try:
            reader.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
                raise
            with closing(connect(database, "rw")) as writer:
                writer.execute("PRAGMA schema_version").fetchone()


def begin_writing(connection: sqlite3.Connection) -> None:
    """Lets others read meanwhile; a killed process loses nothing, a power cut at most the last commits."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA busy_timeout = {LONG_PATIENCE_S * 1000:.0f}")


def end_writing(connection: sqlite3.Connection) -> None:
    """Leaves one file, which can be read even where nothing can be written.

    While somebody reads it, it stays as it is, which is as safe.
    """
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def writer_lock(folder: Path) -> Iterator[None]:
    """Holds the right to write in a folder; it is free again when this process ends, however it ends.

    A lock on the database itself would keep readers out, so it is on a file beside it; SQLite's, as that
    works everywhere and, unlike flock's, does not pass to forked workers.
    Raises: StoreError, if another process has it.
    """
    path = folder / LOCK
    with closing(sqlite3.connect(path, timeout=GLANCE_S, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise StoreError(f"{folder} is being written by another run; let it end, or stop it") from error
        try:
            yield
        finally:
            with suppress(OSError):  # Windows deletes no open file
                path.unlink()


def is_being_written(folder: Path) -> bool:
    """Whether a process has the right to write in a folder now."""
    path = folder / LOCK
    if not path.exists():
        return False
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=0)) as lock:
        try:
            lock.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False


@contextmanager
def clear_errors(database: Path) -> Iterator[None]:
    """Turns what SQLite raises into a StoreError that names the file and says what is wrong with it."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the upper bits tell cases of one kind apart
        raise StoreError(f"{database} {MEANINGS.get(code, f'failed: {error}')}") from error
