"""Bounds of the Elo of bots that took hardly a point, or lost hardly one.

The Elo of such a bot is far less certain on one side than on the other: from one point in a thousand matches
it may be hopeless without limit, but not much stronger. The interval of its mean score shows that. Where it
reaches 0 or 1, the other end is converted: to the Elo at which that score is expected against the same
opponents. With n blocks in which the bot took a point, Student's t with n degrees of freedom makes that end
about the exact one of a Poisson count (see `arena.rating.rare_upsets`).
"""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from arena.rating.pair_counts import FloatArray
from arena.rating.rare_upsets import RARE
from arena.rating.student_t import CONFIDENCE

SEARCH_RANGE: Final = 4_000.0
"""Elo beyond the weakest and the strongest bot in which a bound is searched."""
SEARCH_STEPS: Final = 50


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


def find_elo_bounds(
    points: FloatArray, elo: Sequence[float], scores: Sequence[float | None]
) -> tuple[float | None, ...]:
    """Return the Elo at which each bot with a bound is expected to have the score that bounds it.

    It is relative to the ratings of the others as they are; None for other bots.

    Args:
        points: Square matrix of the points that row took from column.
        elo: Ratings.
        scores: By bot, the score that bounds its Elo, see `find_bound_score`.
    """
    bounds: list[float | None] = [None] * len(elo)
    ratings, games = np.array(elo), points + points.T
    for bot, score in enumerate(scores):
        if score is not None:
            bounds[bot] = round(_find_elo(score, ratings, games[bot] / games[bot].sum()), 6)
    return tuple(bounds)


def _find_elo(score: float, elo: FloatArray, share: FloatArray) -> float:
    """Return the Elo at which a score is expected, given the share of games against each other bot."""
    low, high = float(elo.min()) - SEARCH_RANGE, float(elo.max()) + SEARCH_RANGE
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        expected = float(share @ (1 / (1 + 10 ** ((elo - middle) / 400))))
        low, high = (middle, high) if expected < score else (low, middle)
    return (low + high) / 2
