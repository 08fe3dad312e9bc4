"""Blocks that separate bots: sample sizes, and tests that hold at repeated looks."""

import math

import numpy as np
import pytest

from arena.rating.anytime import fit_anytime
from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import FloatArray, count_pairs
from arena.rating.separation import (
    ScoreSums,
    SeparationTest,
    estimate_duplicate_efficiency,
    estimate_pair_blocks,
    estimate_required_blocks,
)
from arena.rating.sequential import is_separated
from arena.rating.two_bots import ELO_PER_UNIT, VIRTUAL_SQUARES, compare_block_scores
from tests.rating.conftest import LOST, TIED, WON, World, block_scores, count_duels


def test_small_gains_before_the_first_large_loss_do_not_separate_two() -> None:
    counts = count_duels(
        *[(WON, TIED, TIED, LOST) if block % 5 else (WON, TIED, TIED, TIED) for block in range(32)]
    )
    assert is_separated(fit_elo(counts), 0, 1, 0.98)
    assert not SeparationTest(counts, 0.98).is_separated(0, 1)


def test_the_interval_of_two_is_that_of_a_comparison() -> None:
    counts = count_duels(
        *[(WON, WON, TIED, LOST) if block % 2 else (LOST, TIED, TIED, WON) for block in range(200)]
    )
    score = compare_block_scores(block_scores(counts, 0, 1), 0.98, virtual_squares=VIRTUAL_SQUARES)
    assert score.error is not None
    assert score.score is not None
    in_elo = ELO_PER_UNIT * score.error / (score.score * (1 - score.score))
    test = SeparationTest(counts, 0.98)
    assert test.error(0, 1) == pytest.approx(in_elo, rel=0.01)
    assert test.los(0, 1) == pytest.approx(score.los, abs=0.005)


def test_los_is_97_5_percent_where_the_interval_ends_at_0() -> None:
    counts = count_duels(*[(WON, TIED) if block % 3 else (LOST, TIED) for block in range(60)])
    for confidence in (0.95, 0.99):
        test = SeparationTest(counts, confidence)
        los, error = test.los(0, 1), test.error(0, 1)
        assert los is not None
        assert error is not None
        assert (los > 0.975) == (test.fit.elo[0] - test.fit.elo[1] > error) == test.is_separated(0, 1)


def test_virtual_blocks_weigh_less_the_more_blocks_were_played() -> None:
    def widening(blocks: int) -> float:
        counts = count_duels(*[(WON, TIED) if block % 2 else (LOST, TIED) for block in range(blocks)])
        test = SeparationTest(counts, 0.95)
        seen, error = test.fit.pair_error(0, 1), test.error(0, 1)
        assert seen is not None
        assert error is not None
        return error / seen

    assert 1 < widening(1000) < 1.02 < widening(32) < 1.2


def test_two_that_never_met_even_through_others_are_not_separated() -> None:
    matches = [(block, (0, 1) if block % 2 else (2, 3), WON if block % 3 else LOST) for block in range(60)]
    test = SeparationTest(count_pairs("abcd", 2, matches), 0.95)
    assert test.error(0, 2) is test.los(0, 2) is None
    assert not test.is_separated(0, 2)
    assert math.isfinite(test.error(0, 1) or math.inf)


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
    assert estimate_required_blocks(1, 1, 0.975, power=0.9) == 13  # Cohen's d = 1, one sample, 90 %: 12.6
    assert estimate_required_blocks(1, 1, 0.975, power=0.5) == 7


@pytest.mark.parametrize("pilot", [12, 60])
def test_so_many_blocks_separate_with_their_probability(pilot: int) -> None:
    rng = np.random.default_rng(7)
    place = World(np.array([0.5, 0.0]), seats=2)
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
    for blocks in (20, 3):
        even = count_duels(*([WON] if block % 2 else [LOST] for block in range(blocks)))
        assert estimate_pair_blocks(fit_anytime(even), 0, 1, 0.95) is None


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


def test_without_variation_there_is_no_efficiency() -> None:
    assert estimate_duplicate_efficiency([sums(np.full((50, 4), 0.5))]) is None
    assert estimate_duplicate_efficiency([sums(np.array([[0.0, 1.0], [1.0, 0.5]]))]) is None
