"""Blocks of another run that hold in this one: they are taken over instead of being played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_keys import Stamps
from arena.tournament.storage.results import PackedBlock
from arena.tournament.storage.store import Store

BATCH: Final = 1000
"""Blocks that are stored together."""


def take_over(stage: Iterable[Block], stamp: Stamps, other: Store, store: Store) -> int:
    """Stores the blocks that another store has by their keys; gives how many there were."""
    done = store.done()
    missing = (block for block in stage if block.index not in done)
    held = _held(missing, stamp, other)
    taken = 0
    while batch := list(islice(held, BATCH)):
        store.add(batch)
        taken += len(batch)
    return taken


def _held(blocks: Iterable[Block], stamp: Stamps, other: Store) -> Iterator[PackedBlock]:
    for block in blocks:
        found = other.find(stamp.key(block))
        if found is not None and found.address == block.address and found.is_sound:
            yield stamp(block, found)
