"""1500 is the mean of the bots whose Elo is known, and errors are about that mean."""

from itertools import combinations

import numpy as np
import pytest

from arena.rating import (
    Controls,
    Fit,
    PairCounts,
    adjust_for_luck,
    count_pairs,
    find_elo_bounds,
    fit_anytime,
    fit_elo,
    standardize_fits,
)
from arena.rating.bradley_terry import ELO_PER_UNIT
from arena.rating.origin import choose_reference, compute_variances
from benchmarks.coverage_laws import play_tables

FIELD = np.array([60, 20, 0, -20, -60, -900])


def play(elo: np.ndarray, blocks: int = 60, seed: int = 1) -> PairCounts:
    """Return the results of a round robin of two."""
    strength = elo / ELO_PER_UNIT
    tables = [*combinations(range(len(elo)), 2)]
    return play_tables(
        lambda bots: strength[bots], len(elo), tables, blocks, np.random.default_rng(seed)
    ).counts()


def mean_of_known(fit: Fit) -> float:
    """Return the mean Elo of the bots without a bound."""
    return float(np.mean([elo for elo, bound in zip(fit.elo, fit.bound_score, strict=True) if bound is None]))


def test_the_mean_of_the_bots_without_a_bound_is_1500() -> None:
    counts = play(FIELD)
    for fit in (fit_elo(counts), fit_anytime(counts)):
        assert [bound is None for bound in find_elo_bounds(counts, fit)] == [True] * 5 + [False]
        assert mean_of_known(fit) == pytest.approx(1500, abs=1e-5)
        assert "<" not in fit.mark  # it took a point


def test_the_first_point_of_a_hopeless_bot_does_not_move_the_others() -> None:
    """Before it, the mean was that of the others; with it in the mean all would be hundreds higher."""
    others = [(block, (block % 3, (block + 1) % 3), (1, 2) if block % 2 else (2, 1)) for block in range(60)]
    lost = [(100 + block, (block % 3, 3), (1, 2)) for block in range(30)]
    before = fit_elo(count_pairs("abcd", 2, [*others, *lost]))
    after = fit_elo(count_pairs("abcd", 2, [*others, *lost[:-1], (129, (2, 3), (2, 1))]))
    assert (before.mark[3], after.mark[3]) == ("<", "")
    assert np.array(after.elo[:3]) == pytest.approx(np.array(before.elo[:3]), abs=15)


def test_errors_about_the_mean_are_those_of_the_field_without_the_hopeless() -> None:
    with_hopeless, alone = fit_elo(play(FIELD)), fit_elo(play(FIELD[:5]))
    wide, narrow = (np.array(fit.standard_error[:5]) for fit in (with_hopeless, alone))
    assert wide == pytest.approx(narrow, rel=0.3)
    anytime = np.array(fit_anytime(play(FIELD)).standard_error[:5])
    assert anytime == pytest.approx(np.array(fit_anytime(play(FIELD[:5])).standard_error), rel=0.4)


def test_an_error_is_that_of_the_distance_from_the_mean() -> None:
    fit = fit_elo(play(FIELD))
    known = np.eye(6)[:5].mean(axis=0)
    for bot in range(6):
        contrast = np.eye(6)[bot] - known
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
    assert mean_of_known(adjusted) == pytest.approx(1500, abs=1e-5)


def test_games_on_one_scale_keep_their_origins() -> None:
    fits = [fit_elo(play(FIELD)), fit_elo(play(FIELD / 4, seed=2))]
    for fit in standardize_fits(fits):
        assert mean_of_known(fit) == pytest.approx(1500, abs=1e-5)
    wide, narrow = fits
    assert wide.bound_score[5] is not None
    assert narrow.bound_score[5] is None


def test_with_fewer_than_two_known_bots_those_without_a_perfect_score_are_the_reference() -> None:
    groups = ((0, 1, 2), (3, 4))
    scores = (0.95, 0.5, 0.0, 1.0, 0.0)
    for first in (0.9, None):
        reference = choose_reference(groups, scores, (first, None, 0.1, 0.8, 0.2))
        assert reference.tolist() == [True, True, False, True, True]


def test_a_group_with_one_bot_of_the_reference_has_errors_about_its_own_mean() -> None:
    covariance = np.diag([4.0, 4.0, 9.0])
    reference = np.array([True, False, True])
    assert compute_variances(covariance, ((0, 1),), reference)[:2] == pytest.approx([2.0, 2.0])
    assert np.isnan(compute_variances(covariance, ((0, 1),), reference)[2])
