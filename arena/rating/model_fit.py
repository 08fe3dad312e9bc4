"""Test whether ratings explain the results of all pairs, and find the pair that they explain worst.

Of all pairs the one with the least p of Student's t is tested, against the largest of as many normal
variables with the same correlations; see `arena.rating.pair_residuals` for these.
Source: T. Hothorn, F. Bretz, P. Westfall, Simultaneous inference in general parametric models, Biometrical J.
50, 2008.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.rating.elo_fit import Fit
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.pair_residuals import compute_residuals_by_pair
from arena.rating.student_t import CONFIDENCE, normal_quantile

MAX_FALSE_ALARMS: Final = 1 - CONFIDENCE
"""Share of fields that the ratings explain in which a pair is named all the same."""
DRAWS: Final = 4_999
SEED: Final = 36
"""Seed of the draws, so that a table is always the same."""


@dataclass(frozen=True)
class ModelFit:
    """Test whether ratings explain the results of pairs, by the pair that they explain worst.

    Attributes:
        pairs: Number of pairs tested: those that met in at least 6 blocks.
        blocks: Largest number of blocks in which one of them met.
        bot: The bot of the worst pair that did better than its rating.
        other: Its opponent.
        score: Share of the points that `bot` took from `other`.
        expected: Share that the ratings predict.
        p: Probability of a pair that is explained so badly if the ratings explain all (largest of all pairs).
    """

    pairs: int
    blocks: int
    bot: int
    other: int
    score: float
    expected: float
    p: float

    @property
    def is_rejected(self) -> bool:
        """True if ratings do not explain the results; wrong in at most 5 % of fields that they explain."""
        return self.p < MAX_FALSE_ALARMS


def assess_model_fit(counts: PairCounts, fit: Fit) -> ModelFit | None:
    """Return the test of all pairs; None where ratings can explain anything, as those of two bots.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
    residuals = compute_residuals_by_pair(counts, fit)
    met = np.count_nonzero(np.triu(counts.points() + counts.points().T))
    if not len(residuals.first) or met <= sum(len(group) - 1 for group in fit.connected_groups):
        return None
    p_values = residuals.p_values()
    worst = int(np.argmin(p_values))
    p = _adjust(float(p_values[worst]), residuals.covariance)
    pair = (int(residuals.first[worst]), int(residuals.second[worst]))
    expected = float(residuals.expected[worst])
    score = expected + float(residuals.excess[worst] / residuals.games[worst])
    if score < expected:
        pair, score, expected = (pair[1], pair[0]), 1 - score, 1 - expected
    return ModelFit(len(residuals.first), int(residuals.blocks.max()), *pair, score, expected, p)


def _adjust(p: float, covariance: FloatArray) -> float:
    """Return the probability that the least p of all pairs is so small (Bonferroni without correlations)."""
    bonferroni = min(1.0, p * len(covariance))
    if covariance.ndim == 1:
        return bonferroni
    scale = np.sqrt(np.maximum(covariance.diagonal(), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn = np.random.default_rng(SEED).normal(size=(DRAWS, len(values))) @ root.T
    reach = -normal_quantile(max(p / 2, 1e-300))
    larger = int(np.count_nonzero(np.abs(drawn).max(axis=1) >= reach - 1e-9))
    return min(bonferroni, (larger + 1) / (DRAWS + 1))
