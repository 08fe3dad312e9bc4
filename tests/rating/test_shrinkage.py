"""Shrunken ratings where some differences between bots have no error."""

import numpy as np
import pytest

from arena.rating.shrinkage import shrink_ratings

ELO = np.array([1600.0, 1520, 1500, 1380])


def test_ratings_without_errors_stay() -> None:
    assert shrink_ratings(ELO, np.zeros((4, 4))) == pytest.approx(ELO)


def test_a_difference_without_an_error_stays_and_the_others_shrink() -> None:
    """The first two bots scored alike in every block, so their difference never varied."""
    covariance = np.diag([0.0, 0, 2000, 2000])
    covariance[:2, :2] = 2000
    shrunken = shrink_ratings(ELO, covariance)
    assert shrunken[0] - shrunken[1] == pytest.approx(80)
    assert shrunken.mean() == pytest.approx(ELO.mean())
    assert shrunken[1] - shrunken[3] < ELO[1] - ELO[3]
