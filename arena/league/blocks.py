"""Blocks of a league: planned in the database, played, and read as they are counted."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.errors import StoreError
from arena.league.field import Field
from arena.league.store import ALL_BLOCKS, LeagueDatabase, Step, Version, insert
from arena.tournament.schedule import Block, game_address, make_block
from arena.tournament.store.bot_statistics import TimeKey, TimeSum, add_failures, store_times
from arena.tournament.store.codec import (
    OUTCOME,
    PLACING,
    SEAT,
    UNSOUND,
    Failure,
    PackedBlock,
    add_notes,
)
from arena.tournament.store.store import IndexSet

EXCLUDED: Final = -1
PLAYED: Final = "outcome IS NOT NULL"


class TableRequest(NamedTuple):
    """A table that a decision chose, and how many blocks it plays."""

    terms: int
    versions: tuple[int, ...]
    blocks: int


VersionPair = tuple[int, int, int]
"""The number of the terms of a game, and those of a version and of an earlier one of the same bot."""


class LeagueBlocks:
    """The blocks in a league's database; it is what `run_blocks` stores them in."""

    def __init__(self, database: LeagueDatabase, field: Field) -> None:
        self._database, self._field = database, field
        self._versions: list[Version] = database.read_versions()
        self._number_of = {version.label: version.number for version in self._versions}
        self._seed = database.seed
        self._step_seeds: list[tuple[int, str]] = []
        """Number after the last block of each step known, and the seed of its blocks."""
        self._bot_of = {version.number: version.bot for version in self._versions}
        self._variants = {number: variant for number, (variant, _) in field.games.items()}
        self._version_blocks: Counter[VersionPair] | None = None
        self.lost: frozenset[int] = frozenset()
        """Versions that cannot be played any more."""

    def plan(self, update: int, requests: Sequence[TableRequest]) -> Step:
        """Store a decision, with its blocks in the order in which the tables were chosen."""
        [(first,)] = self._database.query("SELECT ifnull(max(number) + 1, 0) FROM block")
        with self._database.transaction() as connection:
            rows = list(self._rows(connection, first, self._update_seed(update), requests))
            connection.executemany(
                "INSERT INTO block (number, terms, bots, repetition, seats) VALUES (?, ?, ?, ?, ?)", rows
            )
            values = {"league_update": update, "first_block": first, "end_block": first + len(rows)}
            number = insert(connection, "step", values)
        return Step(number, update, first, first + len(rows))

    def _rows(
        self, connection: sqlite3.Connection, first: int, seed: str, requests: Sequence[TableRequest]
    ) -> Iterator[tuple[Any, ...]]:
        planned: Counter[tuple[int, bytes]] = Counter()
        query = "SELECT ifnull(max(repetition) + 1, 0) FROM block WHERE terms = ? AND bots = ?"
        number = first
        for terms, versions, blocks in requests:
            ordered = sorted(versions, key=lambda version: self._versions[version].label)
            bots = _pack(ordered)
            [start] = connection.execute(query, (terms, bots)).fetchone()
            for _ in range(blocks):
                repetition = start + planned[terms, bots]
                planned[terms, bots] += 1
                seatings = self._make_block(number, terms, bots, repetition, seed).seatings
                if self._version_blocks is not None and (pair := self._version_pair(ordered)):
                    self._version_blocks[terms, *pair] += 1
                seats = _pack([self._number_of[bot] for seating in seatings for bot in seating])
                yield number, terms, bots, repetition, seats
                number += 1

    def of_step(self, step: Step) -> Iterator[Block]:
        """Yield the blocks of a decision, in order; those that cannot be played any more are left out.

        They are so if the rules or a bot changed after the decision.
        """
        columns, first, end = "terms, bots, repetition", step.first_block, step.end_block
        for number, terms, bots, repetition in self._database.block_rows(columns, first=first, end=end):
            if terms in self._field.games and self.lost.isdisjoint(np.frombuffer(bots, SEAT).tolist()):
                yield self._block(number, terms, bots, repetition)

    def count_missing(self, step: Step) -> int:
        """Return how many blocks of a decision are still to be played."""
        done = self.done()
        return sum(block.index not in done for block in self.of_step(step))

    def count_since(self, update: int) -> Counter[int]:
        """Return how many blocks each version has had planned in an update and those after it."""
        query = "SELECT min(first_block) FROM step WHERE league_update >= ?"
        [(first,)] = self._database.query(query, update)
        counts: Counter[int] = Counter()
        for _, bots in self._database.block_rows("bots", first=ALL_BLOCKS if first is None else first):
            versions = np.frombuffer(bots, SEAT).tolist()
            if not self._version_pair(versions):
                counts.update(versions)
        return counts

    def version_blocks(self) -> Counter[VersionPair]:
        """Return how many blocks were planned of each version at one table with an earlier one."""
        if self._version_blocks is None:
            self._version_blocks = Counter()
            for _, terms, bots in self._database.block_rows("terms, bots"):
                if pair := self._version_pair(np.frombuffer(bots, SEAT).tolist()):
                    self._version_blocks[terms, *pair] += 1
        return self._version_blocks

    def version_scores(self) -> dict[tuple[int, int], list[float]]:
        """Return the share of points that a version took from an earlier one, by block, over all games."""
        shares: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
        rows = self._database.block_rows("terms, bots, seats, outcome", PLAYED)
        for number, terms, bots, seats, outcome in rows:
            versions = np.frombuffer(bots, SEAT).tolist()
            pair = self._version_pair(versions) if terms in self._field.games else None
            if pair is not None:
                shares[pair].append(_share(number, pair, seats, outcome, len(versions)))
        return shares

    def _version_pair(self, versions: Sequence[int]) -> tuple[int, int] | None:
        """Return a version and an earlier one of the same bot among those at a table; None without."""
        bots = [self._bot_of.get(version, -1 - version) for version in versions]  # none of a damaged block
        if len(set(bots)) == len(bots):
            return None
        shared = next(bot for bot in bots if bots.count(bot) > 1)
        own = [version for version, bot in zip(versions, bots, strict=True) if bot == shared]
        if shared < 0:
            raise StoreError("a block of the league is damaged: it has versions that are not there")
        old, new = sorted(own, key=lambda version: self._versions[version].ordinal)[:2]
        return new, old

    def outcomes(self, first: int = 0, end: int = ALL_BLOCKS) -> Iterator[PackedBlock]:
        """Yield the played blocks of a range that count in this field, in order.

        Their seats are positions in `Field.counted`. Left out are blocks with a version that does not count,
        those of games that the league has no more, and those in which two versions of a bot met.
        """
        columns = "terms, bots, seats, outcome, actions, digest"
        rows = self._database.block_rows(columns, PLAYED, first=first, end=end)
        addresses = {terms: game_address(*game) for terms, game in self._field.games.items()}
        position = self._field.position
        for number, terms, bots, seats, *result in rows:
            packed = self._sound(PackedBlock(number, addresses.get(terms, ""), *result))
            if not packed.address or self._version_pair(np.frombuffer(bots, SEAT).tolist()):
                continue
            versions = np.frombuffer(seats, SEAT).astype(np.int64)
            places = position[np.minimum(versions, len(position) - 1)]
            if places.min() != EXCLUDED:
                yield msgspec.structs.replace(packed, seats=places.astype(SEAT).tobytes())

    def done(self) -> IndexSet:
        """Return the numbers of the blocks that were played in the last decision, and in all before."""
        [(first,)] = self._database.query("SELECT ifnull(max(first_block), 0) FROM step")
        query = f"SELECT number FROM block WHERE number >= ? AND {PLAYED}"
        return IndexSet(number for [number] in self._database.query(query, first))

    def add(
        self,
        blocks: Iterable[PackedBlock],
        failures: Mapping[Failure, int],
        times: Mapping[TimeKey, TimeSum],
    ) -> None:
        """Store played blocks, with the failures and the decision times in them."""
        blocks = list(blocks)
        rows = [(block.outcome, block.actions, block.digest, block.index) for block in blocks]
        with self._database.transaction() as connection:
            connection.executemany(
                """UPDATE block SET outcome = ?, actions = ?, digest = ?
                   WHERE number = ? AND outcome IS NULL""",
                rows,
            )
            add_failures(connection, failures)
            store_times(connection, times)
            add_notes(connection, (block.noted for block in blocks), keeps_latest=True)

    def played_blocks(self, version: int | None = None, *, latest_first: bool = False) -> Iterator[Block]:
        """Yield the played blocks of these games, or of those with a version, in order or backwards."""
        rows = self._database.block_rows("terms, bots, repetition", PLAYED, latest_first=latest_first)
        for number, terms, bots, repetition in rows:
            versions = np.frombuffer(bots, SEAT).tolist()
            is_wanted = (version is None or version in versions) and not self._version_pair(versions)
            if terms in self._field.games and is_wanted:
                yield self._block(number, terms, bots, repetition)

    def replayable(self) -> Iterator[tuple[Block, PackedBlock]]:
        """Yield all played blocks of these games with their results, in order."""
        for number, terms, seats in self._database.block_rows("terms, seats", PLAYED):
            if terms not in self._field.games:
                continue
            block, packed = self.played(number)
            if seats != _pack([self._number_of[bot] for seating in block.seatings for bot in seating]):
                raise StoreError(f"block {number} of the league is damaged: its seats are not its address's")
            yield block, packed

    def played(self, number: int) -> tuple[Block, PackedBlock]:
        """Return a played block with its result, packed."""
        query = "SELECT terms, bots, repetition, outcome, actions, digest FROM block WHERE number = ?"
        for terms, bots, repetition, *result in self._database.query(query, number):
            if None not in result:
                block = self._block(number, terms, bots, repetition)
                return block, self._sound(PackedBlock(number, block.address, *result))
        raise StoreError(f"block {number} was not played in this league")

    def _sound(self, packed: PackedBlock) -> PackedBlock:
        if not packed.is_sound:
            raise StoreError(f"{self._database.path}, block {packed.index}: {UNSOUND}")
        return packed

    def _update_seed(self, update: int) -> str:
        """Return the seed that an update was committed to; empty, if it has none of its own."""
        committed = self._database.committed_seed(update)
        return committed.seed if committed else ""

    def _seed_of(self, number: int) -> str:
        """Return the seed of a block's update; empty, if it has none of its own."""
        if not self._step_seeds or number >= self._step_seeds[-1][0]:
            steps = self._database.query("SELECT end_block, league_update FROM step ORDER BY number")
            seeds = {update: self._update_seed(update) for update in {update for _, update in steps}}
            self._step_seeds = [(end, seeds[update]) for end, update in steps]
        place = bisect_right(self._step_seeds, number, key=itemgetter(0))
        return self._step_seeds[place][1] if place < len(self._step_seeds) else ""

    def _block(self, number: int, terms: int, bots: bytes, repetition: int) -> Block:
        return self._make_block(number, terms, bots, repetition, self._seed_of(number))

    def _make_block(self, number: int, terms: int, bots: bytes, repetition: int, seed: str) -> Block:
        try:
            labels = tuple(self._versions[number].label for number in np.frombuffer(bots, SEAT).tolist())
            block = make_block(number, self._variants[terms], labels, repetition, seed or self._seed)
            return msgspec.structs.replace(block, seed=seed)
        except (LookupError, ValueError) as error:
            raise StoreError(f"block {number} of the league is damaged: {error}") from error


def _share(number: int, pair: tuple[int, int], seats: bytes, outcome: bytes, size: int) -> float:
    """Return the share of points in a block that the first of two versions took from the second."""
    try:
        placings = np.frombuffer(OUTCOME.decode(outcome).placings, PLACING).reshape(-1, size).astype(int)
        seated = np.frombuffer(seats, SEAT).reshape(-1, size)
        first, second = (placings[seated == version] for version in pair)
        return float(np.mean(np.sign(second - first) + 1) / 2)
    except ValueError as error:
        raise StoreError(f"block {number} of the league is damaged: {error}") from error


def _pack(versions: Sequence[int]) -> bytes:
    return np.array(versions, SEAT).tobytes()
