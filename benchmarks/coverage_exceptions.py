"""Draws that measure means over blocks, and how often a table names a pair, bot or game for nothing.

Each draw returns, by the name of a number, whether it held or erred: 0 or 1, or the share of bots or pairs.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from arena.rating.collusion import find_colluding_pairs
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.mean_intervals import ClusteredMeans, compute_pair_scores
from arena.rating.model_fit import assess_model_fit, compute_pair_residuals
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.student_t import estimate_mean
from arena.rating.two_bots import ELO_PER_UNIT, elo_from_score, estimate_block_elo, expected_score
from arena.tournament.results.rating_rows import MIN_PAYOFF_BLOCKS
from benchmarks import model_fit
from benchmarks.block_elo_coverage import draw_block_scores
from benchmarks.coverage_laws import (
    draw_tables,
    play_tables,
)
from benchmarks.coverage_names import (
    COLLUSION,
    CYCLES,
    INTERVAL,
    MEAN,
    NAMED,
)
from benchmarks.sequential_tests import (
    LAWS,
)


def draw_mean(law: str, blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Draw blocks, and take the mean."""
    mean = estimate_mean((LAWS[law](rng, (blocks,)) - 0.5).tolist())
    return {} if mean.error is None else {MEAN: float(abs(mean.value or 0.0) <= mean.error)}


def draw_payoff(blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Draw payoffs of four seats in four matches on the same cards, some blocks stopped half way."""
    means = ClusteredMeans(1)
    for block in range(blocks):
        payoffs = np.round(rng.normal(0, 2) + rng.exponential(5, rng.choice([2, 4]))).astype(int)
        means.add(np.full(len(payoffs), block), np.zeros(len(payoffs)), payoffs)
    mean = means.mean(0)
    truth = sum(np.exp(-(k - 0.5) / 5) for k in range(1, 200))  # of the exponential, rounded
    if mean.value is None or mean.error is None:
        return {}
    return {MEAN: float(abs(mean.value - truth) <= mean.error)}


def draw_rare_losses(blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Draw payoffs of one seat that gains 0 to 2 in most blocks, and loses 20 in one of 20."""
    payoffs = np.where(rng.random(blocks) < 0.05, -20, rng.integers(0, 3, blocks))
    means = ClusteredMeans(1)
    means.add(np.arange(blocks), np.zeros(blocks), payoffs)
    mean = means.mean(0)
    if mean.value is None or mean.error is None or blocks < MIN_PAYOFF_BLOCKS:
        return {}
    return {MEAN: float(abs(mean.value - (0.95 - 0.05 * 20)) <= mean.error)}


def draw_track(score: float, seats: int, blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a checkpoint against a field."""
    scores = draw_block_scores((1, blocks), seats, score, 0.3, rng)[0].tolist()
    estimate, elo = estimate_block_elo(scores), elo_from_score(score)
    assert elo is not None
    low, high = estimate.low, estimate.high
    return {INTERVAL: float((low is None or low <= elo) and (high is None or elo <= high))}


def draw_matrix(blocks: int, rng: np.random.Generator) -> dict[str, float]:
    """Play a round robin, and take the scores of pairs; the rest is exceptions that are not there."""
    elo = np.array([200.0, 100, 50, 0, 0, -100, -250])
    every = list(combinations(range(7), 4))
    counts = play_tables(lambda seatings: elo[seatings] / ELO_PER_UNIT, 7, every, blocks, rng).counts()
    fit, holds = fit_elo(counts), []
    for score in compute_pair_scores(counts):
        if score.error is not None:
            holds.append(abs(score.score - expected_score(elo[score.bot] - elo[score.other])) <= score.error)
    return {"± of a pair (`--matrix`)": float(np.mean(holds))} | _find_exceptions(counts, fit)


def _find_exceptions(counts: PairCounts, fit: Fit) -> dict[str, float]:
    named, residuals = assess_model_fit(counts, fit), compute_pair_residuals(counts, fit)
    return {
        NAMED: float(named is not None and named.is_rejected),
        CYCLES: float(bool(residuals) and residuals[0].p < 0.05),
    }


def draw_field(field: str, rng: np.random.Generator) -> dict[str, float]:
    """Play a field of `model_fit`, whose ratings explain it."""
    counts = model_fit.play(model_fit.FIELDS[field], rng)
    return _find_exceptions(counts, fit_elo(counts))


def draw_season(effect: float, rng: np.random.Generator) -> dict[str, float]:
    """Play drawn tables of 20 honest bots, with third bots that help or harm others by chance."""
    elo = np.linspace(100, -100, 20)
    mate = rng.normal(0, effect / ELO_PER_UNIT, (20, 20)) if effect else np.zeros((20, 20))
    np.fill_diagonal(mate, 0)
    tables = draw_tables(20, 4, 600, rng)

    def shift(seatings: np.ndarray) -> FloatArray:
        moved: FloatArray = elo[seatings] / ELO_PER_UNIT
        return moved + mate[seatings[:, :, None], seatings[:, None, :]].sum(axis=2)

    counts = play_tables(shift, 20, tables, 1, rng).counts()
    fit = fit_elo(counts, are_tables_drawn=True)
    return {COLLUSION: float(bool(find_colluding_pairs(counts, fit)))} | _find_exceptions(counts, fit)
