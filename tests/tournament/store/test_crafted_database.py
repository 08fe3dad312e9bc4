"""Databases made to take time or memory without end, from pages and rows that no writer leaves."""

import os
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.tournament.store import database
from arena.tournament.store.codec import PackedBlock, pack
from arena.tournament.store.database import read_rows
from arena.tournament.store.store import IndexSet, Store
from tests.tournament import fake_run

LEVELS, CHILDREN = 3, 300
INTERIOR, LEAF_HEADER = 5, 8


def packed(index: int) -> PackedBlock:
    block = fake_run.block(index)
    return pack(block.address, fake_run.result(block))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The folder of a run with blocks 2 and 0."""
    with Store.create(tmp_path, fake_run.METADATA) as store:
        store.add([packed(2), packed(0)])
    return tmp_path


def repeat_rows(crafted: Path, table: str) -> None:
    """Put pages above a table's only page, each of which names the one below as all of its children."""
    with closing(sqlite3.connect(crafted)) as connection:
        [size] = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT ifnull(max(rootpage), 1) FROM sqlite_master WHERE name = ?"
        [root] = connection.execute(query, [table]).fetchone()
    data = bytearray(crafted.read_bytes())
    start, skip = (root - 1) * size, 100 * (root == 1)
    cells = LEAF_HEADER + 2 * struct.unpack_from(">H", data, start + skip + 3)[0]
    leaf = bytearray(data[start : start + size])
    leaf[:cells], leaf[cells : cells + skip] = data[start + skip :][:cells], bytes(skip)
    data += leaf
    for level in range(LEVELS):
        child = len(data) // size
        page, before = bytearray(size), skip if level == LEVELS - 1 else 0
        cell = struct.pack(">IB", child, 1)
        page[-len(cell) * CHILDREN :] = cell * CHILDREN
        places = [size - len(cell) * (number + 1) for number in range(CHILDREN)]
        header = struct.pack(">BHHHBI", INTERIOR, 0, CHILDREN, places[-1], 0, child)
        page[before : before + 12] = header
        struct.pack_into(f">{CHILDREN}H", page, before + 12, *places)
        if level < LEVELS - 1:
            data += page
        else:
            page[:before] = data[start : start + before]
            data[start : start + size] = page
    struct.pack_into(">I", data, 28, len(data) // size)
    data[92:96] = data[24:28]  # so that the number of pages counts
    crafted.write_bytes(data)


@pytest.mark.parametrize(
    "read", [Store.count, Store.done, lambda store: store.find(b"")], ids=["count", "done", "find"]
)
def test_rows_without_end_are_given_up(begun: Path, read: Callable[[Store], object]) -> None:
    repeat_rows(begun / "arena.db", "block")
    with Store.open(begun) as store, pytest.raises(StoreError, match="has more rows than its size allows"):
        read(store)


@pytest.mark.parametrize("name", ["arena.db", "arena.db-wal"])
def test_holes_of_terabytes_buy_no_rows(begun: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(database, "FREE_BYTES", 1 << 20)
    repeat_rows(begun / "arena.db", "block")
    (begun / name).touch()
    os.truncate(begun / name, 1 << 42)
    with Store.open(begun) as store, pytest.raises(StoreError, match="has more rows than its size allows"):
        store.count()


def test_schema_without_end_is_given_up(begun: Path) -> None:
    repeat_rows(begun / "arena.db", "sqlite_master")
    for opener in (Store.open, Store.resume):
        with pytest.raises(StoreError, match="has more rows than its size allows"):
            opener(begun)


@pytest.mark.parametrize(
    "change",
    ["place = -1 WHERE place = 0", "address = 'lives' || char(27)", "address = printf('%.*c', 99999, 'x')"],
    ids=["negative place", "control character", "long address"],
)
def test_block_that_no_schedule_has_is_refused(begun: Path, change: str) -> None:
    with closing(sqlite3.connect(begun / "arena.db", isolation_level=None)) as crafted:
        crafted.execute(f"UPDATE block SET {change}")
    with Store.open(begun) as store, pytest.raises(StoreError, match=r"block -?\d is none of a schedule"):
        list(store.outcomes())


@pytest.mark.parametrize("hole", [0, 1 << 42])
def test_rows_larger_than_the_file_are_refused(
    begun: Path, monkeypatch: pytest.MonkeyPatch, hole: int
) -> None:
    """Page after page may name the same long values, and the file claim to have many pages."""
    monkeypatch.setattr(database, "FREE_BYTES", 1 << 20)
    with closing(sqlite3.connect(begun / "arena.db", isolation_level=None)) as crafted:
        crafted.execute("UPDATE block SET actions = zeroblob(1000)")
    repeat_rows(begun / "arena.db", "block")
    if hole:
        os.truncate(begun / "arena.db", hole)
        with (begun / "arena.db").open("r+b") as file:
            file.seek(28)
            file.write(struct.pack(">I", 1 << 30))
    with Store.open(begun) as store, pytest.raises(StoreError, match="has larger rows than its size allows"):
        for _ in read_rows(store.connection, "SELECT actions FROM block", (bytes,)):
            pass


def test_nested_metadata_are_an_error(begun: Path) -> None:
    with closing(sqlite3.connect(begun / "arena.db", isolation_level=None)) as crafted:
        crafted.execute("UPDATE fact SET value = ? WHERE name = 'seed'", ["[" * 100_000])
    with Store.open(begun) as store, pytest.raises(StoreError, match="is damaged"):
        assert store.metadata


def test_far_index_takes_no_memory() -> None:
    indices = IndexSet()
    indices.add(1 << 60)
    assert (1 << 60 in indices, 1 in indices, len(indices)) == (True, False, 1)
