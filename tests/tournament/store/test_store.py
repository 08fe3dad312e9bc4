"""A store keeps what it was given, and leaves alone what it did not make."""

import os
import shutil
import sqlite3
import struct
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import StoreError
from arena.tournament.store import database
from arena.tournament.store.codec import PackedBlock, pack, unpack
from arena.tournament.store.store import IndexSet, Store
from tests.tournament import fake_run


def packed(index: int) -> PackedBlock:
    block = fake_run.block(index)
    return pack(block.address, fake_run.result(block))


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """The folder of a run with blocks 2 and 0."""
    with Store.create(tmp_path, fake_run.METADATA) as store:
        store.add([packed(2), packed(0)])
    return tmp_path


def test_facts_and_blocks_are_there_again(begun: Path) -> None:
    with Store.open(begun) as store:
        assert store.metadata == fake_run.METADATA
        assert list(store.read()) == [packed(0), packed(2)]
        assert store.count() == 2


def test_a_store_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE fact (name TEXT)")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(database, "create_tables", killed)
        with pytest.raises(KeyboardInterrupt):
            Store.create(tmp_path, fake_run.METADATA)
    assert not (tmp_path / "arena.db").exists()
    Store.create(tmp_path, fake_run.METADATA).close()
    assert [entry.name for entry in tmp_path.iterdir()] == ["arena.db"]


def test_a_part_of_the_schedule_can_be_asked_for(begun: Path) -> None:
    with Store.open(begun) as store:
        assert list(store.read(range(1, 3))) == [packed(2)]
        assert [store.count(part) for part in (range(2), range(2, 9), range(1, 2), range(3))] == [1, 1, 0, 2]


def test_a_config_can_be_changed_and_nothing_else_with_it(begun: Path) -> None:
    with Store.resume(begun) as store:
        store.change_config('bots = ["greedy"]\n')
    with Store.open(begun) as store:
        assert store.metadata == msgspec.structs.replace(fake_run.METADATA, config='bots = ["greedy"]\n')
        assert store.count() == 2


def test_a_run_is_gone_on_with(begun: Path) -> None:
    with Store.resume(begun) as store:
        done = store.done()
        assert [index in done for index in range(4)] == [True, False, True, False]
        store.add([packed(1)])
        assert [block.index for block in store.read()] == [0, 1, 2]
        assert [index in store.done() for index in range(4)] == [True, True, True, False]
        store.remove_from(1)
        assert [index in store.done() for index in range(4)] == [True, False, False, False]


def test_a_block_is_stored_once(begun: Path) -> None:
    with Store.resume(begun) as store:
        store.add([packed(0), PackedBlock(2, "elsewhere", b"", b"", b""), packed(3), packed(3)])
        assert list(store.read()) == [packed(0), packed(2), packed(3)]


def test_blocks_are_added_together_or_not_at_all(begun: Path) -> None:
    nameless = PackedBlock(6, None, b"", b"", b"")  # type: ignore[arg-type]
    with Store.resume(begun) as store:
        with pytest.raises(StoreError, match="NOT NULL"):
            store.add([packed(5), nameless])
        assert store.count() == 2
        store.add([packed(5)])
        assert store.count() == 3


def test_others_read_while_a_run_is_written(begun: Path) -> None:
    with Store.resume(begun) as writer, Store.open(begun) as reader:
        writer.add([packed(1)])
        assert reader.count() == 3


def test_a_reader_writes_nothing(begun: Path) -> None:
    with Store.open(begun) as reader, pytest.raises(StoreError, match=r"arena\.db is not writable"):
        reader.add([packed(1)])


def test_one_process_writes_at_a_time(begun: Path) -> None:
    with Store.resume(begun), pytest.raises(StoreError, match="is being written by another run"):
        Store.resume(begun)
    Store.resume(begun).close()


def test_a_store_is_not_created_twice(begun: Path) -> None:
    before = (begun / "arena.db").read_bytes()
    with pytest.raises(StoreError, match=r"exists already; `arena resume"):
        Store.create(begun, fake_run.METADATA)
    assert (begun / "arena.db").read_bytes() == before


@pytest.mark.parametrize("way", [Store.open, Store.resume])
def test_a_folder_without_a_run_is_said_to_be_one(way: Callable[[Path], Store], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"holds no run: there is no arena\.db"):
        way(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_store_needs_its_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened; check that its folder exists and is writable"):
        Store.create(tmp_path / "nowhere", fake_run.METADATA)


def text_file(path: Path) -> None:
    path.write_text("not a database at all " * 100)


def foreign_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE ours (x)")
    connection.close()


def later_schema(path: Path) -> None:
    Store.create(path.parent, fake_run.METADATA).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()


@pytest.mark.parametrize("way", [Store.open, Store.resume])
@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (text_file, "is not a database"),
        (foreign_database, "is a database of another program"),
        (later_schema, "has schema 7, this version of the arena reads schema 3"),
    ],
)
def test_what_is_not_ours_is_named_and_left_as_it_is(
    way: Callable[[Path], Store], make: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    make(tmp_path / "arena.db")
    before = (tmp_path / "arena.db").read_bytes()
    with pytest.raises(StoreError, match=reason):
        way(tmp_path)
    assert (tmp_path / "arena.db").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["arena.db"]


def test_a_database_locked_by_others_is_said_to_be(begun: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_S", 0)
    other = sqlite3.connect(begun / "arena.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match=r"arena\.db is locked by another process"):
        Store.resume(begun)
    other.close()


def test_a_run_under_way_waits_for_others_that_write(begun: Path) -> None:
    with Store.resume(begun) as store:
        other = sqlite3.connect(begun / "arena.db", isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        waits = threading.Timer(0.2, other.rollback)
        waits.start()
        store.add([packed(5)])
        waits.join()
        other.close()
        assert store.count() == 3


def test_wherever_a_database_was_cut_off_it_is_said_to_be_damaged(begun: Path) -> None:
    with Store.resume(begun) as store:
        store.add([packed(index) for index in range(3, 200)])
    whole = (begun / "arena.db").read_bytes()
    for length in range(len(whole) - 500, 4096, -3000):
        (begun / "arena.db").write_bytes(whole[:length])
        with pytest.raises(StoreError, match=r"arena\.db is damaged"), Store.open(begun) as store:
            list(store.read())


def test_a_transaction_cut_off_is_taken_back_before_the_store_is_read(begun: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    connection = sqlite3.connect(begun / "arena.db", isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the end
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE block SET address = ?", ["x" * 50_000])
    shutil.copytree(begun, killed, ignore=shutil.ignore_patterns("killed"))
    connection.close()
    assert (killed / "arena.db-journal").stat().st_size > 0
    with Store.open(killed) as store:
        assert list(store.read()) == [packed(0), packed(2)]


def test_a_full_disk_loses_nothing_that_was_stored(begun: Path) -> None:
    with Store.resume(begun) as store:
        store.connection.execute("PRAGMA max_page_count = 1")  # no page more than there are
        with pytest.raises(StoreError, match="the disk is full; blocks stored before are kept"):
            store.add(packed(index) for index in range(10, 50))
        assert list(store.read()) == [packed(0), packed(2)]


def test_blocks_are_read_as_they_are_asked_for(begun: Path) -> None:
    with Store.resume(begun) as store:
        blocks = store.read()
        assert next(blocks) == packed(0)
        store.add([packed(9)])
        assert [block.index for block in blocks] == [2, 9]


def test_a_deal_takes_fifteen_bytes_at_most(tmp_path: Path) -> None:
    """The whole database, for random bots at four seats: the costliest, since they hardly ever knock."""
    blocks = 500
    with Store.create(tmp_path, fake_run.METADATA) as store:
        store.add(packed(index) for index in range(blocks))
    deals = blocks * 4 * fake_run.DEALS
    assert (tmp_path / "arena.db").stat().st_size / deals < 12
    with Store.open(tmp_path) as store:
        assert unpack(next(store.read())) == fake_run.result(fake_run.block(0))


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def damage_tables(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE block", b"CREATE TABL\x82 b\x82ock"))


def execute(sql: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as crafted:
            crafted.execute(sql)

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (cut_off, r"arena\.db is damaged"),
        (damage_tables, r"arena\.db is damaged"),
        (execute("DELETE FROM fact WHERE name = 'seed'"), "is damaged: .*`seed`"),
        (execute("UPDATE block SET address = 'lives' || char(27)"), r"block \d is none of a schedule"),
        (execute("UPDATE fact SET value = printf('%.*c', 99999, '[') WHERE name = 'seed'"), "is damaged"),
        (execute("DROP TABLE block"), "no such table: block"),
        (
            execute(f"UPDATE block SET actions = zeroblob({database.MAX_ROW_BYTES + 1})"),
            "a row has more than",
        ),
    ],
)
def test_what_no_writer_leaves_is_an_error(begun: Path, change: Callable[[Path], None], problem: str) -> None:
    change(begun / "arena.db")
    with pytest.raises(StoreError, match=problem), Store.open(begun) as store:
        assert [store.metadata.seed, *store.read(range(len(store.metadata.shard)))]


def test_far_index_takes_no_memory() -> None:
    indices = IndexSet()
    indices.add(1 << 60)
    assert (1 << 60 in indices, 1 in indices, len(indices)) == (True, False, 1)


def test_journal_that_names_another_file_is_refused(begun: Path, tmp_path: Path) -> None:
    """SQLite deletes that file, which it takes for a transaction's over several databases."""
    killed, mine = tmp_path / "killed", tmp_path / "mine"
    mine.write_text("mine")
    with closing(sqlite3.connect(begun / "arena.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")  # so that pages are written before the end
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE block SET address = ?", ["x" * 50_000])
        shutil.copytree(begun, killed, ignore=shutil.ignore_patterns("killed", "mine"))
    name = os.fsencode(mine)
    with (killed / "arena.db-journal").open("ab") as journal:
        journal.write(struct.pack(">I", (1 << 30) // 4096 + 1) + name)
        journal.write(struct.pack(">II", len(name), sum(name)) + database.JOURNAL_LINK_MAGIC)
    for opener in (Store.open, Store.resume):
        with pytest.raises(StoreError, match="was not written by the arena: it names another file"):
            opener(killed)
    assert mine.exists()


@pytest.mark.parametrize(
    "name", ["arena.db", "arena.db-journal", "arena.db-wal", "arena.db-shm", "arena.lock"]
)
def test_pipe_in_a_run_folder_does_not_block(begun: Path, name: str) -> None:
    (begun / name).unlink(missing_ok=True)
    os.mkfifo(begun / name)
    with pytest.raises(StoreError, match=f"{name} is a link or a device"):
        Store.resume(begun)


def test_linked_lock_is_refused(begun: Path, tmp_path: Path) -> None:
    (begun / "arena.lock").symlink_to(tmp_path / "new")
    with pytest.raises(StoreError, match="is a link or a device"):
        Store.resume(begun)
    assert not (tmp_path / "new").exists()


@given(st.lists(st.integers(0, 200)))
def test_it_is_a_set(indices: list[int]) -> None:
    compact = IndexSet()
    for index in indices:
        compact.add(index)
    assert {index for index in range(210) if index in compact} == set(indices)
    assert len(compact) == len(set(indices))
