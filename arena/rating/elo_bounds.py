"""Bounds of the Elo of bots that took hardly a point, or lost hardly one.

The Elo of such a bot is far less certain on one side than on the other: from one point in a thousand matches
it may be hopeless without limit, but not much stronger. The interval of its mean score shows that. Where it
reaches 0 or 1, the other end is converted: to the Elo at which that score is expected against the same
opponents. With n blocks in which the bot took a point, Student's t with n degrees of freedom makes that end
about the exact one of a Poisson count (see `arena.rating.upsets`).

Of a bot that took no point in n blocks the bound is the score at which that has a probability of 2.5 % at
most, whatever the law of its blocks: 1 - 0.025^(1/n), as a block in which it scores has at most the score 1.
"""

import math
from typing import Final

import numpy as np

from arena.rating.elo import Fit
from arena.rating.intervals import CONFIDENCE
from arena.rating.pair_counts import FloatArray, PairCounts
from arena.rating.upsets import RARE

SEARCH_RANGE: Final = 4_000.0
"""Elo beyond the weakest and the strongest bot in which a bound is searched."""
SEARCH_STEPS: Final = 50


def find_elo_bounds(counts: PairCounts, fit: Fit) -> tuple[float | None, ...]:
    """Return the Elo at one end of the 95 % interval of the score of each bot whose other end is 0 or 1.

    It is an upper bound for a bot with a score of at most 10 %, a lower one for at least 90 %, relative to
    the ratings of the others as they are; None for other bots.

    Args:
        counts: The matches.
        fit: The ratings fitted to them.
    """
    scores = {bot: score for bot in range(len(fit.bots)) if (score := _find_end(fit, bot)) is not None}
    bounds: list[float | None] = [None] * len(fit.bots)
    if scores:
        points, elo = counts.points(), np.array(fit.elo)
        games = points + points.T
        for bot, score in scores.items():
            bounds[bot] = round(_find_elo(score, elo, games[bot] / games[bot].sum()), 6)
    return tuple(bounds)


def _find_end(fit: Fit, bot: int) -> float | None:
    """Return the end of the interval of a score that is away from 0 and 1; None if both or neither are."""
    score, width = fit.score[bot], fit.score_half_width(bot)
    if score in (0.0, 1.0):
        end = 1 - math.pow((1 - CONFIDENCE) / 2, 1 / fit.blocks[bot])
        return end if score == 0.0 else 1 - end
    if score is None or width is None:
        return None
    if score <= RARE and score <= width:
        return score + width
    if score >= 1 - RARE and score + width >= 1:
        return score - width
    return None


def _find_elo(score: float, elo: FloatArray, share: FloatArray) -> float:
    """Return the Elo at which a score is expected, given the share of games against each other bot."""
    low, high = float(elo.min()) - SEARCH_RANGE, float(elo.max()) + SEARCH_RANGE
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        expected = float(share @ (1 / (1 + 10 ** ((elo - middle) / 400))))
        low, high = (middle, high) if expected < score else (low, middle)
    return (low + high) / 2
