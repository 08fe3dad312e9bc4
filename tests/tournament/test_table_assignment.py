"""Bots parted into tables: none at two, no two of a team at one, and who has met apart if that can be."""

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from arena.tournament.schedule import Numbers, assign, max_tables, select_seated

ALONE = range(100)  # everybody's own team


def nothing(bots: int) -> Numbers:
    return np.zeros((bots, bots), np.int64)


def distances(values: list[int]) -> Numbers:
    squares: Numbers = (np.array(values)[:, None] - np.array(values)) ** 2
    return squares


def sum_of(cost: Numbers, tables: list[list[int]]) -> int:
    return sum(int(cost[pair]) for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize(("bots", "size"), [(2, 2), (12, 2), (12, 3), (12, 4), (12, 6), (12, 12), (0, 4)])
def test_everybody_sits_at_one_table(bots: int, size: int) -> None:
    order = Random(1).sample(range(bots), bots)
    tables = assign(order, size, ALONE, nothing(bots))
    assert sorted(bot for table in tables for bot in table) == list(range(bots))
    assert all(len(table) == size for table in tables)


def test_those_sit_together_who_are_close() -> None:
    values = [30, 10, 21, 11, 31, 20]
    assert sorted(assign(range(6), 2, ALONE, distances(values))) == [[0, 4], [1, 3], [2, 5]]


def test_no_exchange_of_two_bots_would_be_cheaper() -> None:
    rng = Random(2)
    cost = np.array([[rng.randrange(100) for _ in range(15)] for _ in range(15)])
    cost += cost.T
    tables = assign(range(15), 3, ALONE, cost)
    for first, other in combinations(range(15), 2):
        exchanged = [[{first: other, other: first}.get(bot, bot) for bot in table] for table in tables]
        assert sum_of(cost, exchanged) >= sum_of(cost, tables)


def test_the_first_cost_outweighs_all_of_the_second() -> None:
    met = nothing(4)
    met[0, 1] = met[1, 0] = met[2, 3] = met[3, 2] = 1
    tables = assign(range(4), 2, ALONE, met, distances([0, 0, 1000, 1000]))
    assert sum_of(met, tables) == 0


def test_the_only_way_out_is_found() -> None:
    """49 bots on a square, where all rows, columns and diagonals but those of one slope have met.

    From the third of these orders, exchanges alone do not get there.
    """
    met = nothing(49)
    for first, other in combinations(range(49), 2):
        down, right = first // 7 - other // 7, first % 7 - other % 7
        if right == 0 or any((down - slope * right) % 7 == 0 for slope in range(6)):
            met[first, other] = met[other, first] = 1
    for seed in range(6):
        order = Random(seed).sample(range(49), 49)
        tables = assign(order, 7, ALONE, met)
        assert len(tables) == 7
        assert sum_of(met, tables) == 0


def test_what_cannot_be_avoided_is_kept_small() -> None:
    """Three tables of four have met; at any table of four two of them must meet again."""
    met = nothing(12)
    for table in (range(4), range(4, 8), range(8, 12)):
        for first, other in combinations(table, 2):
            met[first, other] = met[other, first] = 1
    assert sum_of(met, assign(range(12), 4, ALONE, met)) == 3


TEAMS = [
    [0, 0, 0, 1, 1, 2],
    [0, 0, 0, 0, 1, 2, 3, 4],
    [0, 1, 2, 3, 0, 1],
    [0, 0, 0, 0, 0],
    [0, 0, 1, 2, 2, 2, 2, 3],
]


@pytest.mark.parametrize("teams", TEAMS, ids=str)
@pytest.mark.parametrize("size", [2, 3, 4])
def test_as_many_tables_are_filled_as_the_teams_allow(teams: list[int], size: int) -> None:
    bots = range(len(teams))
    fair = [table for table in combinations(bots, size) if len({teams[bot] for bot in table}) == size]
    possible = max(
        number
        for number in range(len(teams) // size + 1)
        if any(len({*sum(chosen, ())}) == number * size for chosen in combinations(fair, number))
    )
    assert max_tables(teams, size) == possible
    sitting = select_seated(bots, size, teams)
    tables = assign(sitting, size, teams, nothing(len(teams)))
    assert len(tables) == possible
    assert all(len({teams[bot] for bot in table}) == size for table in tables)


def test_teams_outweigh_every_cost() -> None:
    teams = [0, 0, 1, 1]
    met = 1_000_000 * (1 - np.eye(4, dtype=np.int64))
    met[0, 1] = met[1, 0] = met[2, 3] = met[3, 2] = 0
    tables = assign(range(4), 2, teams, met)
    assert all(teams[first] != teams[other] for first, other in tables)


def test_the_first_in_order_sit() -> None:
    assert select_seated([5, 3, 1, 0, 2, 4, 6], 3, ALONE) == [5, 3, 1, 0, 2, 4]
    teams = {5: 0, 3: 0, 1: 0, 0: 1, 2: 1, 4: 2}
    assert select_seated([5, 3, 1, 0, 2, 4], 3, [teams.get(bot, 9) for bot in range(7)]) == [5, 0, 4]


def test_what_comes_out_depends_on_the_arguments_alone() -> None:
    cost = distances([bot * bot % 17 for bot in range(20)])
    assignments = [assign(range(20), 4, ALONE, cost) for _ in range(3)]
    assert assignments[0] == assignments[1] == assignments[2]
    assert max(Counter(bot for table in assignments[0] for bot in table).values()) == 1
