"""Two bots: LOS as text, the sequential test, and what block scores say."""

import math
from typing import Any

import numpy as np
import pytest

from arena.rating.two_bots import (
    BURN_IN_BLOCKS,
    Sprt,
    SprtStatus,
    Verdict,
    compare_block_scores,
    compute_elo_bounds,
    compute_prior_error,
    elo_from_score,
    estimate_block_elo,
    expected_score,
    format_los,
)
from benchmarks.block_elo_coverage import draw_block_scores, measure_coverage


@pytest.mark.parametrize(
    ("los", "text"),
    [
        *((1.0, "> 99.9%"), (0.9996, "> 99.9%"), (0.9994, "99.9%"), (0.975, "97.5%"), (0.5, "50.0%")),
        *((0.0006, "0.1%"), (0.0004, "< 0.1%"), (0.0, "< 0.1%")),
    ],
)
def test_los_stays_between_certainties(los: float, text: str) -> None:
    assert format_los(los) == text


def run(rng: np.random.Generator, elo: float, every: int = 1) -> SprtStatus:
    """The last look at a comparison of bots that differ by `elo`; a block is the mean of four matches."""
    test = Sprt(0, 30)
    while True:
        for score in rng.binomial(8, expected_score(elo), size=every) / 8:
            test.add(score)
        if (look := test.evaluate()).verdict:
            return look


def share(verdict: Verdict, elo: float, every: int, trials: int) -> float:
    """Return the share of tests in which bots that differ by `elo` get the verdict."""
    rng = np.random.default_rng(int(elo) + every)
    return float(np.mean([run(rng, elo, every).verdict == verdict for _ in range(trials)]))


@pytest.mark.parametrize("every", [1, 8])
@pytest.mark.parametrize("trials", [400, pytest.param(1500, marks=pytest.mark.full)])
def test_type_one_and_type_two_errors_are_five_percent(every: int, trials: int) -> None:
    assert 0.03 <= share("H1", 0, every, trials) <= 0.07
    assert 0.03 <= share("H0", 30, every, trials) <= 0.07


def test_the_ratio_is_that_of_two_normal_distributions() -> None:
    scores = [0.25, 0.5, 0.75, 0.5, 1.0, 0.5, 0.25, 0.75]
    test = Sprt(-10, 40)
    for score in scores:
        test.add(score)
    variance = (np.var(scores) * 8 + 2 * 0.5**2) / 7  # with a block more that each took wholly
    under = [
        sum((score - expected_score(elo)) ** 2 for score in scores) / (2 * variance) for elo in (-10, 40)
    ]
    assert test.evaluate().llr == pytest.approx(under[0] - under[1])


def test_there_is_no_verdict_during_the_burn_in() -> None:
    test = Sprt(0, 20)
    for _ in range(BURN_IN_BLOCKS - 1):
        test.add(1.0)
        assert test.evaluate().verdict is None
    test.add(1.0)
    assert test.evaluate().verdict == "H1"


def test_bounds_are_walds_and_draw_in_by_the_overshoot_seen() -> None:
    rng = np.random.default_rng(5)
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    first, last = test.evaluate(), test.evaluate()
    for score in rng.binomial(8, 0.5, size=200) / 8:
        test.add(score)
        last = test.evaluate()
    assert (first.lower, first.upper) == (math.log(0.1 / 0.95), math.log(0.9 / 0.05))
    assert first.lower < last.lower < 0 < last.upper <= first.upper


def test_a_second_look_at_the_same_blocks_shows_the_same() -> None:
    test = Sprt(0, 10)
    for score in [0.5, 0.75] * 20:
        test.add(score)
    assert test.evaluate() == test.evaluate()


def test_scores_that_never_vary_are_decided_but_not_at_once() -> None:
    test = Sprt(0, 20)
    for _ in range(BURN_IN_BLOCKS):
        test.add(0.5)
    assert test.evaluate().verdict is None
    for _ in range(BURN_IN_BLOCKS):
        test.add(0.5)
    assert test.evaluate().verdict == "H0"


def test_bots_that_seldom_differ_are_not_called_equal_too_soon() -> None:
    rng = np.random.default_rng(4)
    wins = 2 * (expected_score(20) - 0.5)  # of blocks; all others are even
    wrong = 0
    for _ in range(400):
        test = Sprt(0, 20)
        while not (look := test.evaluate()).verdict:
            for won in rng.random(8) < wins:
                test.add(1.0 if won else 0.5)
        wrong += look.verdict == "H0"
    assert wrong / 400 <= 0.08


def test_without_a_block_nothing_speaks_for_either_side() -> None:
    assert Sprt(0, 20).evaluate().llr == 0


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha", "what"),
    [
        (20, 0, 0.05, "elo0 must be below elo1"),
        (5, 5, 0.05, "must be below"),
        (0, 9, 0.0, "between 0 and 0.5"),
    ],
)
def test_a_test_that_cannot_be_is_refused(elo0: float, elo1: float, alpha: float, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        Sprt(elo0, elo1, alpha=alpha)


def test_known_numbers() -> None:
    result = compare_block_scores([0.5, 1, 0.75, 0.5, 0.25, 0.75, 1, 0.25, 0.5, 0.5])
    assert (result.blocks, result.score) == (10, 0.6)
    assert result.elo == pytest.approx(70.44, abs=0.01)
    assert result.error == pytest.approx(0.1922, abs=0.0001)  # t(9) = 2.2622, deviation 0.2687
    assert result.low == pytest.approx(-64.8, abs=0.1)
    assert result.high == pytest.approx(232.5, abs=0.1)
    assert result.los == pytest.approx(0.8653, abs=0.0002)


def test_from_the_other_side_it_is_the_mirror_image() -> None:
    scores = np.random.default_rng(1).random(40)
    first, other = compare_block_scores(scores), compare_block_scores(1 - scores)
    assert first.elo == pytest.approx(-(other.elo or 0))
    assert first.low == pytest.approx(-(other.high or 0))
    assert first.los == pytest.approx(1 - (other.los or 0))


@pytest.mark.parametrize("scores", [[], [0.5], [0.2, 0.8, 0.4, 0.1, 0.9], [1.0] * 50, [0.3] * 50])
def test_where_nothing_is_known_of_the_error_none_is_given(scores: list[float]) -> None:
    result = compare_block_scores(scores)
    assert (result.error, result.low, result.high, result.los) == (None,) * 4


def test_more_confidence_is_a_wider_interval_of_the_same_score() -> None:
    scores = np.random.default_rng(1).random(40)
    plain, wide = compare_block_scores(scores), compare_block_scores(scores, confidence=0.99)
    assert (plain.score, plain.deviation) == (wide.score, wide.deviation)
    assert plain.error is not None
    assert wide.error == pytest.approx(plain.error * 2.7079 / 2.0227, abs=1e-4)  # t(39)


def test_a_block_more_that_each_took_wholly_widens_the_interval_and_leaves_the_rest() -> None:
    scores = [0.5, 1, 0.75, 0.5, 0.25, 0.75, 1, 0.25, 0.5, 0.5]
    plain, wide = compare_block_scores(scores), compare_block_scores(scores, virtual_squares=0.5)
    assert (plain.score, plain.elo) == (wide.score, wide.elo)
    assert wide.deviation == pytest.approx(((0.65 + 0.5) / 9) ** 0.5)  # 0.65 = Σ (score - 0.6)²
    assert wide.error == pytest.approx(2.2622 * (1.15 / 90) ** 0.5, abs=1e-4)
    assert compare_block_scores([0.6] * 10, virtual_squares=0.5).error is None
    assert compute_prior_error(10, 0.95, 0.5) == pytest.approx(2.2622 * (0.5 / 90) ** 0.5, abs=1e-4)


@pytest.mark.parametrize("is_skewed", [False, True])
@pytest.mark.parametrize("virtual_squares", [0.0, 0.5])
@pytest.mark.parametrize(("confidence", "nominal"), [(0.95, 0.95), (0.9999, 0.95), (0.9999, 0.99)])
def test_los_and_interval_follow_one_rule(
    is_skewed: bool, virtual_squares: float, confidence: float, nominal: float
) -> None:
    """LOS is 97.5 %, or as nominal, exactly where one half is the lower end of the interval."""
    terms: dict[str, Any] = {"virtual_squares": virtual_squares, "is_skewed": is_skewed, "nominal": nominal}
    spread = np.random.default_rng(2).normal(0, 0.1, 20)
    spread = np.concatenate((spread, -spread))
    error = compare_block_scores(0.5 + spread, confidence, **terms).error
    assert error is not None
    for lead, los in ((error, (1 + nominal) / 2), (0.0, 0.5), (-error, (1 - nominal) / 2)):
        compared = compare_block_scores(0.5 + lead + spread, confidence, **terms)
        assert compared.los == pytest.approx(los, abs=1e-6)


def test_skewness_widens_the_interval_towards_one_half_alone() -> None:
    rare_losses = [0.625] * 36 + [0.0] * 4
    terms: dict[str, Any] = {"virtual_squares": 0.5}
    plain = compare_block_scores(rare_losses, **terms).error or 0
    third = (sum((0.5625 - score) ** 3 for score in rare_losses) + 0.125) / 40
    variance, t = (40 * 0.03515625 + 0.5) / 39, 2.0227  # 0.1 · 0.9 · 0.625², t(39)
    skewed = compare_block_scores(rare_losses, **terms, is_skewed=True)
    assert skewed.error == pytest.approx(plain + (1 + 2 * t**2) * third / (6 * variance * 40), rel=1e-4)
    rare_gains = [0.5 + own for own in (0.0, 0.05) * 18 + (0.5,) * 4]
    widened = compare_block_scores(rare_gains, **terms, is_skewed=True).error
    assert widened == compare_block_scores(rare_gains, **terms).error
    mirrored = compare_block_scores([1 - score for score in rare_losses], **terms, is_skewed=True)
    assert (mirrored.error, mirrored.score) == pytest.approx((skewed.error, 1 - 0.5625))


def test_an_end_beyond_every_elo_is_left_open() -> None:
    result = compare_block_scores([1.0] * 9 + [0.0])
    assert result.high is None
    assert result.low is not None


def test_intervals_cover() -> None:
    rng = np.random.default_rng(8)
    results = [compare_block_scores(rng.beta(3, 2, size=30)) for _ in range(600)]
    inside = [abs((result.score or 0) - 0.6) <= (result.error or 0) for result in results]
    assert 0.93 <= np.mean(inside) <= 0.97


def test_bounds_in_elo_are_those_of_the_interval() -> None:
    result = compare_block_scores(np.random.default_rng(1).random(40))
    assert compute_elo_bounds(result) == (result.low, result.high)
    assert None not in compute_elo_bounds(result)


def test_bounds_of_blocks_that_are_alike_are_those_of_one_pseudo_block_won_by_each_side() -> None:
    error = 2.0930 * math.sqrt(0.5 / 19 / 20)  # t(19)
    low, high = compute_elo_bounds(compare_block_scores([0.3] * 20))
    assert low == pytest.approx(elo_from_score(0.3 - error), abs=0.01)
    assert high == pytest.approx(elo_from_score(0.3 + error), abs=0.01)
    low, high = compute_elo_bounds(compare_block_scores([1.0] * 20))
    assert low == pytest.approx(elo_from_score(1 - error), abs=0.01)
    assert high is None


@pytest.mark.parametrize("scores", [[], [0.2, 0.8, 0.4, 0.1, 0.9]])
def test_few_blocks_have_no_bounds(scores: list[float]) -> None:
    assert compute_elo_bounds(compare_block_scores(scores)) == (None, None)


def test_elo_of_blocks_by_hand() -> None:
    scores = [0.5, 1, 0.75, 0.5, 0.25, 0.75, 1, 0.25, 0.5, 0.5]  # as in test_known_numbers: 0.6 ± 0.1922
    estimate = estimate_block_elo(scores)
    error = 400 / math.log(10) * 0.1922 / (0.6 * 0.4)
    assert (estimate.elo, estimate.error) == pytest.approx((70.44, error), abs=0.1)
    assert (estimate.low, estimate.high) == pytest.approx((70.44 - error, 70.44 + error), abs=0.1)


def test_elo_of_blocks_is_the_mirror_image_from_the_other_side() -> None:
    scores = np.random.default_rng(1).random(40) ** 0.1
    first, other = estimate_block_elo(scores.tolist()), estimate_block_elo((1 - scores).tolist())
    assert first.error is not None
    assert (first.elo, first.error, first.low) == pytest.approx(
        (-(other.elo or 0), other.error, -(other.high or 0))
    )


@pytest.mark.parametrize("scores", [[], [0.2, 0.8, 0.4, 0.1, 0.9], [1.0] * 50, [0.0] * 50, [0.3] * 50])
def test_elo_of_blocks_that_tell_no_error_has_the_bounds_of_the_score(scores: list[float]) -> None:
    estimate, result = estimate_block_elo(scores), compare_block_scores(scores)
    assert estimate == (result.elo, None, *compute_elo_bounds(result))


def test_interval_in_elo_holds_near_a_perfect_score_where_that_of_the_score_is_too_short() -> None:
    scores = draw_block_scores((2000, 20), 4, 0.95, 0.3, np.random.default_rng(1))
    own, converted = measure_coverage(scores, 0.95)
    assert 0.935 < own < 0.97
    assert converted < 0.93
