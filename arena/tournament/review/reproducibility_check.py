"""Reproducibility of a run: some of its blocks, played again by its bots, must give the stored bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.tournament.review.block_replay import Problem, block_problem
from arena.tournament.review.block_sample import BlockSample, draw_sample
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import PackedBlock, unpack

OnPlayed = Callable[[int, int], None]


def play_blocks_again(
    run: Run,
    indices: Sequence[int],
    options: RunOptions,
    on_played: OnPlayed = lambda blocks, matches: None,
) -> list[Problem]:
    """Play some blocks of a run again, and return those that came out otherwise.

    A bot that depends on a clock, or on randomness of its own, plays otherwise each time.

    Args:
        run: The run, whose stored blocks are sound.
        indices: Indices of the blocks to play, which are stored.
        options: Options of the workers.
        on_played: Is called with the numbers of blocks and matches as they are played.

    Raises:
        ConfigError: If bots or rules have changed, or the bots may not be played here.
        StoreError: If a block is damaged.
    """
    run.refuse_changes()
    sample = _read_blocks(run, frozenset(indices))
    problems: list[Problem] = []
    with run.engine(options) as engine:
        again = engine.play_again([block for block, _ in sample])
        for (block, stored), played in zip(sample, again, strict=True):
            problems += _block_differences(block, stored, played)
            on_played(1, len(block.seatings))
    return problems


def choose_blocks(run: Run, number: int, seed: str | None = None) -> BlockSample:
    """Draw so many of the stored blocks of a run, or all; `seed` is that of an earlier sample."""
    with run.open_store() as store:
        return draw_sample(store.indices(), number, seed, "play-again")


def _read_blocks(run: Run, chosen: frozenset[int]) -> list[tuple[Block, PackedBlock]]:
    """Return blocks of the schedule with what is stored of them, in order."""
    with run.open_store() as store:
        blocks = [block for stage in run.parts(store) for block in stage if block.index in chosen]
        return [(block, next(store.blocks(range(block.index, block.index + 1)))) for block in blocks]


def _block_differences(block: Block, stored: PackedBlock, played: PackedBlock) -> list[Problem]:
    """Return a problem for the first match that differs."""
    if (stored.outcome, stored.actions) == (played.outcome, played.actions):
        return []
    matches = zip(unpack(stored).matches, unpack(played).matches, strict=True)
    rotation = next((place for place, (before, after) in enumerate(matches) if before != after), None)
    return [block_problem(block, "played again it is another match", rotation)]
