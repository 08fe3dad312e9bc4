"""Stored blocks matched to the schedule, each with its result, in schedule order."""

from collections.abc import Callable, Iterable, Iterator

from arena.errors import StoreError
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import BlockResult, PackedBlock, unpack, unpack_outcome
from arena.tournament.storage.store import EVERY, Store


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
