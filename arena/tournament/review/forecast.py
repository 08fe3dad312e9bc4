"""Forecasts: how many more blocks would separate the bots, and how long blocks take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice, pairwise, takewhile
from random import Random
from typing import Final, NamedTuple

from arena.errors import ConfigError, suggest_nearest
from arena.rating.anytime import AnytimeFit
from arena.rating.elo_fit import Fit
from arena.rating.separation import estimate_pair_blocks
from arena.rating.sequential import is_separated
from arena.tournament.engine.block_player import ChunkQueue, PlayedChunk
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.formats.base import Stage
from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.run import Run
from arena.tournament.schedule import Block, RoundRobin
from arena.tournament.store.played_blocks import Game
from arena.tournament.store.store import IndexSet

# --- separation forecast ---

LOW, HIGH = 0.1, 0.9
"""Probabilities at the ends of the range of a forecast."""


@dataclass(frozen=True, kw_only=True)
class PairForecast:
    """Separation of two bots of a game, and the number of blocks missing."""

    game: Game
    better: str
    worse: str
    elo: float
    """Difference of their ratings."""
    error: float | None
    los: float | None
    blocks: int
    """Blocks of the bot that has played less."""
    needed: int | None
    """Blocks both need in all, at the power; None for equal ratings, or where too little is known."""
    low: int | None
    """Blocks with which they are separated with 10 %."""
    high: int | None
    """Blocks with which they are separated with 90 %."""
    of_run: int
    """Blocks of the game in the run so far."""
    separated: bool
    goes_on: bool = True
    """True if they meet again if the run is extended: not in a knockout."""

    @property
    def missing(self) -> int | None:
        """Blocks of this game the run still needs if it goes on as before; None if unknown."""
        return self.missing_to(self.needed)

    def missing_to(self, needed: int | None) -> int | None:
        """Return the blocks of this game until both bots have a number of blocks."""
        if self.separated:
            return 0
        if needed is None or not self.goes_on:
            return None
        return math.ceil(max(0, needed - self.blocks) * self.of_run / self.blocks)


def forecast_run(
    run: Run, results: RunResults, pair: tuple[str, str] | None, confidence: float, power: float
) -> list[PairForecast]:
    """Return the forecasts for the games of `results`, for a pair or for each bot and the next."""
    goes_on = not run.stages.format.eliminates
    forecasts = [
        forecast
        for game in results.games.values()
        for forecast in forecast_pairs(game, pair, confidence, power, goes_on=goes_on)
    ]
    if pair and results.games and not forecasts:
        raise ConfigError(f"{pair[0]} and {pair[1]} have both played none of these games: nothing is known")
    return forecasts


def forecast_pairs(
    results: GameResults,
    pair: tuple[str, str] | None,
    confidence: float,
    power: float,
    *,
    goes_on: bool = True,
) -> list[PairForecast]:
    """Return the forecast for a pair of bots, or for each bot and the next.

    They are separated when the interval of that `confidence` about their difference excludes zero; `power` is
    the probability that the blocks suffice. Planned is for the errors of the run once it is extended, which
    hold at all looks. Ratings adjusted for luck count where the results have them.
    """
    fit = results.luck.fit if results.luck else results.fit
    extended = replace(results, is_anytime=True)
    errors = extended.luck.fit if extended.luck else extended.fit
    assert isinstance(errors, AnytimeFit)
    estimate = partial(estimate_pair_blocks, errors, confidence=(1 + confidence) / 2)
    return [
        PairForecast(
            game=results.game,
            better=fit.bots[better],
            worse=fit.bots[worse],
            elo=fit.elo[better] - fit.elo[worse],
            error=fit.pair_error(better, worse),
            los=fit.los(better, worse),
            blocks=min(fit.blocks[better], fit.blocks[worse]),
            needed=estimate(better, worse, probability=power),
            low=estimate(better, worse, probability=LOW),
            high=estimate(better, worse, probability=HIGH),
            of_run=results.tally.blocks,
            separated=is_separated(errors, better, worse, confidence),
            goes_on=goes_on,
        )
        for better, worse in _pairs(fit, pair)
    ]


@dataclass(frozen=True, kw_only=True)
class AdjustmentCost:
    """The cost of adjusting ratings for luck, beside that of more blocks."""

    ratio: float
    """Mean over bots of the plain variance over the adjusted one."""
    control_s: float
    """Seconds for the control of a block."""
    play_s: float
    """Seconds for playing a block."""

    @property
    def pays(self) -> bool:
        """True if the control takes less time than the blocks it stands for: ratio - 1 of one block."""
        return self.control_s < (self.ratio - 1) * self.play_s


def compare_costs(
    results: RunResults, control_s: Mapping[Game, float], play_s: Mapping[Game, float]
) -> dict[Game, AdjustmentCost]:
    """Return the cost of the adjustment by game, where it and the time of a block are known."""
    costs = {}
    for game, results_of_game in results.games.items():
        ratios = [
            ratio
            for ratio in (results_of_game.luck.variance_ratio if results_of_game.luck else ())
            if ratio is not None
        ]
        if ratios and game in control_s and game in play_s:
            ratio = sum(ratios) / len(ratios)
            costs[game] = AdjustmentCost(ratio=ratio, control_s=control_s[game], play_s=play_s[game])
    return costs


def _pairs(fit: Fit, pair: tuple[str, str] | None) -> Iterator[tuple[int, int]]:
    """Yield the pairs asked for, the better bot first; none with a bot that has not played."""
    if pair is None:
        yield from pairwise(bot for bot in fit.ranking if fit.blocks[bot])
        return
    for bot in pair:
        if bot not in fit.bots:
            raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, fit.bots)}")
    if pair[0] == pair[1]:
        raise ConfigError(f"{pair[0]} cannot be compared with itself: name two bots")
    first, other = (fit.bots.index(bot) for bot in pair)
    if fit.blocks[first] and fit.blocks[other]:
        yield (first, other) if fit.ranking.index(first) < fit.ranking.index(other) else (other, first)


# --- block timing ---
# Wall time of blocks while all workers and all processes of bots play.

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
