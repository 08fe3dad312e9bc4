"""The fit of ratings to the results of all pairs: tests, residuals, cycles and calibration.

Residuals of pairs serve two tests: one of all pairs together, and one of each pair, which finds cycles.
Calibration compares predictions with blocks that the ratings were not fitted to.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import (
    VIRTUAL_DRAWS,
    compute_residuals,
    compute_sensitivity,
    estimate_ratings,
    win_probability,
)
from arena.rating.elo_fit import Fit
from arena.rating.mean_intervals import t_cdfs
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts, PairRows
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS, normal_quantile, t_half_width
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

# --- pair residuals ---
# A residual is the points of a pair beyond what the ratings predict.
#
# The ratings were fitted to the same results, so a block moves its own prediction: with e the points of a
# block beyond expectation by pair, V the variances n p (1 - p) of independent games, B the incidence of pairs
# and bots, w the weight of a pair and H the information of the fit, a block adds r = e - V B H⁻¹ Bᵀ w e to
# the residuals, to first order. So Σ r rᵀ over blocks is their covariance. Source: K.-Y. Liang, S. Zeger,
# Longitudinal data analysis using generalized linear models, Biometrika 73, 1986.

MIN_EXPECTED_POINTS: Final = 10.0
"""A bot expected to take fewer points in all blocks takes one too rarely for its variance to be observed."""
MAX_BOTS: Final = 30
"""Largest field whose covariance is computed; in larger ones blocks do not move their own prediction."""
CLUSTERS_AT_ONCE: Final = 2_000
"""Blocks held in memory as a matrix by pair."""


class _PairResiduals(NamedTuple):
    """Sums by pair that met in at least 6 blocks, and the covariance of the residuals or its diagonal alone.

    Attributes:
        first: The bot of the lower number.
        second: Its opponent.
        blocks: Blocks in which they met.
        games: Their games.
        expected: Share of the points of `first` that the ratings predict.
        excess: Its points beyond that.
        covariance: Of `excess`: a matrix, or its diagonal for more than 30 bots.
        weight: Weight of a game.
    """

    first: IntArray
    second: IntArray
    blocks: IntArray
    games: FloatArray
    expected: FloatArray
    excess: FloatArray
    covariance: FloatArray
    weight: float

    def statistics(self) -> FloatArray:
        """Return Student's t of each pair, with one degree of freedom fewer than it has blocks.

        Where the weaker bot should hardly take a point, blocks that came out alike do not show their
        variance: it is at least that of independent games. Less than a match away from expectation counts as
        0: so much may be due to the virtual draws.
        """
        seen = self.covariance if self.covariance.ndim == 1 else self.covariance.diagonal()
        rare = self.games * np.minimum(self.expected, 1 - self.expected) < MIN_EXPECTED_POINTS
        least = np.where(rare, self.games * self.expected * (1 - self.expected), 0.0)
        variance = np.maximum(seen, least) * self.blocks / (self.blocks - 1)
        away = (np.abs(self.excess) * self.weight >= VIRTUAL_DRAWS) & (variance > 0)
        return np.divide(self.excess, np.sqrt(variance), out=np.zeros(len(self.excess)), where=away)

    def p_values(self) -> FloatArray:
        """Return the probability of so large a |t| of each pair alone, if ratings explain everything."""
        return 2 * t_cdfs(-np.abs(self.statistics()), self.blocks - 1)


def _compute_residuals_by_pair(counts: PairCounts, fit: Fit) -> _PairResiduals:
    """Return the residuals of all pairs that met in at least 6 blocks.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
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
    return _PairResiduals(first, second, *at, covariance, counts.weight)


def _compute_covariance(
    counts: PairCounts, strength: FloatArray, met: IntArray, games: FloatArray
) -> FloatArray:
    """Return the covariance of the residuals of the pairs `met`, given their games."""
    size = len(counts.bots)
    first, second = np.divmod(met, size)
    incidence = np.zeros((len(met), size))
    incidence[np.arange(len(met)), first] = 1
    incidence[np.arange(len(met)), second] = -1
    inverse = compute_sensitivity(counts.points(), counts.weight, strength)
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


# --- test of all pairs ---
# Of all pairs the one with the least p of Student's t is tested, against the largest of as many normal
# variables with the same correlations, those of the residuals. Source: T. Hothorn, F. Bretz, P. Westfall,
# Simultaneous inference in general parametric models, Biometrical J. 50, 2008.

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
    residuals = _compute_residuals_by_pair(counts, fit)
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


# --- intransitivity ---
# Pairs of bots whose results no single scale of strength explains: A beats B beats C beats A.


@dataclass(frozen=True)
class PairResidual:
    """The scores of a pair of bots against each other, compared with what their ratings predict.

    At tables of more than two it is about shared tables, where a third bot may be the cause.

    Attributes:
        bot: The bot that did better than expected.
        other: Its opponent.
        blocks: Blocks in which they met.
        score: Share of the points that `bot` took.
        expected: Share that the ratings predict.
        z: Residual in standard errors, at least 0; Student's t with a degree of freedom fewer than blocks.
        p: Probability of so large a |z| in any of the pairs tested if ratings explained everything (Holm):
            small means a real exception.
    """

    bot: int
    other: int
    blocks: int
    score: float
    expected: float
    z: float
    p: float


def compute_pair_residuals(counts: PairCounts, fit: Fit) -> tuple[PairResidual, ...]:
    """Return the residuals of all pairs that met in at least 6 blocks, the least p first.

    Args:
        counts: Counts of the matches.
        fit: The fit to the same counts.
    """
    sums = _compute_residuals_by_pair(counts, fit)
    t, p_values = sums.statistics(), sums.p_values()
    order = np.lexsort((-np.abs(t), p_values))
    residuals = []
    for place, p in zip(order.tolist(), adjust_holm(p_values[order].tolist()), strict=True):
        pair, expected = (int(sums.first[place]), int(sums.second[place])), float(sums.expected[place])
        excess = float(sums.excess[place])
        if excess < 0:
            pair, expected = pair[::-1], 1 - expected
        score = expected + abs(excess) / float(sums.games[place])
        z = abs(float(t[place]))
        residuals.append(PairResidual(*pair, int(sums.blocks[place]), score, expected, z, p))
    return tuple(residuals)


def adjust_holm(p_values: list[float]) -> list[float]:
    """Return p-values adjusted for multiple tests, in the same order; they must ascend.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 1979.

    Example:
        >>> adjust_holm([0.125, 0.25])
        [0.25, 0.25]
    """
    adjusted = []
    largest = 0.0
    for rank, p in enumerate(p_values):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p))
        adjusted.append(largest)
    return adjusted


# --- calibration ---

FOLDS: Final = 5
BIN_WIDTH: Final = 0.1
"""Width of a class of predictions."""


class CalibrationBin(NamedTuple):
    """Pairs of seats with a similar prediction for the favourite.

    Attributes:
        low: Least prediction of the class, 0.5 to 0.9.
        predicted: Mean predicted share of the favourite.
        observed: Share that it took.
        error: Half width of the 95 % interval of the difference, over blocks; None for fewer than 6.
        blocks: Number of blocks.
    """

    low: float
    predicted: float
    observed: float
    error: float | None
    blocks: int


def measure_calibration(counts: PairCounts) -> tuple[CalibrationBin, ...]:
    """Return predicted and observed shares of favourites, on blocks that ratings were not fitted to."""
    rows, fold = _read(counts)
    chance = np.zeros(len(fold))
    for number, points in _training(counts, rows, fold):
        here = fold == number
        strength = estimate_ratings(points, counts.weight)
        chance[here] = win_probability(strength[rows.first[here]] - strength[rows.second[here]])
    is_turned = chance < 0.5
    share, won = np.where(is_turned, 1 - chance, chance), np.where(is_turned, rows.lost, rows.won)
    games = rows.won + rows.lost
    place = np.minimum((share - 0.5) / BIN_WIDTH, 0.5 / BIN_WIDTH - 1).astype(np.int64)
    bins = []
    for number in np.unique(place).tolist():
        here = place == number
        mean, error, blocks = _average(rows.cluster[here], (won - games * share)[here], games[here])
        predicted = float((games * share)[here].sum() / games[here].sum())
        low = round(0.5 + BIN_WIDTH * number, 6)
        bins.append(CalibrationBin(low, predicted, predicted + mean, error, blocks))
    return tuple(bins)


def _read(counts: PairCounts) -> tuple[PairRows, IntArray]:
    chunks = list(counts.chunks())
    if not chunks:
        empty, none = np.zeros(0, np.int64), np.zeros(0)
        return PairRows(empty, empty, empty, none, none), empty
    rows = PairRows(*(np.concatenate(column) for column in zip(*chunks, strict=True)))
    _, starts, place = np.unique(rows.cluster, return_index=True, return_inverse=True)
    size = len(counts.bots)
    ends = np.append(starts[1:], len(place)) - 1
    pair = rows.first * size + rows.second
    table = pair[starts] * size**2 + pair[ends]
    order = np.argsort(table, kind="stable")
    ascending = table[order]
    first = np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))
    number = np.empty(len(table), np.int64)
    number[order] = np.arange(len(table)) - np.repeat(first, np.diff(np.append(first, len(table))))
    return rows, (number % FOLDS)[place]


def _training(counts: PairCounts, rows: PairRows, fold: IntArray) -> Iterator[tuple[int, FloatArray]]:
    """Yield each part with the points of the others."""
    size = len(counts.bots)
    for number in np.unique(fold).tolist():
        other = fold != number
        points = np.zeros((size, size))
        np.add.at(points, (rows.first[other], rows.second[other]), rows.won[other])
        np.add.at(points, (rows.second[other], rows.first[other]), rows.lost[other])
        yield number, points


def _average(cluster: IntArray, value: FloatArray, games: FloatArray) -> tuple[float, float | None, int]:
    """Return the mean of a value per game, the half width of its interval over blocks, and their number."""
    _, place = np.unique(cluster, return_inverse=True)
    blocks = int(place[-1]) + 1 if len(place) else 0
    mean = float(value.sum() / games.sum())
    if blocks < MIN_BLOCKS:
        return mean, None, blocks
    rest = np.bincount(place, value - mean * games)
    error = math.sqrt(float(rest @ rest) * blocks / (blocks - 1)) / float(games.sum())
    return mean, t_half_width(error, blocks), blocks
