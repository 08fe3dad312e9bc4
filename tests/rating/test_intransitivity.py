"""Pairs that one scale cannot explain."""

from itertools import combinations

import numpy as np
import pytest

from arena.rating.elo_fit import fit_elo
from arena.rating.model_fit import PairResidual, adjust_holm, compute_pair_residuals
from arena.rating.pair_counts import PairCounts, count_pairs
from tests.rating.block_scores import block_scores


def field(rng: np.random.Generator, blocks: int, bonus: float) -> PairCounts:
    """Five bots on one scale, but 0 beats 1 beats 2 beats 0 by `bonus` more than it says."""
    skill, circle = np.linspace(-0.4, 0.4, 5), {(0, 1), (1, 2), (2, 0)}
    matches = []
    for block in range(blocks):
        first, other = (int(bot) for bot in rng.choice(5, size=2, replace=False))
        edge = skill[first] - skill[other] + bonus * (((first, other) in circle) - ((other, first) in circle))
        for _ in range(2):
            won = rng.random() < 1 / (1 + np.exp(-edge))
            matches.append((block, (first, other), (1, 2) if won else (2, 1)))
    return count_pairs("abcde", 2, matches)


def residuals(rng: np.random.Generator, blocks: int, bonus: float) -> tuple[PairResidual, ...]:
    sums = field(rng, blocks, bonus)
    return compute_pair_residuals(sums, fit_elo(sums))


def test_a_planted_circle_is_found(rng: np.random.Generator) -> None:
    pairs = [pair for pair in residuals(rng, 1500, 0.6) if pair.p < 0.05]
    assert {(pair.bot, pair.other) for pair in pairs} == {(0, 1), (1, 2), (2, 0)}
    assert all(pair.score > pair.expected for pair in pairs)


def test_where_there_is_none_false_alarms_are_rare() -> None:
    alarms = sum(residuals(np.random.default_rng(seed), 200, 0.0)[0].p < 0.05 for seed in range(60))
    assert alarms <= 5


def test_two_bots_that_nearly_always_tie_are_no_exception() -> None:
    """Their residual hardly varies by block, and the errors of the ratings are all that moves it."""

    def play(rng: np.random.Generator) -> PairCounts:
        skill, matches = np.array([0.6, 0.0, 0.0, -0.3, -0.6]), []
        for block, (first, other) in enumerate(
            [pair for pair in combinations(range(5), 2) for _ in range(60)]
        ):
            for _ in range(2):
                if (first, other) == (1, 2) and rng.random() < 0.95:
                    placings = (1, 1)
                else:
                    won = rng.random() < 1 / (1 + np.exp(skill[other] - skill[first]))
                    placings = (1, 2) if won else (2, 1)
                matches.append((block, (first, other), placings))
        return count_pairs("abcde", 2, matches)

    alarms = 0
    for seed in range(40):
        sums = play(np.random.default_rng(seed))
        alarms += compute_pair_residuals(sums, fit_elo(sums))[0].p < 0.05
    assert alarms <= 5


def test_a_residual_says_what_was_seen_and_what_was_expected(rng: np.random.Generator) -> None:
    sums = field(rng, 200, 0.3)
    fit = fit_elo(sums)
    for pair in compute_pair_residuals(sums, fit):
        assert pair.blocks == len(block_scores(sums, pair.bot, pair.other))
        assert pair.score == pytest.approx(block_scores(sums, pair.bot, pair.other).mean())
        difference = fit.elo[pair.bot] - fit.elo[pair.other]
        assert pair.expected == pytest.approx(1 / (1 + 10 ** (-difference / 400)))


def test_pairs_that_met_too_seldom_are_left_out() -> None:
    circle = [(block, (bot, (bot + 1) % 3), (1, 2)) for bot in range(3) for block in range(5 + bot // 2)]
    sums = count_pairs("abc", 2, circle)
    (pair,) = compute_pair_residuals(sums, fit_elo(sums))
    assert (pair.bot, pair.other, pair.blocks, pair.score) == (2, 0, 6, 1)


@pytest.mark.parametrize("won", [2, 3, 4])
def test_blocks_that_all_went_alike_are_no_residual_of_two_bots(won: int) -> None:
    alike = [(match // 4, (0, 1), (1, 2) if match % 4 < won else (2, 1)) for match in range(200)]
    sums = count_pairs("ab", 2, alike)
    (pair,) = compute_pair_residuals(sums, fit_elo(sums))
    assert (pair.blocks, pair.z, pair.p) == (50, 0, 1)
    assert pair.score == pytest.approx(pair.expected, abs=0.01)


def test_a_weak_bot_that_never_took_a_point_is_no_exception() -> None:
    upsets = {(0, 1): range(0, 60, 10), (1, 2): range(0, 60, 5), (0, 2): range(0)}  # by their games
    matches = [
        (game // 2 * 3 + place, pair, (2, 1) if game in upsets[pair] else (1, 2))
        for place, pair in enumerate(upsets)
        for game in range(60)
    ]
    sums = count_pairs("abc", 2, matches)
    pairs = {(pair.bot, pair.other): pair for pair in compute_pair_residuals(sums, fit_elo(sums))}
    assert pairs[0, 2].score == pytest.approx(1)
    assert 0.95 < pairs[0, 2].expected < 0.98
    assert pairs[0, 2].p > 0.2


def test_who_did_better_comes_first_even_within_what_the_virtual_draws_may_do() -> None:
    sums = count_pairs("ab", 2, [(block, (0, 1), (2, 1)) for block in range(8)])
    (pair,) = compute_pair_residuals(sums, fit_elo(sums))
    assert (pair.bot, pair.other, pair.score, pair.z) == (1, 0, 1, 0)
    assert pair.expected < 1


def test_holm() -> None:
    assert adjust_holm([0.01, 0.02, 0.03, 0.9]) == pytest.approx([0.04, 0.06, 0.06, 0.9])
    assert adjust_holm([0.4, 0.5]) == pytest.approx([0.8, 0.8])
    assert adjust_holm([]) == []
