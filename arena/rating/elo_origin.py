"""The origin of Elo: 1500 is the mean of those bots of a group that met whose own Elo is known.

That of a bot which took hardly a point, or lost hardly one, is not: it is a bound, and far from the others by
an amount that a single point may change by hundreds. In the mean it would move all ratings, and add its
error to theirs.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.rating.connectivity import Groups
from arena.rating.mean_intervals import CONFIDENCE
from arena.rating.pair_counts import FloatArray
from arena.rating.rare_upsets import RARE

Reference = NDArray[np.bool_]
"""The bots whose mean is 1500: a flag by bot."""


def find_bound_score(score: float | None, half_width: float | None, blocks: int) -> float | None:
    """Return the end of the 95 % interval of a mean score that bounds an Elo; None where the Elo is known.

    The Elo is bounded from above for a score of at most 10 %, and from below for at least 90 %, if the
    interval reaches 0 or 1 at its other end. No point at all in n blocks has a probability of 2.5 % at most
    where 1 - 0.025^(1/n) is expected, as a block in which a bot scores has at most the score 1.

    Args:
        score: Mean score, 0 to 1; None for a bot that met nobody.
        half_width: Half width of its interval; None where it is unknown.
        blocks: Number of blocks played.
    """
    if score in (0.0, 1.0):
        end = 1 - math.pow((1 - CONFIDENCE) / 2, 1 / blocks)
        return end if score == 0.0 else 1 - end
    if score is None or half_width is None:
        return None
    if score <= RARE and score <= half_width:
        return score + half_width
    if score >= 1 - RARE and score + half_width >= 1:
        return score - half_width
    return None


def choose_reference(
    groups: Groups, scores: Sequence[float | None], bounds: Sequence[float | None]
) -> Reference:
    """Return the bots of which, in each group, 1500 is the mean.

    They are those without a bound; where each has one, all without a perfect score, and all of a group where
    each has a perfect one.

    Args:
        groups: The groups of bots that met.
        scores: Mean scores by bot.
        bounds: By bot, a bound or None.
    """
    reference = np.zeros(len(scores), np.bool_)
    for group in groups:
        known = [bot for bot in group if bounds[bot] is None]
        imperfect = [bot for bot in group if scores[bot] not in (0.0, 1.0)]
        reference[known or imperfect or list(group)] = True
    return reference


def center(values: FloatArray, groups: Groups, reference: Reference) -> FloatArray:
    """Return values less, in each group of bots, the mean of the reference.

    Args:
        values: By bot, along the last axis.
        groups: Groups of bots; values of others stay.
        reference: At least one bot of each group.
    """
    centred = np.array(values, np.float64)
    for group in map(list, groups):
        of_group = centred[..., group]
        centred[..., group] = of_group - of_group[..., reference[group]].mean(axis=-1, keepdims=True)
    return centred


def find_mean_bots(group: Sequence[int], reference: Reference) -> list[int]:
    """Return the bots of a group of comparable bots about whose mean errors are.

    They are its bots of the reference, or all where those are not two.
    """
    known = [bot for bot in group if reference[bot]]
    return known if len(known) > 1 else list(group)


def compute_variances_about_mean(covariance: FloatArray, groups: Groups, reference: Reference) -> FloatArray:
    """Return the variance of each bot about the mean of its group, see `find_mean_bots`; NaN outside.

    Args:
        covariance: Matrix by bot.
        groups: Groups of bots.
        reference: By bot.
    """
    variances = np.full(len(covariance), np.nan)
    for group in map(list, groups):
        known = find_mean_bots(group, reference)
        with_mean = covariance[np.ix_(group, known)].mean(axis=1)
        of_mean = covariance[np.ix_(known, known)].mean()
        variances[group] = covariance.diagonal()[group] - 2 * with_mean + of_mean
    return variances
