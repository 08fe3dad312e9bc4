"""Luck of the deal as a control of results, and forecasts of how many blocks and how much time are needed.

A forecast counts the blocks that would separate two bots; the time of a block says how long they take.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import cycle, islice, pairwise, takewhile
from random import Random
from typing import Final, NamedTuple

import msgspec
import numpy as np

from arena.errors import ConfigError, RecordError, StoreError, suggest_nearest
from arena.games import Match, Rules
from arena.games.seat_calculations import Counts
from arena.play.deal_luck import DealKey, DealLuck, LossLaw, PairLoss, count_losses, make_law
from arena.rating.anytime import AnytimeFit
from arena.rating.elo_fit import Fit
from arena.rating.luck_adjustment import LUCK_FOLDS, Controls
from arena.rating.separation import estimate_pair_blocks
from arena.rating.sequential import is_separated
from arena.tournament.engine.block_player import ChunkQueue, PlayedChunk, RunPlan, get_block_player
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.workers import Workers
from arena.tournament.formats.base import Stage
from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.run import Run
from arena.tournament.schedule import Block, RoundRobin, luck_seed
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game
from arena.tournament.store.store import IndexSet

# --- luck controls ---
# Controls are computed in workers, from the stored actions of a run's blocks.

CHUNK_BLOCKS: Final = 16
"""Blocks sent to a worker at a time."""

MEAN_PACKS_PER_BLOCK: Final = 4
"""Packs for the mean of the baseline's losses, for each number of seats in: their own error is then below
1 % of a rating's variance, see docs/luck.md."""
MIN_MEAN_PACKS: Final = 200
CHUNK_PACKS: Final = 400
"""Packs played by a worker at a time."""

BotPair = tuple[str, str]


class BlockControl(NamedTuple):
    """Control of a block: the points that its cards were worth to the first bot of each pair."""

    place: int
    """Place in the schedule."""
    game: Game
    fold: int
    points: dict[BotPair, float]
    seconds: float = 0.0
    """Seconds of work; no part of any rating."""


class LossSample(NamedTuple):
    """Packs from which a part of the baseline's losses is counted."""

    game: Game
    seats: int
    """Still in."""
    packs: range


class RunControls(NamedTuple):
    """Controls of a run's blocks."""

    by_game: dict[Game, Controls]
    block_seconds: dict[Game, float]
    """Time that workers take for the control of one more block, where blocks are many."""
    total_s: float
    """All the time they took."""


def compute_run_controls(
    run: Run, workers: Workers, on_computed: Callable[[int, int], None] = lambda blocks, matches: None
) -> RunControls:
    """Return the controls of the blocks played so far.

    Args:
        run: The run.
        workers: Workers that replay its matches.
        on_computed: Called with numbers of blocks and matches as they are finished.

    Raises:
        StoreError: A block is damaged.
    """
    names = [bot.name for bot in run.config.bots]
    return compute_controls(run.plan(), run.played(), run.results(), names, workers, on_computed)


def compute_controls(
    run_plan: RunPlan,
    played: Iterator[tuple[Block, BlockResult]],
    results: RunResults,
    bots: Sequence[str],
    workers: Workers,
    on_computed: Callable[[int, int], None],
) -> RunControls:
    """Return the controls of blocks.

    Args:
        run_plan: The seed and the games of the blocks.
        played: The blocks with their actions.
        results: Results of the same blocks.
        bots: The bots of the blocks, in the order of their numbers in the results.
        workers: Workers that replay the matches.
        on_computed: Called with numbers of blocks and matches as they are finished.

    Raises:
        StoreError: A block is damaged.
    """
    plan = msgspec.msgpack.encode(run_plan)
    blocks = {game: result.tally.blocks for game, result in results.games.items()}
    laws, seconds = _sample_laws(plan, run_plan.seed, blocks, workers)
    compute = partial(compute_block_controls, plan, laws)
    controls: list[BlockControl] = []
    for chunk in workers.map(compute, iter(lambda: list(islice(played, CHUNK_BLOCKS)), [])):
        controls += chunk
        on_computed(len(chunk), sum(control.game[1] for control in chunk))
    numbers = {bot: number for number, bot in enumerate(bots)}
    means = {game: seconds[game] / count_packs(number) for game, number in blocks.items()}
    means = {game: MEAN_PACKS_PER_BLOCK * pack_s for game, pack_s in means.items()}
    for block in controls:
        means[block.game] += block.seconds / blocks[block.game]
    total_s = sum(seconds.values()) + sum(block.seconds for block in controls)
    return RunControls(collect_controls(controls, numbers), means, total_s)


def _sample_laws(
    plan: bytes, seed: str, blocks: Mapping[Game, int], workers: Workers
) -> tuple[dict[Game, LossLaw], dict[Game, float]]:
    """Return what the baseline loses at each game of so many blocks, and the seconds that workers took."""
    samples = [sample for game, number in blocks.items() for sample in plan_samples(game, number)]
    counts: dict[Game, dict[int, Counter[PairLoss]]] = {game: {} for game in blocks}
    seconds = dict.fromkeys(blocks, 0.0)
    for sample, (losses, took) in zip(
        samples, workers.map(partial(_count_sample, plan, seed), samples), strict=True
    ):
        counts[sample.game].setdefault(sample.seats, Counter()).update(losses)
        seconds[sample.game] += took
    return {game: make_law(by_seats) for game, by_seats in counts.items()}, seconds


def plan_samples(game: Game, blocks: int) -> Iterator[LossSample]:
    """Yield the packs to be played for a game of so many blocks."""
    packs = count_packs(blocks)
    for seats in range(2, game[1] + 1):
        for first in range(1, packs + 1, CHUNK_PACKS):
            yield LossSample(game, seats, range(first, min(first + CHUNK_PACKS, packs + 1)))


def count_packs(blocks: int) -> int:
    """Return how many packs are played for each number of seats in."""
    return max(MIN_MEAN_PACKS, MEAN_PACKS_PER_BLOCK * blocks)


def count_sample(rules: Rules, seed: str, sample: LossSample) -> Counter[PairLoss]:
    """Return the baseline's losses in a sample for a run with a seed; none for a game without tokens."""
    variant, players = sample.game
    if rules.settlement.initial_holdings(players).tokens is None:
        return Counter()
    seed = luck_seed(seed, variant, players, sample.seats)
    return count_losses(rules, players, sample.seats, seed, sample.packs)


def _count_sample(plan: bytes, seed: str, sample: LossSample) -> tuple[Counter[PairLoss], float]:
    begin, player = time.perf_counter(), get_block_player(plan)
    return count_sample(player.rules[sample.game[0]], seed, sample), time.perf_counter() - begin


def compute_block_controls(
    plan: bytes, laws: Mapping[Game, LossLaw], played: Sequence[tuple[Block, BlockResult]]
) -> list[BlockControl]:
    """Return the controls of blocks of a plan, in their order.

    Raises:
        StoreError: If actions of a block are illegal; it names the block.
    """
    player, controls = get_block_player(plan), []
    for block, result in played:
        begin = time.perf_counter()
        try:
            matches = [player.replay_match(block, match) for match in result.matches]
        except RecordError as error:
            where = f"block {block.index} ({block.address})"
            raise StoreError(f"{where} is damaged: {error}; run `arena verify` for more") from None
        luck = _deal_luck(player.rules[block.variant], laws[block.variant, block.players])
        control = control_block(block, luck, matches)
        controls.append(control._replace(seconds=time.perf_counter() - begin))
    return controls


def control_block(block: Block, luck: DealLuck, matches: Iterable[Match]) -> BlockControl:
    """Return the control of a block from its finished matches, one a seating."""
    known: dict[DealKey, Counts] = {}
    points: dict[BotPair, float] = {}
    for seating, match in zip(block.seatings, matches, strict=True):
        for (seat, other), value in luck.controls(match, known).items():
            first, second = seating[seat], seating[other]
            if first != second:
                pair, sign = ((first, second), 1) if first < second else ((second, first), -1)
                points[pair] = points.get(pair, 0.0) + sign * value
    return BlockControl(block.index, (block.variant, block.players), fold_of(block.address), points)


def fold_of(address: str) -> int:
    """Return the fold of a block: a hash of its address, so that it depends on no result."""
    return int.from_bytes(blake2b(address.encode(), digest_size=8).digest(), "big") % LUCK_FOLDS


def collect_controls(blocks: Iterable[BlockControl], numbers: Mapping[str, int]) -> dict[Game, Controls]:
    """Return the controls of blocks as arrays by game; bots are numbered by `numbers`."""
    rows: dict[Game, list[tuple[int, int, int, float, int]]] = {}
    for block in blocks:
        own = rows.setdefault(block.game, [])
        own += [
            (block.place, numbers[first], numbers[second], points, block.fold)
            for (first, second), points in block.points.items()
        ]
    return {game: _make_arrays(own) for game, own in rows.items()}


def _make_arrays(rows: Sequence[tuple[int, int, int, float, int]]) -> Controls:
    cluster, first, second, points, fold = zip(*rows, strict=True) if rows else ((),) * 5
    return Controls(
        cluster=np.array(cluster, np.int64),
        first=np.array(first, np.int64),
        second=np.array(second, np.int64),
        points=np.array(points, np.float64),
        fold=np.array(fold, np.int64),
    )


@lru_cache(maxsize=8)
def _deal_luck(rules: Rules, law: LossLaw) -> DealLuck:
    return DealLuck(rules, law)


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
        """Return the blocks of this game until both bots have so many."""
        if self.separated:
            return 0
        if needed is None or not self.goes_on:
            return None
        return math.ceil(max(0, needed - self.blocks) * self.of_run / self.blocks)


def forecast_run(
    run: Run, results: RunResults, pair: tuple[str, str] | None, confidence: float, power: float
) -> list[PairForecast]:
    """Return the forecasts for the games of `results`, for a pair or for each bot and the next.

    Raises:
        ConfigError: For a pair that is none, or that has no game in common.
    """
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
