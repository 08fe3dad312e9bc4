"""Stored blocks with their results: matched to the schedule, in its order, or alone, to be counted."""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from arena.errors import StoreError
from arena.tournament.scheduling.schedule import Block, parse_game
from arena.tournament.storage.block_result_encoding import (
    OUTCOME,
    SEAT,
    BlockResult,
    MatchResult,
    PackedBlock,
    unpack,
    unpack_matches,
    unpack_outcome,
)
from arena.tournament.storage.store import EVERY, Store, StoredOutcome
from arena.tournament.storage.tally import Game


def read_blocks(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """Yield the stored blocks of a schedule, in a range of indices, with their results, actions included.

    Raises:
        StoreError: If the store belongs to another schedule, or a block is damaged.
    """
    return _match(schedule, store.sound_blocks(part), unpack)


def read_outcomes(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """Yield what `read_blocks` does, without actions: enough to count, and cheaper.

    Raises:
        StoreError: If the store belongs to another schedule, or a block is damaged.
    """
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
    """Return a stored block as it is counted; `bots` are the names by number.

    Raises:
        StoreError: For a damaged one.
    """
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
