"""The rating model: all ratings are fitted by the one that is named here."""

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from arena.rating.elo import Fit, estimate_elo, fit_elo
from arena.rating.pair_counts import FloatArray, PairCounts


class FitRatings(Protocol):
    """A function that fits ratings with their covariance."""

    def __call__(self, counts: PairCounts, *, are_tables_drawn: bool = False) -> Fit:
        """Return the ratings of all bots of `counts`, see `fit_elo`."""
        ...


class RatingModel(NamedTuple):
    """A model of how strengths become placings.

    Attributes:
        fit: Function that returns ratings and errors from the pairs of all matches.
        estimate: Function that returns the ratings alone, by bot, from the matrix of the points that row took
            from column, and the weight of a pair.
    """

    fit: FitRatings
    estimate: Callable[[FloatArray, float], tuple[float, ...]]


MODEL: Final = RatingModel(fit_elo, estimate_elo)
"""Bradley–Terry, with errors clustered by block or table."""
