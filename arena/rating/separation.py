"""Separate the ratings of two bots at looks that are repeated while blocks come in.

A covariance knows nothing of events that have not been seen: where small gains are frequent and large losses
rare, early looks often come before the first loss. So the variance of each difference includes, as in a
comparison of two bots, one virtual block that either of the two wins from the other as a whole.
"""

import math

import numpy as np

from arena.rating.elo import ELO_PER_UNIT, MEAN_ELO, Fit, fit_elo, win_probability
from arena.rating.group_sequential import is_separated
from arena.rating.intervals import CONFIDENCE, t_cdf, t_quantile
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.sprt import VIRTUAL_SQUARES


class SeparationTest:
    """Ratings and the intervals of their differences at one look of several.

    Between two bots that met only each other the interval is that of `arena compare`, but for the virtual
    draws of the fit.

    Example:
        >>> from arena.rating import count_pairs
        >>> matches = [(block, (0, 1), (1, 2) if block % 4 else (2, 1)) for block in range(40)]
        >>> test = SeparationTest(count_pairs("ab", 2, matches), confidence=0.99)
        >>> round(test.error(0, 1)), test.is_separated(0, 1)
        (247, False)
    """

    def __init__(self, counts: PairCounts, confidence: float) -> None:
        """Fit the ratings.

        Args:
            counts: The results so far.
            confidence: Confidence of each interval, 0 to 1, as from `adjust_confidence`.
        """
        self.fit: Fit = fit_elo(counts)
        self.confidence = confidence
        self._inverse = _invert_information(counts, self.fit)

    def error(self, bot: int, other: int) -> float | None:
        """Return the half width, in Elo, of the interval of a difference; None where unknown."""
        seen = self.fit.pair_standard_error(bot, other)
        if seen is None:
            return None
        standard_error = math.sqrt(seen**2 + self._virtual_variance(bot, other))
        return t_quantile((1 + self.confidence) / 2, self.fit.pair_freedom(bot, other)) * standard_error

    def los(self, bot: int, other: int) -> float | None:
        """Return the likelihood of superiority that belongs to the interval; None where unknown.

        It is 97.5 % where the interval ends at 0, whichever look it is.
        """
        error = self.error(bot, other)
        if error is None:
            return None
        freedom = self.fit.pair_freedom(bot, other)
        lead = self.fit.elo[bot] - self.fit.elo[other]
        return t_cdf(t_quantile((1 + CONFIDENCE) / 2, freedom) * lead / error, freedom)

    def is_separated(self, bot: int, other: int) -> bool:
        """Return whether the interval excludes 0; without one, as `is_separated` of a fit does."""
        error = self.error(bot, other)
        if error is None:
            return is_separated(self.fit, bot, other, self.confidence)
        return abs(self.fit.elo[bot] - self.fit.elo[other]) > error

    def _virtual_variance(self, bot: int, other: int) -> float:
        """Return what the virtual blocks add to the variance of a difference, in Elo².

        A block won as a whole is half its matches more than expected of equals; it moves the difference by
        that times the resistance between the two in the network of all games.
        """
        fit = self.fit
        blocks = min(fit.blocks[bot], fit.blocks[other])
        matches = max(fit.matches[one] / fit.blocks[one] for one in (bot, other))
        own, others = self._inverse[bot, bot], self._inverse[other, other]
        resistance = float(own + others - 2 * self._inverse[bot, other])
        squares = VIRTUAL_SQUARES * matches**2
        return squares * blocks / (blocks - 1) * (resistance * ELO_PER_UNIT) ** 2


def _invert_information(counts: PairCounts, fit: Fit) -> FloatArray:
    """Return the pseudoinverse of the information on strengths in all games."""
    strength = (np.array(fit.elo) - MEAN_ELO) / ELO_PER_UNIT
    chance = win_probability(strength[:, None] - strength)
    points = counts.points() * counts.weight
    variance = (points + points.T) * chance * chance.T
    laplacian = np.diag(variance.sum(axis=1)) - variance
    return np.asarray(np.linalg.pinv(laplacian, hermitian=True), np.float64)
