"""Stored blocks with their results, and counts of their matches."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

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
    payoff_width,
    unpack,
    unpack_matches,
    unpack_outcome,
)
from arena.tournament.store.store import EVERY, Store, StoredOutcome

# --- counts ---
# Counts are updated block by block or in batches.

BATCH_MATCHES = 20_000
"""Matches counted at a time."""

Numbers = NDArray[np.int64]
Game = tuple[str, int]
"""A variant as printed, and the players at its tables."""


class Tally:
    """Counts of some bots' matches at tables of one size."""

    def __init__(self, bots: tuple[str, ...], players: int) -> None:
        self.bots = bots
        self.players = players
        self.blocks = 0
        self.faults = [0] * len(bots)
        self._payoffs, self._placings = ClusteredMeans(len(bots)), ClusteredMeans(len(bots))
        self._pairs = PairCounter(bots, players)
        self._scores: dict[tuple[int, ...], Numbers] = {}
        """Sums by table and bot: blocks, half points, and the squares of those of matches and of blocks."""
        self._number = {bot: number for number, bot in enumerate(bots)}
        self._waiting: list[_Match] = []

    def add(self, block: Block, result: BlockResult) -> None:
        """Count a block."""
        self.blocks += 1
        whole = len(block.seatings) == len(set(block.bots)) == self.players
        for seating, match in zip(block.seatings, result.matches, strict=True):
            bots = [self._number[bot] for bot in seating]
            self._waiting.append((block.index, bots, match.placings, match.payoffs, whole))
            for seat, _, _ in match.faults:
                self.faults[bots[seat]] += 1
        if len(self._waiting) >= BATCH_MATCHES:
            self._count()

    def add_outcomes(self, outcomes: Sequence[tuple[StoredOutcome, Outcome]]) -> None:
        """Count stored blocks with the same number of matches and the same payoff width."""
        self._count()
        self.blocks += len(outcomes)
        matches, width = len(outcomes[0][1].faults), PAYOFF[payoff_width(outcomes[0][1])]
        shape = (-1, self.players)
        bot = np.frombuffer(b"".join([played.seats for played, _ in outcomes]), SEAT).reshape(shape)
        placing = np.frombuffer(b"".join([outcome.placings for _, outcome in outcomes]), PLACING).reshape(
            shape
        )
        payoff = np.frombuffer(b"".join([outcome.payoffs for _, outcome in outcomes]), width).reshape(shape)
        block = np.repeat([played.place for played, _ in outcomes], matches)
        first = np.sort(bot[::matches], axis=1)
        whole = (first[:, 1:] != first[:, :-1]).all(axis=1) & (matches == self.players)
        self._count_arrays(
            block, bot.astype(np.int64), placing.astype(np.int64), payoff, np.repeat(whole, matches)
        )
        for number, (_, outcome) in enumerate(outcomes):
            for match, faults in enumerate(outcome.faults, number * matches):
                for seat, _, _ in faults:
                    self.faults[bot[match, seat]] += 1

    @property
    def payoffs(self) -> ClusteredMeans:
        """Mean payoff of a seat by bot."""
        self._count()
        return self._payoffs

    @property
    def placings(self) -> ClusteredMeans:
        """Mean placing by bot."""
        self._count()
        return self._placings

    def pair_counts(self) -> PairCounts:
        """Return how often each bot finished ahead of each other, by block."""
        self._count()
        return self._pairs.counts()

    def blocks_of_tables(self) -> dict[tuple[int, ...], int]:
        """Return the blocks of each table, by the numbers of its bots in ascending order.

        Blocks in which not each bot of a table has each seat once are not counted.
        """
        self._count()
        return {table: int(sums[0, 0]) for table, sums in self._scores.items()}

    def duplicate_efficiency(self) -> float | None:
        """Return how many matches on independent deals one match of a block is worth.

        From blocks in which each bot of a table has each seat once; None if there are too few.
        """
        self._count()
        tables = []
        for _, columns in sorted((table, sums.tolist()) for table, sums in self._scores.items()):
            tables += [ScoreSums(blocks, self.players, *sums) for blocks, *sums in zip(*columns, strict=True)]
        return estimate_duplicate_efficiency(tables)

    def _count(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        block, bots, placings, payoffs, whole = zip(*waiting, strict=True)
        self._count_arrays(
            np.array(block), np.array(bots), np.array(placings), np.array(payoffs), np.array(whole)
        )

    def _count_arrays(
        self, block: Numbers, bot: Numbers, placing: Numbers, payoff: Numbers, whole: NDArray[np.bool_]
    ) -> None:
        """Count matches; `block` and `whole` are by match, the others by match and seat."""
        self._pairs.add(block, bot, placing)
        by_seat = np.repeat(block, self.players)
        self._payoffs.add(by_seat, bot, payoff)
        self._placings.add(by_seat, bot, placing)
        self._add_scores(bot[whole], placing[whole])

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


_Match = tuple[int, list[int], tuple[int, ...], tuple[int, ...], bool]


def add_blocks(
    tallies: dict[Game, Tally], played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]
) -> None:
    """Count blocks, each in the tally of its game, which is created if missing."""
    for block, result in played:
        game = (block.variant, block.players)
        if game not in tallies:
            tallies[game] = Tally(bots, block.players)
        tallies[game].add(block, result)


def add_outcomes(
    tallies: dict[Game, Tally], batch: Sequence[tuple[StoredOutcome, Outcome]], bots: tuple[str, ...]
) -> None:
    """Count a batch of stored blocks, far faster than one at a time."""
    alike: dict[tuple[Game, int, int], list[tuple[StoredOutcome, Outcome]]] = {}
    try:
        for stored, outcome in batch:
            kind = (parse_game(stored.address), len(outcome.faults), payoff_width(outcome))
            alike.setdefault(kind, []).append((stored, outcome))
        for (game, _, _), group in alike.items():
            if game not in tallies:
                tallies[game] = Tally(bots, game[1])
            tallies[game].add_outcomes(group)
    except (ValueError, ArithmeticError, IndexError) as error:
        first, last = batch[0][0].place, batch[-1][0].place
        raise StoreError(
            f"blocks {first} to {last} cannot be counted; `arena verify` shows what is damaged: {error}"
        ) from error


# --- blocks ---
# Stored blocks are matched to the schedule, in its order, or unpacked alone, to be counted.


def read_blocks(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """Yield the stored blocks of a schedule, in a range of indices, with their results, actions included."""
    return _match(schedule, store.sound_blocks(part), unpack)


def read_outcomes(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """Yield what `read_blocks` does, without actions: enough to count, and cheaper."""
    return _match(schedule, store.sound_blocks(part), unpack_outcome)


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


class CountedBlock(NamedTuple):
    """A stored block as it was counted."""

    place: int
    """Place in the schedule."""
    address: str
    game: Game
    seatings: list[list[str]]
    """Bots by rotation and seat."""
    matches: list[MatchResult]
    """Without actions."""


def unpack_counted(stored: StoredOutcome, bots: Sequence[str]) -> CountedBlock:
    """Return a stored block as it is counted; `bots` are the names by number."""
    try:
        game = parse_game(stored.address)
        seatings, matches = (
            unpack_seatings(stored, game, bots),
            unpack_matches(OUTCOME.decode(stored.outcome)),
        )
    except (ValueError, IndexError, struct.error) as error:
        raise block_error(stored, error) from error
    return CountedBlock(stored.place, stored.address, game, seatings, matches)


def unpack_seatings(stored: StoredOutcome, game: Game, bots: Sequence[str]) -> list[list[str]]:
    """Return the bots of a stored block by rotation and seat."""
    numbers = np.frombuffer(stored.seats, SEAT).reshape(-1, game[1]).tolist()
    return [[bots[number] for number in seating] for seating in numbers]


def block_error(stored: StoredOutcome, error: Exception) -> StoreError:
    """Return the error of a stored block that cannot be read."""
    return StoreError(
        f"block {stored.place} ({stored.address}) is damaged; `arena verify` shows all damage: {error}"
    )
