"""Ratings adjusted for luck: a worked example, cross-fitting, and what is not adjusted."""

import numpy as np
import pytest

from arena.rating.elo_fit import fit_elo
from arena.rating.luck_adjustment import (
    LUCK_FOLDS,
    Controls,
    adjust_block_scores,
    adjust_for_luck,
    cross_fit_slopes,
)
from arena.rating.pair_counts import count_pairs
from arena.rating.two_bots import ELO_PER_UNIT, compare_block_scores
from tests.rating.conftest import LOST, WON, count_duels


def controls(points: list[float]) -> Controls:
    """Return controls of a against b for one block after the other, which take the folds in turn."""
    cluster = np.arange(len(points))
    return Controls(
        cluster=cluster,
        first=np.zeros_like(cluster),
        second=np.ones_like(cluster),
        points=np.array(points),
        fold=cluster % LUCK_FOLDS,
    )


def test_a_worked_example() -> None:
    """Of five wins and five losses, the cards explain the wins alone.

    With p = 1/2 and eleven games (ten, and two halves of virtual draws), ψ = 2(s - 1/2)/11 and ξ = 2c/11. In
    any four folds there are four wins with c = 1/2 among eight blocks, whose slope is 1; 15 more with 0.7
    make it β = 18.5/23. θ' is lower by 5 · β/11. ψ' is (1 - β)/11 in the wins and -1/11 in the losses: about
    the mean 1 - β/2 times ψ.
    """
    slope = 18.5 / 23
    counts = count_duels(*[[WON]] * 5, *[[LOST]] * 5)
    fit = fit_elo(counts)
    adjusted = adjust_for_luck(fit, counts, controls([0.5] * 5 + [0.0] * 5))
    assert adjusted.slope == pytest.approx((slope, slope))
    assert fit.elo == pytest.approx((1500, 1500))
    assert adjusted.fit.elo == pytest.approx(
        (1500 - ELO_PER_UNIT * slope * 5 / 11, 1500 + ELO_PER_UNIT * slope * 5 / 11), abs=1e-5
    )
    kept = 1 - slope / 2
    assert adjusted.variance_ratio == pytest.approx((kept**-2, kept**-2), abs=1e-5)
    assert fit.error[0] is not None
    assert adjusted.fit.error[0] == pytest.approx(fit.error[0] * kept, abs=1e-5)
    assert adjusted.fit.pair_error(0, 1) == pytest.approx((fit.pair_error(0, 1) or 0) * kept, abs=1e-5)


def test_a_slope_is_of_the_other_folds_alone() -> None:
    rng = np.random.default_rng(5)
    influence, control = rng.normal(size=(1000, 3)), rng.normal(size=(1000, 3))
    fold = np.arange(1000) % LUCK_FOLDS
    blocks = np.array([1000, 1000, 10])
    slopes = cross_fit_slopes(influence, control, fold, blocks)
    changed = influence.copy()
    changed[fold == 2] += 100 * control[fold == 2]
    again = cross_fit_slopes(changed, control, fold, blocks)
    assert again[2] == pytest.approx(slopes[2], abs=0)
    assert (np.delete(again, 2, axis=0) > np.delete(slopes, 2, axis=0) + 10).all()
    others = fold != 4
    own = (influence * control)[others, 0].sum() / (control[others, 0] ** 2).sum()
    pooled = (influence * control)[others].sum() / (control[others] ** 2).sum()
    pooled = (800 * pooled + 15 * 0.7) / 815
    assert slopes[4] == pytest.approx([own, slopes[4, 1], pooled])


def test_a_perfect_score_is_not_adjusted_and_the_mean_stays() -> None:
    rng = np.random.default_rng(3)
    matches = []
    for block in range(30):
        second = int(rng.integers(2))
        matches.append((block, (0, 1, 2), (1, 2 + second, 3 - second)))
    counts = count_pairs("abc", 3, matches)
    fit = fit_elo(counts)
    points = rng.normal(size=(30, 3)) / 4
    cluster = np.repeat(np.arange(30), 3)
    adjusted = adjust_for_luck(
        fit,
        counts,
        Controls(
            cluster=cluster,
            first=np.tile([0, 0, 1], 30),
            second=np.tile([1, 2, 2], 30),
            points=points.ravel(),
            fold=cluster % LUCK_FOLDS,
        ),
    )
    assert fit.mark[0] == adjusted.fit.mark[0] == ">"
    assert adjusted.fit.elo[0] == fit.elo[0]
    assert adjusted.variance_ratio[0] is None
    assert adjusted.fit.elo[1] != fit.elo[1]
    assert sum(adjusted.fit.elo[1:]) == pytest.approx(3000, abs=1e-2)


def test_where_all_scores_are_perfect_nothing_is_adjusted() -> None:
    counts = count_duels(*[[WON]] * 8)
    fit = fit_elo(counts)
    adjusted = adjust_for_luck(fit, counts, controls([0.25] * 8))
    assert adjusted.fit.elo == fit.elo
    assert adjusted.variance_ratio == (None, None)


def test_without_controls_ratings_stay_as_they_are() -> None:
    counts = count_duels(*([WON] if won else [LOST] for won in (1, 0, 1, 1, 0, 1, 0, 1)))
    fit = fit_elo(counts)
    adjusted = adjust_for_luck(fit, counts, controls([]))
    assert adjusted.fit.elo == fit.elo
    assert adjusted.fit.error == fit.error
    assert adjusted.variance_ratio == (1, 1)


def test_the_adjusted_rating_has_the_mean_of_the_plain_one_and_less_variance() -> None:
    """Bots of known strength, of whose luck half is the cards'."""
    rng = np.random.default_rng(11)
    plain, adjusted = [], []
    for _ in range(200):
        luck = rng.normal(size=60)
        wins = 0.3 + luck + rng.normal(size=60) > 0
        counts = count_duels(*([WON] if won else [LOST] for won in wins))
        fit = fit_elo(counts)
        plain.append(fit.elo[0])
        adjusted.append(adjust_for_luck(fit, counts, controls((luck / 4).tolist())).fit.elo[0])
    shift = np.array(adjusted) - np.array(plain)
    assert abs(shift.mean()) < 3 * shift.std() / len(shift) ** 0.5
    assert np.var(plain) / np.var(adjusted) > 1.3


def test_block_scores_lose_what_the_other_folds_say_the_cards_were_worth() -> None:
    rng = np.random.default_rng(8)
    control, fold = rng.normal(scale=0.1, size=400), np.arange(400) % LUCK_FOLDS
    scores = 0.55 + 0.9 * control + rng.normal(scale=0.05, size=400)
    adjusted = adjust_block_scores(scores, control, fold)
    assert scores.var() / adjusted.var() > 3
    others = fold != 1
    slope = np.cov(scores[others], control[others], ddof=0)[0, 1] / np.mean(control[others] ** 2)
    slope = (320 * slope + 15 * 0.7) / 335
    assert adjusted[fold == 1] == pytest.approx((scores - slope * control)[fold == 1], abs=3e-3)
    changed = scores.copy()
    changed[fold == 1] += 10 * control[fold == 1]
    again = adjust_block_scores(changed, control, fold)
    assert (changed - again)[fold == 1] == pytest.approx((scores - adjusted)[fold == 1], abs=1e-12)
    assert adjust_block_scores(np.ones(400), control, fold) == pytest.approx(np.ones(400), abs=1e-12)


def test_adjusted_intervals_of_comparisons_hold() -> None:
    """Of 400 comparisons of 48 blocks, as often as those of the plain scores, but narrower."""
    rng = np.random.default_rng(21)
    held, widths = np.zeros(2), np.zeros(2)
    for _ in range(400):
        control, fold = rng.normal(scale=0.2, size=48), rng.integers(LUCK_FOLDS, size=48)
        scores = 0.5 + 0.8 * control + rng.normal(scale=0.2, size=48)
        for which, values in enumerate((scores, adjust_block_scores(scores, control, fold))):
            compared = compare_block_scores(values)
            assert compared.score is not None
            assert compared.error is not None
            held[which] += abs(compared.score - 0.5) <= compared.error
            widths[which] += compared.error
    assert (held / 400 > 0.925).all()
    assert (held / 400 < 0.975).all()
    assert widths[1] < 0.85 * widths[0]
