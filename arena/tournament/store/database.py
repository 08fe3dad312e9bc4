"""The SQLite file of a store: its tables, connections and locks, and its errors as messages."""

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, Self

from arena.errors import StoreError

# --- file ---

DATABASE = "arena.db"
LOCK = "arena.lock"
PARTIAL = "arena.db.part"  # a database that is being created
UNFINISHED = frozenset({LOCK, f"{LOCK}-journal", PARTIAL, f"{PARTIAL}-journal"})
"""Files that a run killed while starting may leave behind."""
APPLICATION_ID = 0x4152_4E41  # "ARNA"
SCHEMA = 3
FAILURE_TABLE = """CREATE TABLE IF NOT EXISTS failure (
    bot TEXT, kind TEXT, pattern TEXT, reason TEXT NOT NULL, times INTEGER NOT NULL,
    PRIMARY KEY (bot, kind, pattern)) STRICT, WITHOUT ROWID"""
"""Is created at a run's first failure."""
TIMES_TABLE = """CREATE TABLE IF NOT EXISTS decision_time (
    variant TEXT, players INTEGER, bot TEXT, bucket INTEGER,
    decisions INTEGER NOT NULL, seconds REAL NOT NULL, longest_s REAL NOT NULL,
    PRIMARY KEY (variant, players, bot, bucket)) STRICT, WITHOUT ROWID"""
"""Is created with a run's first decision."""
NOTE_TABLE = """CREATE TABLE IF NOT EXISTS note (
    place INTEGER PRIMARY KEY, address TEXT NOT NULL, notes BLOB NOT NULL) STRICT"""
"""Is created with the first note."""
MAX_ROW_BYTES = 1 << 26  # stored; a block has a few kilobytes
PRIVATE_MODE = 0o600
"""Permissions of a database whose seed is secret; SQLite gives its journals the same."""
Mode = Literal["ro", "rw", "rwc"]  # read, write, write and create
BUSY_TIMEOUT_S = 60.0  # for another process's transaction
BUSY_PAUSE_S = 0.02

JOURNAL_LINK_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""Ends a journal that names another file, which SQLite deletes when it rolls the journal back."""

ERROR_TEXTS = {
    sqlite3.SQLITE_TOOBIG: f"is damaged: a row has more than {MAX_ROW_BYTES} bytes",
    sqlite3.SQLITE_BUSY: "is locked by another process",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder exists and is writable",
    sqlite3.SQLITE_CORRUPT: "is damaged",
    sqlite3.SQLITE_IOERR: "cannot be read or written; check the disk. Blocks stored before are kept",
    sqlite3.SQLITE_FULL: "cannot grow, the disk is full; blocks stored before are kept",
    sqlite3.SQLITE_NOTADB: "is not a database",
    sqlite3.SQLITE_READONLY: "is not writable",
}


class Database:
    """An open database: its file, its connection, and what is released when it is closed."""

    def __init__(self, path: Path, connection: sqlite3.Connection, resources: ExitStack) -> None:
        self.path = path
        self.connection = connection
        self._resources = resources

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all that is executed within the context or, on an error, nothing."""
        with translate_errors(self.path), self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield self.connection

    def select(
        self, query: str, types: tuple[type, ...], values: tuple[Any, ...] = ()
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query as they are read; raise StoreError for one with other types."""
        with translate_errors(self.path):
            for row in self.connection.execute(query, values):
                if tuple(map(type, row)) != types:
                    raise StoreError(f"{self.path} is damaged: a row is incomplete")
                yield row

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        All of them at once: no transaction can begin on rows that are left to read, once another process has
        written.
        """
        with translate_errors(self.path):
            return self.connection.execute(statement, values).fetchall()

    def has_table(self, name: str) -> bool:
        """Return whether there is a table, of those that are created when something is first stored."""
        return any(self.select("SELECT 1 FROM sqlite_master WHERE name = ?", (int,), (name,)))

    def close(self) -> None:
        """Close the database; closing again does nothing."""
        self._resources.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def create_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Create a database with what is executed within the context: completely or, on an error, not at all."""
    part = path.with_name(f"{path.name}.part")
    remove(part)
    with closing(connect(part, "rwc")) as new, new:
        new.execute("BEGIN IMMEDIATE")
        yield new
    part.replace(path)


def open_connection(
    resources: ExitStack, path: Path, mode: Mode, check: Callable[[sqlite3.Connection, Path], None]
) -> sqlite3.Connection:
    """Open a connection until the resources are closed, if `check` raises nothing; unless `ro`, to write."""
    connection = resources.enter_context(closing(connect(path, mode)))
    check(connection, path)
    if mode != "ro":
        begin_writing(connection)
        resources.callback(_end_writing, connection)
    return connection


def hide(database: Path) -> None:
    """Let nobody but the owner read a database, whose seed is secret while blocks are left to play."""
    with suppress(PermissionError):  # another user's
        database.chmod(PRIVATE_MODE)


def show(database: Path, like: Path) -> None:
    """Give a database the permissions to read and write that another file has."""
    with suppress(PermissionError):
        database.chmod(stat.S_IMODE(like.stat().st_mode) & 0o666)


def connect(database: Path, mode: Mode) -> sqlite3.Connection:
    """Open a connection without implicit transactions."""
    database = database.resolve()
    _check_files(database)
    if mode == "rwc":  # SQLite would create it with the permissions of the umask
        os.close(os.open(database, os.O_RDWR | os.O_CREAT, PRIVATE_MODE))
    uri = f"{database.as_uri()}?mode={mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _check_files(database: Path) -> None:
    """Raise StoreError for files of a database that would block a reader, or lead to other files."""
    journal = database.with_name(f"{database.name}-journal")
    for suffix in ("", "-journal", "-wal", "-shm"):
        check_regular(database.with_name(database.name + suffix))
    with suppress(FileNotFoundError), journal.open("rb") as file:  # a writer may just have removed it
        file.seek(max(0, journal.stat().st_size - len(JOURNAL_LINK_MAGIC)))
        if file.read() == JOURNAL_LINK_MAGIC:
            raise StoreError(f"{journal} was not written by the arena: it names another file")


def check_regular(path: Path) -> None:
    """Raise StoreError unless a file is plain: opening a pipe blocks, and a link shows another file."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise StoreError(f"{path} is a link or a device: a run's folder contains plain files")


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of a new database and mark it as the arena's."""
    connection.execute("CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID")
    connection.execute(
        """CREATE TABLE block (place INTEGER PRIMARY KEY, address TEXT NOT NULL,
                               outcome BLOB NOT NULL, actions BLOB NOT NULL,
                               digest BLOB NOT NULL, key BLOB NOT NULL, seats BLOB NOT NULL) STRICT"""
    )
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def remove(database: Path) -> None:
    """Delete a database that was never completed."""
    for path in (database, database.with_name(f"{database.name}-journal")):
        path.unlink(missing_ok=True)


def check_schema(connection: sqlite3.Connection, database: Path) -> None:
    """Raise StoreError for a database of another program or of another version of the arena."""
    if not database.stat().st_size:
        raise StoreError(f"{database} is empty: it was cut off, its run is lost")
    check_marks(connection, database, APPLICATION_ID, SCHEMA, "is a database of another program")


def check_marks(
    connection: sqlite3.Connection, database: Path, mark: int, schema: int, otherwise: str
) -> None:
    """Raise StoreError for a database with another application's mark or another number of the schema.

    `otherwise` is what it is if it has another mark.
    """
    own_mark, own_schema = [
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    ]
    connection.execute("SELECT count(*) FROM sqlite_master")  # fails if the schema is damaged
    if own_mark != mark:
        raise StoreError(f"{database} {otherwise}; it was not changed")
    if own_schema != schema:
        raise StoreError(
            f"{database} has schema {own_schema}, this version of the arena reads schema {schema}; "
            "it was not changed"
        )


def roll_back(database: Path) -> None:
    """Roll back an interrupted transaction, which a read-only connection cannot.

    A process killed within the microseconds in which SQLite changes its journal mode leaves such a database;
    on read-only media it stays so.
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
    """Allow concurrent readers; a killed process loses nothing, a power cut at most the last commits."""
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # Where another process changes the mode too, SQLite does not wait.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(BUSY_PAUSE_S)
    connection.execute("PRAGMA synchronous = NORMAL")


def _end_writing(connection: sqlite3.Connection) -> None:
    """Leave a single file that can be read even on read-only media, unless somebody is reading now."""
    with suppress(sqlite3.Error):
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def translate_errors(database: Path) -> Iterator[None]:
    """Raise SQLite's errors as a StoreError with the file and the cause."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the upper bits are details
        raise StoreError(f"{database} {ERROR_TEXTS.get(code, f'failed: {error}')}") from error
    except UnicodeDecodeError as error:  # SQLite's message quotes what is damaged
        raise StoreError(f"{database} {ERROR_TEXTS[sqlite3.SQLITE_CORRUPT]}") from error


# --- locks ---
# Locks on files: of the process that writes in a folder, and of those that wait for each other.
#
# SQLite's own lock works on every platform and, unlike flock's, is not inherited by forked workers. It is
# released when its process ends, however it ends.

LOCK_TIMEOUT_S = 0.1  # longer than `is_being_written` holds the lock


@contextmanager
def writer_lock(folder: Path, held: str = "is being written by another run") -> Iterator[None]:
    """Hold the lock for writing in a folder.

    A lock on the database itself would keep readers out, so it is on a file beside it.
    """
    path = folder / LOCK
    while True:
        with suppress(OSError):
            if not path.is_symlink():  # which would make a file elsewhere
                path.touch()
        opened = _identify(path)
        with _try_lock(path) as is_locked:
            if not is_locked:
                raise StoreError(f"{folder} {held}; wait for its end, or stop it")
            if _identify(path) != opened:
                continue  # whoever held it before has removed it: another process may hold a new one
            try:
                yield
            finally:
                with suppress(OSError):  # Windows does not delete open files
                    path.unlink()
            return


def _identify(path: Path) -> int | None:
    """Return the number of a file; None if there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return None


@contextmanager
def wait_for_lock(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which stays, as soon as no other process holds it."""
    with suppress(OSError):  # SQLite would create it with the permissions of the umask
        path.touch(PRIVATE_MODE)
    while True:
        with _try_lock(path) as is_locked:
            if is_locked:
                yield
                return


@contextmanager
def _try_lock(path: Path) -> Iterator[bool]:
    """Hold the lock of a file, unless another process does; yield whether it is held."""
    _check_files(path)
    with translate_errors(path):
        lock = sqlite3.connect(path, timeout=LOCK_TIMEOUT_S, isolation_level=None)
    with closing(lock):
        with translate_errors(path):
            try:
                lock.execute("BEGIN EXCLUSIVE")
                is_locked = True
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                is_locked = False
        yield is_locked


def is_being_written(folder: Path) -> bool:
    """Return whether a process holds the lock for writing in a folder."""
    path = folder / LOCK
    if not path.exists():
        return False
    _check_files(path)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=0)) as lock:
        try:
            lock.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False
