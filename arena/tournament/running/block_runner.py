"""Play the blocks of a schedule that are not in the store yet, and store them."""

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from typing import Literal, Protocol

from arena.errors import ArenaError
from arena.tournament.running.progress import Progress
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import (
    BlockResult,
    Failure,
    PackedBlock,
    unpack_outcome,
)
from arena.tournament.storage.decision_times import DecisionTimes, TimeKey, TimeSum, add_times
from arena.tournament.storage.store import IndexSet
from arena.tournament.workers.chunks import ChunkQueue, PlayChunk, PlayedChunk, play_and_pack
from arena.tournament.workers.executors import MAX_ATTEMPTS, Workers

WRITE_EVERY_S = 1.0
"""A killed run loses as much work at most."""

Ending = Literal["done", "interrupted"]


class BlockStore(Protocol):
    """A store of played blocks."""

    def done(self) -> IndexSet:
        """Return the indices of the stored blocks."""
        ...

    def add(
        self,
        blocks: Iterable[PackedBlock],
        failures: Mapping[Failure, int],
        times: Mapping[TimeKey, TimeSum],
    ) -> None:
        """Store blocks with the failures and the decision times in them, all or, raising StoreError, none."""
        ...


OnPlayed = Callable[[Block, BlockResult], None]
Stamp = Callable[[Block, PackedBlock], PackedBlock]

log = logging.getLogger(__name__)


def run_blocks(
    schedule: Iterable[Block],
    play_chunk: PlayChunk,
    store: BlockStore,
    workers: Workers,
    stop: StopRequest,
    on_played: OnPlayed = lambda block, result: None,
    stamp: Stamp = lambda block, packed: packed,
    progress: Progress | None = None,
) -> Ending:
    """Play the blocks that the store lacks, in any order; only this process writes.

    Args:
        schedule: The blocks.
        play_chunk: Is sent to other processes, so it is a function of a module, or a `partial` of one.
        store: Store of their results.
        workers: Call `play_chunk`.
        stop: Once it is requested, chunks in flight are finished and stored, and no others started.
        on_played: Is called with each block as it comes in, and its result without actions.
        stamp: Adds its key to each block before it is stored.
        progress: Is updated at least once a second while workers play.

    Raises:
        ArenaError: If the workers that have a block die several times; all that `play_chunk` raises.
    """
    runner = _BlockRunner(schedule, play_chunk, store, workers, on_played, stamp, progress)
    try:
        while not stop.is_requested and runner.submit():
            runner.collect()
        if runner.in_flight:
            log.warning(
                "stopping (%s) when the blocks in play are finished; %s", stop.reason, stop.limit_text
            )
        while runner.in_flight:
            runner.collect()
    finally:
        runner.write()
    return "interrupted" if runner.has_more() else "done"


@dataclass
class _Chunk:
    blocks: list[Block]
    deaths: int = 0
    """Number of workers that died with it."""


class _BlockRunner:
    """Moves chunks from the schedule to the workers, and their results to the store."""

    def __init__(
        self,
        schedule: Iterable[Block],
        play_chunk: PlayChunk,
        store: BlockStore,
        workers: Workers,
        on_played: OnPlayed,
        stamp: Stamp,
        progress: Progress | None,
    ) -> None:
        self._fresh = ChunkQueue(schedule, store.done(), workers.chunk_s)
        self._lost: deque[_Chunk] = deque()
        self.in_flight: dict[Future[PlayedChunk], _Chunk] = {}
        self._unwritten: list[PackedBlock] = []
        self._failures: Counter[Failure] = Counter()
        self._times: DecisionTimes = {}
        self._written_at = time.monotonic()
        self._play_chunk = play_chunk
        self._store = store
        self._workers = workers
        self._on_played = on_played
        self._stamp = stamp
        self._progress = progress

    def submit(self) -> bool:
        """Submit as many chunks as the workers have room for; return whether any is in flight."""
        while self._has_room() and (chunk := self._next()):
            future = self._workers.submit(play_and_pack, self._play_chunk, chunk.blocks)
            self.in_flight[future] = chunk
        return bool(self.in_flight)

    def collect(self) -> None:
        """Wait up to a second for a chunk, and take in all that are finished."""
        finished = self._workers.finished(timeout=1.0)
        if not finished:
            self._workers.check()
        if any(isinstance(future.exception(), BrokenExecutor) for future in finished):
            while len(finished) < len(self.in_flight):  # they break together
                finished += self._workers.finished(timeout=1.0)
            self._workers.renew()
            log.warning("a worker died; chunks in flight are played again: %d", len(finished))
        for future in finished:
            self._take_result(future, self.in_flight.pop(future))
        if time.monotonic() - self._written_at >= WRITE_EVERY_S:
            self.write()
        if self._progress:
            self._progress.update()

    def write(self) -> None:
        """Store what has been collected."""
        blocks, self._unwritten = self._unwritten, []
        self._store.add(blocks, self._failures, self._times)
        self._failures, self._times = Counter(), {}
        log.debug("%d blocks stored", len(blocks))
        self._written_at = time.monotonic()

    def has_more(self) -> bool:
        """Return whether blocks are left to play; to be called at the end."""
        return self._next() is not None

    def _has_room(self) -> bool:
        """Return whether to submit a chunk; one that lost a worker runs alone, so that the cause is clear."""
        alone = self._lost or any(chunk.deaths for chunk in self.in_flight.values())
        return len(self.in_flight) < (1 if alone else self._workers.in_flight)

    def _next(self) -> _Chunk | None:
        if self._lost:
            return self._lost.popleft()
        blocks = self._fresh.take()
        return _Chunk(blocks) if blocks else None

    def _take_result(self, future: Future[PlayedChunk], chunk: _Chunk) -> None:
        try:
            played = future.result()
        except BrokenExecutor as error:
            self._lose(chunk, error)
            return
        self._fresh.observe(played)
        if self._progress:
            self._progress.add_delays(played.delays)
        self._failures.update(played.failures)
        add_times(self._times, played.times)
        log.debug(
            "%d blocks from %d on took %.3f s", len(chunk.blocks), chunk.blocks[0].index, played.seconds
        )
        for block, packed in zip(chunk.blocks, played.blocks, strict=True):
            self._unwritten.append(self._stamp(block, packed))
            self._on_played(block, unpack_outcome(packed))

    def _lose(self, chunk: _Chunk, error: BrokenExecutor) -> None:
        chunk.deaths += 1
        if chunk.deaths == MAX_ATTEMPTS:
            first, last = chunk.blocks[0], chunk.blocks[-1]
            raise ArenaError(
                f"{MAX_ATTEMPTS} workers died over blocks {first.index} to {last.index} ({first.address} to "
                f"{last.address}): out of memory, crashed by a bot, or killed by someone"
            ) from error
        self._lost.append(chunk)
