"""Playing, storing and reporting, with workers in this process; see test_pool_runs for the others."""

import signal
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.tournament.engine.engine import run_blocks
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.workers import InlineExecutor, Workers, make_workers
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, pack, unpack_outcome
from arena.tournament.store.store import Store
from tests.tournament import fake_run


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path, fake_run.METADATA)


class Player:
    """Plays chunks and remembers which blocks they held."""

    def __init__(self) -> None:
        self.chunks: list[list[int]] = []

    def __call__(self, blocks: Sequence[Block]) -> list[BlockResult]:
        self.chunks.append([block.index for block in blocks])
        return [fake_run.result(block) for block in blocks]

    @property
    def indices(self) -> list[int]:
        return [index for chunk in self.chunks for index in chunk]


def indices(store: Store) -> list[int]:
    return [block.index for block in store.read()]


def test_all_blocks_are_played_and_stored(store: Store) -> None:
    with store, make_workers(jobs=1) as workers:
        assert run_blocks(fake_run.schedule(50), Player(), store, workers, StopRequest()) == "done"
        expected = [fake_run.block(index) for index in range(50)]
        assert list(store.read()) == [pack(block.address, fake_run.result(block)) for block in expected]


def test_only_missing_blocks_are_played(store: Store) -> None:
    player = Player()
    with store, make_workers(jobs=1) as workers:
        run_blocks(fake_run.schedule(10), Player(), store, workers, StopRequest())
        assert run_blocks(fake_run.schedule(14), player, store, workers, StopRequest()) == "done"
    assert player.indices == [10, 11, 12, 13]


def test_each_block_is_told_of_when_it_was_played(store: Store) -> None:
    told: list[tuple[Block, BlockResult]] = []
    with store, make_workers(jobs=1) as workers:
        run_blocks(
            fake_run.schedule(5), Player(), store, workers, StopRequest(), lambda *both: told.append(both)
        )
        assert told == [
            (block, unpack_outcome(stored))
            for block, stored in zip(fake_run.schedule(5), store.read(), strict=True)
        ]


def test_ctrl_c_stores_what_is_in_hand_and_begins_nothing_new(store: Store) -> None:
    def interrupt(block: Block, result: BlockResult) -> None:
        if block.index == 5:
            signal.raise_signal(signal.SIGINT)

    player = Player()
    with store, make_workers(jobs=1) as workers, StopRequest() as stop:
        assert run_blocks(fake_run.schedule(10**9), player, store, workers, stop, interrupt) == "interrupted"
        assert indices(store) == player.indices
        assert player.chunks[-1][-1] < 100


def test_a_run_out_of_time_ends_like_an_interrupted_one(store: Store) -> None:
    with store, make_workers(jobs=1) as workers:
        stop = StopRequest(time_limit_s=0)
        assert run_blocks(fake_run.schedule(3), Player(), store, workers, stop) == "interrupted"
        assert run_blocks(fake_run.schedule(0), Player(), store, workers, stop) == "done"


def test_an_error_in_play_comes_out_and_what_was_played_before_is_stored(store: Store) -> None:
    def stumble(blocks: Sequence[Block]) -> list[BlockResult]:
        if any(block.index == 7 for block in blocks):
            raise RuntimeError("a bug")
        return [fake_run.result(block) for block in blocks]

    with store:
        with pytest.raises(RuntimeError, match="a bug"), make_workers(jobs=1) as workers:
            run_blocks(fake_run.schedule(10), stumble, store, workers, StopRequest())
        stored = indices(store)
    assert stored == list(range(len(stored)))
    assert 1 <= len(stored) <= 7


class Mortal:
    """Makes executors that break over block 7, as a pool does when its worker dies, so many times."""

    def __init__(self, deaths: int) -> None:
        self.deaths = deaths

    def __call__(self) -> InlineExecutor:
        return _Fragile(self)


class _Fragile(InlineExecutor):
    def __init__(self, mortal: Mortal) -> None:
        self._mortal = mortal
        self._broken = False

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        _, blocks = args
        if self._mortal.deaths and any(block.index == 7 for block in blocks):
            self._mortal.deaths -= 1
            self._broken = True
            return _broken()
        if self._broken:
            raise BrokenExecutor
        return super().submit(fn, *args, **kwargs)


def _broken() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(BrokenExecutor())
    return future


def test_what_was_in_hand_when_a_worker_died_is_played_again(store: Store) -> None:
    player = Player()
    with store, Workers(Mortal(deaths=2), in_flight=4) as workers:
        assert run_blocks(fake_run.schedule(40), player, store, workers, StopRequest()) == "done"
        assert indices(store) == list(range(40))
    assert sorted(player.indices) == list(range(40))


def test_a_block_that_kills_its_workers_is_named_at_the_third_time(store: Store) -> None:
    with store:
        with (
            pytest.raises(ArenaError, match=r"3 workers died over blocks 7 to 7 \(lives/4/.*/7"),
            Workers(Mortal(deaths=3), in_flight=4, chunk_s=1e-9) as workers,
        ):
            run_blocks(fake_run.schedule(40), Player(), store, workers, StopRequest())
        assert set(range(7)) <= set(indices(store))
        assert 7 not in indices(store)
