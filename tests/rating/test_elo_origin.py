"""1500 is the mean of the bots whose Elo is known, and errors are about that mean."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from arena.rating import (
    Controls,
    Fit,
    PairCounts,
    adjust_for_luck,
    compute_overall_ratings,
    count_pairs,
    fit_anytime,
    fit_elo,
    standardize_fits,
)
from arena.rating.bradley_terry import ELO_PER_UNIT
from arena.rating.elo_origin import choose_reference, compute_variances_about_mean
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
    return float(np.mean([elo for elo, bound in zip(fit.elo, fit.elo_bound, strict=True) if bound is None]))


def test_the_mean_of_the_bots_without_a_bound_is_1500() -> None:
    counts = play(FIELD)
    for fit in (fit_elo(counts), fit_anytime(counts)):
        assert [bound is None for bound in fit.elo_bound] == [True] * 5 + [False]
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


def test_errors_for_all_looks_bound_more_bots_but_move_no_elo() -> None:
    counts = play(FIELD, blocks=8, seed=3)
    fixed, anytime = fit_elo(counts), fit_anytime(counts)
    assert anytime.elo == fixed.elo
    assert sum(bound is not None for bound in anytime.elo_bound) >= sum(
        bound is not None for bound in fixed.elo_bound
    )
    games = [fixed, fit_elo(play(FIELD / 4))], [anytime, fit_anytime(play(FIELD / 4))]
    plain, widened = ([fit.elo for fit in standardize_fits(own)] for own in games)
    assert plain == widened


def test_a_bound_in_one_game_makes_the_overall_a_bound() -> None:
    wide, narrow = fits = standardize_fits([fit_elo(play(FIELD)), fit_elo(play(FIELD / 4, seed=2))])
    *known, hopeless = compute_overall_ratings(fits)
    assert {(rating.mark, rating.bound) for rating in known} == {("", None)}
    assert wide.elo_bound[5] is not None
    assert narrow.elo_bound[5] is None
    assert hopeless.mark == "<"
    assert hopeless.bound == pytest.approx((wide.elo_bound[5] + narrow.elo[5]) / 2)
    assert hopeless.elo == pytest.approx((wide.elo[5] + narrow.elo[5]) / 2)


def test_how_hopeless_a_bot_is_does_not_decide_how_much_a_game_counts() -> None:
    """The spread of a game has the bound of a bot, so that its estimate may be anywhere below."""
    game, other = fit_elo(play(FIELD)), fit_elo(play(FIELD / 4, seed=2))
    further = replace(game, elo=(*game.elo[:5], game.elo[5] - 500))
    usual, changed = standardize_fits([game, other]), standardize_fits([further, other])
    for before, after in zip(usual, changed, strict=True):
        assert after.elo[:5] == pytest.approx(before.elo[:5])


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
    assert wide.elo_bound[5] is not None
    assert narrow.elo_bound[5] is None


def test_with_no_known_bot_those_without_a_perfect_score_are_the_reference() -> None:
    groups = ((0, 1, 2), (3, 4))
    scores = (0.95, 0.5, 0.0, 1.0, 0.0)
    one_known = choose_reference(groups, scores, (1900.0, None, 900.0, 1900.0, 900.0))
    assert one_known.tolist() == [False, True, False, True, True]
    none_known = choose_reference(groups, scores, (1900.0, 1400.0, 900.0, 1900.0, 900.0))
    assert none_known.tolist() == [True, True, False, True, True]


def test_a_group_with_one_bot_of_the_reference_has_errors_about_its_own_mean() -> None:
    covariance = np.diag([4.0, 4.0, 9.0])
    reference = np.array([True, False, True])
    assert compute_variances_about_mean(covariance, ((0, 1),), reference)[:2] == pytest.approx([2.0, 2.0])
    assert np.isnan(compute_variances_about_mean(covariance, ((0, 1),), reference)[2])
