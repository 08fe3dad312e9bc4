"""The engine of all experiments: workers that play blocks, at the isolation levels of their bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from types import TracebackType
from typing import Self

import msgspec

from arena.play.isolation import Level
from arena.tournament.running.block_runner import BlockStore, Ending, OnPlayed, Stamp, run_blocks
from arena.tournament.running.progress import Progress
from arena.tournament.running.run_options import RunOptions
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.storage.block_result_encoding import PackedBlock
from arena.tournament.workers.block_player import RunPlan, close_player, play_chunk
from arena.tournament.workers.chunks import PlayChunk, PlayedChunk, play_and_pack
from arena.tournament.workers.executors import CHUNK_S, HOSTED_CHUNK_S, Workers, make_workers
from arena.tournament.workers.isolation_levels import warn_if_unfair
from arena.tournament.workers.process_budget import max_processes


class Engine:
    """Plays the blocks of a design: a run, an update of a league, a search, a measurement.

    Its workers start with the first block. Leaving the context ends them, and the processes of the bots.

    Args:
        config: The bots, their games and limits.
        seed: Seed of blocks that have none of their own.
        levels: The isolation level of each bot.
        options: Who plays.
        records: First matches whose records are made as they are played, by bots in a worker's process.
    """

    def __init__(
        self,
        config: Config,
        seed: str,
        levels: Mapping[str, Level],
        options: RunOptions,
        *,
        records: int = 0,
    ) -> None:
        self._config, self._options = config, options
        self._plan = RunPlan.from_config(config, seed, levels)
        self._records = records
        self._resources = ExitStack()

    @property
    def workers(self) -> Workers:
        """The workers.

        Raises:
            ConfigError: If there is no memory for the bots of a table.
            ArenaError: For a cluster that is not there or cannot play these bots.
        """
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
            from arena.tournament.cluster.executor import make_cluster_workers  # needs dask

            return make_cluster_workers(options.cluster, self._config, self._plan)
        most = max_processes(self._config, levels, options.jobs)
        plan = msgspec.structs.replace(self._plan, max_processes=most, records=self._records)
        hosted = any(level != "inline" for level in levels.values())
        workers = make_workers(options.jobs, options.start, HOSTED_CHUNK_S if hosted else CHUNK_S)
        return workers, partial(play_chunk, msgspec.msgpack.encode(plan))
