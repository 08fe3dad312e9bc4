"""Quasi-variances: one number for each bot, of which any two add up to the variance of their difference.

An error about the mean of the field holds the uncertain distance of its outsiders: one hopeless bot widens
the bars of all others, whose differences are well known. With quasi-variances q, qᵢ + qⱼ is about vᵢⱼ, the
variance of the difference of i and j, so that √q is an error for comparing any two bots, and for nothing
else. They minimise the squared logarithms of (qᵢ + qⱼ) / vᵢⱼ over all pairs.
Source: D. Firth, R. X. de Menezes, Quasi-variances, Biometrika 91, 2004; D. Firth, Overcoming the reference
category problem in the presentation of statistical models, Sociological Methodology 33, 2003 (the criterion).
"""

from typing import Final

import numpy as np

from arena.rating.pair_counts import FloatArray

MAX_ROUNDS: Final = 500
MIN_CHANGE: Final = 1e-7
"""Largest relative change of a round after which it ends."""


def compute_pair_variances(covariance: FloatArray) -> FloatArray:
    """Return the matrix of the variances of differences, at least 0."""
    own = covariance.diagonal()
    variances: FloatArray = np.maximum(own[:, None] + own - 2 * covariance, 0)
    return variances


def compute_quasi_variances(variances: FloatArray) -> FloatArray:
    """Return the quasi-variances of some bots; of two, half of the variance of their difference each.

    Each round changes every q so that its sums are right on average, weighted by its share in them: there
    the gradient of the criterion is 0.

    Args:
        variances: Square matrix of the variances of the differences of at least two bots, above 0 off the
            diagonal.

    Example:
        >>> variances = np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
        >>> compute_quasi_variances(variances).round(5).tolist()
        [1.0, 2.0, 3.0]
    """
    size = len(variances)
    logarithms = np.log(variances + np.eye(size))
    quasi: FloatArray = np.full(size, variances.sum() / (2 * size * (size - 1)))
    for _ in range(MAX_ROUNDS):
        sums = quasi[:, None] + quasi
        share = quasi[:, None] / sums
        np.fill_diagonal(share, 0)
        change = (share * (np.log(sums) - logarithms)).sum(axis=1) / share.sum(axis=1)
        quasi = quasi * np.exp(-change)
        if np.abs(change).max() < MIN_CHANGE:
            break
    return quasi


def compute_comparison_bars(half_widths: FloatArray, quasi_bars: FloatArray) -> FloatArray:
    """Return half widths of bars such that two bots whose bars do not overlap are separated.

    They are those from quasi-variances, longer where the sum of two would be smaller than the half width of
    the interval of the difference.

    Args:
        half_widths: Those of the intervals of differences, NaN where there is none.
        quasi_bars: By bot, from quasi-variances.
    """
    excess = half_widths / (quasi_bars[:, None] + quasi_bars)
    longest = np.fmax.reduce(np.where(np.eye(len(excess), dtype=bool), np.nan, excess), axis=1)
    bars: FloatArray = quasi_bars * np.fmax(longest, 1.0)
    return bars
