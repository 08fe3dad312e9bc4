"""Bounds of the Elo of bots that took hardly a point, or lost hardly one.

The Elo of such a bot is far less certain on one side than on the other: from one point in a thousand matches
it may be hopeless without limit, but not much stronger. The interval of its mean score shows that. Where it
reaches 0 or 1, the other end is converted: to the Elo at which that score is expected against the same
opponents. With n blocks in which the bot took a point, Student's t with n degrees of freedom makes that end
about the exact one of a Poisson count (see `arena.rating.upsets`).
"""

from typing import Final

import numpy as np

from arena.rating.elo import Fit
from arena.rating.pair_counts import FloatArray, PairCounts

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
    bounds: list[float | None] = [None] * len(fit.bots)
    scores = {bot: score for bot, score in enumerate(fit.bound_score) if score is not None}
    if scores:
        points, elo = counts.points(), np.array(fit.elo)
        games = points + points.T
        for bot, score in scores.items():
            bounds[bot] = round(_find_elo(score, elo, games[bot] / games[bot].sum()), 6)
    return tuple(bounds)


def _find_elo(score: float, elo: FloatArray, share: FloatArray) -> float:
    """Return the Elo at which a score is expected, given the share of games against each other bot."""
    low, high = float(elo.min()) - SEARCH_RANGE, float(elo.max()) + SEARCH_RANGE
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        expected = float(share @ (1 / (1 + 10 ** ((elo - middle) / 400))))
        low, high = (middle, high) if expected < score else (low, middle)
    return (low + high) / 2
