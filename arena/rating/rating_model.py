"""The rating model: all ratings, and all that is computed with them, come from the one that is named here."""

from typing import Final, NamedTuple, Protocol

from arena.rating.bradley_terry import NAME, compute_sensitivity, estimate_ratings
from arena.rating.elo_fit import Fit, fit_elo
from arena.rating.pair_counts import FloatArray, PairCounts


class EstimateRatings(Protocol):
    """A function that returns ratings without errors."""

    def __call__(self, points: FloatArray, weight: float, start: FloatArray | None = None) -> FloatArray:
        """Return the ratings by bot, in units of which one makes odds of e; the mean of a group is 0.

        Args:
            points: Square matrix of the points that row took from column.
            weight: Weight of a pair in a match, `PairCounts.weight`.
            start: Ratings that are perhaps near, which saves steps.
        """
        ...


class FitRatings(Protocol):
    """A function that returns ratings with errors; `fit_elo` builds its result from a covariance."""

    def __call__(self, counts: PairCounts, *, are_tables_drawn: bool = False) -> Fit:
        """Return the ratings of all bots of `counts`, see `fit_elo`."""
        ...


class ComputeSensitivity(Protocol):
    """A function that returns how ratings depend on results."""

    def __call__(self, points: FloatArray, weight: float, ratings: FloatArray) -> FloatArray:
        """Return by bot how far each rating (row) moves for a weighted point more to each bot (column).

        Adjustments for luck and the test of the ratings against the results of pairs need it.

        Args:
            points: Square matrix of the points that row took from column.
            weight: Weight of a pair in a match.
            ratings: What `estimate` returns for them, or near it.
        """
        ...


class RatingModel(NamedTuple):
    """A model of how strengths become placings.

    Attributes:
        name: Name in tables.
        estimate: Ratings alone, for tie-breaks, histories and predictions.
        fit: Ratings with errors.
        sensitivity: How ratings depend on results.
    """

    name: str
    estimate: EstimateRatings
    fit: FitRatings
    sensitivity: ComputeSensitivity


MODEL: Final = RatingModel(NAME, estimate_ratings, fit_elo, compute_sensitivity)
"""Bradley–Terry, with errors clustered by block or table."""
