"""Bars for comparing: one number for each bot, so that two bars overlap where the two are not separated.

An error about the centre of the field has that of the centre in it, which two bots share. And two intervals
of 95 % may overlap although that of their difference excludes 0: for bots with equal errors a distance of √2
of them is enough, and not of 2. So the bars b are fitted to the half widths w of the intervals of differences
themselves, as quasi-variances are fitted to variances: bᵢ + bⱼ is about wᵢⱼ, by the least squared logarithms
of the ratio, weighted by how much the reading of a pair depends on it. No lengths suit all pairs: within two
clusters of bots the differences may be known to 37 Elo, but across the gap of 850 between them only to 225,
and bars of 19 show the order of every pair. Where a pair would still mislead, both of its bars are made
shorter or longer by the same factor.
Source: H. Goldstein, M. J. R. Healy, The graphical presentation of a collection of means, J. R. Statist. Soc.
A 158, 1995 (bars that overlap where the difference is not significant); D. Firth, R. X. de Menezes,
Quasi-variances, Biometrika 91, 2004 (the criterion, for sums of variances).
"""

from typing import Final

import numpy as np

from arena.rating.pair_counts import FloatArray

MAX_ROUNDS: Final = 500
MIN_CHANGE: Final = 1e-5
"""Largest relative change of a round after which a fit ends."""
MIN_RATIO: Final = 0.3
"""Least weight of two bots for being close together."""
FALL: Final = 4
"""Power of their distance, in half widths, with which the weight of two bots far apart falls."""
MAX_PASSES: Final = 100
"""Passes over pairs that mislead; where they do not settle, no bars suit all pairs."""
MARGIN: Final = 1e-3
"""Share of a distance by which bars end before or after touching."""


def compute_pair_variances(covariance: FloatArray) -> FloatArray:
    """Return the matrix of the variances of differences, at least 0."""
    own = covariance.diagonal()
    variances: FloatArray = np.maximum(own[:, None] + own - 2 * covariance, 0)
    return variances


def fit_bars(half_widths: FloatArray, weights: FloatArray | float = 1.0) -> FloatArray:
    """Return bars of which those of two bots add up to about the half width of their difference.

    Each round changes every bar so that its sums are right on average, weighted by its share in them: there
    the gradient of the criterion is 0.

    Args:
        half_widths: Square matrix, above 0 or NaN where there is no interval.
        weights: Weights of the pairs, above 0.

    Example:
        >>> fit_bars(np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])).round(3).tolist()
        [1.0, 2.0, 3.0]
    """
    known = ~np.isnan(half_widths)
    np.fill_diagonal(known, False)
    weights = np.where(known, weights, 0.0)
    totals: FloatArray = weights.sum(axis=1)
    if not totals.any():
        return totals
    logarithms = np.log(np.where(known, half_widths, 1.0))
    bars: FloatArray = np.exp((weights * logarithms).sum(axis=1) / np.where(totals, totals, 1.0)) / 2
    for _ in range(MAX_ROUNDS):
        sums = bars[:, None] + bars
        share = bars[:, None] / sums
        share *= weights
        total = np.maximum(share.sum(axis=1), np.finfo(float).tiny)
        np.log(sums, out=sums)
        sums -= logarithms
        sums *= share
        change = sums.sum(axis=1) / total
        bars = bars * np.exp(-change)
        if np.abs(change).max() < MIN_CHANGE:
            break
    return bars


def weigh_pairs(distances: FloatArray, half_widths: FloatArray) -> FloatArray:
    """Return the weight of each pair: how much its reading depends on the lengths of its bars.

    It is 1 at a distance of the half width. Bots many half widths apart are read the same with bars far too
    short, and bots close together with bars a little too long.
    """
    ratios = np.full_like(distances, MIN_RATIO)
    np.divide(distances, half_widths, out=ratios, where=half_widths > 0)
    np.maximum(ratios, MIN_RATIO, out=ratios)
    weights: FloatArray = np.minimum(ratios, ratios**-FALL)
    return weights


def compute_comparison_bars(
    elo: FloatArray, half_widths: FloatArray, shares: FloatArray | float = 1.0
) -> FloatArray:
    """Return the bars of bots; two that do not overlap belong to bots that are separated.

    The converse holds, too, but for a few pairs where no bars suit all.

    Args:
        elo: Ratings.
        half_widths: Square matrix, of the intervals of differences; NaN where there is none.
        shares: Factors of the weights of pairs, above 0.
    """
    distances = np.abs(elo[:, None] - elo)
    bars = fit_bars(half_widths, weigh_pairs(distances, half_widths) * shares)
    is_separated = distances > half_widths  # never where there is no interval
    shortest = np.where(is_separated, 0.0, distances * (1 + MARGIN))
    np.fill_diagonal(shortest, 0.0)
    distances *= 1 - MARGIN
    longest = np.where(is_separated, distances, np.inf)
    moved = np.arange(len(elo))
    for _ in range(MAX_PASSES):
        sums = bars[moved, None] + bars
        place, other = np.nonzero((sums < shortest[moved]) | (sums > longest[moved]))
        if not len(place):
            return bars
        pairs = np.unique(np.sort(np.stack((moved[place], other), axis=1), axis=1), axis=0)
        for first, second in pairs.tolist():
            total = bars[first] + bars[second]
            wanted = min(max(total, shortest[first, second]), longest[first, second])
            bars[[first, second]] *= wanted / total
        moved = np.unique(pairs)
    missing = shortest / np.maximum(bars[:, None] + bars, np.finfo(float).tiny)
    lengthened: FloatArray = bars * np.maximum(missing.max(axis=1), 1.0)
    return lengthened
