"""Test whether ratings explain the results of all pairs, and find the pair that they explain worst.

A residual is what a bot took from another beyond what the ratings predict. The ratings were fitted to the
same results, so a block moves its own prediction: with e the points of a block beyond expectation by pair, V
the variances n p (1 - p) of independent games, B the incidence of pairs and bots, w the weight of a pair and
H the information of the fit, a block adds r = e - V B H⁻¹ Bᵀ w e to the residuals, to first order. So Σ r rᵀ
over blocks is their covariance. Of all pairs the one with the least p of Student's t is tested, against the
largest of as many normal variables with the same correlations.
Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73,
1986; T. Hothorn, F. Bretz, P. Westfall, Simultaneous inference in general parametric models, Biometrical J.
50, 2008.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import (
    ELO_PER_UNIT,
    MEAN_ELO,
    VIRTUAL_DRAWS,
    compute_residuals,
    win_probability,
)
from arena.rating.elo import Fit
from arena.rating.intervals import CONFIDENCE, MIN_BLOCKS, normal_quantile, t_cdf
from arena.rating.intransitivity import MIN_EXPECTED_POINTS
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts
from arena.rating.rating_model import MODEL

MAX_FALSE_ALARMS: Final = 1 - CONFIDENCE
"""Share of fields that the ratings explain in which a pair is named all the same."""
MAX_BOTS: Final = 30
"""Largest field whose correlations of pairs are computed; larger ones have Bonferroni's correction."""
DRAWS: Final = 4_999
SEED: Final = 36
"""Seed of the draws, so that a table is always the same."""
CLUSTERS_AT_ONCE: Final = 2_000
"""Blocks held in memory as a matrix by pair."""


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


class _Residuals(NamedTuple):
    """Sums by pair that met often enough, and the covariance of the residuals or its diagonal alone."""

    first: IntArray
    second: IntArray
    blocks: IntArray
    games: FloatArray
    expected: FloatArray
    excess: FloatArray
    covariance: FloatArray


def assess_model_fit(counts: PairCounts, fit: Fit) -> ModelFit | None:
    """Return the test of all pairs; None where ratings can explain anything, as those of two bots.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
    found = _compute_residuals(counts, fit)
    met = np.count_nonzero(np.triu(counts.points() + counts.points().T))
    if not len(found.first) or met <= sum(len(group) - 1 for group in fit.connected_groups):
        return None
    worst, p = _find_worst(found, counts.weight)
    p = _adjust(p, found.covariance)
    pair = (int(found.first[worst]), int(found.second[worst]))
    expected = float(found.expected[worst])
    score = expected + float(found.excess[worst] / found.games[worst])
    if score < expected:
        pair, score, expected = (pair[1], pair[0]), 1 - score, 1 - expected
    return ModelFit(len(found.first), int(found.blocks.max()), *pair, score, expected, p)


def _compute_residuals(counts: PairCounts, fit: Fit) -> _Residuals:
    strength = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT
    size = len(counts.bots)
    blocks, games, excess, squares = (np.zeros(size**2) for _ in range(4))
    for rows in counts.chunks():
        pair, residual = rows.first * size + rows.second, compute_residuals(rows, strength)
        blocks += np.bincount(pair, minlength=size**2)
        games += np.bincount(pair, rows.won + rows.lost, size**2)
        excess += np.bincount(pair, residual, size**2)
        squares += np.bincount(pair, residual**2, size**2)
    tested = np.flatnonzero(blocks >= MIN_BLOCKS)
    chance = win_probability(strength[:, None] - strength).ravel()
    if size <= MAX_BOTS:
        met = np.flatnonzero(blocks)
        places = np.searchsorted(met, tested)
        covariance = _compute_covariance(counts, strength, met, games[met])[np.ix_(places, places)]
    else:
        covariance = squares[tested]
    first, second = np.divmod(tested, size)
    at = (blocks[tested].astype(np.int64), games[tested], chance[tested], excess[tested])
    return _Residuals(first, second, *at, covariance)


def _compute_covariance(
    counts: PairCounts, strength: FloatArray, met: IntArray, games: FloatArray
) -> FloatArray:
    """Return the covariance of the residuals of the pairs `met`, given their games."""
    size = len(counts.bots)
    first, second = np.divmod(met, size)
    incidence = np.zeros((len(met), size))
    incidence[np.arange(len(met)), first] = 1
    incidence[np.arange(len(met)), second] = -1
    inverse = MODEL.sensitivity(counts.points(), counts.weight, strength)
    chance = win_probability(strength[first] - strength[second])
    variance = games * chance * (1 - chance)
    along = variance[:, None] * (incidence @ inverse @ incidence.T) * counts.weight
    products = np.zeros((len(met), len(met)))
    for rows in counts.chunks():
        cluster = np.cumsum(np.diff(rows.cluster, prepend=rows.cluster[0]) > 0)
        pair = np.searchsorted(met, rows.first * size + rows.second)
        residual = compute_residuals(rows, strength)
        for start in range(0, int(cluster[-1]) + 1, CLUSTERS_AT_ONCE):
            low, high = np.searchsorted(cluster, (start, start + CLUSTERS_AT_ONCE))
            part = np.zeros((CLUSTERS_AT_ONCE, len(met)))
            part[cluster[low:high] - start, pair[low:high]] = residual[low:high]
            products += part.T @ part
    left = np.eye(len(met)) - along
    covariance: FloatArray = left @ products @ left.T
    return covariance


def _find_worst(found: _Residuals, weight: float) -> tuple[int, float]:
    """Return the place of the pair with the least p of Student's t, and that p; of equals the first.

    Where the weaker bot should hardly take a point, blocks that came out alike do not show their variance: it
    is at least that of independent games. Less than a match away from expectation counts as 0: so much may be
    due to the virtual draws.
    """
    seen = found.covariance if found.covariance.ndim == 1 else found.covariance.diagonal()
    rare = found.games * np.minimum(found.expected, 1 - found.expected) < MIN_EXPECTED_POINTS
    least = np.where(rare, found.games * found.expected * (1 - found.expected), 0.0)
    variance = np.maximum(seen, least) * found.blocks / (found.blocks - 1)
    away = (np.abs(found.excess) * weight >= VIRTUAL_DRAWS) & (variance > 0)
    t = np.abs(np.divide(found.excess, np.sqrt(variance), out=np.zeros(len(found.excess)), where=away))
    candidates = []
    for blocks in np.unique(
        found.blocks
    ).tolist():  # of equal degrees of freedom the largest t has the least p
        place = int(np.argmax(np.where(found.blocks == blocks, t, -1.0)))
        candidates.append((2 * t_cdf(-float(t[place]), blocks - 1), place))
    p, worst = min(candidates)
    return worst, p


def _adjust(p: float, covariance: FloatArray) -> float:
    """Return the probability that the least p of all pairs is so small."""
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
