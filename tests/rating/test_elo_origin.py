"""1500 is the centre of the bulk of the field, and errors are about that centre."""

from itertools import combinations

import numpy as np
import pytest

from arena.rating.anytime import fit_anytime
from arena.rating.elo_fit import compute_variances_about_center, find_center, find_weights, fit_elo
from arena.rating.luck_adjustment import Controls, adjust_for_luck
from arena.rating.overall import compute_overall_ratings
from arena.rating.pair_counts import PairCounts, count_pairs
from arena.rating.two_bots import ELO_PER_UNIT
from benchmarks.coverage_laws import play_tables

FIELD = np.array([60, 20, 0, -20, -60, -900])


def play(elo: np.ndarray, blocks: int = 60, seed: int = 1) -> PairCounts:
    """Return the results of a round robin of two."""
    strength = elo / ELO_PER_UNIT
    tables = [*combinations(range(len(elo)), 2)]
    return play_tables(
        lambda bots: strength[bots], len(elo), tables, blocks, np.random.default_rng(seed)
    ).counts()


SMALL = [[0.0], [300, -50], [100, 0, -700], [2000, 0, -2000], [300, 0, -400]]
WIDE = [[500, 480, -500, -520], [500, 300, 100, -100, -300, -500], [-100.0 * step for step in range(12)]]


@pytest.mark.parametrize("elo", [*SMALL, *WIDE, FIELD.tolist(), [0, 0, 0, -900, -900]])
def test_the_centre_is_symmetric_and_its_weights_are_its_derivatives(elo: list[float]) -> None:
    field = np.array(elo)
    center, weights = find_center(field)
    assert find_center(-field).elo == pytest.approx(-center)
    assert find_center(field + 70).elo == pytest.approx(center + 70)
    assert weights.sum() == pytest.approx(1)
    for bot, step in enumerate(1e-3 * np.eye(len(field))):
        if np.count_nonzero(np.abs(field - field[bot]) < 1) == 1:  # else the median has no derivative
            moved = find_center(field + step).elo - find_center(field - step).elo
            assert moved / 2e-3 == pytest.approx(weights[bot], abs=1e-5)


def test_the_centre_of_two_is_their_mean_and_of_equals_each_weighs_the_same() -> None:
    assert find_center(np.array([3000.0, 0])).elo == 1500
    for equals in ([7.0, 7, 7], [5.0, 5, 2, 2]):
        assert find_center(np.array(equals)).weights == pytest.approx(np.full(len(equals), 1 / len(equals)))


@pytest.mark.parametrize(
    "others", [[150, 50, -50, -150], [60, 20, 0, -20, -60], [100, 0], [200, 150, 0, -100]]
)
def test_a_hopeless_bot_moves_nobody_by_joining_or_by_how_hopeless_it_is(others: list[float]) -> None:
    alone = find_center(np.array(others, np.float64)).elo
    for hopeless in ([-900], [-1100], [-1000, -1000] if len(others) > 2 else [-1000], [1100]):
        assert find_center(np.array([*others, *hopeless], np.float64)).elo == pytest.approx(alone, abs=8)


def test_the_centre_of_the_field_is_1500_also_for_all_looks() -> None:
    counts = play(FIELD, blocks=8, seed=3)
    fixed, anytime = fit_elo(counts), fit_anytime(counts)
    assert anytime.elo == fixed.elo
    assert find_center(np.array(fixed.elo)).elo == pytest.approx(1500, abs=1e-5)
    bounded = [[bound is not None for bound in fit.elo_bound] for fit in (fixed, anytime)]
    assert sum(bounded[1]) >= sum(bounded[0])


def test_the_first_point_of_a_hopeless_bot_does_not_move_the_others() -> None:
    """Before it, the mean was that of the others; with it in the mean all would be hundreds higher."""
    others = [(block, (block % 3, (block + 1) % 3), (1, 2) if block % 2 else (2, 1)) for block in range(60)]
    lost = [(100 + block, (block % 3, 3), (1, 2)) for block in range(30)]
    before = fit_elo(count_pairs("abcd", 2, [*others, *lost]))
    after = fit_elo(count_pairs("abcd", 2, [*others, *lost[:-1], (129, (2, 3), (2, 1))]))
    assert (before.mark[3], after.mark[3]) == ("<", "")
    assert np.array(after.elo[:3]) == pytest.approx(np.array(before.elo[:3]), abs=15)


def test_errors_about_the_centre_are_those_of_the_field_without_the_hopeless() -> None:
    with_hopeless, alone = fit_elo(play(FIELD)), fit_elo(play(FIELD[:5]))
    wide, narrow = (np.array(fit.standard_error[:5]) for fit in (with_hopeless, alone))
    assert wide == pytest.approx(narrow, rel=0.3)
    anytime = np.array(fit_anytime(play(FIELD)).standard_error[:5])
    assert anytime == pytest.approx(np.array(fit_anytime(play(FIELD[:5])).standard_error), rel=0.4)


def test_a_bound_in_one_game_makes_the_overall_a_bound() -> None:
    wide, narrow = fits = [fit_elo(play(FIELD)), fit_elo(play(FIELD / 4, seed=2))]
    *known, hopeless = compute_overall_ratings(fits)
    assert {(rating.mark, rating.bound) for rating in known} == {("", None)}
    assert wide.elo_bound[5] is not None
    assert narrow.elo_bound[5] is None
    assert hopeless.mark == "<"
    assert hopeless.bound == pytest.approx((wide.elo_bound[5] + narrow.elo[5]) / 2)
    assert hopeless.elo == pytest.approx((wide.elo[5] + narrow.elo[5]) / 2)


def test_an_error_is_that_of_the_distance_from_the_centre() -> None:
    fit = fit_elo(play(FIELD))
    for bot in range(6):
        contrast = np.eye(6)[bot] - find_center(np.array(fit.elo)).weights
        assert fit.standard_error[bot] == pytest.approx((contrast @ fit.covariance @ contrast) ** 0.5)


def test_an_adjustment_for_luck_keeps_the_origin() -> None:
    counts = play(FIELD)
    fit, rng = fit_elo(counts), np.random.default_rng(2)
    (rows,) = counts.chunks()
    control = Controls(
        rows.cluster, rows.first, rows.second, rng.normal(size=len(rows.first)), rows.cluster % 5
    )
    adjusted = adjust_for_luck(fit, counts, control).fit
    assert adjusted.elo != fit.elo
    assert find_center(np.array(adjusted.elo)).elo == pytest.approx(1500, abs=0.5)


def test_a_group_has_errors_about_its_own_centre() -> None:
    covariance = np.diag([4.0, 4.0, 9.0])
    weights = find_weights(np.array([1500.0, 1400, 1500]), ((0, 1),))
    assert compute_variances_about_center(covariance, ((0, 1),), weights)[:2] == pytest.approx([2.0, 2.0])
    assert np.isnan(compute_variances_about_center(covariance, ((0, 1),), weights)[2])
