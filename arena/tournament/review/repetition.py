"""Repetition of a run: a sample of its blocks is played again by its bots, and must give the stored bytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from arena.tournament.review.block_replay import Problem, block_problem
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import PackedBlock, unpack
from arena.tournament.storage.store import Store
from arena.tournament.workers.block_player import close_player
from arena.tournament.workers.chunks import PlayChunk, play_and_pack

OnPlayed = Callable[[int, int], None]


def play_sample_again(
    run: Run, number: int, options: RunOptions, on_played: OnPlayed = lambda blocks, matches: None
) -> list[Problem]:
    """Play some blocks of a run again, and return those that came out otherwise.

    A bot that depends on a clock, or on randomness of its own, plays otherwise each time.

    Args:
        run: The run, whose stored blocks are sound.
        number: How many blocks to play: spread evenly over those that are stored, or all if there are fewer.
        options: Who plays.
        on_played: Is called with the numbers of blocks and matches as they are played.

    Raises: ConfigError, if bots or rules have changed, or the bots may not be played here; StoreError.
    """
    run.refuse_changes()
    sample = choose_sample(run, number)
    problems: list[Problem] = []
    workers, play_chunk = run.make_workers(options)
    try:
        with workers:
            again = workers.map(partial(_play, play_chunk), [block for block, _ in sample])
            for (block, stored), played in zip(sample, again, strict=True):
                problems += _differences(block, stored, played)
                on_played(1, len(block.seatings))
    finally:
        close_player(play_chunk)
    return problems


def choose_sample(run: Run, number: int) -> list[tuple[Block, PackedBlock]]:
    """Return so many of the stored blocks, or all, spread evenly from the first on."""
    with Store.open(run.folder.path) as store:
        done = store.done()
        indices = [index for stage in run.parts(store) for index in stage.indices if index in done]
        number = min(number, len(indices))
        chosen = {indices[place * len(indices) // number] for place in range(number)}
        blocks = {
            block.index: block for stage in run.parts(store) for block in stage if block.index in chosen
        }
        return [(blocks[index], next(store.blocks(range(index, index + 1)))) for index in sorted(chosen)]


def _play(play_chunk: PlayChunk, block: Block) -> PackedBlock:
    return play_and_pack(play_chunk, [block]).blocks[0]


def _differences(block: Block, stored: PackedBlock, played: PackedBlock) -> list[Problem]:
    """Return a problem for the first match that differs."""
    if (stored.outcome, stored.actions) == (played.outcome, played.actions):
        return []
    matches = zip(unpack(stored).matches, unpack(played).matches, strict=True)
    rotation = next((place for place, (before, after) in enumerate(matches) if before != after), None)
    return [block_problem(block, "played again it is another match", rotation)]
