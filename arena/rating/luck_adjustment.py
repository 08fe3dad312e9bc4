"""Ratings adjusted for luck: a control variate of mean zero, subtracted in one step from fitted ratings.

In every cluster (all matches on the same cards) a control says for each pair of bots how much the cards
favoured one of them, in points, if they were equal; its mean is zero whatever the bots do. Between bots of
which one takes the share p of the points, cards decide less: 4p(1-p) as much, the slope of the logistic
curve, with p as fitted. With u the weighted residual scores of a cluster by bot, c the sums of its controls
times their weights and 4p(1-p), and H the information of the fit (`arena.rating.bradley_terry`), ψ = H⁻¹u is
what the cluster adds to the ratings, and ξ = H⁻¹c what its cards would. Then

    θ' = θ - Σ β ξ  and  V' = V - (M(ψ) - M(ψ')),  ψ' = ψ - (βξ - its mean over clusters),

where M sums products as for the plain covariance (`arena.rating.covariance`), and β, by bot, is the
least-squares slope of ψ on ξ in the clusters of all other folds (cross-fitting), shrunk towards a fixed one
while they are few: a cluster has no part in its own slope, so that θ' has the mean of θ. The ratings are not
fitted again: where a bot is nearly perfect, fits to adjusted points diverge.
Source: P. Glasserman, Monte Carlo Methods in Financial Engineering, 2003, section 4.1 (control variates);
V. Chernozhukov et al., Double/debiased machine learning for treatment and structural parameters, Econometrics
Journal 21, 2018 (one step, cross-fitted).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from arena.rating.bradley_terry import compute_residuals, compute_sensitivity, win_probability
from arena.rating.covariance import design_clusters
from arena.rating.elo_fit import Fit, center, compute_variances_about_center, find_weights
from arena.rating.pair_counts import FloatArray, IntArray, PairCounts
from arena.rating.two_bots import ELO_PER_UNIT, MEAN_ELO

LUCK_FOLDS: Final = 5
MIN_OWN_SLOPE_BLOCKS: Final = 200
"""Smallest number of blocks for a slope of a bot's own; with fewer it is that of all bots together."""
PRIOR_SLOPE: Final = 0.7
"""Slope of all bots together, before any block is known: between those of games and fields measured."""
PRIOR_SLOPE_BLOCKS: Final = 15
"""Weight of the prior slope, in blocks."""
UNBOUNDED: Final = frozenset("<>")
"""Marks of perfect scores, which are not adjusted."""


class Controls(NamedTuple):
    """Controls of some clusters: one row for each cluster and pair of bots that met in it, in any order.

    Attributes:
        cluster: Number of the cluster.
        first: A bot.
        second: Another bot.
        points: How many points of the pair the cards were worth to the first bot above the mean.
        fold: Fold of the cluster, from 0 to 4; independent of its results.
    """

    cluster: IntArray
    first: IntArray
    second: IntArray
    points: FloatArray
    fold: IntArray


@dataclass(frozen=True, eq=False)
class LuckAdjustment:
    """Adjusted ratings.

    Attributes:
        fit: The fit with adjusted `elo`, `standard_error`, `error` and `covariance`; all else, marks and
            groups too, is that of the plain scores.
        variance_ratio: By bot, how many times larger the plain variance is: as many times fewer blocks would
            give the plain error. None where there is no error, or nothing was adjusted.
        slope: By bot, the mean of β over folds.
    """

    fit: Fit
    variance_ratio: tuple[float | None, ...]
    slope: tuple[float, ...]


def adjust_for_luck(fit: Fit, counts: PairCounts, controls: Controls) -> LuckAdjustment:
    """Return the ratings adjusted by controls; a bot with a perfect score keeps its own.

    Args:
        fit: The plain ratings, `fit_elo` of the counts.
        counts: The matches.
        controls: Of their clusters, with the same numbers; a missing cluster counts as one of control 0.
    """
    if not any(fit.matches):
        return LuckAdjustment(fit, (None,) * len(fit.bots), (0.0,) * len(fit.bots))
    influence, control, fold = _compute_influences(fit, counts, controls)
    slopes = cross_fit_slopes(influence, control, fold, np.array(fit.blocks))
    adjusted = [bot for bot, mark in enumerate(fit.mark) if mark not in UNBOUNDED]
    shift = np.zeros_like(control)
    if adjusted:
        weights = find_weights(np.array(fit.elo), fit.connected_groups)
        own = center(slopes[fold] * control, fit.connected_groups, weights)  # keeps the origin
        shift[:, adjusted] = own[:, adjusted]
    remaining = influence - (shift - shift.mean(axis=0))
    design = design_clusters(counts, are_tables_drawn=fit.are_tables_drawn)
    saved = design.sum_products(influence) - design.sum_products(remaining)
    covariance = fit.covariance - ELO_PER_UNIT**2 * saved  # what the fit adds for its prior stays
    ratio = _variance_ratios(fit, covariance)
    elo = np.array(fit.elo) - ELO_PER_UNIT * shift.sum(axis=0)
    return LuckAdjustment(
        fit=replace(
            fit,
            elo=tuple(np.round(elo, 6).tolist()),
            standard_error=_shrink(fit.standard_error, ratio),
            error=_shrink(fit.error, ratio),
            covariance=covariance,
        ),
        variance_ratio=ratio,
        slope=tuple(slopes.mean(axis=0).tolist()),
    )


def cross_fit_slopes(
    influence: FloatArray, control: FloatArray, fold: IntArray, blocks: IntArray
) -> FloatArray:
    """Return the slope of each fold and bot, from the clusters of all other folds.

    Args:
        influence: Values of ψ by cluster and bot.
        control: Values of ξ by cluster and bot.
        fold: By cluster.
        blocks: By bot; one with few has the slope of all bots together.
    """
    products, squares = influence * control, control**2
    slopes = np.zeros((LUCK_FOLDS, influence.shape[1]))
    for number in range(LUCK_FOLDS):
        others = fold != number
        product, square = products[others].sum(axis=0), squares[others].sum(axis=0)
        pooled = _shrunk_slope(product.sum(), square.sum(), int(others.sum()))
        own = _ratio(product, square)
        slopes[number] = np.where(blocks >= MIN_OWN_SLOPE_BLOCKS, own, pooled)
    return slopes


def adjust_block_scores(scores: FloatArray, controls: FloatArray, folds: IntArray) -> FloatArray:
    """Return the scores of blocks less what their cards were worth, with slopes fitted in all other folds.

    Args:
        scores: Score of the first of two bots in each block, 0 to 1.
        controls: What the cards of each block were worth to it in such a score, above their mean of zero.
        folds: Fold of each block, from 0 to 4.

    Returns:
        The adjusted scores, of the same mean whatever the bots do; some may be beyond 0 or 1. Scores that are
        all alike stay.
    """
    adjusted = np.array(scores, np.float64)
    if not np.ptp(scores):
        return adjusted
    for number in range(LUCK_FOLDS):
        own, others = folds == number, folds != number
        if not own.any() or not others.any():
            continue
        known = controls[others]
        deviation = scores[others] - scores[others].mean()
        slope = _shrunk_slope(known @ deviation, known @ known, len(known))
        adjusted[own] -= slope * controls[own]
    return adjusted


def _compute_influences(
    fit: Fit, counts: PairCounts, controls: Controls
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return by cluster, in ascending order, ψ and ξ by bot, and the fold."""
    rows = [*counts.chunks()]
    clusters = np.unique(np.concatenate([part.cluster for part in rows] or [np.empty(0, np.int64)]))
    size = len(fit.bots)
    strength = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT
    score, control = np.zeros((len(clusters), size)), np.zeros((len(clusters), size))
    for part in rows:
        residual = counts.weight * compute_residuals(part, strength)
        _add_pairs(score, np.searchsorted(clusters, part.cluster), part.first, part.second, residual)
    known = np.isin(controls.cluster, clusters)
    at = np.searchsorted(clusters, controls.cluster[known])
    first, second = controls.first[known], controls.second[known]
    chance = win_probability(strength[first] - strength[second])
    value = counts.weight * controls.points[known] * 4 * chance * (1 - chance)
    _add_pairs(control, at, first, second, value)
    fold = np.zeros(len(clusters), np.int64)
    fold[at] = controls.fold[known]
    inverse = compute_sensitivity(counts.points(), counts.weight, strength)
    return score @ inverse, control @ inverse, fold


def _add_pairs(total: FloatArray, at: IntArray, first: IntArray, second: IntArray, value: FloatArray) -> None:
    """Add a value of each pair to the first bot, and its negative to the second."""
    np.add.at(total, (at, first), value)
    np.add.at(total, (at, second), -value)


def _variance_ratios(fit: Fit, adjusted: FloatArray) -> tuple[float | None, ...]:
    """Return by bot the plain variance over the adjusted one, about the centre of its group."""
    weights = find_weights(np.array(fit.elo), fit.varied_groups)
    before, after = (
        compute_variances_about_center(covariance, fit.varied_groups, weights).tolist()
        for covariance in (fit.covariance, adjusted)
    )
    return tuple(
        round(before[bot] / after[bot], 6)
        if error is not None and fit.mark[bot] not in UNBOUNDED and after[bot] > 0
        else None
        for bot, error in enumerate(fit.standard_error)
    )


def _shrink(errors: Sequence[float | None], ratios: Sequence[float | None]) -> tuple[float | None, ...]:
    return tuple(
        error if error is None or ratio is None else round(error / ratio**0.5, 6)
        for error, ratio in zip(errors, ratios, strict=True)
    )


def _shrunk_slope(product: float, square: float, clusters: int) -> FloatArray:
    """Return the slope of some clusters and of as many more as the prior is worth."""
    prior = square * PRIOR_SLOPE_BLOCKS / max(clusters, 1)
    return _ratio(np.asarray(product + PRIOR_SLOPE * prior), np.asarray(square + prior))


def _ratio(product: FloatArray, square: FloatArray) -> FloatArray:
    """Return product / square, 0 where that is not defined."""
    return np.divide(product, square, out=np.zeros_like(np.asarray(square)), where=np.asarray(square) > 0)
