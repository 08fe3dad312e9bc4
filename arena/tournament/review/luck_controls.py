"""Controls for luck of a run's blocks, computed from its stored actions, in workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import islice
from typing import Final, NamedTuple

import msgspec
import numpy as np

from arena.errors import RecordError, StoreError
from arena.games import Match, Rules
from arena.play.deal_luck import DealKey, DealLuck, Losses
from arena.rating import LUCK_FOLDS, Controls
from arena.tournament.running.run import Run
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import BlockResult
from arena.tournament.storage.tally import Game
from arena.tournament.workers.block_player import get_block_player
from arena.tournament.workers.executors import Workers

CHUNK_BLOCKS: Final = 16
"""Blocks sent to a worker at a time."""

BotPair = tuple[str, str]


class BlockControl(NamedTuple):
    """Control of a block: the points that its cards were worth to the first bot of each pair."""

    place: int
    """In the schedule."""
    game: Game
    fold: int
    points: dict[BotPair, float]
    seconds: float = 0.0
    """Of work; no part of any rating."""


class RunControls(NamedTuple):
    """Controls of a run's blocks."""

    by_game: dict[Game, Controls]
    block_seconds: dict[Game, float]
    """Mean time that a worker took for the control of a block."""


def compute_run_controls(
    run: Run, workers: Workers, on_computed: Callable[[int, int], None] = lambda blocks, matches: None
) -> RunControls:
    """Return the controls of the blocks played so far.

    Args:
        run: The run.
        workers: Who replays its matches.
        on_computed: Called with numbers of blocks and matches as they are finished.

    Raises:
        StoreError: A block is damaged.
    """
    compute = partial(compute_block_controls, msgspec.msgpack.encode(run.plan()))
    played = run.played()
    found: list[BlockControl] = []
    for chunk in workers.map(compute, iter(lambda: list(islice(played, CHUNK_BLOCKS)), [])):
        found += chunk
        on_computed(len(chunk), sum(one.game[1] for one in chunk))
    numbers = {bot.name: number for number, bot in enumerate(run.config.bots)}
    seconds: dict[Game, list[float]] = {}
    for block in found:
        seconds.setdefault(block.game, []).append(block.seconds)
    means = {game: sum(values) / len(values) for game, values in seconds.items()}
    return RunControls(collect_controls(found, numbers), means)


def compute_block_controls(plan: bytes, played: Sequence[tuple[Block, BlockResult]]) -> list[BlockControl]:
    """Return the controls of blocks of a plan, in their order.

    Raises: StoreError, which names the block, if its actions are illegal.
    """
    player, found = get_block_player(plan), []
    for block, result in played:
        begin = time.perf_counter()
        try:
            matches = [player.replay_match(block, one) for one in result.matches]
        except RecordError as error:
            where = f"block {block.index} ({block.address})"
            raise StoreError(f"{where} is damaged: {error}; run `arena verify` for more") from None
        control = control_block(block, player.rules[block.variant], matches)
        found.append(control._replace(seconds=time.perf_counter() - begin))
    return found


def control_block(block: Block, rules: Rules, matches: Iterable[Match]) -> BlockControl:
    """Return the control of a block from its finished matches, one a seating."""
    luck, known = _deal_luck(rules), dict[DealKey, Losses]()
    points: dict[BotPair, float] = {}
    for seating, match in zip(block.seatings, matches, strict=True):
        for (one, other), value in luck.controls(match, known).items():
            first, second = seating[one], seating[other]
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
def _deal_luck(rules: Rules) -> DealLuck:
    return DealLuck(rules)
