"""Looking again and again, and being fooled no more often than by looking once."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.rating.elo_fit import fit_elo
from arena.rating.pair_counts import count_pairs
from arena.rating.sequential import adjust_confidence, is_separated, plan_checkpoints
from arena.rating.student_t import normal_quantile
from arena.rating.two_bots import VIRTUAL_SQUARES, compare_block_scores


def test_looks_grow_apart_and_the_last_is_the_end() -> None:
    assert plan_checkpoints(32, 200, 1.5) == (32, 48, 72, 108, 162, 200)
    assert plan_checkpoints(32, 32, 1.5) == (32,)
    assert plan_checkpoints(32, 5, 1.5) == (5,)
    assert plan_checkpoints(1, 6, 1.0) == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(("looks", "bound"), [(2, 2.178), (3, 2.289), (5, 2.413), (10, 2.555)])
def test_looks_at_equal_distances_have_the_bounds_of_pocock(looks: int, bound: float) -> None:
    confidence = adjust_confidence(range(1, looks + 1))
    assert normal_quantile((1 + confidence) / 2) == pytest.approx(bound, abs=0.001)


def test_one_look_costs_nothing() -> None:
    assert adjust_confidence([500]) == pytest.approx(0.95, abs=1e-9)


def test_equals_are_told_apart_at_some_look_in_one_comparison_of_twenty() -> None:
    rng = np.random.default_rng(5)
    looks = plan_checkpoints(32, 1000, 1.5)
    confidence = adjust_confidence(looks)
    alarms = sum(
        _stops(rng.choice([0, 0.25, 0.5, 0.75, 1], size=1000), looks, confidence) for _ in range(600)
    )
    assert 0.03 <= alarms / 600 <= 0.07


def _stops(
    scores: NDArray[np.float64], looks: Sequence[int], confidence: float, virtual: float = 0.0
) -> bool:
    compared = [
        compare_block_scores(scores[:blocks], confidence, virtual_squares=virtual) for blocks in looks
    ]
    return any(abs((look.score or 0) - 0.5) > (look.error or 1) for look in compared)


@pytest.mark.parametrize("losses", [0.05, 0.02])
def test_nor_where_small_gains_are_frequent_and_great_losses_rare(losses: float) -> None:
    rng = np.random.default_rng(6)
    looks = plan_checkpoints(32, 1000, 1.5)
    confidence = adjust_confidence(looks)
    gains = 4 * losses  # of an eighth each, losses of a half
    worlds = [rng.choice([0, 0.625, 0.5], 1000, p=[losses, gains, 1 - gains - losses]) for _ in range(400)]
    assert sum(_stops(scores, looks, confidence) for scores in worlds) > 400 * 0.1
    assert sum(_stops(scores, looks, confidence, VIRTUAL_SQUARES) for scores in worlds) < 400 * 0.07


def test_bots_are_separated_when_the_interval_leaves_nought() -> None:
    matches = [(block, (0, 1), (1, 2) if block % 4 else (2, 1)) for block in range(40)]
    fit = fit_elo(count_pairs("ab", 2, matches))
    los = fit.los(0, 1)
    assert los is not None
    assert is_separated(fit, 0, 1, 2 * los - 1 - 1e-9)
    assert is_separated(fit, 1, 0, 2 * los - 1 - 1e-9)
    assert not is_separated(fit, 0, 1, 2 * los - 1 + 1e-9)


@pytest.mark.parametrize(("blocks", "expected"), [(31, False), (32, True)])
def test_who_wins_everything_is_separated_after_32_blocks(blocks: int, expected: bool) -> None:
    fit = fit_elo(count_pairs("ab", 2, [(block, (0, 1), (1, 2)) for block in range(blocks)]))
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
    fit = fit_elo(count_pairs("ab", 2, [(block, (0, 1), (1, 1)) for block in range(500)]))
    assert not is_separated(fit, 0, 1, 0.95)
