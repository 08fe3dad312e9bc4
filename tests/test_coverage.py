"""Error bars hold on matches of a real game, in the short form of `benchmarks/coverage.py`."""

from itertools import permutations

import numpy as np
import pytest

from benchmarks.coverage import COINS, Bank, coverage, play_bank, true_elo


@pytest.fixture(scope="module")
def bank() -> Bank:
    return play_bank("lives", 4, deals=40, seed="short")


def test_intervals_hold_as_often_as_they_say(bank: Bank) -> None:
    found = coverage(bank, 80, np.random.default_rng(1))
    assert 0.92 <= found.bots <= 0.98
    assert 0.92 <= found.pairs <= 0.98
    assert found.standard_error == pytest.approx(found.rmse, rel=0.15)
    assert found.clones <= 0.2


def test_the_truth_is_what_a_long_tournament_comes_to(bank: Bank) -> None:
    from benchmarks.coverage import tournament

    coins = np.array(COINS)
    long = tournament(bank, coins, 20_000, np.random.default_rng(2))
    assert np.array(long.elo) - 1500 == pytest.approx(true_elo(bank, coins), abs=3)


def test_bots_of_one_coin_are_as_strong_and_a_better_coin_is_stronger(bank: Bank) -> None:
    truth = true_elo(bank, np.array(COINS))
    for one, other in permutations(range(len(COINS)), 2):
        if COINS[one] > COINS[other]:
            assert truth[one] > truth[other]
    assert truth[3] == pytest.approx(truth[4], abs=1e-6)
