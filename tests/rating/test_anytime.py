"""Errors that hold at all numbers of blocks together."""

from itertools import combinations

import numpy as np
import pytest

from arena.rating.anytime import anytime_factor, fit_anytime
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts, count_pairs
from tests.rating.conftest import LOST, TIED, WON, count_duels


def duels(blocks: int, seed: int = 0) -> PairCounts:
    rng = np.random.default_rng(seed)
    return count_pairs(
        "abc",
        2,
        [
            (block, tuple(rng.permutation(3)[:2]), (1, 2) if won else (2, 1))
            for block, won in enumerate(rng.random(blocks) < 0.5)
        ],
    )


@pytest.mark.parametrize(("blocks", "factor"), [(50, 1.62), (100, 1.57), (300, 1.59), (1000, 1.66)])
def test_intervals_are_about_1_6_times_as_wide(blocks: int, factor: float) -> None:
    assert anytime_factor(blocks, blocks - 1) == pytest.approx(factor, abs=0.01)


def test_ratings_stay_and_all_errors_grow() -> None:
    counts = duels(300)
    plain, anytime = fit_elo(counts), fit_anytime(counts)
    assert anytime.elo == plain.elo
    for bot in range(3):
        error, wide = plain.error[bot], anytime.error[bot]
        assert error is not None
        assert wide is not None
        assert 1.55 < wide / error < 1.75
        assert wide == pytest.approx(
            (anytime.standard_error[bot] or 0) / (plain.standard_error[bot] or 1) * error, rel=1e-4
        )
    los, wide_los = plain.los(0, 1), anytime.los(0, 1)
    assert los is not None
    assert wide_los is not None
    assert abs(wide_los - 0.5) < abs(los - 0.5)


def test_a_small_gain_before_the_first_large_loss_is_no_difference() -> None:
    counts = count_duels(*[[WON, TIED, TIED, TIED]] * 12, *[[TIED] * 4] * 48)
    plain, anytime = fit_elo(counts), fit_anytime(counts)
    assert plain.elo[0] - plain.elo[1] > (plain.pair_error(0, 1) or 0) * anytime_factor(60, 59)
    assert anytime.elo[0] - anytime.elo[1] < (anytime.pair_error(0, 1) or 0)


def test_equals_are_rarely_told_apart_at_any_look() -> None:
    alarms = 0
    for seed in range(40):
        matches = np.random.default_rng(seed).random(400) < 0.5
        for blocks in (12, 24, 50, 100, 200, 400):
            fit = fit_anytime(count_duels(*([WON] if won else [LOST] for won in matches[:blocks])))
            if abs(fit.elo[0] - fit.elo[1]) > (fit.pair_error(0, 1) or 1e9):
                alarms += 1
                break
    assert alarms <= 3


def test_the_matrix_of_variances_has_the_errors_of_all_pairs() -> None:
    rng = np.random.default_rng(8)
    matches = [(block, (0, 1, 2), tuple((1 + rng.permutation(3)).tolist())) for block in range(30)]
    matches += [(30 + block, (1, 2, 3), tuple((1 + rng.permutation(3)).tolist())) for block in range(9)]
    fit = fit_anytime(count_pairs("abcd", 3, matches))
    variances = fit.pair_variances([0, 1, 2, 3])
    for first, other in combinations(range(4), 2):
        error = fit.pair_standard_error(first, other)
        assert error == pytest.approx(variances[first, other] ** 0.5, rel=1e-6)
        assert error == pytest.approx(variances[other, first] ** 0.5, rel=1e-6)
    assert variances.diagonal().tolist() == [0] * 4
