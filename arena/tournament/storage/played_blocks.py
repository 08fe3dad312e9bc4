"""The blocks of a schedule that were played, each with its result, in the order of the schedule."""

from collections.abc import Callable, Iterable, Iterator

from arena.errors import StoreError
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.results import BlockResult, PackedBlock, unpack, unpack_outcome
from arena.tournament.storage.store import EVERY, Store


def played(schedule: Iterable[Block], store: Store) -> Iterator[tuple[Block, BlockResult]]:
    """The blocks played so far with their results.

    Raises: StoreError, if the store is of another schedule.
    """
    return _matched(schedule, store.blocks(), unpack)


def outcomes(
    schedule: Iterable[Block], store: Store, part: range = EVERY
) -> Iterator[tuple[Block, BlockResult]]:
    """What `played` gives of a part, with no actions in the matches: enough to count with, and cheaper.

    Raises: StoreError, if the store is of another schedule.
    """
    return _matched(schedule, store.blocks(part), unpack_outcome)


def _matched(
    schedule: Iterable[Block],
    stored_blocks: Iterable[PackedBlock],
    unpacked: Callable[[PackedBlock], BlockResult],
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
        yield block, unpacked(stored)
