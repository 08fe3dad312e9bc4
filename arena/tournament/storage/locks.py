"""Locks on files: of the process that writes in a folder, and of those that wait for each other.

SQLite's own lock works on every platform and, unlike flock's, is not inherited by forked workers. It is
released when its process ends, however it ends.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from arena.errors import StoreError
from arena.tournament.storage.database import LOCK, PRIVATE_MODE, check_files, translate_errors

LOCK_TIMEOUT_S = 0.1  # longer than `is_being_written` holds the lock


@contextmanager
def writer_lock(folder: Path, held: str = "is being written by another run") -> Iterator[None]:
    """Hold the lock for writing in a folder.

    A lock on the database itself would keep readers out, so it is on a file beside it.

    Raises:
        StoreError: If another process has it, which `held` says, or no lock can be written.
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
    """Hold the lock of a file, which stays, as soon as no other process holds it.

    Raises:
        StoreError: If no lock can be written.
    """
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
    check_files(path)
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
    check_files(path)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=0)) as lock:
        try:
            lock.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode == sqlite3.SQLITE_BUSY
    return False
