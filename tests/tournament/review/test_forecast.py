"""Forecasts of how many blocks separate bots, and of the time that they take."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from arena.errors import ConfigError
from arena.rating.anytime import fit_anytime
from arena.rating.separation import estimate_pair_blocks
from arena.tournament.engine.block_player import PlayedChunk
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.workers import InlineExecutor, Workers
from arena.tournament.results.results import GameResults
from arena.tournament.review.forecast import (
    MAX_TIMING_S,
    TIMED_CHUNKS,
    forecast_pairs,
    measure_block_seconds,
    measure_pace,
    measure_round,
)
from arena.tournament.schedule import Block, RoundRobin
from arena.tournament.store.codec import BlockResult, PackedBlock
from tests.tournament.fake_formats import SEED, config, names, result, tied
from tests.tournament.made_runs import play_run
from tests.tournament.tallies import tally_blocks

GAME = ("lives", 3)


def game_results(blocks: int, luck: float, bots: int = 4) -> GameResults:
    made = RoundRobin(config(bots, 3, blocks=blocks), SEED)
    tallies = tally_blocks(((block, result(block, luck)) for block in made), tuple(names(bots)))
    return GameResults(GAME, tallies[GAME])


def test_each_bot_and_the_next_have_an_outlook_and_so_has_a_pair_by_name() -> None:
    few = game_results(10, luck=1.0)
    forecasts = forecast_pairs(few, None, 0.95, 0.8)
    assert [(forecast.better, forecast.worse) for forecast in forecasts] == [
        ("bot03", "bot02"),
        ("bot02", "bot01"),
        ("bot01", "bot00"),
    ]
    [pair] = forecast_pairs(few, ("bot00", "bot03"), 0.95, 0.8)
    assert (pair.better, pair.worse, pair.blocks, pair.of_run) == ("bot03", "bot00", 30, 40)
    assert pair.elo == pytest.approx(sum(forecast.elo for forecast in forecasts))


def test_what_is_missing_of_the_run_is_what_the_two_bots_need_in_proportion() -> None:
    near = game_results(10, luck=20.0)
    [forecast] = forecast_pairs(near, ("bot03", "bot00"), 0.95, 0.8)
    fit = fit_anytime(near.pair_counts)
    assert forecast.needed == estimate_pair_blocks(
        fit, fit.bots.index(forecast.better), fit.bots.index(forecast.worse), 0.975
    )
    assert forecast.needed is not None
    assert forecast.needed > 30
    assert forecast.missing == -(-(forecast.needed - 30) * 40 // 30)
    assert not forecast.separated


def test_more_confidence_and_more_power_take_more() -> None:
    near = game_results(10, luck=20.0)

    def needed(confidence: float, power: float) -> int:
        [forecast] = forecast_pairs(near, ("bot03", "bot00"), confidence, power)
        return forecast.needed or 0

    assert needed(0.8, 0.8) < needed(0.95, 0.8) < needed(0.95, 0.95)


def test_who_is_told_apart_needs_no_more_whatever_was_planned() -> None:
    [forecast] = forecast_pairs(game_results(40, luck=1.0), ("bot03", "bot00"), 0.95, 0.999)
    assert (forecast.separated, forecast.missing) == (True, 0)


def test_of_equals_nothing_can_be_said() -> None:
    made = RoundRobin(config(3, 3, blocks=20), SEED)
    level = tally_blocks(((block, tied(block)) for block in made), tuple(names(3)))[GAME]
    forecasts = forecast_pairs(GameResults(GAME, level), None, 0.95, 0.8)
    assert [(forecast.needed, forecast.missing, forecast.los) for forecast in forecasts] == [
        (None, None, None)
    ] * 2


def test_a_bot_that_has_not_played_is_left_out() -> None:
    made = RoundRobin(config(3, 3, blocks=20), SEED)
    absent = tally_blocks(((block, result(block)) for block in made), tuple(names(5)))[GAME]
    assert len(forecast_pairs(GameResults(GAME, absent), None, 0.95, 0.8)) == 2
    assert forecast_pairs(GameResults(GAME, absent), ("bot00", "bot04"), 0.95, 0.8) == []


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("bot00", "bot9"), "no bot in the run is called 'bot9'; the nearest is 'bot0"),
        (("bot00", "bot00"), "bot00 cannot be compared with itself: name two bots"),
    ],
)
def test_a_pair_that_is_none_is_refused(pair: tuple[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        forecast_pairs(game_results(2, 1.0), pair, 0.95, 0.8)


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
    run = play_run(tmp_path / "run", ["sleeper.py:Sleeper", "random"], blocks=1, isolation="process")
    game = ("lives(tokens=1)", 2)
    assert measure_block_seconds(run, [game], RunOptions())[game] >= THINKING_S


def _never(blocks: Sequence[Block]) -> list[BlockResult]:
    raise AssertionError("the executor plays nothing")
