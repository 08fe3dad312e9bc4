"""The store of a run, and the keys by which a run imports blocks from another."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

import msgspec

from arena.errors import ConfigError, StoreError
from arena.play.players import Note
from arena.plugins.games import arena_command
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.setup.toml_checks import parse_toml
from arena.tournament.store import database as db
from arena.tournament.store.bot_statistics import (
    DecisionTimes,
    TimeKey,
    TimeSum,
    add_failures,
    read_failures,
    read_times,
    store_times,
)
from arena.tournament.store.codec import UNSOUND, Failure, PackedBlock, add_notes, pack_seats, read_notes
from arena.tournament.store.database import writer_lock
from arena.tournament.store.metadata import RunMetadata

# --- metadata and blocks ---
# The single source of truth of a run: metadata and played blocks in one SQLite database.
#
# One process writes while any number read. A block is written completely or not at all, and only once:
# however the writer ends, the blocks added are kept, and the run can be resumed from them.

EMPTY: Mapping[Failure, int] = MappingProxyType({})
NO_DECISIONS: Mapping[TimeKey, TimeSum] = MappingProxyType({})
EVERY = range(2**63 - 1)
PIECE_BITS = 9
COLUMNS = "place, address, outcome, actions, digest, key, seats"  # the first fields of a PackedBlock
BLOCK_TYPES = (int, str, bytes, bytes, bytes, bytes, bytes)


class IndexSet:
    """A set of block indices that takes few bits each: in pieces, as they may be far apart."""

    def __init__(self, indices: Iterable[int] = ()) -> None:
        self._pieces: dict[int, int] = {}
        self._count = 0
        for index in indices:
            self.add(index)

    def add(self, index: int) -> None:
        """Add an index."""
        piece, bit = index >> PIECE_BITS, 1 << index % (1 << PIECE_BITS)
        known = self._pieces.get(piece, 0)
        self._count += not known & bit
        self._pieces[piece] = known | bit

    def __contains__(self, index: int) -> bool:
        return bool(self._pieces.get(index >> PIECE_BITS, 0) >> index % (1 << PIECE_BITS) & 1)

    def __len__(self) -> int:
        return self._count


class Store(db.Database):
    """A run's database: `create` it, `resume` writing, or `open` it for reading."""

    _has_key_index = False
    _done: IndexSet | None = None

    @classmethod
    def create(
        cls,
        folder: Path,
        metadata: RunMetadata,
        failures: Mapping[Failure, int] = EMPTY,
        times: Mapping[TimeKey, TimeSum] = NO_DECISIONS,
    ) -> Self:
        """Create a store, completely or not at all, and open it for writing.

        `failures` and `times` are those of blocks that are to be copied into it.
        """
        database = folder / db.DATABASE
        with ExitStack() as stack, db.translate_errors(database):
            stack.enter_context(writer_lock(folder))
            if database.exists():
                raise StoreError(
                    f"{database} exists already; `{arena_command()} resume {folder}` continues its run"
                )
            with db.create_database(database) as new:
                db.create_tables(new)
                new.executemany("INSERT INTO fact VALUES (?, ?)", _rows(metadata))
                add_failures(new, failures)
                store_times(new, times)
            connection = db.open_connection(stack, database, "rw", db.check_schema)
            return cls(database, connection, stack.pop_all())

    @classmethod
    def resume(cls, folder: Path) -> Self:
        """Open the store of a folder for writing."""
        database = _find_database(folder)
        with ExitStack() as stack, db.translate_errors(database):
            stack.enter_context(writer_lock(folder))
            connection = db.open_connection(stack, database, "rw", db.check_schema)
            return cls(database, connection, stack.pop_all())

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the store of a folder for reading, also while another process writes it."""
        database = _find_database(folder)
        with ExitStack() as stack, db.translate_errors(database):
            db.roll_back(database)
            connection = db.open_connection(stack, database, "ro", db.check_schema)
            return cls(database, connection, stack.pop_all())

    @property
    def metadata(self) -> RunMetadata:
        """Metadata of the run."""
        rows = self.select("SELECT name, value FROM fact", (str, str))
        try:
            stored = msgspec.convert({name: msgspec.json.decode(value) for name, value in rows}, RunMetadata)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise StoreError(f"{self.path} is damaged: {error}") from error
        if not stored.seed.isprintable():
            raise StoreError(f"{self.path} is damaged: its seed has characters that do not print")
        return stored

    def change_config(self, config: str) -> None:
        """Replace the config; the stored blocks must be the same under the new one."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE fact SET value = ? WHERE name = 'config'", [msgspec.json.encode(config).decode()]
            )

    def change_extensions(self, extensions: int) -> None:
        """Replace the number of times that the run was extended with its results in view."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM fact WHERE name = 'extensions'")
            connection.execute("INSERT INTO fact VALUES ('extensions', ?)", [str(extensions)])

    def end_merge(self) -> None:
        """Forget the shards that were merged into it: all their blocks are copied."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM fact WHERE name = 'merging'")

    def copy(self, database: Path, config: str) -> None:
        """Copy the database, without notes, to a new file; the blocks must be the same under its config."""
        with db.translate_errors(database), closing(sqlite3.connect(database)) as copy:
            self.connection.backup(copy)
            copy.execute(
                "UPDATE fact SET value = ? WHERE name = 'config'", [msgspec.json.encode(config).decode()]
            )
            copy.execute("DROP TABLE IF EXISTS note")
            copy.commit()
            copy.execute("VACUUM")  # the pages that are free now have the old text

    def add(
        self,
        blocks: Iterable[PackedBlock],
        failures: Mapping[Failure, int] = EMPTY,
        times: Mapping[TimeKey, TimeSum] = NO_DECISIONS,
    ) -> None:
        """Store all blocks or, raising StoreError, none; those stored before are kept as they are.

        `failures`, how often each happened in these blocks, and the `times` of their decisions are added to
        those of the run.
        """
        blocks = list(blocks)
        rows = [msgspec.structs.astuple(block)[: len(BLOCK_TYPES)] for block in blocks]
        with self.transaction() as connection:
            connection.executemany(
                "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )
            add_failures(connection, failures)
            store_times(connection, times)
            add_notes(connection, (block.noted for block in blocks), keeps_latest=False)
        if self._done is not None:
            for block in blocks:
                self._done.add(block.index)

    def remove_from(self, index: int) -> int:
        """Remove the blocks from an index on, and return how many there were."""
        self._done = None
        with self.transaction() as connection:
            if self.has_table("note"):
                connection.execute("DELETE FROM note WHERE place >= ?", [index])
            return connection.execute("DELETE FROM block WHERE place >= ?", [index]).rowcount

    def failures(self) -> dict[Failure, int]:
        """Return how often each failure happened, by bot, the most frequent first; see `read_failures`."""
        return read_failures(self)

    def decision_times(self) -> DecisionTimes:
        """Return the times of the decisions in all blocks that were played for this store."""
        return read_times(self)

    def notes(self, address: str, rotation: int) -> list[Note]:
        """Return the notes of bots in a match; none if none were kept."""
        return read_notes(self, address, rotation)

    def read(self, part: range = EVERY, *, is_checked: bool = True) -> Iterator[PackedBlock]:
        """Yield the stored blocks of a range of indices, in schedule order.

        Unless `is_checked` is false, a block whose bytes do not fit its digest raises StoreError.
        """
        query = f"SELECT {COLUMNS} FROM block WHERE place >= ? AND place < ? ORDER BY place"
        for row in self.select(query, BLOCK_TYPES, (part.start, part.stop)):
            block = PackedBlock(*row)
            if not block.address.isprintable():
                raise StoreError(f"{self.path} is damaged: block {block.index} is none of a schedule")
            if is_checked and not block.is_sound:
                raise StoreError(f"{self.path}, block {block.index} ({block.address}): {UNSOUND}")
            yield block

    def find(self, key: bytes) -> PackedBlock | None:
        """Return the stored block with this key, or None.

        The first call indexes all keys, which takes a second for a million.
        """
        with db.translate_errors(self.path):
            if not self._has_key_index:
                self.connection.execute("CREATE TEMP TABLE held AS SELECT key, place FROM block")
                self.connection.execute("CREATE INDEX temp.held_by_key ON held (key)")
                self._has_key_index = True
        query = f"SELECT {COLUMNS} FROM block WHERE place = (SELECT place FROM held WHERE held.key = ?)"
        row = next(self.select(query, BLOCK_TYPES, (key,)), None)
        return PackedBlock(*row) if row else None

    def done(self) -> IndexSet:
        """Return the indices of the stored blocks, read once: a search asks for them at each stage."""
        if self._done is None:
            self._done = IndexSet(self.indices())
        return self._done

    def indices(self) -> Iterator[int]:
        """Yield the indices of the stored blocks, in schedule order."""
        for [index] in self.select("SELECT place FROM block ORDER BY place", (int,)):
            yield index

    def count(self, part: range = EVERY) -> int:
        """Return the number of stored blocks in a range of indices."""
        with db.translate_errors(self.path):
            [count] = self.connection.execute(
                "SELECT count(*) FROM block WHERE place >= ? AND place < ?", (part.start, part.stop)
            ).fetchone()
        return int(count)

    def find_corruption(self) -> list[str]:
        """Return what SQLite's quick check finds wrong with the file; nothing if it is sound."""
        with db.translate_errors(self.path):
            problems = [str(row[0]) for row in self.connection.execute("PRAGMA quick_check(10)")]
        return [] if problems == ["ok"] else problems


def _find_database(folder: Path) -> Path:
    database = folder / db.DATABASE
    if not database.exists():
        raise StoreError(f"{folder} holds no run: there is no {db.DATABASE}")
    return database


def _rows(metadata: RunMetadata) -> list[tuple[str, str]]:
    return [
        (name, msgspec.json.encode(value).decode())
        for name, value in msgspec.structs.asdict(metadata).items()
    ]


# --- keys and imports ---

KEY_BYTES: Final = 16
LENGTHS: Final = ("blocks", "rounds", "max_blocks", "tables")
"""Settings by which a run, or a game of it, is longer than another; beside them `blocks_with` of a game."""
IMPORT_BATCH: Final = 1000
"""Blocks per transaction."""


class BlockKeys:
    """Compute the keys and seats of a run's blocks.

    A key hashes all that decides how a block is played: the run's seed and limits, the block's address and
    seatings, the version of its rules, the base of a house game, the code of a game that is not the arena's
    own, of each bot at its table the name, content, settings and isolation level, which of them are
    disqualified, and the block's own seed and settings, if it has any. A block of another run with the
    same key is the same block.
    """

    def __init__(self, config: Config, metadata: RunMetadata) -> None:
        self._rules = metadata.rules
        self._bases = {str(entry.rules): entry.rules.base for entry in config.variants}
        self._games = metadata.games
        self._run = _hash(metadata.seed, config.limits.conditions())
        self._bots = {
            spec.name: _hash(
                spec.name, metadata.bots[spec.name], spec.settings, metadata.isolation[spec.name]
            )
            for spec in config.bots
        }
        self._number = {spec.name: number for number, spec in enumerate(config.bots)}

    def label(self, block: Block, packed: PackedBlock) -> PackedBlock:
        """Return a packed block with its index, key and seats filled in."""
        key, seats = self.key(block), self.seats(block)
        return msgspec.structs.replace(packed, index=block.index, key=key, seats=seats)

    def seats(self, block: Block) -> bytes:
        """Return the bots of a block by rotation and seat, as their numbers in the config."""
        return pack_seats(block, self._number)

    def key(self, block: Block) -> bytes:
        """Return the key of a block, `KEY_BYTES` long."""
        bots = [self._bots[bot] for bot in block.all_bots]
        out = [block.disqualified] if block.disqualified else []
        base = [self._bases[block.variant]] if self._bases[block.variant] else []
        code = [self._games[block.variant]] if block.variant in self._games else []
        own = [block.seed, block.settings] if block.seed or block.settings else []
        rules = self._rules[block.variant]
        return _hash(self._run, block.address, block.seatings, rules, bots, *out, *base, *code, *own)


def import_blocks(stage: Iterable[Block], keys: BlockKeys, source: Store, target: Store) -> int:
    """Copy the blocks of `stage` that `target` lacks and `source` has by key; return how many."""
    done = target.done()
    missing = (block for block in stage if block.index not in done)
    matched = _find_by_key(missing, keys, source)
    imported = 0
    while batch := list(islice(matched, IMPORT_BATCH)):
        target.add(batch)
        imported += len(batch)
    return imported


def with_seed_of(config: Config, other: Path) -> Config:
    """Return the config with the seed of the run in another folder, without which no block is imported."""
    with Store.open(other) as store:
        seed = store.metadata.seed
    if config.seed not in ("", seed):
        raise ConfigError(
            f"nothing of {other} holds with the seed {config.seed!r}, since its own is another; without a "
            "seed in the config (or --seed) the run takes that one"
        )
    return msgspec.structs.replace(config, seed=seed)


def count_extensions(config: Config, other: Path) -> int:
    """Return how many times results were seen before blocks were added to them, the last time now.

    A run with the blocks of another extends it if it is to have more of them.
    """
    with Store.open(other) as store:
        earlier = store.metadata
    tables = [
        parse_toml(earlier.config, f"the config kept in {other}"),
        parse_toml(config.toml(), "the config"),
    ]
    limited = {bot for table in tables for entry in table["variants"] for bot in entry.get("blocks_with", ())}
    before, after = (_read_lengths(table, limited) for table in tables)
    is_longer = any(length > before.get(setting, math.inf) for setting, length in after.items())
    return earlier.extensions + is_longer


def _read_lengths(table: dict[str, Any], limited: Iterable[str]) -> dict[tuple[bytes, str], float]:
    """Return how many blocks and the like a config asks for, by setting: of the run, and of each game.

    `limited` are the bots whose tables may have another number of blocks.
    """
    lengths = {}
    for entry in [{}, *table.get("variants", [])]:
        game = _hash({key: value for key, value in entry.items() if key not in (*LENGTHS, "blocks_with")})
        for key in LENGTHS:
            length = entry.get(key, table.get(key, 0))
            lengths[game, key] = math.inf if length == "all" else length
        for bot in limited:
            lengths[game, f"blocks with {bot}"] = entry.get("blocks_with", {}).get(
                bot, lengths[game, "blocks"]
            )
    return lengths


def _find_by_key(blocks: Iterable[Block], keys: BlockKeys, source: Store) -> Iterator[PackedBlock]:
    for block in blocks:
        stored = source.find(keys.key(block))
        if stored is not None and stored.address == block.address and stored.is_sound:
            yield keys.label(block, stored)


def _hash(*fields: object) -> bytes:
    """Hash `fields` without collisions between different splits; the order of mapping keys is irrelevant."""
    return blake2b(msgspec.msgpack.encode(fields, order="deterministic"), digest_size=KEY_BYTES).digest()
