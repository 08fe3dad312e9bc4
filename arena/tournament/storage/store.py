"""The store of a run, its only truth: the run's facts and the blocks played, in one SQLite database.

One process writes, any number read meanwhile. A block is written whole or not at all, and only once:
whatever ends the writer, what was added stands, and the run can go on from there.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec

from arena.errors import StoreError
from arena.tournament.storage import database as db
from arena.tournament.storage.block_results import PackedBlock
from arena.tournament.storage.metadata import RunMetadata

EVERY = range(2**63 - 1)
COLUMNS = "place, address, outcome, actions, digest, key, seats"  # in the order of a PackedBlock


class StoredOutcome(NamedTuple):
    """What is counted of a block: who sat where and what came out, see `block_results`."""

    place: int
    """In the schedule."""
    address: str
    seats: bytes
    outcome: bytes


class IndexSet:
    """A set of block indices that takes one bit each, small for millions of blocks."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._count = 0

    def add(self, index: int) -> None:
        """Add an index."""
        if index in self:
            return
        byte = index >> 3
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits)))
        self._bits[byte] |= 1 << (index & 7)
        self._count += 1

    def __contains__(self, index: int) -> bool:
        byte = index >> 3
        return byte < len(self._bits) and bool(self._bits[byte] >> (index & 7) & 1)

    def __len__(self) -> int:
        return self._count


class Store:
    """A run's database: made by `create`, gone on with by `resume`, read by `open`."""

    def __init__(self, database: Path, connection: sqlite3.Connection, leaving: ExitStack) -> None:
        self._database = database
        self._connection = connection
        self._leaving = leaving
        self._sorted = False  # whether its keys are

    @classmethod
    def create(cls, folder: Path, metadata: RunMetadata) -> Self:
        """A new store in a folder that has none, open for writing; it is there whole or not at all.

        Raises: StoreError, if there is one already or none can be made.
        """
        database = folder / db.DATABASE
        with ExitStack() as stack, db.clear_errors(database):
            stack.enter_context(db.writer_lock(folder))
            if database.exists():
                raise StoreError(f"{database} exists already; `arena resume {folder}` goes on with its run")
            part = folder / db.BEGINNING
            db.discard(part)
            with closing(db.connect(part, "rwc")) as beginning, beginning:
                beginning.execute("BEGIN IMMEDIATE")
                db.lay_out(beginning)
                beginning.executemany("INSERT INTO fact VALUES (?, ?)", _rows(metadata))
            part.replace(database)
            connection = _connected(stack, database, "rw")
            return cls(database, connection, stack.pop_all())

    @classmethod
    def resume(cls, folder: Path) -> Self:
        """The store of a folder, open for writing.

        Raises: StoreError, if it has none of ours, or another process writes it.
        """
        database = _existing(folder)
        with ExitStack() as stack, db.clear_errors(database):
            stack.enter_context(db.writer_lock(folder))
            connection = _connected(stack, database, "rw")
            return cls(database, connection, stack.pop_all())

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The store of a folder, for reading only, also while another process writes it.

        Raises: StoreError, if it has none of ours.
        """
        database = _existing(folder)
        with ExitStack() as stack, db.clear_errors(database):
            db.mend(database)
            connection = _connected(stack, database, "ro")
            return cls(database, connection, stack.pop_all())

    @property
    def metadata(self) -> RunMetadata:
        """What holds for the run as a whole."""
        with db.clear_errors(self._database):
            rows = self._connection.execute("SELECT name, value FROM fact").fetchall()
        try:
            return msgspec.convert({name: msgspec.json.decode(value) for name, value in rows}, RunMetadata)
        except msgspec.MsgspecError as error:
            raise StoreError(f"{self._database} is damaged: {error}") from error

    def change_config(self, config: str) -> None:
        """Puts another config into the facts, under which the blocks stored must stay what they are."""
        with db.clear_errors(self._database), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(
                "UPDATE fact SET value = ? WHERE name = 'config'", [msgspec.json.encode(config).decode()]
            )

    def add(self, blocks: Iterable[PackedBlock]) -> None:
        """Stores all of them or, raising StoreError, none; those it has already stay as they are."""
        rows = [msgspec.structs.astuple(block) for block in blocks]
        with db.clear_errors(self._database), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )

    def blocks(self, part: range = EVERY) -> Iterator[PackedBlock]:
        """The blocks stored of a part of the schedule, in its order, read while they are asked for."""
        with db.clear_errors(self._database):
            rows = self._connection.execute(
                f"SELECT {COLUMNS} FROM block WHERE place >= ? AND place < ? ORDER BY place",
                (part.start, part.stop),
            )
            for row in rows:
                yield PackedBlock(*self._whole(row))

    def outcomes(self) -> Iterator[StoredOutcome]:
        """What is counted of the blocks stored, in the order of the schedule, read while it is asked for."""
        with db.clear_errors(self._database):
            rows = self._connection.execute("SELECT place, address, seats, outcome FROM block ORDER BY place")
            for row in rows:
                yield StoredOutcome._make(self._whole(row))

    def _whole(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """A row as it was written; where the file was cut off SQLite reads NULL in its stead."""
        if None in row:
            raise StoreError(f"{self._database} is damaged: a block is not whole")
        return row

    def find(self, key: bytes) -> PackedBlock | None:
        """The block stored that has this key; None if there is none.

        The first time all keys are sorted, which takes a second for a million.
        """
        with db.clear_errors(self._database):
            if not self._sorted:
                self._connection.execute("CREATE TEMP TABLE held AS SELECT key, place FROM block")
                self._connection.execute("CREATE INDEX temp.held_by_key ON held (key)")
                self._sorted = True
            row = self._connection.execute(
                f"SELECT {COLUMNS} FROM block WHERE place = (SELECT place FROM held WHERE held.key = ?)",
                [key],
            ).fetchone()
        return row and PackedBlock(*row)

    def done(self) -> IndexSet:
        """The indices of the blocks stored."""
        indices = IndexSet()
        with db.clear_errors(self._database):
            for [index] in self._connection.execute("SELECT place FROM block"):
                indices.add(index)
        return indices

    def count(self, part: range = EVERY) -> int:
        """How many blocks are stored of a part of the schedule."""
        with db.clear_errors(self._database):
            [count] = self._connection.execute(
                "SELECT count(*) FROM block WHERE place >= ? AND place < ?", (part.start, part.stop)
            ).fetchone()
        return int(count)

    def flaws(self) -> list[str]:
        """What SQLite finds wrong with the database as a file: nothing, if all is well."""
        with db.clear_errors(self._database):
            found = [str(row[0]) for row in self._connection.execute("PRAGMA quick_check(10)")]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        """Lets the database go; a second time does nothing."""
        self._leaving.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _existing(folder: Path) -> Path:
    database = folder / db.DATABASE
    if not database.exists():
        raise StoreError(f"{folder} holds no run: there is no {db.DATABASE}")
    return database


def _connected(stack: ExitStack, database: Path, mode: db.Mode) -> sqlite3.Connection:
    connection = stack.enter_context(closing(db.connect(database, mode)))
    db.check_ours(connection, database)
    if mode != "ro":
        db.begin_writing(connection)
        stack.callback(db.end_writing, connection)
    return connection


def _rows(metadata: RunMetadata) -> list[tuple[str, str]]:
    return [
        (name, msgspec.json.encode(value).decode())
        for name, value in msgspec.structs.asdict(metadata).items()
    ]
