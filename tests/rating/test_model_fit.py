"""Tests of whether ratings explain the results of pairs."""

from itertools import combinations

import numpy as np
import pytest

from arena.rating.elo_fit import fit_elo
from arena.rating.model_fit import ModelFit, assess_model_fit, compute_pair_residuals
from arena.rating.pair_counts import PairCounts, count_pairs
from tests.rating.block_scores import block_scores


def play(
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
    counts = play(rng, 4, 2, 150, cycle=0.8)
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
    counts = play(rng, 4, 2, 80, cycle=0.5)
    pairs, (first, *_) = assess(counts), compute_pair_residuals(counts, fit_elo(counts))
    assert (first.bot, first.other) == (pairs.bot, pairs.other)
    assert pairs.p <= first.p < 0.05


def test_false_alarms_are_rare() -> None:
    alarms = sum(assess(play(np.random.default_rng(seed), 3, 3, 30)).is_rejected for seed in range(100))
    assert alarms <= 9


def test_the_answer_is_always_the_same(rng: np.random.Generator) -> None:
    counts = play(rng, 4, 3, 12)
    assert assess(counts) == assess(counts)


def test_a_large_field_is_corrected_by_the_number_of_pairs(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = play(rng, 4, 2, 150, cycle=0.8)
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
