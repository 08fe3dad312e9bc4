"""Ratings shrunk towards the mean of the field: what to expect of a bot, and of the leader above all.

Of many bots that are nearly equal, the one that leads was lucky: its rating is too high on average, that of
the last too low. If true ratings are spread about the mean of the field as a normal distribution with
variance τ², the best guess of θ given its estimate with covariance V is μ + τ² (τ² I + V)⁻¹ (θ̂ - μ).
τ² is the one under which the estimates are most likely, given their mean. In a field of which the bots are
far apart compared with their errors, this changes next to nothing.
Source: B. Efron, C. Morris, Data analysis using Stein's estimator and its generalizations, J. Amer. Statist.
Assoc. 70, 1975.
"""

from typing import Final

import numpy as np

from arena.rating.pair_counts import FloatArray

MIN_BOTS: Final = 4
"""Smallest field: of fewer bots the spread is unknown."""
MAX_HALVINGS: Final = 100
MIN_NOISE: Final = 1e-9
"""Smallest variance of a contrast of ratings, in Elo², with which it says something of the spread."""


def shrink_ratings(elo: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the shrunken ratings of at least four bots, of the same mean.

    Args:
        elo: Ratings.
        covariance: Theirs.

    Example:
        >>> shrink_ratings(np.array([1530.0, 1510.0, 1490.0, 1470.0]), 250 * np.eye(4)).round(1).tolist()
        [1518.8, 1506.2, 1493.8, 1481.2]
    """
    size = len(elo)
    contrasts = np.linalg.qr(np.column_stack((np.ones(size), np.eye(size)[:, 1:])))[0][:, 1:]
    values, vectors = np.linalg.eigh(contrasts.T @ covariance @ contrasts)
    noise, directions = np.maximum(values, 0), contrasts @ vectors
    deviation = directions.T @ (elo - elo.mean())
    spread = _find_spread(deviation, noise)
    kept = np.where(noise > MIN_NOISE, spread / np.maximum(spread + noise, MIN_NOISE), 1.0)
    shrunken: FloatArray = elo.mean() + directions @ (kept * deviation)
    return shrunken


def _find_spread(deviation: FloatArray, noise: FloatArray) -> float:
    """Return the most likely τ², where each deviation has variance τ² and its noise; at least 0."""
    is_noisy = noise > MIN_NOISE
    squares, noise = deviation[is_noisy] ** 2, noise[is_noisy]

    def slope(spread: float) -> float:
        total = spread + noise
        return float((squares / total**2 - 1 / total).sum())

    low, high = 0.0, float(squares.max(initial=0))
    if slope(low) <= 0:
        return 0.0
    for _ in range(MAX_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return low
