"""The sequential test errs as seldom as it says."""

import math

import numpy as np
import pytest

from arena.rating.bradley_terry import expected_score
from arena.rating.sprt import BURN_IN_BLOCKS, Sprt, SprtStatus, Verdict


def run(rng: np.random.Generator, elo: float, every: int = 1) -> SprtStatus:
    """The last look at a comparison of bots that differ by `elo`; a block is the mean of four matches."""
    test = Sprt(0, 30)
    while True:
        for score in rng.binomial(8, expected_score(elo), size=every) / 8:
            test.add(score)
        if (look := test.evaluate()).verdict:
            return look


def share(verdict: Verdict, elo: float, every: int) -> float:
    """Return the share of tests in which bots that differ by `elo` get the verdict."""
    rng = np.random.default_rng(int(elo) + every)
    return float(np.mean([run(rng, elo, every).verdict == verdict for _ in range(1500)]))


@pytest.mark.parametrize("every", [1, 8])
def test_type_one_and_type_two_errors_are_five_percent(every: int) -> None:
    assert 0.03 <= share("H1", 0, every) <= 0.07
    assert 0.03 <= share("H0", 30, every) <= 0.07


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
