"""Tournaments whose tables depend on results, drawn from known laws: a Swiss, and the pairing of a league."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from arena.league.update import Entrant, GamePairing
from arena.rating.anytime import fit_anytime
from arena.rating.comparisons import compute_comparison_errors
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.overall import RatingInformation
from arena.rating.pair_counts import FloatArray, IntArray, PairCounter, PairCounts
from arena.tournament.formats import make_format
from arena.tournament.schedule import Block
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, MatchResult

Shift = Callable[[IntArray], FloatArray]
"""The strengths by match and seat, given the bots by match and seat."""
MAX_DECISIONS: Final = 60


def play_swiss(
    shift: Shift, size: int, seats: int, rounds: int, blocks: int, rng: np.random.Generator
) -> tuple[Fit, list[int]]:
    """Return the fit of a Swiss tournament of the arena and its standings, the bots by number.

    Args:
        shift: See `Shift`.
        size: Number of bots.
        seats: At a table.
        rounds: Number of rounds.
        blocks: Of a table in a round.
        rng: Source of luck and pairing.
    """
    names = [f"bot{number:02}" for number in range(size)]
    table = {
        "bots": [{"bot": "greedy", "name": name} for name in names],
        "variants": [{"name": "lives", "players": seats}],
        "format": "swiss",
        "rounds": rounds,
        "blocks": blocks,
    }
    config = make_config(table, base=Path(), where="benchmark")
    swiss = make_format(config, str(rng.integers(1 << 62)))
    counter = PairCounter(names, seats)
    while stage := swiss.next_stage():
        played = [(block, *_play_block(block, shift, rng)) for block in stage]
        for block, seatings, placings in played:
            counter.add(np.full(len(seatings), block.index), seatings, placings)
        swiss.observe((block, _result(block, placings)) for block, _, placings in played)
    board = swiss.scoreboard()
    assert board is not None
    standings = [names.index(row.bot) for row in board.rows]
    return fit_elo(counter.counts(), are_tables_drawn=True), standings


def play_league(
    shift: Shift, size: int, seats: int, budget: int, precision: float, rng: np.random.Generator
) -> Fit:
    """Return the fit of a league after an update in which every bot is new; see `list_league_counts`."""
    *_, last = list_league_counts(shift, size, seats, [(budget, precision)], rng)
    return fit_elo(last, are_tables_drawn=True)


def list_league_counts(
    shift: Shift,
    size: int,
    seats: int,
    updates: Sequence[tuple[int, float]],
    rng: np.random.Generator,
) -> Iterator[PairCounts]:
    """Yield the counts of a league after each decision of its updates.

    Args:
        shift: See `Shift`.
        size: Number of bots.
        seats: At a table.
        updates: Blocks of a bot in each, and the ± at which a bot asks for no more.
        rng: Source of luck and pairing.
    """
    counter, cluster = PairCounter([f"bot{number:02}" for number in range(size)], seats), 0
    of_tables: Counter[tuple[int, ...]] = Counter()
    for budget, precision in updates:
        played = np.zeros(size, np.int64)
        for _ in range(MAX_DECISIONS):
            counts = counter.counts()
            fit = fit_anytime(counts, are_tables_drawn=True)
            entrants = [
                Entrant(bot, str(bot), bar if bound is None else None, fit.blocks[bot], True)
                for bot, (bar, bound) in enumerate(
                    zip(compute_comparison_errors(fit), fit.elo_bound, strict=True)
                )
            ]
            information = RatingInformation(counts, fit, range(size))
            pairing = GamePairing(entrants, seats, precision, information, of_tables, rng)
            left = dict(enumerate((budget - played).tolist()))
            pairing.set_budget(list(left.values()))
            if not pairing.asking:
                break
            while pairing.asking:
                if (plan := pairing.choose(left)) is None:
                    continue
                order = rng.permutation(plan.bots)
                seatings = np.tile([np.roll(order, turn) for turn in range(seats)], (plan.blocks, 1))
                clusters = cluster + np.arange(len(seatings)) // seats
                counter.add(clusters, seatings, _play(seatings, shift, rng))
                cluster += plan.blocks
                played[list(plan.bots)] += plan.blocks
                of_tables[tuple(sorted(plan.bots))] += plan.blocks
                left |= {bot: left[bot] - plan.blocks for bot in plan.bots}
            yield counter.counts()


def _play(seatings: IntArray, shift: Shift, rng: np.random.Generator) -> IntArray:
    luck = shift(seatings) + rng.gumbel(size=seatings.shape)
    placings: IntArray = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
    return placings


def _play_block(block: Block, shift: Shift, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    seatings = np.array([[int(bot[3:]) for bot in seating] for seating in block.seatings])
    return seatings, _play(seatings, shift, rng)


def _result(block: Block, placings: IntArray) -> BlockResult:
    matches = [MatchResult(tuple(own), (0,) * len(own), (), b"") for own in placings.tolist()]
    return BlockResult(block.index, tuple(matches))
