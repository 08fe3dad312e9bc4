"""Estimate how many blocks an answer will take, from how much blocks have varied so far."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.rating.elo_fit import Fit
from arena.rating.mean_intervals import MIN_BLOCKS, normal_quantile, t_quantile

POWER: Final = 0.8
"""Probability that the planned number of blocks is enough."""
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
    fit: Fit, bot: int, other: int, confidence: float, power: float = POWER
) -> int | None:
    """Return the blocks that each of two bots needs in all to be separated, if their ratings are right.

    None for equal ratings, or where too little is known yet.
    """
    standard_error = fit.pair_standard_error(bot, other)
    if standard_error is None:
        return None
    deviation = standard_error * math.sqrt(min(fit.blocks[bot], fit.blocks[other]))
    return estimate_required_blocks(fit.elo[bot] - fit.elo[other], deviation, confidence, power)


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
