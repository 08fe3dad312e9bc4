"""Sequential tests: looking again and again, and the estimate after a stop."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import count_pairs
from arena.rating.sequential import (
    Boundary,
    SequentialEstimate,
    adjust_confidence,
    estimate_after_stop,
    is_separated,
    plan_checkpoints,
    probability_as_high,
)
from arena.rating.student_t import normal_quantile
from arena.rating.two_bots import (
    VIRTUAL_SQUARES,
    HeadToHead,
    compare_block_scores,
    expected_score,
    is_decided,
)
from benchmarks.sequential_tests import stop_comparison, stop_sprt
from tests.rating.conftest import LOST, TIED, WON, count_duels


def test_looks_grow_apart_and_the_last_is_the_end() -> None:
    assert plan_checkpoints(32, 200, 1.5) == (32, 48, 72, 108, 162, 200)
    assert plan_checkpoints(32, 32, 1.5) == (32,)
    assert plan_checkpoints(32, 5, 1.5) == (5,)
    assert plan_checkpoints(1, 6, 1.0) == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(("looks", "bound"), [(1, 1.96), (2, 2.178), (3, 2.289), (5, 2.413), (10, 2.555)])
def test_looks_at_equal_distances_have_the_bounds_of_pocock(looks: int, bound: float) -> None:
    confidence = adjust_confidence(range(1, looks + 1))
    assert normal_quantile((1 + confidence) / 2) == pytest.approx(bound, abs=0.001)


@pytest.mark.parametrize("trials", [250, pytest.param(600, marks=pytest.mark.full)])
def test_equals_are_told_apart_at_some_look_in_one_comparison_of_twenty(trials: int) -> None:
    rng = np.random.default_rng(5)
    looks = plan_checkpoints(32, 1000, 1.5)
    confidence = adjust_confidence(looks)
    alarms = sum(
        _stops(rng.choice([0, 0.25, 0.5, 0.75, 1], size=1000), looks, confidence) for _ in range(trials)
    )
    assert 0.03 <= alarms / trials <= 0.07


def _stops(
    scores: NDArray[np.float64], looks: Sequence[int], confidence: float, virtual: float = 0.0
) -> bool:
    compared = [
        compare_block_scores(scores[:blocks], confidence, virtual_squares=virtual) for blocks in looks
    ]
    return any(abs((look.score or 0) - 0.5) > (look.error or 1) for look in compared)


@pytest.mark.parametrize("losses", [0.05, 0.02])
@pytest.mark.parametrize("trials", [150, pytest.param(400, marks=pytest.mark.full)])
def test_nor_where_small_gains_are_frequent_and_great_losses_rare(losses: float, trials: int) -> None:
    rng = np.random.default_rng(6)
    looks = plan_checkpoints(32, 1000, 1.5)
    confidence = adjust_confidence(looks)
    gains = 4 * losses  # of an eighth each, losses of a half
    worlds = [rng.choice([0, 0.625, 0.5], 1000, p=[losses, gains, 1 - gains - losses]) for _ in range(trials)]
    assert sum(_stops(scores, looks, confidence) for scores in worlds) > trials * 0.1
    assert sum(_stops(scores, looks, confidence, VIRTUAL_SQUARES) for scores in worlds) < trials * 0.07


def test_bots_are_separated_when_the_interval_leaves_nought() -> None:
    fit = fit_elo(count_duels(*[[WON]] * 30, *[[LOST]] * 10))
    los = fit.los(0, 1)
    assert los is not None
    assert is_separated(fit, 0, 1, 2 * los - 1 - 1e-9)
    assert is_separated(fit, 1, 0, 2 * los - 1 - 1e-9)
    assert not is_separated(fit, 0, 1, 2 * los - 1 + 1e-9)


@pytest.mark.parametrize(("blocks", "expected"), [(31, False), (32, True)])
def test_who_wins_everything_is_separated_after_32_blocks(blocks: int, expected: bool) -> None:
    fit = fit_elo(count_duels(*[[WON]] * blocks))
    assert is_separated(fit, 0, 1, 0.95) == expected


@pytest.mark.parametrize(("between", "expected"), [(3, False), (32, True)])
def test_what_counts_are_the_blocks_that_link_two_and_not_those_with_others(
    between: int, expected: bool
) -> None:
    among = [(block, (2 * (block % 2), 2 * (block % 2) + 1), (1 + block % 4 // 2, 2 - block % 4 // 2))
             for block in range(200)]  # fmt: skip
    links = [(200 + block, (1, 2), (1, 2)) for block in range(between)]
    fit = fit_elo(count_pairs("abcd", 2, [*among, *links]))
    assert fit.los(1, 2) is None
    assert [len(group) for group in fit.comparable_groups] == [2, 2]
    assert is_separated(fit, 1, 2, 0.95) == is_separated(fit, 0, 3, 0.95) == expected


def test_who_took_all_from_the_same_third_one_is_not_above_another_who_did() -> None:
    matches = [(block, (block % 2, 2), (1, 2)) for block in range(150)]
    fit = fit_elo(count_pairs("abc", 2, [*matches, *((150 + block, (0, 2), (1, 2)) for block in range(50))]))
    assert fit.elo[0] > fit.elo[1]
    assert not is_separated(fit, 0, 1, 0.95)
    assert is_separated(fit, 0, 2, 0.95)


def test_bots_that_always_tie_are_never_separated() -> None:
    fit = fit_elo(count_duels(*[[TIED]] * 500))
    assert not is_separated(fit, 0, 1, 0.95)


LOOKS = plan_checkpoints(32, 400, 1.5)
CONFIDENCE = adjust_confidence(LOOKS)

Stop = tuple[HeadToHead, SequentialEstimate]


def simulate(way: str, elo: float, repetitions: int) -> list[Stop]:
    rng = np.random.default_rng(3)
    scores = rng.normal(expected_score(elo), 0.12, (repetitions, LOOKS[-1]))
    if way == "sprt":
        looks = plan_checkpoints(32, 400, 1.3)
        return [stop_sprt(row, looks, (0, 20)) for row in scores]
    return [stop_comparison(row, LOOKS) for row in scores]


def share(cases: Sequence[bool]) -> float:
    return sum(cases) / len(cases)


@pytest.mark.parametrize("way", ["compare", "sprt"])
def test_the_estimate_is_too_high_in_half_of_all_tests_and_the_interval_holds(way: str) -> None:
    elo = 20
    stops = simulate(way, elo, 80)
    assert share([result.score > expected_score(elo) for result, _ in stops if result.score]) > 0.55
    assert 0.38 < share([estimate.score > expected_score(elo) for _, estimate in stops]) < 0.62
    held = [(estimate.low or -math.inf) <= elo <= (estimate.high or math.inf) for _, estimate in stops]
    assert share(held) >= 0.9


def test_the_interval_excludes_equality_where_the_comparison_found_a_difference() -> None:
    for result, estimate in simulate("compare", 12, 30):
        excluded = estimate.low is not None and estimate.high is not None and estimate.low * estimate.high > 0
        assert excluded == is_decided(result, CONFIDENCE, VIRTUAL_SQUARES)


def test_with_one_look_it_is_the_interval_of_a_fixed_number_of_blocks() -> None:
    scores = np.random.default_rng(1).normal(0.6, 0.2, 200)
    result = compare_block_scores(scores)
    estimate = estimate_after_stop(result, [200], 0.95)
    assert estimate is not None
    assert estimate.elo == pytest.approx(result.elo, abs=0.01)
    assert (estimate.low, estimate.high) == pytest.approx((result.low, result.high), abs=0.01)


def test_it_is_the_same_from_the_other_side() -> None:
    scores = np.random.default_rng(2).normal(0.53, 0.2, LOOKS[-1])
    _, own = stop_comparison(scores, LOOKS)
    _, other = stop_comparison(1 - scores, LOOKS)
    assert own.elo == pytest.approx(-(other.elo or 0), abs=1e-3)
    assert (own.low, own.high) == pytest.approx((-(other.high or 0), -(other.low or 0)), abs=1e-3)


def test_probabilities_agree_with_simulated_brownian_motion() -> None:
    drift, bound = 0.1, 2.5
    looks = [32, 48, 72]
    steps = np.random.default_rng(4).normal(drift, 1, (20_000, looks[-1])).cumsum(axis=1)
    at = steps[:, np.array(looks) - 1]
    above, out = np.zeros(len(at), bool), np.zeros(len(at), bool)
    for place, blocks in enumerate(looks[:-1]):
        edge = bound * math.sqrt(blocks)
        above |= ~out & (at[:, place] > edge)
        out |= np.abs(at[:, place]) > edge
    above |= ~out & (at[:, 2] > 10)
    edges = [Boundary(blocks, -bound * math.sqrt(blocks), bound * math.sqrt(blocks)) for blocks in looks[:-1]]
    assert probability_as_high(drift, 10, 72, edges) == pytest.approx(above.mean(), abs=0.01)


def test_a_score_that_jumps_late_has_an_estimate() -> None:
    scores = np.concatenate((np.tile([0.49, 0.51], 16), np.full(16, 1.0)))
    result = compare_block_scores(scores, CONFIDENCE, virtual_squares=VIRTUAL_SQUARES)
    estimate = estimate_after_stop(result, LOOKS, CONFIDENCE)
    assert estimate is not None
    assert 0.5 < estimate.score < (result.score or 0)
