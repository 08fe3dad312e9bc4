"""Fit of ratings to the results of pairs, exceptional pairs, and calibration."""

from itertools import combinations

import numpy as np
import pytest

from arena.rating.elo_fit import fit_elo
from arena.rating.model_fit import (
    ModelFit,
    adjust_holm,
    assess_model_fit,
    compute_pair_residuals,
    measure_calibration,
)
from arena.rating.pair_counts import PairCounts, count_pairs
from tests.rating.conftest import LOST, WON, block_scores, count_duels


def play_tables(
    rng: np.random.Generator, bots: int, seats: int, blocks: int, *, cycle: float = 0.0, alike: float = 0.3
) -> PairCounts:
    """Count blocks of every table of Bradley-Terry bots; in a share of them all matches come out alike.

    With a cycle the first of three bots beats the second, that the third, and that the first by so much more.
    """
    skill = np.linspace(-0.5, 0.5, bots)
    matches = []
    for number, table in enumerate(combinations(range(bots), seats)):
        for block in range(number * blocks, (number + 1) * blocks):
            luck = rng.gumbel(size=(seats, bots))
            if rng.random() < alike:
                luck[:] = luck[0]
            for turn in range(seats):
                seating = np.roll(table, turn)
                strength = skill[seating] + luck[turn][seating]
                if cycle and max(seating) < 3:
                    strength[0] += cycle if (seating[1] - seating[0]) % 3 == 1 else -cycle
                matches.append((block, seating.tolist(), (np.argsort(np.argsort(-strength)) + 1).tolist()))
    return count_pairs([f"bot{number}" for number in range(bots)], seats, matches)


def assess(counts: PairCounts) -> ModelFit:
    fit_to_results = assess_model_fit(counts, fit_elo(counts))
    assert fit_to_results is not None
    return fit_to_results


def test_a_planted_exception_is_found_and_says_what_was_seen(rng: np.random.Generator) -> None:
    counts = play_tables(rng, 4, 2, 150, cycle=0.8)
    fit_to_results = assess(counts)
    assert (fit_to_results.pairs, fit_to_results.blocks, fit_to_results.is_rejected) == (6, 150, True)
    assert (fit_to_results.other - fit_to_results.bot) % 3 == 1
    assert max(fit_to_results.bot, fit_to_results.other) < 3
    assert fit_to_results.score == pytest.approx(
        block_scores(counts, fit_to_results.bot, fit_to_results.other).mean()
    )
    elo = fit_elo(counts).elo
    assert fit_to_results.expected == pytest.approx(
        1 / (1 + 10 ** ((elo[fit_to_results.other] - elo[fit_to_results.bot]) / 400))
    )
    assert fit_to_results.score > fit_to_results.expected


def test_the_first_exception_is_the_pair_that_is_named(rng: np.random.Generator) -> None:
    counts = play_tables(rng, 4, 2, 80, cycle=0.5)
    pairs, (first, *_) = assess(counts), compute_pair_residuals(counts, fit_elo(counts))
    assert (first.bot, first.other) == (pairs.bot, pairs.other)
    assert pairs.p <= first.p < 0.05


def test_false_alarms_are_rare() -> None:
    alarms = sum(
        assess(play_tables(np.random.default_rng(seed), 3, 3, 30)).is_rejected for seed in range(100)
    )
    assert alarms <= 9


def test_the_answer_is_always_the_same(rng: np.random.Generator) -> None:
    counts = play_tables(rng, 4, 3, 12)
    assert assess(counts) == assess(counts)


def test_a_large_field_is_corrected_by_the_number_of_pairs(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = play_tables(rng, 4, 2, 150, cycle=0.8)
    exact = assess(counts)
    monkeypatch.setattr("arena.rating.model_fit.MAX_BOTS", 3)
    assert assess(counts).p >= exact.p
    assert assess(counts).bot == exact.bot


@pytest.mark.parametrize("pairs", [[(0, 1)], [(0, 1), (1, 2)], []])
def test_ratings_explain_any_results_of_a_chain(pairs: list[tuple[int, int]]) -> None:
    matches = [
        (9 * number + block, pair, (1 + block % 2, 2 - block % 2))
        for number, pair in enumerate(pairs)
        for block in range(9)
    ]
    counts = count_pairs("abc", 2, matches)
    assert assess_model_fit(counts, fit_elo(counts)) is None


def test_there_is_no_test_of_pairs_with_few_blocks() -> None:
    matches = [(block, (block % 3, (block + 1) % 3), (1, 2)) for block in range(15)]
    counts = count_pairs("abc", 2, matches)
    assert assess_model_fit(counts, fit_elo(counts)) is None


def test_a_planted_circle_is_found_pair_by_pair(rng: np.random.Generator) -> None:
    counts = play_tables(rng, 5, 2, 150, cycle=0.8)
    pairs = [pair for pair in compute_pair_residuals(counts, fit_elo(counts)) if pair.p < 0.05]
    assert {(pair.bot, pair.other) for pair in pairs} == {(0, 1), (1, 2), (2, 0)}
    assert all(pair.score > pair.expected for pair in pairs)


def test_two_bots_that_nearly_always_tie_are_no_exception() -> None:
    """Their residual hardly varies by block, and the errors of the ratings are all that moves it."""

    def play_ties(rng: np.random.Generator) -> PairCounts:
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
        sums = play_ties(np.random.default_rng(seed))
        alarms += compute_pair_residuals(sums, fit_elo(sums))[0].p < 0.05
    assert alarms <= 5


def test_a_residual_says_what_was_seen_and_what_was_expected(rng: np.random.Generator) -> None:
    sums = play_tables(rng, 5, 2, 20, cycle=0.3)
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
    sums = count_duels(*[[WON] * won + [LOST] * (4 - won)] * 50)
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
    sums = count_duels(*[[LOST]] * 8)
    (pair,) = compute_pair_residuals(sums, fit_elo(sums))
    assert (pair.bot, pair.other, pair.score, pair.z) == (1, 0, 1, 0)
    assert pair.expected < 1


def test_holm() -> None:
    assert adjust_holm([0.01, 0.02, 0.03, 0.9]) == pytest.approx([0.04, 0.06, 0.06, 0.9])
    assert adjust_holm([0.4, 0.5]) == pytest.approx([0.8, 0.8])
    assert adjust_holm([]) == []


@pytest.mark.parametrize("fields", [15, pytest.param(40, marks=pytest.mark.full)])
def test_ratings_of_their_own_law_are_calibrated(fields: int) -> None:
    inside = []
    for seed in range(fields):
        counts = play_tables(np.random.default_rng(seed), 4, 2, 60)
        bins = measure_calibration(counts)
        assert [chance_bin.low for chance_bin in bins] == sorted(chance_bin.low for chance_bin in bins)
        assert all(
            chance_bin.low - 1e-6 <= chance_bin.predicted <= chance_bin.low + 0.1 for chance_bin in bins
        )
        inside += [
            abs(chance_bin.observed - chance_bin.predicted) <= (chance_bin.error or 0)
            for chance_bin in bins
            if chance_bin.blocks > 40
        ]
    assert 0.85 <= np.mean(inside) <= 0.99


def test_few_blocks_have_no_error_and_none_no_bins() -> None:
    few = play_tables(np.random.default_rng(0), 2, 2, 3)
    assert {chance_bin.error for chance_bin in measure_calibration(few)} == {None}
    assert measure_calibration(count_pairs("ab", 2, [])) == ()
