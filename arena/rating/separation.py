"""Separation of two bots, and the number of blocks that an answer will take."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.rating.anytime import AnytimeFit, VirtualBlocks, anytime_factor
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts
from arena.rating.sequential import is_separated
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS, normal_quantile, t_cdf, t_quantile

# --- separation test ---


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


# --- number of blocks ---
# Estimates from how much blocks have varied so far.

POWER: Final = 0.8
"""Probability that the planned number of blocks is enough."""
MAX_PLANNED_BLOCKS: Final = 1_000_000
"""Blocks of a bot above which there is no estimate."""
ZERO_VARIANCE: Final = 1e-12
"""A variance of scores below this is rounding of 0."""


def estimate_required_blocks(
    difference: float, deviation: float, confidence: float, power: float = POWER
) -> int | None:
    """Return the blocks that the better of two bots needs to reach a likelihood of superiority.

    The smallest n with n ≥ (t(confidence) + t(power))² · (deviation / difference)², with quantiles of
    Student's t with n - 1 degrees of freedom.
    Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2.

    Args:
        difference: The true difference.
        deviation: Standard deviation of the difference in one block, in the same unit.
        confidence: Likelihood of superiority to reach, 0 to 1.
        power: Probability of reaching it.

    Returns:
        At least 6; None if the difference is 0.

    Example:
        >>> estimate_required_blocks(difference=0.05, deviation=0.25, confidence=0.975)
        199
    """
    if not difference:
        return None
    ratio = (deviation / difference) ** 2
    normal = normal_quantile(confidence) + normal_quantile(power)
    blocks = max(MIN_BLOCKS, math.ceil(normal**2 * ratio))
    while blocks < (t_quantile(confidence, blocks - 1) + t_quantile(power, blocks - 1)) ** 2 * ratio:
        blocks += 1
    return blocks


def estimate_pair_blocks(
    fit: AnytimeFit, bot: int, other: int, confidence: float, probability: float = POWER
) -> int | None:
    """Return the blocks that each of two bots needs in all to be separated with a probability.

    Their difference after n blocks in all is predicted from that after the m so far: it is as high as now,
    and varies by v · (n - m) / (m · n), with Student's t and v the variance of a block. That has in it that
    the true difference is not known. They are separated where it exceeds the error after n blocks.
    Source: D. J. Spiegelhalter, L. S. Freedman, P. R. Blackburn, Monitoring clinical trials: conditional or
    predictive power?, Controlled Clinical Trials 7, 1986 (without knowledge from before).

    Args:
        fit: Ratings with the errors that hold however often they are looked at, as an extended run prints.
        bot: One bot, by number.
        other: The other.
        confidence: Likelihood of superiority to reach, 0 to 1.
        probability: Probability of reaching it, 0 to 1.

    Returns:
        At least the blocks so far. None for equal ratings, where too little is known yet, and for more than
        `MAX_PLANNED_BLOCKS`.
    """
    difference, blocks = abs(fit.elo[bot] - fit.elo[other]), min(fit.blocks[bot], fit.blocks[other])
    error = fit.pair_standard_error(bot, other)
    if error is None or not difference:
        return None
    freedom = fit.pair_freedom(bot, other)
    virtual = fit.virtual.pair_variance(bot, other)
    seen = (error / anytime_factor(blocks, freedom)) ** 2 - virtual

    def is_likely(needed: int) -> bool:
        variance = seen * blocks / needed + virtual * (blocks / needed) ** 2
        within = t_quantile(confidence, freedom + needed - blocks) * math.sqrt(variance)
        within *= anytime_factor(needed, freedom + needed - blocks)
        spread = math.sqrt(seen * (needed - blocks) / needed)
        if not spread:
            return difference > within
        above, below = (t_cdf((end - within) / spread, freedom) for end in (difference, -difference))
        return above + below >= probability

    low, high = blocks - 1, blocks
    while not is_likely(high):
        if high > MAX_PLANNED_BLOCKS:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_likely(middle) else (middle, high)
    return high


class ScoreSums(NamedTuple):
    """Sums of a bot's scores at one table, over blocks of equally many matches."""

    blocks: int
    matches: int
    """Number of matches of a block."""
    total: float
    squares: float
    """Sum of squares of the scores of matches."""
    block_squares: float
    """Sum of squares of the sums of blocks."""


def estimate_duplicate_efficiency(tables: Sequence[ScoreSums]) -> float | None:
    """Return how many matches on independent deals carry as much information as one match of a block.

    The variance of a single match, divided by the matches of a block, over the variance of a block's mean.
    Only variance within a table counts, as all tables are played alike. Below 1, duplicate deals cost.

    Args:
        tables: Sums of one bot's scores at each table; of integers, so that the variances are exact.

    Returns:
        None for too few blocks, or where they do not vary.
    """
    blocks = sum(table.blocks for table in tables)
    matches = sum(table.blocks * table.matches for table in tables)
    if blocks - len(tables) < MIN_BLOCKS - 1:
        return None
    of_blocks = sum(
        (table.blocks * table.block_squares - table.total**2) / (table.blocks * table.matches**2)
        for table in tables
    ) / (blocks - len(tables))
    of_matches = sum(
        (table.blocks * table.matches * table.squares - table.total**2) / (table.blocks * table.matches)
        for table in tables
    ) / (matches - len(tables))
    return of_matches / (matches / blocks) / of_blocks if of_blocks > ZERO_VARIANCE else None
