"""Intervals have their nominal coverage on a real game: short form of `benchmarks/interval_coverage.py`."""

from itertools import permutations

import numpy as np
import pytest

from benchmarks.interval_coverage import (
    COINS,
    Bank,
    Duel,
    bank_deals,
    coverage,
    fresh_deals,
    play_bank,
    tournament,
    tournaments,
    true_elo,
)

DUEL = Duel("lives", 4, "greedy", "prudent", "short")


@pytest.fixture(scope="module")
def bank() -> Bank:
    return play_bank(DUEL, deals=40)


def test_intervals_have_nominal_coverage(bank: Bank) -> None:
    rng = np.random.default_rng(1)
    fits, _ = tournaments(bank_deals(bank, rng), 4, 80, rng)
    covered = coverage(fits, true_elo(bank, np.array(COINS)), 4)
    assert 0.92 <= covered.bots <= 0.98
    assert 0.92 <= covered.pairs <= 0.98
    assert covered.standard_error == pytest.approx(covered.rmse, rel=0.15)
    assert covered.clones <= 0.2


def test_a_long_tournament_converges_to_the_true_rating(bank: Bank) -> None:
    rng = np.random.default_rng(2)
    long = tournament(bank_deals(bank, rng), 4, 20_000, rng)
    assert np.array(long.elo) - 1500 == pytest.approx(true_elo(bank, np.array(COINS)), abs=3)


def test_the_mean_of_all_tournaments_is_the_true_rating(bank: Bank) -> None:
    rng = np.random.default_rng(3)
    _, truth = tournaments(bank_deals(bank, rng), 4, 200, rng)
    assert truth == pytest.approx(true_elo(bank, np.array(COINS)), abs=3)


def test_fresh_deals_are_used_once_and_played_by_the_rules() -> None:
    rng = np.random.default_rng(4)
    fits, truth = tournaments(fresh_deals(DUEL), 4, 2, rng)
    assert truth == pytest.approx((np.array(fits[0].elo) + np.array(fits[1].elo)) / 2 - 1500, abs=5)
    strong = np.ones((2, 4, 4), bool)
    first, second = fresh_deals(DUEL)(strong)
    assert (first != second).any()


def test_equal_mixtures_are_equal_and_better_mixtures_are_stronger(bank: Bank) -> None:
    truth = true_elo(bank, np.array(COINS))
    for first, other in permutations(range(len(COINS)), 2):
        if COINS[first] > COINS[other]:
            assert truth[first] > truth[other]
    assert truth[3] == pytest.approx(truth[4], abs=1e-6)
