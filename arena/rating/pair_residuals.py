"""Residuals of pairs: the points beyond what the ratings predict, and their covariance.

The ratings were fitted to the same results, so a block moves its own prediction: with e the points of a block
beyond expectation by pair, V the variances n p (1 - p) of independent games, B the incidence of pairs and
bots, w the weight of a pair and H the information of the fit, a block adds r = e - V B H⁻¹ Bᵀ w e to the
residuals, to first order. So Σ r rᵀ over blocks is their covariance.
Source: K.-Y. Liang, S. Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73,
1986.
"""

from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import VIRTUAL_DRAWS, compute_residuals, compute_sensitivity, win_probability
from arena.rating.elo_fit import Fit
from arena.rating.mean_intervals import t_cdfs
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts
from arena.rating.student_t import MIN_BLOCKS
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

MIN_EXPECTED_POINTS: Final = 10.0
"""A bot expected to take fewer points in all blocks takes one too rarely for its variance to be observed."""
MAX_BOTS: Final = 30
"""Largest field whose covariance is computed; in larger ones blocks do not move their own prediction."""
CLUSTERS_AT_ONCE: Final = 2_000
"""Blocks held in memory as a matrix by pair."""


class PairResiduals(NamedTuple):
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


def compute_residuals_by_pair(counts: PairCounts, fit: Fit) -> PairResiduals:
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
    return PairResiduals(first, second, *at, covariance, counts.weight)


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
