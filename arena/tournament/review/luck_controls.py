"""Controls for luck of a run's blocks, computed from its stored actions, in workers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import islice
from typing import Final, NamedTuple

import msgspec
import numpy as np

from arena.errors import RecordError, StoreError
from arena.games import Match, Rules
from arena.games.seat_calculations import Counts
from arena.play.deal_luck import DealKey, DealLuck, LossLaw, PairLoss, count_losses, make_law
from arena.rating.luck_adjustment import LUCK_FOLDS, Controls
from arena.tournament.engine.block_player import RunPlan, get_block_player
from arena.tournament.engine.workers import Workers
from arena.tournament.results.results import RunResults
from arena.tournament.run import Run
from arena.tournament.schedule import Block, luck_seed
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.played_blocks import Game

CHUNK_BLOCKS: Final = 16
"""Blocks sent to a worker at a time."""

MEAN_PACKS_PER_BLOCK: Final = 4
"""Packs for the mean of the baseline's losses, for each number of seats in: their own error, common to all
blocks, was then at most 1 % of the variance of a rating at `lives`, `thirty-one` and `cuccu`."""
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
    """
    plan = msgspec.msgpack.encode(run_plan)
    blocks = {game: result.tally.blocks for game, result in results.games.items()}
    laws, seconds = _sample_laws(plan, run_plan.seed, blocks, workers)
    compute = partial(_compute_block_controls, plan, laws)
    controls: list[BlockControl] = []
    for chunk in workers.map(compute, iter(lambda: list(islice(played, CHUNK_BLOCKS)), [])):
        controls += chunk
        on_computed(len(chunk), sum(control.game[1] for control in chunk))
    numbers = {bot: number for number, bot in enumerate(bots)}
    means = {game: seconds[game] / _count_packs(number) for game, number in blocks.items()}
    means = {game: MEAN_PACKS_PER_BLOCK * pack_s for game, pack_s in means.items()}
    for block in controls:
        means[block.game] += block.seconds / blocks[block.game]
    total_s = sum(seconds.values()) + sum(block.seconds for block in controls)
    return RunControls(collect_controls(controls, numbers), means, total_s)


def _sample_laws(
    plan: bytes, seed: str, blocks: Mapping[Game, int], workers: Workers
) -> tuple[dict[Game, LossLaw], dict[Game, float]]:
    """Return what the baseline loses at each game with its number of blocks, and the seconds of workers."""
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
    """Yield the packs to be played for a game with a number of blocks."""
    packs = _count_packs(blocks)
    for seats in range(2, game[1] + 1):
        for first in range(1, packs + 1, CHUNK_PACKS):
            yield LossSample(game, seats, range(first, min(first + CHUNK_PACKS, packs + 1)))


def _count_packs(blocks: int) -> int:
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


def _compute_block_controls(
    plan: bytes, laws: Mapping[Game, LossLaw], played: Sequence[tuple[Block, BlockResult]]
) -> list[BlockControl]:
    """Return the controls of blocks of a plan, in their order."""
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
