"""Draws that measure whether the level of Elo stays: in reruns, in extensions, and as bots come and go.

Each draw returns, by the name of a number, the share of bots or pairs for which it held.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from arena.league.standings import compute_shift
from arena.rating.comparisons import compute_comparison_errors
from arena.rating.elo_fit import Fit, find_center, fit_elo
from arena.rating.overall import compute_overall_ratings
from arena.rating.pair_counts import PairCounter
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO
from benchmarks.coverage_laws import ERROR, draw_tables, find_surplus, play_round_robin, play_tables
from benchmarks.coverage_names import (
    EXTENDED_BAR,
    EXTENDED_ERROR,
    JOINED,
    LEAGUE_LEVEL,
    OVERALL,
    OVERALL_ORDER,
    OVERALL_PRINTED,
)

FIRST_BLOCKS: Final = 20
"""Blocks of a bot, or a few more, before the run is extended to three times as many."""
MOVED: Final = 5.0
"""Largest Elo by which bots may move when a hopeless one joins."""
CLEAR: Final = 100.0
"""True distance from which an overall order should be right, in Elo."""


class Field(NamedTuple):
    """Bots of true Elo, the last of which are hopeless, at tables of so many seats."""

    elo: Sequence[float]
    seats: int
    hopeless: int = 0


FIELDS: Final = {
    "five equals": Field([0] * 5, 2),
    "chain of 12": Field([-100 * step for step in range(12)], 2),
    "one of five at the edge of a bound": Field([150, 50, -50, -150, -480], 2, 1),
    "one of five at the edge of a bound, four seats": Field([150, 50, -50, -150, -700], 4, 1),
    "one hopeless of five": Field([150, 50, -50, -150, -1000], 2, 1),
    "two hopeless of six": Field([150, 50, -50, -150, -900, -900], 2, 2),
    "one far above four": Field([50, 0, -50, -100, 700], 2, 1),
    "two and one hopeless": Field([100, 0, -700], 3, 1),
    "eleven and one hopeless": Field([*np.linspace(250, -250, 11).tolist(), -900], 4, 1),
}


def draw_level(name: str, rng: np.random.Generator) -> dict[str, float]:
    """Play a field, extend it, and compare what is printed of the bots that are not hopeless."""
    field = FIELDS[name]
    size = len(field.elo)
    truth = np.array(field.elo, np.float64)
    tables: Sequence[tuple[int, ...]] = list(combinations(range(size), field.seats))
    if name.startswith("chain"):
        tables = [(step, step + 1) for step in range(size - 1)]
    elif size == 12:
        tables = draw_tables(size, field.seats, 12, rng)
    blocks = max(6, -(-FIRST_BLOCKS // max(1, sum(0 in table for table in tables))))
    strength = truth / ELO_PER_UNIT
    counter = play_tables(lambda bots: strength[bots], size, tables, blocks, rng)
    first = fit_elo(counter.counts())
    played = blocks * len(tables)
    play_tables(lambda bots: strength[bots], size, tables, 2 * blocks, rng, counter, played)
    last = fit_elo(counter.counts())
    known = list(range(size - field.hopeless))
    before, after = np.array(first.elo)[known], np.array(last.elo)[known]
    errors = np.array(first.error, np.float64)[known]
    bars = np.array(compute_comparison_errors(first), np.float64)[known]
    moved, surplus = np.abs(after - before), np.abs(find_surplus(first, truth))
    shares = {
        ERROR: (surplus[known] <= errors)[~np.isnan(errors)],
        EXTENDED_ERROR: (moved <= errors)[~np.isnan(errors)],
        EXTENDED_BAR: (moved <= bars)[~np.isnan(bars)],
        JOINED: np.array([abs(find_center(before).elo - MEAN_ELO) <= MOVED] if field.hopeless else []),
    }
    return {number: float(held.mean()) for number, held in shares.items() if len(held)}


def draw_growing_league(rng: np.random.Generator) -> dict[str, float]:
    """Play twelve updates of a league of four bots, to which a bot comes in each: the third always hopeless.

    Others are stronger by 50 Elo an update. Each update has two blocks of ten tables drawn.
    """
    joined = [50 * update if update % 3 else -900 for update in range(1, 13)]
    elo = np.array([100, 30, -30, -100, *joined], np.float64)
    counter, played = PairCounter([f"bot {number}" for number in range(len(elo))], 4), 0
    ladder: dict[int, float] = {}
    first: Fit | None = None
    for update in range(13):
        tables = draw_tables(4 + update, 4, 10, rng)
        play_tables(lambda bots: elo[bots] / ELO_PER_UNIT, len(elo), tables, 2, rng, counter, played)
        played += 2 * len(tables)
        fit = fit_elo(counter.counts(), are_tables_drawn=True)
        first = first or fit
        rated = [bot for bot, blocks in enumerate(fit.blocks) if blocks]
        shift = compute_shift([(ladder.get(bot), fit.elo[bot]) for bot in rated])
        ladder = {bot: fit.elo[bot] + shift for bot in rated}
    assert first is not None
    truth = elo[:4] - find_center(elo[:4]).elo + MEAN_ELO
    held = [
        abs(ladder[bot] - before) <= error
        for bot, before, error in zip(range(4), truth.tolist(), first.error, strict=False)
        if error is not None
    ]
    return {LEAGUE_LEVEL: float(np.mean(held))} if held else {}


def draw_young_league(blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a league of four at a game in which two are far above the others, and at another a sixth as often.

    At the other all are level.
    """
    truths = np.array([[520.0, 470, -450, -540], [0, 0, 0, 0]])
    laws = [
        play_round_robin(own.tolist(), 4, number)
        for own, number in zip(truths, (blocks, blocks // 6), strict=True)
    ]
    fits = [law(rng).fit for law in laws]
    truth = np.mean([own - find_center(own).elo for own in truths], axis=0)
    rated = compute_overall_ratings(fits)
    elo = np.array([rating.elo for rating in rated], np.float64)
    errors = np.array([rating.error for rating in rated], np.float64)
    shares = {
        OVERALL: (np.abs(elo - MEAN_ELO - truth) <= errors)[~np.isnan(errors)],
        OVERALL_ORDER: np.array(
            [
                elo[bot] > elo[other]
                for bot, other in combinations(range(4), 2)
                if truth[bot] - truth[other] > CLEAR and not np.isnan(elo[[bot, other]]).any()
            ]
        ),
        OVERALL_PRINTED: ~np.isnan(errors),
    }
    return {number: float(held.mean()) for number, held in shares.items() if len(held)}
