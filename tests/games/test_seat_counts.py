"""Counts by seat: sums, shares, and who has the most or the least."""

from random import Random

import pytest

from arena.games.hands import HandRank
from arena.games.seat_counts import added, best, better, between, less, paid, places, put, share, worst


@pytest.mark.parametrize("seed", range(50))
def test_a_place_is_one_more_than_there_are_better_ones(seed: int) -> None:
    rng = Random(seed)
    keys = [(rng.randrange(3), rng.randrange(3)) for _ in range(rng.randrange(1, 9))]
    assert places(keys) == tuple(1 + sum(other > key for other in keys) for key in keys)


def test_ties_share_the_better_place() -> None:
    assert places([(5,), (7,), (7,), (1,)]) == (3, 1, 1, 4)


def test_changes_are_added_where_there_is_something_to_add() -> None:
    assert added((3, 3), (-1, 0)) == (2, 3)
    assert added((3, 3), None) == (3, 3)
    assert added(None, None) is None
    assert put((1, 2, 3), 1, -2) == (1, 0, 3)


def test_one_or_all_pay_a_price_and_what_has_changed_says_so() -> None:
    assert paid((3, 0, 5), 2, 1, 2) == (3, -2, 7)
    assert less((3, 0, 5), 2) == (1, -2, 3)
    assert between((3, 0, 5), (1, -2, 3)) == (-2, -2, -2)


@pytest.mark.parametrize(
    ("amount", "chips"), [(0, [0, 1, 0, 0]), (7, [2, 1, 3, 2]), (-7, [-3, 1, -2, -2]), (2, [0, 1, 1, 1])]
)
def test_a_share_is_equal_but_for_odd_chips(amount: int, chips: list[int]) -> None:
    found = [0, 1, 0, 0]
    share(amount, (2, 3, 0), found)
    assert found == chips


@pytest.mark.parametrize("seed", range(50))
def test_the_first_of_the_best_and_all_of_the_better_and_the_worst_are_found(seed: int) -> None:
    rng = Random(seed)
    ranks = [HandRank(rng.randrange(2), (rng.randrange(2),), "any") for _ in range(rng.randrange(1, 9))]
    among = rng.sample(range(len(ranks)), rng.randrange(1, len(ranks) + 1))
    assert best(ranks, among) == max(among, key=ranks.__getitem__)
    assert worst(ranks, among) == [seat for seat in among if ranks[seat] == min(ranks[one] for one in among)]
    assert better(ranks, among, 0) == [seat for seat in among if ranks[seat] > ranks[0]]
