"""The pace of a run: wall time with all its processes, once they have started."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from arena.tournament.engine.block_player import PlayedChunk
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.workers import InlineExecutor, Workers
from arena.tournament.files import RunFolder
from arena.tournament.review.forecast import (
    MAX_TIMING_S,
    TIMED_CHUNKS,
    measure_block_seconds,
    measure_pace,
    measure_round,
)
from arena.tournament.run import Run
from arena.tournament.schedule import Block, RoundRobin
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, PackedBlock
from tests.tournament.fake_formats import SEED, config

BLOCKS = list(RoundRobin(config(3, 3, blocks=4), SEED))
CHUNK_S = 0.5
THINKING_S = 0.05
SLEEPER = f"""import time
class Sleeper:
    def act(self, view):
        time.sleep({THINKING_S})
        return view.legal[0]
"""


class Timed(InlineExecutor):
    """An executor whose chunks take as long as `block_s` says, after a start by each worker."""

    def __init__(self, block_s: float, start_s: float, workers: int) -> None:
        self.block_s, self.start_s, self.workers = block_s, start_s, workers
        self.chunks: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        [blocks] = args
        starting = self.start_s if len(self.chunks) < self.workers else 0.0
        self.chunks.append(len(blocks))
        future: Future[Any] = Future()
        packed = [PackedBlock(block.index, block.address, b"", b"", b"") for block in blocks]
        future.set_result(PlayedChunk(packed, starting + self.block_s * len(blocks)))
        return future


def make_engine(workers: Workers) -> Engine:
    """An engine with these workers, whose executor plays nothing."""
    engine = Engine(config(3, 3, blocks=4), SEED, {}, RunOptions())
    engine.__dict__["_started"] = workers, _never
    return engine


@pytest.mark.parametrize("block_s", [0.001, 0.1, 3.0])
def test_starting_does_not_count(block_s: float) -> None:
    executor = Timed(block_s, start_s=100.0, workers=2)
    workers = Workers(lambda: executor, in_flight=5, chunk_s=CHUNK_S)
    assert measure_pace(make_engine(workers), BLOCKS) == pytest.approx(block_s)
    assert max(executor.chunks) == max(1, round(CHUNK_S / block_s))


def test_slow_blocks_are_timed_for_a_limited_time() -> None:
    executor = Timed(block_s=0.3, start_s=0.0, workers=1)
    clock = count(0, MAX_TIMING_S)
    workers = Workers(lambda: executor, in_flight=1, chunk_s=CHUNK_S)
    assert measure_pace(make_engine(workers), BLOCKS, lambda: next(clock)) == pytest.approx(0.3)
    assert len(executor.chunks) < TIMED_CHUNKS


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_round_has_the_time_of_all_its_blocks(jobs: int) -> None:
    executor = Timed(block_s=0.3, start_s=100.0, workers=jobs)
    workers = Workers(lambda: executor, in_flight=2 * jobs + 1, chunk_s=CHUNK_S)
    run = Mock(engine=lambda options: nullcontext(make_engine(workers)))
    seconds = measure_round(run, [BLOCKS[:3], BLOCKS[1:]], RunOptions(jobs=jobs), MAX_TIMING_S, StopRequest())
    assert seconds == pytest.approx(3 * 0.3 / jobs)
    assert set(executor.chunks) == {3}
    slow = measure_round(run, [BLOCKS[:3]], RunOptions(jobs=jobs), 0.0, StopRequest())
    assert slow == pytest.approx(3 * 0.3 / jobs)
    assert measure_round(run, [BLOCKS[:3]], RunOptions(jobs=jobs), MAX_TIMING_S, StopRequest(0)) is None


@pytest.mark.full
def test_time_in_which_bots_do_not_compute_counts(tmp_path: Path) -> None:
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    table = {
        "bots": ["sleeper.py:Sleeper", "random"],
        "variants": [{"name": "lives", "players": 2, "tokens": 1}],
        "blocks": 1,
        "isolation": "process",
    }
    config = make_config(table, base=tmp_path, where="test")
    run = Run.create(config, RunFolder.create(tmp_path / "run"), choose_levels(config, confirmed="process"))
    run.play(RunOptions())
    game = ("lives(tokens=1)", 2)
    assert measure_block_seconds(run, [game], RunOptions())[game] >= THINKING_S


def _never(blocks: Sequence[Block]) -> list[BlockResult]:
    raise AssertionError("the executor plays nothing")
