"""Keys that identify a block across runs; the seed and the blocks taken from another run by them."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import ConfigError
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.setup.toml_reading import parse_toml
from arena.tournament.storage.block_result_encoding import PackedBlock
from arena.tournament.storage.metadata import RunMetadata
from arena.tournament.storage.store import Store

KEY_BYTES: Final = 16
LENGTHS: Final = ("blocks", "rounds", "max_blocks", "tables")
"""Settings by which a run, or a game of it, is longer than another; beside them `blocks_with` of a game."""
IMPORT_BATCH: Final = 1000
"""Blocks per transaction."""


class BlockKeys:
    """Compute the keys and seats of a run's blocks.

    A key hashes all that decides how a block is played: the run's seed and limits, the block's address and
    seatings, the version of its rules, the base of a house game, the code of a game that is not the arena's
    own, of each bot at its table the name, content, settings and isolation level, and which of them are
    disqualified. A block of another run with the same key is the same block.
    """

    def __init__(self, config: Config, metadata: RunMetadata) -> None:
        self._rules = metadata.rules
        self._bases = {str(entry.rules): entry.rules.base for entry in config.variants}
        self._games = metadata.games
        self._run = _hash(metadata.seed, msgspec.structs.asdict(config.limits))
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
        numbers = [self._number[bot] for seating in block.seatings for bot in seating]
        return struct.pack(f"<{len(numbers)}H", *numbers)

    def key(self, block: Block) -> bytes:
        """Return the key of a block, `KEY_BYTES` long."""
        bots = [self._bots[bot] for bot in block.all_bots]
        out = [block.disqualified] if block.disqualified else []
        base = [self._bases[block.variant]] if self._bases[block.variant] else []
        code = [self._games[block.variant]] if block.variant in self._games else []
        rules = self._rules[block.variant]
        return _hash(self._run, block.address, block.seatings, rules, bots, *out, *base, *code)


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
    """Return the config with the seed of the run in another folder, without which no block is imported.

    Raises:
        StoreError: If there is no run.
        ConfigError: For a config that has a seed of its own.
    """
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

    Raises:
        StoreError: If there is no run in the other folder.
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
