"""Sample sizes for an answer."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena.rating.anytime import fit_anytime
from arena.rating.pair_counts import FloatArray, count_pairs
from arena.rating.separation import (
    ScoreSums,
    estimate_duplicate_efficiency,
    estimate_pair_blocks,
    estimate_required_blocks,
)
from arena.rating.sequential import is_separated


def sums(scores: FloatArray) -> ScoreSums:
    """Sums of scores with a row for each block."""
    blocks, matches = scores.shape
    return ScoreSums(blocks, matches, scores.sum(), (scores**2).sum(), (scores.sum(axis=1) ** 2).sum())


def test_known_numbers() -> None:
    assert estimate_required_blocks(1, 1, 0.975) == 10  # Cohen's d = 1, one sample, 80 %: 9.9
    assert estimate_required_blocks(0.2, 1, 0.975) == pytest.approx(199, abs=1)
    assert estimate_required_blocks(-0.2, 1, 0.975) == estimate_required_blocks(0.2, 1, 0.975)
    assert estimate_required_blocks(50, 1, 0.95) == 6
    assert estimate_required_blocks(0, 1, 0.95) is None


@pytest.mark.parametrize("pilot", [12, 60])
def test_so_many_blocks_separate_with_their_probability(world: Callable[..., Any], pilot: int) -> None:
    rng = np.random.default_rng(7)
    place = world(np.array([0.5, 0.0]), seats=2)
    shares: dict[float, list[bool]] = {0.1: [], 0.5: [], 0.9: []}
    for _ in range(30):
        played = place.play(rng, 1500)
        first = fit_anytime(place.counted(*(values[: 2 * pilot] for values in played)))
        for probability, separated in shares.items():
            blocks = estimate_pair_blocks(first, 0, 1, 0.975, probability) or 1500
            extended = fit_anytime(place.counted(*(values[: 2 * blocks] for values in played)))
            separated.append(is_separated(extended, 0, 1, 0.95))
    assert np.mean(shares[0.1]) <= 0.4
    assert 0.15 <= np.mean(shares[0.5]) <= 0.8
    assert np.mean(shares[0.9]) >= 0.8


def test_equal_or_unknown_bots_have_no_plan() -> None:
    even = [(block, (0, 1), (1, 2) if block % 2 else (2, 1)) for block in range(20)]
    assert estimate_pair_blocks(fit_anytime(count_pairs("ab", 2, even)), 0, 1, 0.95) is None
    assert estimate_pair_blocks(fit_anytime(count_pairs("ab", 2, even[:3])), 0, 1, 0.95) is None


def test_duplicate_deals_pay_when_luck_is_in_the_seat_and_cost_when_it_is_in_the_bot() -> None:
    rng = np.random.default_rng(0)
    alone, by_deal = rng.normal(size=(4000, 4)), rng.normal(size=(4000, 1))
    seat_luck = rng.normal(size=(4000, 4))
    cancelling = seat_luck - seat_luck.mean(axis=1, keepdims=True)
    assert estimate_duplicate_efficiency([sums(alone)]) == pytest.approx(1, abs=0.05)
    assert estimate_duplicate_efficiency([sums(alone + by_deal)]) == pytest.approx(
        2 / 5, abs=0.05
    )  # (2/4) / (1 + 1/4)
    assert estimate_duplicate_efficiency([sums(alone + cancelling)]) == pytest.approx(1.75, abs=0.1)


def test_the_efficiency_is_that_of_the_variances_of_matches_and_of_means_of_blocks() -> None:
    tables = [np.random.default_rng(seed).integers(0, 7, size=(30, 4)).astype(float) for seed in range(3)]
    of_blocks = sum(((table.mean(axis=1) - table.mean()) ** 2).sum() for table in tables) / (3 * 29)
    of_matches = sum(((table - table.mean()) ** 2).sum() for table in tables) / (3 * 119)
    assert estimate_duplicate_efficiency([*map(sums, tables)]) == pytest.approx(of_matches / 4 / of_blocks)


def test_strong_and_weak_company_is_not_luck() -> None:
    rng = np.random.default_rng(1)
    tables = [sums(rng.normal(mean, 1, size=(2000, 4))) for mean in (-3, 0, 3)]
    assert estimate_duplicate_efficiency(tables) == pytest.approx(1, abs=0.05)


def test_more_power_takes_more_blocks() -> None:
    assert estimate_required_blocks(1, 1, 0.975, power=0.9) == 13  # Cohen's d = 1, one sample, 90 %: 12.6
    assert estimate_required_blocks(1, 1, 0.975, power=0.5) == 7


def test_without_variation_there_is_no_efficiency() -> None:
    assert estimate_duplicate_efficiency([sums(np.full((50, 4), 0.5))]) is None
    assert estimate_duplicate_efficiency([sums(np.array([[0.0, 1.0], [1.0, 0.5]]))]) is None
