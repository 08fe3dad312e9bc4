"""Adjusted ratings are unbiased and their intervals hold: short form of `benchmarks/luck_adjustment.py`."""

import pytest

from benchmarks.luck_adjustment import measure, play_tournaments


@pytest.mark.full
def test_adjusted_ratings_vary_less_about_the_same_mean() -> None:
    shares = measure(play_tournaments("lives", 2, tournaments=60, blocks=3, seed="short"))
    assert shares.ratio > 1.05
    assert shares.realized > 1
    assert 0.9 < shares.coverage[1] < 0.99
    assert shares.bias < 0.2
