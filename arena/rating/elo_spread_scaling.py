"""Ratings of several games on one scale, so that each game weighs the same in their mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

import numpy as np

from arena.rating.bradley_terry import MEAN_ELO
from arena.rating.confidence_sequence import AnytimeFit
from arena.rating.elo_fit import Fit
from arena.rating.elo_origin import compute_variances_about_mean
from arena.rating.pair_counts import FloatArray

MIN_BOTS: Final = 3
"""Smallest field with a spread to divide by: two bots are always one standard deviation from their mean."""


@dataclass(frozen=True, eq=False)
class _Scale:
    """The ratings of a field as multiples of its standard deviation.

    Attributes:
        bots: Numbers of the bots that met another.
        spread: Standard deviation of their Elo, above 0.
        scores: (Elo - mean) / spread of each of them.
    """

    bots: list[int]
    spread: float
    scores: FloatArray


def standardize_fits(fits: Sequence[Fit]) -> tuple[Fit, ...]:
    """Return fits with the same standard deviation of Elo: the mean of those that they had.

    A game with much luck has all its ratings close together. In a mean of plain Elo it hardly counts; in one
    of standardized Elo every game counts the same. Errors include that the standard deviations are estimates
    (delta method), and are those that the mean of all fits needs. Fits come back as they are where a field
    has fewer than three bots, has no spread, or differs from another.

    Args:
        fits: Fits from different deals.

    Example:
        >>> from arena.rating import count_pairs, fit_elo
        >>> def play(*orders):
        ...     return fit_elo(count_pairs("abc", 3, [(at, (0, 1, 2), own) for at, own in enumerate(orders)]))
        >>> wide = play((1, 2, 3), (1, 3, 2), (2, 1, 3))
        >>> close = play((1, 2, 3), (3, 1, 2), (2, 1, 3), (3, 2, 1))
        >>> [round(max(fit.elo) - min(fit.elo)) for fit in (wide, close)]
        [263, 147]
        >>> [round(max(fit.elo) - min(fit.elo)) for fit in standardize_fits([wide, close])]
        [216, 187]
    """
    scales = [scale for fit in fits if (scale := _measure_scale(fit))]
    fields = {tuple(fit.bots[bot] for bot in scale.bots) for fit, scale in zip(fits, scales, strict=False)}
    if len(scales) < len(fits) or len(fields) != 1:
        return tuple(fits)
    common = fmean(scale.spread for scale in scales)
    mean_scores = np.mean([scale.scores for scale in scales], axis=0)
    return tuple(_rescale(fit, scale, common, mean_scores) for fit, scale in zip(fits, scales, strict=True))


def _measure_scale(fit: Fit) -> _Scale | None:
    """Return None where there is nothing to divide by."""
    bots = [bot for bot in range(len(fit.bots)) if fit.blocks[bot]]
    if len(bots) < MIN_BOTS:
        return None
    elo = fit.nearest_elo[bots]
    spread = float(elo.std())
    return _Scale(bots, spread, (elo - elo.mean()) / spread) if spread else None


def _rescale(fit: Fit, scale: _Scale, common: float, mean_scores: FloatArray) -> Fit:
    """Return a fit with standard deviation `common`.

    With z the scores of n bots and s the spread, the derivative of the mean over fits by the ratings of this
    fit is (common / s · (I - 1/n - z zᵀ / n) + mean z · zᵀ / n) / fits: the first part moves z, the second
    the common spread.
    """
    bots, number = scale.bots, len(scale.bots)
    within = np.ix_(bots, bots)
    along = np.outer(scale.scores, scale.scores) / number
    center = np.eye(number) - 1 / number
    moved = common / scale.spread * (center - along) + np.outer(mean_scores, scale.scores) / number
    covariance = np.zeros_like(fit.covariance)
    covariance[within] = moved @ fit.covariance[within] @ moved.T
    before, after = (
        compute_variances_about_mean(matrix, (tuple(bots),), fit.reference)
        for matrix in (fit.covariance, covariance)
    )
    after = after.clip(min=0)  # that of two bots that play alike may be rounded to below 0
    widths = np.sqrt(np.divide(after, before, out=np.ones_like(before), where=before > 0))

    def scale_elo(elo: float) -> float:
        return MEAN_ELO + common / scale.spread * (elo - MEAN_ELO)

    def scale_bounds(bounds: Sequence[float | None]) -> tuple[float | None, ...]:
        return tuple(None if bound is None else round(scale_elo(bound), 6) for bound in bounds)

    elo = np.full(len(fit.bots), MEAN_ELO)
    elo[bots] = [scale_elo(fit.elo[bot]) for bot in bots]
    rescaled = replace(
        fit,
        elo=tuple(np.round(elo, 6).tolist()),
        elo_bound=scale_bounds(fit.elo_bound),
        standard_error=_multiply(fit.standard_error, widths),
        error=_multiply(fit.error, widths),
        covariance=covariance,
    )
    if isinstance(rescaled, AnytimeFit):
        return replace(rescaled, scale=common / scale.spread, fixed_bound=scale_bounds(rescaled.fixed_bound))
    return rescaled


def _multiply(errors: Sequence[float | None], factors: FloatArray) -> tuple[float | None, ...]:
    pairs = zip(errors, factors.tolist(), strict=True)
    return tuple(None if error is None else round(error * factor, 6) for error, factor in pairs)
