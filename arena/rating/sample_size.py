"""How much play an answer will take, from how much blocks were seen to vary."""

import math
from collections.abc import Sequence
from typing import Final

from arena.rating.elo import Fit
from arena.rating.intervals import MIN_BLOCKS, normal_quantile, t_quantile
from arena.rating.pair_counts import FloatArray

POWER: Final = 0.8
"""Chance that the planned number of blocks is enough."""
NOTHING: Final = 1e-12
"""A variance of scores below this is the rounding of one that is nought."""


def estimate_required_blocks(
    difference: float, deviation: float, confidence: float, power: float = POWER
) -> int | None:
    """Blocks after which the better of two bots should have a likelihood of superiority of `confidence`.

    It gets there in so many with a chance of `power`, if it really is better by `difference`; `deviation` is
    the standard deviation of one block's difference, in the same unit. None if the difference is 0.
    Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2.
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
    """Blocks that each of two rated bots needs in all to be told apart, if their ratings are right.

    None where they never will be (equal ratings) or too little is known yet.
    """
    standard_error = fit.pair_standard_error(bot, other)
    if standard_error is None:
        return None
    deviation = standard_error * math.sqrt(min(fit.blocks[bot], fit.blocks[other]))
    return estimate_required_blocks(fit.elo[bot] - fit.elo[other], deviation, confidence, power)


def estimate_duplicate_efficiency(tables: Sequence[FloatArray]) -> float | None:
    """How many matches on fresh deals one match of a block is worth; below 1, duplicate deals cost.

    Each array holds the scores of one bot at one table, a row a block, a column a match: only what varies
    within a table counts, as all tables are played alike. It is the variance of a single match, divided by
    the matches of a block, over the variance of a block's mean. None for too few blocks, or where they do
    not vary.
    """
    freedom = sum(len(scores) - 1 for scores in tables)
    if freedom < MIN_BLOCKS - 1:
        return None
    of_blocks = sum(_squares(scores.mean(axis=1)) for scores in tables) / freedom
    matches = sum(scores.size for scores in tables)
    of_matches = sum(_squares(scores) for scores in tables) / (matches - len(tables))
    a_block = matches / sum(map(len, tables))
    return of_matches / a_block / of_blocks if of_blocks > NOTHING else None


def _squares(values: FloatArray) -> float:
    return float(((values - values.mean()) ** 2).sum())
