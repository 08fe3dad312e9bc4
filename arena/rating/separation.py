"""Separate the ratings of two bots at looks that are repeated while blocks come in."""

import math

from arena.rating.elo_fit import fit_elo
from arena.rating.group_sequential import is_separated
from arena.rating.pair_counts import PairCounts
from arena.rating.student_t import CONFIDENCE, t_cdf, t_quantile
from arena.rating.virtual_blocks import VirtualBlocks


class SeparationTest:
    """Ratings and the intervals of their differences at one look of several.

    Between two bots that met only each other the interval is that of `arena compare`, but for the virtual
    draws of the fit.

    Example:
        >>> from arena.rating.pair_counts import count_pairs
        >>> matches = [(block, (0, 1), (1, 2) if block % 4 else (2, 1)) for block in range(40)]
        >>> test = SeparationTest(count_pairs("ab", 2, matches), confidence=0.99)
        >>> round(test.error(0, 1)), test.is_separated(0, 1)
        (173, True)
    """

    def __init__(self, counts: PairCounts, confidence: float, *, are_tables_drawn: bool = False) -> None:
        """Fit the ratings.

        Args:
            counts: The results so far.
            confidence: Confidence of each interval, 0 to 1, as from `adjust_confidence`.
            are_tables_drawn: As for `fit_elo`.
        """
        self.fit = fit_elo(counts, are_tables_drawn=are_tables_drawn)
        self.confidence = confidence
        self._virtual = VirtualBlocks(counts, self.fit)
        self._score_ratios = self.fit.virtual_score_ratios

    def error(self, bot: int, other: int) -> float | None:
        """Return the half width, in Elo, of the interval of a difference.

        None where it is unknown, and where the order is tested by points, as the distance is hardly known.
        """
        if (bot, other) in self._score_ratios:
            return None
        seen = self.fit.pair_standard_error(bot, other)
        if seen is None:
            return None
        standard_error = math.sqrt(seen**2 + self._virtual.pair_variance(bot, other))
        return t_quantile((1 + self.confidence) / 2, self.fit.pair_freedom(bot, other)) * standard_error

    def los(self, bot: int, other: int) -> float | None:
        """Return the likelihood of superiority that belongs to the interval; None where unknown.

        It is 97.5 % where the interval ends at 0, whichever look it is.
        """
        lead = self._measure_lead(bot, other)
        if lead is None:
            return None
        is_tested = (bot, other) in self._score_ratios
        freedom = (self.fit.pair_block_freedom if is_tested else self.fit.pair_freedom)(bot, other)
        return t_cdf(t_quantile((1 + CONFIDENCE) / 2, freedom) * lead, freedom)

    def _measure_lead(self, bot: int, other: int) -> float | None:
        """Return the lead of a bot in half widths of its interval; None where that is unknown."""
        if (ratio := self._score_ratios.get((bot, other))) is not None:
            return ratio / t_quantile((1 + self.confidence) / 2, self.fit.pair_block_freedom(bot, other))
        error = self.error(bot, other)
        return None if error is None else (self.fit.elo[bot] - self.fit.elo[other]) / error

    def is_separated(self, bot: int, other: int) -> bool:
        """Return whether the interval excludes 0; without one, as `is_separated` of a fit does."""
        lead = self._measure_lead(bot, other)
        if lead is None:
            return is_separated(self.fit, bot, other, self.confidence)
        return abs(lead) > 1
