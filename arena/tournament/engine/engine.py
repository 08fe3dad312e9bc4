"""The engine of all experiments: workers play blocks that are not stored yet, and their results are stored.

`run_blocks` does that for one schedule. `Engine` starts the workers of a design, and calls it.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Protocol, Self

import msgspec

from arena.columns.number_format import format_count
from arena.errors import ArenaError, Unavailable
from arena.play.isolation import LEVELS, Level
from arena.tournament.engine.block_player import (
    ChunkQueue,
    PlayChunk,
    PlayedChunk,
    RunPlan,
    close_player,
    max_processes,
    play_and_pack,
    play_chunk,
)
from arena.tournament.engine.levels import warn_if_unfair
from arena.tournament.engine.progress import Progress, StopRequest
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.engine.workers import (
    CHUNK_S,
    HOSTED_CHUNK_S,
    MAX_ATTEMPTS,
    StartMethod,
    Workers,
    make_workers,
)
from arena.tournament.files import RunFolder
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.bot_statistics import DecisionTimes, TimeKey, TimeSum, add_times
from arena.tournament.store.codec import BlockResult, Failure, PackedBlock, unpack_outcome
from arena.tournament.store.store import IndexSet

log = logging.getLogger(__name__)


# --- block runner ---

WRITE_EVERY_S = 1.0
"""A killed run loses as much work at most."""

MAX_TRIES: Final = 5
"""Number of waits for what a bot lacks, with no chunk played in between, before a run pauses."""
MAX_RETRY_AFTER_S: Final = 600.0
"""Longest time for which a run waits; where a bot asks for more, it pauses at once."""

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
        stop: Once it is requested, chunks in flight are finished and stored, and no others started. It is
            requested here where a bot lacks something outside for long.
        on_played: Is called with each block as it comes in, and its result without actions.
        stamp: Adds its key to each block before it is stored.
        progress: Is updated at least once a second while workers play.
    """
    runner = _BlockRunner(schedule, play_chunk, store, workers, stop, on_played, stamp, progress)
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
        stop: StopRequest,
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
        self._stop = stop
        self._tries, self._resume_at = 0, 0.0
        self._on_played = on_played
        self._stamp = stamp
        self._progress = progress

    def submit(self) -> bool:
        """Submit as many chunks as the workers have room for; return whether any is in flight or waits."""
        if time.monotonic() < self._resume_at:
            return True
        while self._has_room() and (chunk := self._next()):
            future = self._workers.submit(play_and_pack, self._play_chunk, chunk.blocks)
            self.in_flight[future] = chunk
        return bool(self.in_flight)

    def collect(self) -> None:
        """Wait up to a second for a chunk, and take in all that are finished."""
        wait_s = 1.0 if self.in_flight else self._resume_at - time.monotonic()
        finished = self._workers.finished(timeout=min(max(wait_s, 0.0), 1.0))
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
        except Unavailable as error:
            self._put_back(chunk, error)
            return
        self._tries = 0
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

    def _put_back(self, chunk: _Chunk, error: Unavailable) -> None:
        """Keep a chunk for later if a bot lacks something outside; where that lasts, ask for a stop."""
        self._lost.append(chunk)
        now, wait_s = time.monotonic(), error.retry_after
        self._tries += now >= self._resume_at  # chunks that were in flight together count as one try
        if wait_s is None or wait_s > MAX_RETRY_AFTER_S or self._tries > MAX_TRIES:
            log.warning("the run pauses: %s", error)
            self._stop.request("unavailable")
        else:
            self._resume_at = max(self._resume_at, now + wait_s)
            log.warning("%s; its blocks are played again in %.0f s", error, self._resume_at - now)

    def _lose(self, chunk: _Chunk, error: BrokenExecutor) -> None:
        chunk.deaths += 1
        if chunk.deaths == MAX_ATTEMPTS:
            first, last = chunk.blocks[0], chunk.blocks[-1]
            raise ArenaError(
                f"{MAX_ATTEMPTS} workers died over blocks {first.index} to {last.index} ({first.address} to "
                f"{last.address}): out of memory, crashed by a bot, or killed by someone"
            ) from error
        self._lost.append(chunk)


# --- run options ---


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options for playing a run; none of them changes the results."""

    jobs: int = 1
    start: StartMethod = "forkserver"
    time_limit_s: float | None = None
    reuse: Path | None = None
    """The folder of another run, whose blocks are imported where this run has equal ones."""
    log_level: int = logging.INFO
    """Lowest level that the console shows; above INFO it shows no progress either."""
    strict: bool = False
    """True if the first fault stops the run."""
    ends_at_limit: bool = False
    """True if a swiss or knockout is decided by the blocks finished when its time limit is over."""
    keep_going: bool = False
    """True to play also with bots that do not start."""
    is_held: bool = False
    """True if the progress must not show who leads."""
    cluster: Cluster | None = None
    """Address of the cluster whose workers play instead of this machine's."""

    @property
    def quiet(self) -> bool:
        """True if the console shows only warnings."""
        return self.log_level > logging.INFO

    @property
    def workers(self) -> str:
        """The workers that play, in words."""
        return f"the workers at {self.cluster.address}" if self.cluster else format_count(self.jobs, "jobs")

    def __str__(self) -> str:
        """Return the command-line options for who plays."""
        if self.cluster:
            return f"--cluster {self.cluster.address}"
        return f"--jobs {self.jobs} --start {self.start}"


# --- engine ---


class Engine:
    """Plays the blocks of a design: a run, an update of a league, a search, a measurement.

    Its workers start with the first block. Leaving the context ends them, and the processes of the bots.

    Args:
        config: The bots, their games and limits.
        seed: Seed of blocks that have none of their own.
        levels: The isolation level of each bot.
        options: Who plays.
        records: First matches whose records are made as they are played, by bots in a worker's process.
        folder: The folder of the run, in which bots that are not confined have folders of their own.
    """

    def __init__(
        self,
        config: Config,
        seed: str,
        levels: Mapping[str, Level],
        options: RunOptions,
        *,
        records: int = 0,
        folder: RunFolder | None = None,
    ) -> None:
        self._config, self._options, self._folder = config, options, folder
        self._plan = RunPlan.from_config(config, seed, levels)
        self._records = records
        self._resources = ExitStack()

    @property
    def workers(self) -> Workers:
        """The workers."""
        return self._started[0]

    def play(
        self,
        blocks: Iterable[Block],
        store: BlockStore,
        stop: StopRequest,
        on_played: OnPlayed = lambda block, result: None,
        *,
        stamp: Stamp = lambda block, packed: packed,
        progress: Progress | None = None,
    ) -> Ending:
        """Play the blocks that a store lacks, see `run_blocks`, and show the progress.

        Blocks in play when the grace of a stop is over are given up, and the workers that have them ended.
        """
        workers, play = self._started
        try:
            with stop.interrupting():
                return run_blocks(blocks, play, store, workers, stop, on_played, stamp, progress)
        except KeyboardInterrupt:
            if not stop.is_overdue:  # a second Ctrl-C
                raise
            close_player(play)
            workers.renew()
            return "interrupted"

    def play_chunks(self, chunks: Iterable[Sequence[Block]]) -> Iterator[PlayedChunk]:
        """Play chunks that are not stored, and yield their results in the same order."""
        workers, play = self._started
        return workers.map(partial(play_and_pack, play), chunks)

    def play_again(self, blocks: Iterable[Block]) -> Iterator[PackedBlock]:
        """Play single blocks that are not stored, and yield their results in the same order."""
        for chunk in self.play_chunks([block] for block in blocks):
            yield from chunk.blocks

    def warn_if_unfair(self) -> None:
        """Log what may make play unfair or slow, see the function of this name."""
        options = self._options
        jobs = 0 if options.cluster else options.jobs
        warn_if_unfair(self._config, self._plan.levels, jobs, reuses_seed=bool(options.reuse))

    def close_bots(self) -> None:
        """End the processes of bots that this process has."""
        close_player(self._started[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.__exit__(kind, error, trace)

    @cached_property
    def _started(self) -> tuple[Workers, PlayChunk]:
        workers, play = self._start()
        self._resources.enter_context(workers)
        self._resources.callback(close_player, play)
        return workers, play

    def _start(self) -> tuple[Workers, PlayChunk]:
        options, levels = self._options, self._plan.levels
        if options.cluster is not None:
            from arena.tournament.engine.dask import make_cluster_workers  # needs dask

            return make_cluster_workers(options.cluster, self._config, self._plan)
        most = max_processes(self._config, levels, options.jobs)
        folders = self._make_bot_folders(self._folder) if self._folder else {}
        plan = msgspec.structs.replace(self._plan, max_processes=most, records=self._records, folders=folders)
        hosted = any(LEVELS[level].has_process for level in levels.values())
        workers = make_workers(options.jobs, options.start, HOSTED_CHUNK_S if hosted else CHUNK_S)
        return workers, partial(play_chunk, msgspec.msgpack.encode(plan))

    def _make_bot_folders(self, folder: RunFolder) -> dict[str, str]:
        """Create the folders of bots that may write there; those left empty are removed at the end."""
        levels = self._plan.levels
        folders = {
            bot.name: folder.make_bot_folder(bot.name, self._plan.seed)
            for bot in self._config.bots
            if bot.source.kind != "built-in" and not LEVELS[levels[bot.name]].is_confined
        }
        self._resources.callback(folder.remove_empty_bot_folders)
        return {name: str(path) for name, path in folders.items()}
