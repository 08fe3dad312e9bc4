"""Calibration of ratings on blocks that they were not fitted to."""

import numpy as np

from arena.rating.model_fit import measure_calibration
from arena.rating.pair_counts import count_pairs
from tests.rating.test_model_fit import play


def test_ratings_of_their_own_law_are_calibrated() -> None:
    inside = []
    for seed in range(40):
        counts = play(np.random.default_rng(seed), 4, 2, 60)
        bins = measure_calibration(counts)
        assert [chance_bin.low for chance_bin in bins] == sorted(chance_bin.low for chance_bin in bins)
        assert all(
            chance_bin.low - 1e-6 <= chance_bin.predicted <= chance_bin.low + 0.1 for chance_bin in bins
        )
        inside += [
            abs(chance_bin.observed - chance_bin.predicted) <= (chance_bin.error or 0)
            for chance_bin in bins
            if chance_bin.blocks > 40
        ]
    assert 0.85 <= np.mean(inside) <= 0.99


def test_few_blocks_have_no_error_and_none_no_bins() -> None:
    few = play(np.random.default_rng(0), 2, 2, 3)
    assert {chance_bin.error for chance_bin in measure_calibration(few)} == {None}
    assert measure_calibration(count_pairs("ab", 2, [])) == ()
