"""The estimate after a stop is too high as often as too low, and its interval holds."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from arena.rating.sequential import (
    Boundary,
    SequentialEstimate,
    adjust_confidence,
    estimate_after_stop,
    plan_checkpoints,
    probability_as_high,
)
from arena.rating.two_bots import (
    VIRTUAL_SQUARES,
    HeadToHead,
    compare_block_scores,
    expected_score,
    is_decided,
)
from benchmarks.sequential_tests import stop_comparison, stop_sprt

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
