"""Draws of fields of equals, of bots at even distances, and of bots that hardly ever take or lose a point."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from arena.rating.anytime import fit_anytime
from arena.rating.bradley_terry import win_probability
from arena.rating.comparisons import find_better
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage_laws import RANKS, draw_tables, play_tables
from benchmarks.coverage_names import BOUND, SHOWN

FIELDS: Final[dict[str, Sequence[float]]] = {
    "one hopeless": (150, 50, -50, -150, -1000),
    "two equal hopeless": (100, 0, -100, -900, -900),
    "one hopeless, others equal": (0, 0, 0, 0, -1000),
    "one nearly perfect": (1000, 50, 0, -50, -100),
    "one hopeless of 10": (*np.linspace(150, -150, 9).tolist(), -1000),
    "six equals": (0,) * 6,
    "ten equals": (0,) * 10,
    "three equals above three": (100, 100, 100, -100, -100, -100),
    "four over 100 Elo": (50, 17, -17, -50),
    "six over 250 Elo": (125, 75, 25, -25, -75, -125),
}
"""Fields of bots that play as in the rating model: their Elo, the best first."""
CYCLE: Final = "a circle of three and one hopeless"
THIRD_BOTS: Final = "third bots move 60 Elo, one hopeless"
ALL_TABLES: Final = (*list(FIELDS)[:4], CYCLE, THIRD_BOTS)
"""Fields of which all tables are played."""
LEAD: Final = 200 / ELO_PER_UNIT
"""Distance by which each bot of the circle beats the next."""


def draw_hopeless(
    field: str, seats: int, blocks: int, sampled: int, is_anytime: bool, rng: np.random.Generator
) -> dict[str, float]:
    """Play a field, and return whether ranks and bounds hold, and the share of true orders they show.

    Args:
        field: One of `FIELDS`, `CYCLE` or `THIRD_BOTS`; the latter two have five bots.
        seats: At a table.
        blocks: By table.
        sampled: Tables drawn; 0 for all.
        is_anytime: Whether the numbers are those that hold at all looks.
        rng: Source of luck.
    """
    elo = np.array(FIELDS.get(field, FIELDS["one hopeless, others equal"]), np.float64) / ELO_PER_UNIT
    size = len(elo)
    moved = np.zeros((size, size))
    if field == CYCLE:
        moved[[0, 1, 2], [1, 2, 0]] = LEAD / 2
        moved -= moved.T
    elif field == THIRD_BOTS:
        moved = rng.normal(0, 60 / ELO_PER_UNIT, (size, size)) * (1 - np.eye(size))

    def shift(seatings: IntArray) -> FloatArray:
        mates: FloatArray = moved[seatings[:, :, None], seatings[:, None, :]].sum(axis=2)
        return elo[seatings] + mates

    every = list(combinations(range(size), seats))
    tables = draw_tables(size, seats, sampled, rng) if sampled else every
    counts = play_tables(shift, size, tables, blocks, rng).counts()
    fit = (fit_anytime if is_anytime else fit_elo)(counts, are_tables_drawn=bool(sampled))
    strength = shift(np.array(every))
    scores = np.zeros(size)
    chance = win_probability(strength[:, :, None] - strength[:, None, :])
    np.add.at(scores, np.array(every), chance.sum(axis=2))
    return _judge(counts, fit, scores.round(9)) | _judge_bounds(counts, fit, elo * ELO_PER_UNIT, field)


def _judge(counts: PairCounts, fit: Fit, scores: FloatArray) -> dict[str, float]:
    """Return whether no order is wrong, and the share of the true ones that are shown."""
    better, truth = find_better(fit), scores[:, None] > scores
    holds = {RANKS: float(not (better & ~truth).any())}
    return holds | ({SHOWN: float(better[truth].mean())} if truth.any() else {})


def _judge_bounds(counts: PairCounts, fit: Fit, elo: FloatArray, field: str) -> dict[str, float]:
    """Return the share of bounds that hold, relative to the bots that have none."""
    bounds = np.array(fit.elo_bound, np.float64)
    bounded = ~np.isnan(bounds)
    others = ~bounded & np.array([not mark for mark in fit.mark])
    if not bounded.any() or not others.any() or field not in FIELDS:
        return {}
    truth = elo - elo[others].mean() + np.array(fit.elo)[others].mean()
    holds = np.where(bounds > np.array(fit.elo), truth < bounds, truth > bounds)
    return {BOUND: float(holds[bounded].mean())}
