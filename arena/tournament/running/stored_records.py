"""Records of played matches: those made during play, the others replayed from their actions."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby, islice, takewhile
from types import MappingProxyType
from typing import Final

import msgspec

from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import BlockResult, unpack_records
from arena.tournament.storage.played_blocks import read_blocks
from arena.tournament.storage.store import EVERY, Store
from arena.tournament.workers.block_player import RunPlan, record_chunk
from arena.tournament.workers.executors import Workers

CHUNK_BLOCKS: Final = 10
"""Blocks whose records a worker writes in one call."""
NO_RECORDS: Final[Mapping[int, bytes]] = MappingProxyType({})


def encode_records(
    schedule: Iterable[Block],
    store: Store,
    plan: RunPlan,
    pool: Workers | None = None,
    made: Mapping[int, bytes] = NO_RECORDS,
) -> Iterator[bytes]:
    """Yield the records of all stored matches in JSON, in schedule order.

    Args:
        schedule: The blocks, as far as the stored results decide them.
        store: Of the first blocks, only those are read that are not in `made`: none if a run was played in
            one go.
        plan: The plan that they were played by.
        pool: Replays matches; without it, this process does.
        made: The packed records of blocks by index; these are not replayed.

    Raises:
        StoreError: If actions of a block are illegal; it names the block.
    """
    first = list(takewhile(made.__contains__, store.indices()))
    for index in first:
        yield from unpack_records(made[index])
    blocks = read_blocks(schedule, store, range(first[-1] + 1 if first else 0, EVERY.stop))
    replay = partial(record_chunk, msgspec.msgpack.encode(plan))
    for are_made, part in groupby(blocks, lambda block: block[0].index in made):
        if are_made:
            for block, _ in part:
                yield from unpack_records(made[block.index])
        else:
            for lines in pool.map(replay, _chunks(part)) if pool else map(replay, _chunks(part)):
                yield from lines


def _chunks(
    blocks: Iterator[tuple[Block, BlockResult]],
) -> Iterator[list[tuple[Block, BlockResult]]]:
    while chunk := list(islice(blocks, CHUNK_BLOCKS)):
        yield chunk
