"""Blocks grouped for the workers, so that handing them over costs little beside playing them.

How they are grouped changes when a block is played and by whom, not how: its deals and its bots' draws
hang on its address alone.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import msgspec

from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import BlockResult, PackedBlock, pack
from arena.tournament.storage.store import IndexSet

PlayChunk = Callable[[Sequence[Block]], Iterable[BlockResult]]  # one result a block, in their order

LARGEST = 1000  # blocks
WEIGHT = 0.5  # of a new measurement in the estimate of a block's time


class PlayedChunk(msgspec.Struct, frozen=True):
    """What a worker hands back: the results, ready to be stored, and how long they took."""

    blocks: list[PackedBlock]
    seconds: float


def play(play_chunk: PlayChunk, blocks: Sequence[Block]) -> PlayedChunk:
    """Plays a chunk and packs its results, both where this is called: in a worker."""
    start = time.perf_counter()
    results = zip(blocks, play_chunk(blocks), strict=True)
    packed = [pack(block.address, result) for block, result in results]
    return PlayedChunk(packed, time.perf_counter() - start)


class ChunkQueue:
    """The blocks of a schedule that are not done, in chunks of about `target_s` seconds of work each."""

    def __init__(self, schedule: Iterable[Block], done: IndexSet, target_s: float) -> None:
        self._missing = (block for block in schedule if block.index not in done)
        self._target_s = target_s
        self._block_s = target_s

    def take(self) -> list[Block]:
        """The next chunk; empty at the end of the schedule."""
        size = round(self._target_s / self._block_s)
        return list(islice(self._missing, min(max(size, 1), LARGEST)))

    def observe(self, played: PlayedChunk) -> None:
        """Sizes the chunks to come by how long this one took."""
        block_s = played.seconds / len(played.blocks)
        self._block_s += WEIGHT * (block_s - self._block_s)
