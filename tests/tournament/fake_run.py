"""A make-believe tournament for the tests: many blocks at once, whose results hang on their addresses alone.

The functions that play get a folder for what they must remember from one process to another.
"""

import logging
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MatchResult
from arena.tournament.store.metadata import RunMetadata

BOTS = ("counter", "greedy", "prudent", "stand-pat")
DEALS = 10  # of a match
DECISIONS = 135  # of a match, as many as random bots make in ten deals of lives
LEGAL = 11  # actions at a decision of lives
FATEFUL = 7  # the block over which things happen

METADATA = RunMetadata(
    config='bots = ["random"]\n',
    seed="any text",
    versions={"python": "3.11.7"},
    rules={"lives": 1},
    bots={"greedy": "0123abcd"},
    isolation={"greedy": "inline"},
)

log = logging.getLogger(__name__)


def block(index: int) -> Block:
    rotations = tuple(BOTS[seat:] + BOTS[:seat] for seat in range(4))
    return Block(index, "lives", 4, BOTS, index, rotations)


def schedule(blocks: int) -> Iterator[Block]:
    return map(block, range(blocks))


def result(block: Block) -> BlockResult:
    rng = Random(block.address)
    return BlockResult(block.index, tuple(_match(rng) for _ in block.seatings))


def _match(rng: Random) -> MatchResult:
    placings = rng.choice(((1, 2, 3, 4), (4, 1, 2, 2), (3, 3, 2, 1)))
    faults = ((2, "illegal", 1),) if rng.random() < 0.01 else ()
    actions = bytes(rng.choices(range(LEGAL), k=DECISIONS))
    return MatchResult(placings, tuple(1 - placing for placing in placings), faults, actions)


def play(folder: Path, blocks: Sequence[Block]) -> list[BlockResult]:
    return [result(block) for block in blocks]


def play_and_kill_worker(folder: Path, blocks: Sequence[Block]) -> list[BlockResult]:
    """Kills its process over the fateful block, the first time."""
    if _is_first_time(folder, blocks):
        os.kill(os.getpid(), signal.SIGKILL)
    return play(folder, blocks)


def play_and_always_kill_worker(folder: Path, blocks: Sequence[Block]) -> list[BlockResult]:
    if any(block.index == FATEFUL for block in blocks):
        os.kill(os.getpid(), signal.SIGKILL)
    return play(folder, blocks)


def play_and_hang(folder: Path, blocks: Sequence[Block]) -> list[BlockResult]:
    """Says so, then never comes back from the fateful block, the first time."""
    if _is_first_time(folder, blocks):
        os.write(1, b"hanging\n")
        threading.Event().wait()
    return play(folder, blocks)


def play_and_log(folder: Path, blocks: Sequence[Block]) -> list[BlockResult]:
    """Logs ten long lines a block and, for every tenth block, an exception with its traceback."""
    for block in blocks:
        for line in range(10):
            log.info("<%s>", f"{block.index}:{line} " + "x" * 150)
        if block.index % 10 == 0:
            try:
                raise ValueError(f"trouble over {block.index}")
            except ValueError:
                log.exception("caught")
    return play(folder, blocks)


def _is_first_time(folder: Path, blocks: Sequence[Block]) -> bool:
    mark = folder / "happened"
    if mark.exists() or all(block.index != FATEFUL for block in blocks):
        return False
    mark.touch()
    return True
