"""Stored blocks with their results, and counts of their matches."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, starmap

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.errors import StoreError
from arena.rating.mean_intervals import ClusteredMeans
from arena.rating.pair_counts import PairCounter, PairCounts
from arena.rating.separation import ScoreSums, estimate_duplicate_efficiency
from arena.tournament.schedule import Block, parse_game
from arena.tournament.store.codec import (
    OUTCOME,
    PAYOFF,
    PLACING,
    SEAT,
    BlockResult,
    MatchResult,
    Outcome,
    PackedBlock,
    pack_outcome,
    pack_seats,
    payoff_width,
    unpack,
    unpack_matches,
    unpack_outcome,
)
from arena.tournament.store.store import EVERY, Store

# --- counts ---
# Counts are updated in batches.

BATCH_BLOCKS = 2_000
"""Blocks counted at a time."""

Numbers = NDArray[np.int64]
Game = tuple[str, int]
"""A variant as printed, and the players at its tables."""
CountedBlock = tuple[PackedBlock, Outcome]
"""A stored block, of which actions and digest are not needed, and its outcome decoded."""


class Tally:
    """Counts of some bots' matches at tables of one size."""

    def __init__(self, bots: tuple[str, ...], players: int) -> None:
        self.bots = bots
        self.players = players
        self.blocks = 0
        self.faults = [0] * len(bots)
        self.payoffs, self.placings = ClusteredMeans(len(bots)), ClusteredMeans(len(bots))
        """Mean payoff of a seat, and mean placing, by bot."""
        self._pairs = PairCounter(bots, players)
        self._scores: dict[tuple[int, ...], Numbers] = {}
        """Sums by table and bot: blocks, half points, and the squares of those of matches and of blocks."""

    def add(self, blocks: Sequence[CountedBlock]) -> None:
        """Count blocks that are alike in the number of matches and the width of payoffs, all at once."""
        self.blocks += len(blocks)
        outcomes = [outcome for _, outcome in blocks]
        matches, width = len(outcomes[0].faults), PAYOFF[payoff_width(outcomes[0])]

        def join(parts: Iterable[bytes], number_type: str) -> Numbers:
            return np.frombuffer(b"".join(parts), number_type).reshape(-1, self.players).astype(np.int64)

        bot = join((packed.seats for packed, _ in blocks), SEAT)
        placing = join((outcome.placings for outcome in outcomes), PLACING)
        by_seat = np.repeat([packed.index for packed, _ in blocks], matches * self.players)
        first = np.sort(bot[::matches], axis=1)
        whole = (first[:, 1:] != first[:, :-1]).all(axis=1) & (matches == self.players)
        self._pairs.add(by_seat[:: self.players], bot, placing)
        self.payoffs.add(by_seat, bot, join((outcome.payoffs for outcome in outcomes), width))
        self.placings.add(by_seat, bot, placing)
        has_all_seats = np.repeat(whole, matches)
        self._add_scores(bot[has_all_seats], placing[has_all_seats])
        for number, outcome in enumerate(outcomes):
            for match, faults in enumerate(outcome.faults, number * matches):
                for seat, _, _ in faults:
                    self.faults[bot[match, seat]] += 1

    def pair_counts(self) -> PairCounts:
        """Return how often each bot finished ahead of each other, by block."""
        return self._pairs.counts()

    def blocks_of_tables(self) -> dict[tuple[int, ...], int]:
        """Return the blocks of each table, by the numbers of its bots in ascending order.

        Blocks in which not each bot of a table has each seat once are not counted.
        """
        return {table: int(sums[0, 0]) for table, sums in self._scores.items()}

    def duplicate_efficiency(self) -> float | None:
        """Return how many matches on independent deals one match of a block is worth.

        From blocks in which each bot of a table has each seat once; None if there are too few.
        """
        tables = []
        for _, columns in sorted((table, sums.tolist()) for table, sums in self._scores.items()):
            tables += [ScoreSums(blocks, self.players, *sums) for blocks, *sums in zip(*columns, strict=True)]
        return estimate_duplicate_efficiency(tables)

    def _add_scores(self, bot: Numbers, placing: Numbers) -> None:
        """Add the half points of each bot to the sums of its table, from whole blocks."""
        half_points = (np.sign(placing[:, None, :] - placing[:, :, None]) + 1).sum(axis=2) - 1
        order = np.argsort(bot, axis=1)
        by_bot = np.take_along_axis(half_points, order, axis=1).reshape(-1, self.players, self.players)
        of_block = by_bot.sum(axis=1)
        columns = np.stack(
            (np.ones_like(of_block), of_block, np.square(by_bot).sum(axis=1), np.square(of_block)), axis=1
        )
        first = np.sort(bot[:: self.players], axis=1)
        tables, number = np.unique(first, axis=0, return_inverse=True)
        sums = np.zeros((len(tables), *columns.shape[1:]), np.int64)
        np.add.at(sums, number.ravel(), columns)
        for table, score in zip(map(tuple, tables.tolist()), sums, strict=True):
            self._scores[table] = self._scores.get(table, 0) + score


def add_blocks(
    tallies: dict[Game, Tally], played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]
) -> None:
    """Count blocks of a schedule, each in the tally of its game, which is created if missing."""
    number = {bot: number for number, bot in enumerate(bots)}

    def count(block: Block, result: BlockResult) -> CountedBlock:
        packed = PackedBlock(block.index, block.address, seats=pack_seats(block, number))
        return packed, pack_outcome(result.matches)

    blocks = starmap(count, played)
    while batch := list(islice(blocks, BATCH_BLOCKS)):
        add_outcomes(tallies, batch, bots)


def add_outcomes(tallies: dict[Game, Tally], batch: Sequence[CountedBlock], bots: tuple[str, ...]) -> None:
    """Count a batch of stored blocks, each in the tally of its game, which is created if missing."""
    alike: defaultdict[tuple[Game, int, int], list[CountedBlock]] = defaultdict(list)
    try:
        for packed, outcome in batch:
            kind = (parse_game(packed.address), len(outcome.faults), payoff_width(outcome))
            alike[kind].append((packed, outcome))
        for (game, _, _), group in alike.items():
            if game not in tallies:
                tallies[game] = Tally(bots, game[1])
            tallies[game].add(group)
    except (ValueError, ArithmeticError, IndexError) as error:
        first, last = batch[0][0].index, batch[-1][0].index
        raise StoreError(
            f"blocks {first} to {last} cannot be counted; `arena verify` shows what is damaged: {error}"
        ) from error


# --- blocks ---
# Stored blocks are matched to the schedule, in its order, or unpacked alone, to be counted.


def read_blocks(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """Yield the stored blocks of a schedule, in a range of indices, with their results, actions included."""
    return _match(schedule, store.read(part), unpack)


def read_outcomes(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """Yield what `read_blocks` does, without actions: enough to count, and cheaper."""
    return _match(schedule, store.read(part), unpack_outcome)


def _match(
    schedule: Iterable[Block],
    stored_blocks: Iterable[PackedBlock],
    unpack_block: Callable[[PackedBlock], BlockResult],
) -> Iterator[tuple[Block, BlockResult]]:
    blocks = iter(schedule)
    for stored in stored_blocks:
        block = next((block for block in blocks if block.index == stored.index), None)
        if block is None or block.address != stored.address:
            expected = f"is {block.address}" if block else "does not exist"
            raise StoreError(
                f"block {stored.index} of the store is {stored.address}, in the schedule it {expected}: "
                "the run was begun with another config or version"
            )
        yield block, unpack_block(stored)


class PlayedBlock(msgspec.Struct, frozen=True):
    """A stored block, read without its schedule."""

    index: int
    address: str
    game: Game
    seatings: list[list[str]]
    """Bots by rotation and seat."""
    matches: list[MatchResult]
    """Without actions."""


def unpack_played(packed: PackedBlock, bots: Sequence[str]) -> PlayedBlock:
    """Return a stored block without actions; `bots` are the names by number."""
    try:
        game = parse_game(packed.address)
        seatings = unpack_seatings(packed, game, bots)
        matches = unpack_matches(OUTCOME.decode(packed.outcome))
    except (ValueError, IndexError, struct.error) as error:
        raise block_error(packed, error) from error
    return PlayedBlock(packed.index, packed.address, game, seatings, matches)


def unpack_seatings(packed: PackedBlock, game: Game, bots: Sequence[str]) -> list[list[str]]:
    """Return the bots of a stored block by rotation and seat."""
    numbers = np.frombuffer(packed.seats, SEAT).reshape(-1, game[1]).tolist()
    return [[bots[number] for number in seating] for seating in numbers]


def block_error(packed: PackedBlock, error: Exception) -> StoreError:
    """Return the error of a stored block that cannot be read."""
    return StoreError(
        f"block {packed.index} ({packed.address}) is damaged; `arena verify` shows all damage: {error}"
    )
