"""Chunks of blocks for the workers, so large that submitting them costs little beside playing them.

Chunks decide when a block is played and by whom, not how: its deals and its bots' draws depend on its
address alone.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import Final

import msgspec

from arena.play.referee import raise_gc_threshold
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import (
    BlockResult,
    Failure,
    MachineDelays,
    PackedBlock,
    pack,
)
from arena.tournament.storage.decision_times import DecisionTimes, count_times
from arena.tournament.storage.store import IndexSet
from arena.tournament.storage.tally import Game
from arena.tournament.workers.run_logging import log_settings

PlayChunk = Callable[[Sequence[Block]], Iterable[BlockResult]]
"""Returns one result a block, in their order."""

MAX_CHUNK_BLOCKS: Final = 1000
NEW_WEIGHT: Final = 0.5
"""Weight of a new measurement in the estimate of a block's time."""


class PlayedChunk(msgspec.Struct, frozen=True):
    """A chunk's results, ready to be stored, and how long they took."""

    blocks: list[PackedBlock]
    seconds: float
    delays: MachineDelays = MachineDelays()
    failures: dict[Failure, int] = {}
    """Number of times that each happened."""
    times: DecisionTimes = {}


def play_and_pack(play_chunk: PlayChunk, blocks: Sequence[Block]) -> PlayedChunk:
    """Play a chunk and pack its results, both in the process of this call."""
    with (
        raise_gc_threshold(),  # once a chunk: lowering it after each block collects garbage after each
        log_settings(blocks[0].settings or {}),
    ):
        return _play_and_pack(play_chunk, blocks)


def _play_and_pack(play_chunk: PlayChunk, blocks: Sequence[Block]) -> PlayedChunk:
    start = time.perf_counter()
    packed, delays, failures = [], MachineDelays(), Counter[Failure]()
    seconds: defaultdict[Game, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for block, result in zip(blocks, play_chunk(blocks), strict=True):
        packed.append(pack(block.address, result))
        delays += result.delays
        for seating, match in zip(block.seatings, result.matches, strict=True):
            for (seat, kind, _), reason in zip(match.faults, match.reasons, strict=False):
                failures[Failure(seating[seat], kind, reason)] += 1
            for bot, own in zip(seating, match.seconds, strict=False):
                if own:
                    seconds[block.variant, block.players][bot] += own
    times: DecisionTimes = {}
    for game, by_bot in seconds.items():
        times |= count_times(game, by_bot)
    return PlayedChunk(packed, time.perf_counter() - start, delays, dict(failures), times)


class ChunkQueue:
    """The blocks of a schedule that are not done, in chunks of about `target_s` seconds of work each."""

    def __init__(self, schedule: Iterable[Block], done: IndexSet, target_s: float) -> None:
        missing = (block for block in schedule if block.index not in done)
        self._groups = groupby(missing, key=attrgetter("settings"))
        self._group: Iterator[Block] = iter(())
        self._target_s = target_s
        self._block_s = target_s

    def take(self) -> list[Block]:
        """Return the next chunk, whose bots have the same settings; empty at the end of the schedule."""
        size = min(max(round(self._target_s / self._block_s), 1), MAX_CHUNK_BLOCKS)
        while not (chunk := list(islice(self._group, size))):
            following = next(self._groups, None)
            if following is None:
                return []
            _, self._group = following
        return chunk

    def observe(self, played: PlayedChunk) -> None:
        """Adapt the size of the next chunks to the time that this one took."""
        block_s = played.seconds / len(played.blocks)
        self._block_s += NEW_WEIGHT * (block_s - self._block_s)
