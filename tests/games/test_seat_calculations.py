"""Counts by seat: sums, shares, and who has the most or the least."""

from random import Random

import pytest

from arena.games.rankings.base import HandRank
from arena.games.seat_calculations import (
    add,
    add_at,
    compute_placings,
    difference,
    find_best,
    find_better,
    find_worst,
    share,
    subtract_each,
    transfer,
)


@pytest.mark.parametrize("seed", range(50))
def test_a_place_is_one_more_than_there_are_better_ones(seed: int) -> None:
    rng = Random(seed)
    keys = [(rng.randrange(3), rng.randrange(3)) for _ in range(rng.randrange(1, 9))]
    assert compute_placings(keys) == tuple(1 + sum(other > key for other in keys) for key in keys)


def test_ties_share_the_better_place() -> None:
    assert compute_placings([(5,), (7,), (7,), (1,)]) == (3, 1, 1, 4)


def test_changes_are_added_where_there_is_something_to_add() -> None:
    assert add((3, 3), (-1, 0)) == (2, 3)
    assert add((3, 3), None) == (3, 3)
    assert add(None, None) is None
    assert add_at((1, 2, 3), 1, -2) == (1, 0, 3)


def test_one_or_all_pay_a_price_and_what_has_changed_says_so() -> None:
    assert transfer((3, 0, 5), 2, 1, 2) == (3, -2, 7)
    assert subtract_each((3, 0, 5), 2) == (1, -2, 3)
    assert difference((3, 0, 5), (1, -2, 3)) == (-2, -2, -2)


@pytest.mark.parametrize(
    ("amount", "chips"), [(0, [0, 1, 0, 0]), (7, [2, 1, 3, 2]), (-7, [-3, 1, -2, -2]), (2, [0, 1, 1, 1])]
)
def test_a_share_is_equal_but_for_odd_chips(amount: int, chips: list[int]) -> None:
    shares = [0, 1, 0, 0]
    share(amount, (2, 3, 0), shares)
    assert shares == chips


@pytest.mark.parametrize("seed", range(50))
def test_the_first_of_the_best_and_all_of_the_better_and_the_worst_are_found(seed: int) -> None:
    rng = Random(seed)
    ranks = [HandRank(rng.randrange(2), (rng.randrange(2),), "any") for _ in range(rng.randrange(1, 9))]
    among = rng.sample(range(len(ranks)), rng.randrange(1, len(ranks) + 1))
    assert find_best(ranks, among) == max(among, key=ranks.__getitem__)
    assert find_worst(ranks, among) == [
        seat for seat in among if ranks[seat] == min(ranks[other] for other in among)
    ]
    assert find_better(ranks, among, 0) == [seat for seat in among if ranks[seat] > ranks[0]]
