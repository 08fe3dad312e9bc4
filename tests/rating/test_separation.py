"""Ratings are separated no more often at repeated looks than at one."""

import math

import pytest

from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import PairCounts, count_pairs
from arena.rating.separation import SeparationTest
from arena.rating.sequential import is_separated
from arena.rating.two_bots import ELO_PER_UNIT, VIRTUAL_SQUARES, compare_block_scores
from tests.rating.block_scores import block_scores

WON, TIED, LOST = (1, 2), (1, 1), (2, 1)


def duels(*blocks: tuple[tuple[int, int], ...]) -> PairCounts:
    """Blocks of two bots, each with the placings of its matches."""
    return count_pairs(
        "ab", 2, [(number, (0, 1), match) for number, block in enumerate(blocks) for match in block]
    )


def test_small_gains_before_the_first_large_loss_do_not_separate_two() -> None:
    counts = duels(
        *[(WON, TIED, TIED, LOST) if block % 5 else (WON, TIED, TIED, TIED) for block in range(32)]
    )
    assert is_separated(fit_elo(counts), 0, 1, 0.98)
    assert not SeparationTest(counts, 0.98).is_separated(0, 1)


def test_the_interval_of_two_is_that_of_a_comparison() -> None:
    counts = duels(
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
    counts = duels(*[(WON, TIED) if block % 3 else (LOST, TIED) for block in range(60)])
    for confidence in (0.95, 0.99):
        test = SeparationTest(counts, confidence)
        los, error = test.los(0, 1), test.error(0, 1)
        assert los is not None
        assert error is not None
        assert (los > 0.975) == (test.fit.elo[0] - test.fit.elo[1] > error) == test.is_separated(0, 1)


def test_virtual_blocks_weigh_less_the_more_blocks_were_played() -> None:
    def widening(blocks: int) -> float:
        counts = duels(*[(WON, TIED) if block % 2 else (LOST, TIED) for block in range(blocks)])
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
