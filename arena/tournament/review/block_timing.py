"""Wall time of a run's blocks while all its workers and all processes of its bots play."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import cycle, islice, takewhile
from random import Random
from typing import Final, NamedTuple

from arena.tournament.formats.base import Stage
from arena.tournament.running.engine import Engine
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.running.stop_request import StopRequest
from arena.tournament.scheduling.schedule import Block, RoundRobin
from arena.tournament.storage.store import IndexSet
from arena.tournament.storage.tally import Game
from arena.tournament.workers.chunks import ChunkQueue, PlayedChunk

TIMED_CHUNKS: Final = 20
"""Smallest number of chunks whose time is measured."""
MIN_CHUNK_SHARE: Final = 0.5
"""Share of the intended length of a chunk below which the first ones are not counted."""
MAX_FIRST_BLOCKS: Final = 200
"""Blocks of a run that has not begun, of which some are timed."""
SAMPLE_SEED: Final = "timed"
MAX_TIMING_S: Final = 30.0
"""Seconds after which no more blocks are begun."""


def measure_block_seconds(run: Run, games: Collection[Game], options: RunOptions) -> dict[Game, float]:
    """Return the wall seconds of a block by game, from some blocks of the run played again.

    They are played as the run plays them, by as many workers and at the same isolation levels, so that
    processes that share a core, or wait, count as in a run.

    Raises:
        ConfigError: If its bots may not be played here.
    """
    if not games:
        return {}
    with run.engine(options) as engine:
        return {game: measure_pace(engine, _blocks(run, game)) / options.jobs for game in games}


class FirstBlocks(NamedTuple):
    """Time that some blocks of a run that has not begun took."""

    block_s: float
    """Wall seconds of a block, while all workers play."""
    decisions: float
    """Decisions in a block, of all bots together."""


def measure_first_blocks(run: Run, options: RunOptions, max_timing_s: float) -> FirstBlocks:
    """Return what a block of a run that has not begun takes, from blocks of its first stage.

    They are played as the run plays them, and not stored. Those of a round robin, whose games and tables may
    have different numbers of blocks, are drawn from all of it.

    Args:
        run: The run.
        options: Options of its workers, on this machine.
        max_timing_s: Seconds after which no more blocks are begun.

    Raises:
        ConfigError: If its bots may not be played here.
    """
    with run.open_store() as store:
        blocks = _choose_blocks(next(run.stages.decided(store)))
    with run.engine(options) as engine:
        timed = _time_chunks(engine, blocks, time.monotonic, max_timing_s)
    decisions = sum(times.decisions for chunk in timed for times in chunk.times.values())
    return FirstBlocks(_block_seconds(timed) / options.jobs, decisions / _count_blocks(timed))


def _choose_blocks(stage: Stage) -> list[Block]:
    if not isinstance(stage, RoundRobin):
        return list(islice(stage, MAX_FIRST_BLOCKS))
    chosen = Random(SAMPLE_SEED).sample(stage.indices, min(MAX_FIRST_BLOCKS, len(stage)))
    return [stage[index] for index in chosen]


def measure_round(
    run: Run, rounds: Sequence[list[Block]], options: RunOptions, max_timing_s: float, stop: StopRequest
) -> float | None:
    """Return the wall seconds of a round, some blocks that take different times, while all workers play.

    They are played as the run plays them, and not stored. The first round of each worker, which starts bots,
    is not counted.

    Args:
        run: The run.
        rounds: The blocks of each round, played again and again.
        options: Options of its workers, on this machine.
        max_timing_s: Seconds after which no more rounds are begun.
        stop: Once it is requested, no more rounds are begun.

    Returns: The seconds, or None if it was stopped before a round was timed.

    Raises:
        ConfigError: If its bots may not be played here.
    """
    timed: list[PlayedChunk] = []
    end = time.monotonic() + max_timing_s

    def needs_more() -> bool:
        is_enough = bool(timed) and (_seconds(timed) >= enough_s or time.monotonic() >= end)
        return not (is_enough or stop.is_requested)

    with run.engine(options) as engine:
        enough_s = TIMED_CHUNKS * engine.workers.chunk_s
        chunks = takewhile(lambda _: needs_more(), cycle(rounds))
        for number, chunk in enumerate(engine.play_chunks(chunks)):
            if number >= options.jobs:
                timed.append(chunk)
    return _seconds(timed) / len(timed) / options.jobs if timed else None


def measure_pace(
    engine: Engine,
    blocks: Iterable[Block],
    clock: Callable[[], float] = time.monotonic,
) -> float:
    """Return the seconds that one worker takes for a block while all others play as well.

    Args:
        engine: Plays them.
        blocks: Blocks to play, again and again.
        clock: Counts the seconds until no more chunks are begun.
    """
    return _block_seconds(_time_chunks(engine, blocks, clock, MAX_TIMING_S))


def _time_chunks(
    engine: Engine,
    blocks: Iterable[Block],
    clock: Callable[[], float],
    max_timing_s: float,
) -> list[PlayedChunk]:
    """Play blocks, and return the chunks that were played while all workers did."""
    workers = engine.workers
    queue = ChunkQueue(cycle(blocks), IndexSet(), workers.chunk_s)
    timed: list[PlayedChunk] = []
    end = clock() + max_timing_s

    def chunks() -> Iterator[list[Block]]:
        while not timed or (_seconds(timed) < TIMED_CHUNKS * workers.chunk_s and clock() < end):
            yield queue.take()

    for number, chunk in enumerate(engine.play_chunks(chunks())):
        if number < workers.in_flight:  # while these were played, workers and bots started
            continue
        queue.observe(chunk)
        if chunk.seconds >= MIN_CHUNK_SHARE * workers.chunk_s:
            timed.append(chunk)
    return timed


def _block_seconds(chunks: Sequence[PlayedChunk]) -> float:
    return _seconds(chunks) / _count_blocks(chunks)


def _count_blocks(chunks: Iterable[PlayedChunk]) -> int:
    return sum(len(chunk.blocks) for chunk in chunks)


def _seconds(chunks: Iterable[PlayedChunk]) -> float:
    return sum(chunk.seconds for chunk in chunks)


def _blocks(run: Run, game: Game) -> Iterator[Block]:
    return (block for block, _ in run.outcomes() if (block.variant, block.players) == game)
