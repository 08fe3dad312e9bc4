"""How much play an answer will take, from how much blocks were seen to vary."""

import math
from typing import Final

import numpy as np

from arena.rating.elo import LEAST_BLOCKS, Fit
from arena.rating.scale import Array
from arena.rating.student import normal_quantile, t_quantile

POWER: Final = 0.8
"""Chance that the planned number of blocks is enough."""


def blocks_to_separate(difference: float, deviation: float, confidence: float) -> int | None:
    """Blocks after which the better of two bots should have a likelihood of superiority of `confidence`.

    Four times in five it gets there in so many, if it really is better by `difference`; `deviation` is the
    standard deviation of one block's difference, in the same unit. None if the difference is 0.
    Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988, chapter 2.
    """
    if not difference:
        return None
    ratio = (deviation / difference) ** 2
    normal = normal_quantile(confidence) + normal_quantile(POWER)
    blocks = max(LEAST_BLOCKS, math.ceil(normal**2 * ratio))
    while blocks < (t_quantile(confidence, blocks - 1) + t_quantile(POWER, blocks - 1)) ** 2 * ratio:
        blocks += 1
    return blocks


def blocks_for_pair(fit: Fit, bot: int, other: int, confidence: float) -> int | None:
    """Blocks that each of two rated bots needs in all to be told apart, if their ratings are right.

    None where they never will be (equal ratings) or too little is known yet.
    """
    standard_error = fit.pair_standard_error(bot, other)
    if standard_error is None:
        return None
    deviation = standard_error * math.sqrt(min(fit.blocks[bot], fit.blocks[other]))
    return blocks_to_separate(fit.elo[bot] - fit.elo[other], deviation, confidence)


def duplicate_efficiency(scores: Array) -> float | None:
    """How many matches on fresh deals one match of a block is worth; below 1, duplicate deals cost.

    `scores` are one bot's, a row a block, a column a match: the variance of a single match, divided by the
    matches of a block, over the variance of a block's mean. None where blocks do not vary.
    """
    if len(scores) < LEAST_BLOCKS or np.ptp(scores.mean(axis=1)) == 0:
        return None
    single = scores.var(ddof=1) / scores.shape[1]
    return float(single / scores.mean(axis=1).var(ddof=1))
