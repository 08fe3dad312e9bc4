"""Bounds of the Elo of bots that took hardly a point, or lost hardly one.

The Elo of such a bot is far less certain on one side than on the other: from one point in a thousand matches
it may be hopeless without limit, but not much stronger. The interval of its mean score shows that. Where it
reaches 0 or 1, the other end is converted: to the Elo at which that score is expected against the same
opponents. With n blocks in which the bot took a point, Student's t with n degrees of freedom makes that end
about the exact one of a Poisson count (see `arena.rating.rare_upsets`).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rating.pair_counts import FloatArray

SEARCH_RANGE: Final = 4_000.0
"""Elo beyond the weakest and the strongest bot in which a bound is searched."""
SEARCH_STEPS: Final = 50


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


def find_nearest_elo(
    elo: FloatArray, bounds: Sequence[float | None], reference: NDArray[np.bool_]
) -> FloatArray:
    """Return the Elo by bot, that of one with a bound as near to the others as the bound allows.

    Args:
        elo: Ratings.
        bounds: By bot, a bound or None.
        reference: The bots to which others come no nearer than to the weakest, or strongest, of them.
    """
    nearest = elo.copy()
    known = elo[reference]
    for bot, bound in enumerate(bounds):
        if bound is None or reference[bot]:
            continue
        if bound > elo[bot]:
            nearest[bot] = max(elo[bot], min(bound, known.min()))
        else:
            nearest[bot] = min(elo[bot], max(bound, known.max()))
    return nearest


def _find_elo(score: float, elo: FloatArray, share: FloatArray) -> float:
    """Return the Elo at which a score is expected, given the share of games against each other bot."""
    low, high = float(elo.min()) - SEARCH_RANGE, float(elo.max()) + SEARCH_RANGE
    for _ in range(SEARCH_STEPS):
        middle = (low + high) / 2
        expected = float(share @ (1 / (1 + 10 ** ((elo - middle) / 400))))
        low, high = (middle, high) if expected < score else (low, middle)
    return (low + high) / 2
