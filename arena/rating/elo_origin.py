"""The origin of Elo: 1500 is the centre of the bulk of those bots that met, which far ones do not move.

The centre is an M-estimate of location: bots weigh (1 - (d / reach)²)² at a distance d from it, and nothing
beyond the reach. So a hopeless bot moves nobody by joining, by leaving, or by taking its second point, which
may move its own Elo by hundreds. The rounds that approach it start from the median, and their number is
fixed, so that the centre is continuous in the Elo of the bots. The reach grows with the field: that of a
field half of which is far apart would else depend on chance. The half that lies closest together contains
the median, and so never is without weight.
Source: A. E. Beaton, J. W. Tukey, The fitting of power series, Technometrics 16, 1974 (the weights);
F. R. Hampel, E. M. Ronchetti, P. J. Rousseeuw, W. A. Stahel, Robust Statistics, 1986, sections 2.1 (the error
of an estimate from its derivatives) and 2.3 (half the length of the shortest half).
"""

from typing import Final, NamedTuple

import numpy as np

from arena.rating.connectivity import Groups
from arena.rating.pair_counts import FloatArray

MIN_REACH: Final = 500.0
"""Smallest reach, in Elo: a bot as far below the others takes 5 % of the points from them."""
REACH_RATIO: Final = 3.0
"""Smallest reach, as a multiple of half the length of the shortest interval with more than half of the bots.

That length is multiplied by n / (n - 1): with it n evenly spaced bots fill their share of the whole.
"""
ROUNDS: Final = 3
"""Number of weighted means, each weighted by the distance from the one before."""


class Center(NamedTuple):
    """The centre of some bots.

    Attributes:
        elo: The Elo that is printed as 1500.
        weights: Derivatives of the centre by the Elo of each bot, which sum to 1; negative for a bot that
            leaves the bulk.
    """

    elo: float
    weights: FloatArray


def find_center(elo: FloatArray) -> Center:
    """Return the centre of at least one bot; of two it is their mean.

    Example:
        >>> [round(find_center(np.array(elo)).elo) for elo in ([60.0, 0, -60], [60.0, 0, -60, -900])]
        [0, 0]
    """
    size = len(elo)
    order = np.argsort(elo, kind="stable")
    lengths = elo[order[size // 2 :]] - elo[order[: size - size // 2]]
    shortest = int(lengths.argmin())
    reach, widening, slope = MIN_REACH, np.zeros(size), np.zeros(size)
    factor = REACH_RATIO / 2 * size / max(size - 1, 1)
    if factor * lengths[shortest] > reach:
        reach = factor * lengths[shortest]
        widening[order[[shortest, shortest + size // 2]]] = -factor, factor
    middle = order[[(size - 1) // 2, size // 2]]
    np.add.at(slope, middle, 0.5)
    center = elo[middle].mean()
    for _ in range(ROUNDS):
        ratio = (elo - center) / reach
        root = np.maximum(1 - ratio**2, 0)
        weight = root**2
        center = weight @ elo / weight.sum()
        by_distance = 4 * ratio * root / reach * (elo - center)
        slope = weight - by_distance + by_distance.sum() * slope + (by_distance @ ratio) * widening
        slope /= weight.sum()
    _, place, equals = np.unique(elo, return_inverse=True, return_counts=True)
    return Center(float(center), (np.bincount(place, slope) / equals)[place])


def find_weights(elo: FloatArray, groups: Groups) -> FloatArray:
    """Return the weight of each bot in the centre of its group; 0 outside."""
    weights = np.zeros(len(elo))
    for group in map(list, groups):
        weights[group] = find_center(elo[group]).weights
    return weights


def center(values: FloatArray, groups: Groups, weights: FloatArray) -> FloatArray:
    """Return values by bot, along the last axis, less their weighted mean in each group."""
    centred = np.array(values, np.float64)
    for group in map(list, groups):
        centred[..., group] -= centred[..., group] @ weights[group][:, None]
    return centred


def compute_variances_about_center(covariance: FloatArray, groups: Groups, weights: FloatArray) -> FloatArray:
    """Return the variance of the distance of each bot from the centre of its group; NaN outside.

    Args:
        covariance: Matrix by bot.
        groups: Groups of bots.
        weights: Weights of the bots in the centres of these groups.
    """
    variances = np.full(len(covariance), np.nan)
    for group in map(list, groups):
        with_center = covariance[np.ix_(group, group)] @ weights[group]
        variances[group] = covariance.diagonal()[group] - 2 * with_center + weights[group] @ with_center
    return variances
