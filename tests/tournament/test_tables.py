"""Tables, the bots that sit at them, and the seeds of what is dealt there."""

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.schedule import bot_seed, commitment, deal_seed, make_seed, schedule_rng
from arena.tournament.tables import (
    AllTables,
    BalancedTables,
    HeroTables,
    Numbers,
    assign,
    balanced_tables,
    max_tables,
    select_seated,
)


def bots(number: int) -> list[str]:
    return [f"bot{i:02}" for i in range(number)]


@pytest.mark.parametrize(("number", "size"), [(2, 2), (5, 4), (7, 3), (6, 6), (9, 2)])
def test_every_table_is_every_combination_once(number: int, size: int) -> None:
    tables = AllTables(reversed_names := bots(number)[::-1], size)
    assert len(tables) == len(list(combinations(reversed_names, size)))
    picked = [tables.pick(place, 3) for place in range(len(tables))]
    assert picked == [(table, 3) for table in combinations(bots(number), size)]


def test_more_tables_than_memory_can_hold_cost_nothing() -> None:
    tables = AllTables(bots(100), 9)
    assert len(tables) == 1_902_231_808_400
    assert tables.pick(len(tables) - 1, 0) == (tuple(bots(100)[91:]), 0)


@pytest.mark.parametrize(
    ("number", "size", "tables", "spread"),
    [(20, 4, 95, 2), (40, 4, 390, 2), (30, 6, 145, 4), (12, 6, 44, 2), (10, 3, 45, 3), (15, 4, 1000, 4)],
)
def test_chosen_tables_bring_bots_and_pairs_together_equally_often(
    number: int, size: int, tables: int, spread: int
) -> None:
    chosen = balanced_tables(bots(number), size, tables, Random(1))
    assert len(chosen) == tables
    assert all(list(table) == sorted(set(table)) and len(table) == size for table in chosen)
    played = Counter(bot for table in chosen for bot in table)
    assert max(played.values()) - min(played.values()) <= 2
    met = Counter(pair for table in chosen for pair in combinations(table, 2))
    pairs = [met[pair] for pair in combinations(bots(number), 2)]
    assert max(pairs) - min(pairs) <= spread


def test_no_exchange_of_two_bots_between_two_new_tables_is_better() -> None:
    first = balanced_tables(bots(12), 4, 3, Random(7))
    both = balanced_tables(bots(12), 4, 6, Random(7))
    assert both[:3] == first

    def cost(tables: list[tuple[str, ...]]) -> int:
        met = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
        return sum(times**2 for times in met.values())

    for a, b in combinations(range(3, 6), 2):
        for bot in both[a]:
            for other in both[b]:
                swap = {bot: other, other: bot}
                assert cost(both) <= cost([*first, *(tuple(swap.get(x, x) for x in t) for t in both[3:])])


def test_a_table_that_is_chosen_twice_goes_on_counting_its_meetings() -> None:
    tables = BalancedTables(bots(4), 3, 10, Random(1))  # ten of the four there are
    meetings = [tables.pick(place, repetition) for repetition in range(3) for place in range(10)]
    times = Counter(table for table, _ in meetings)
    assert set(meetings) == {(table, i) for table in times for i in range(times[table])}


def apart(names: list[str], teams: int) -> dict[str, int]:
    """Teams, to which the bots belong in turn."""
    return {name: i % teams for i, name in enumerate(names)}


@pytest.mark.parametrize(
    ("number", "teams", "size"), [(9, 4, 3), (7, 7, 2), (8, 3, 3), (10, 2, 2), (6, 2, 3), (5, 4, 1)]
)
def test_every_table_without_two_of_a_team_is_there_once(number: int, teams: int, size: int) -> None:
    of_team = apart(bots(number), teams)
    tables = AllTables(bots(number), size, of_team)
    picked = [tables.pick(place, 0)[0] for place in range(len(tables))]
    whole = combinations(bots(number), size)
    assert sorted(picked) == [table for table in whole if len({of_team[bot] for bot in table}) == size]


def test_tables_too_many_to_be_counted_by_len_have_a_number() -> None:
    assert AllTables(bots(400), 12).number > 10**22


def test_chosen_tables_keep_teams_apart_and_stay_fair() -> None:
    of_team = apart(bots(12), 5)
    chosen = balanced_tables(bots(12), 3, 60, Random(1), of_team)
    assert all(len({of_team[bot] for bot in table}) == 3 for table in chosen)
    played = Counter(bot for table in chosen for bot in table)
    assert max(played.values()) - min(played.values()) <= 2


def test_a_team_too_large_for_the_others_sits_out_more() -> None:
    """Six of one team and two others at tables of two: never more than two tables a round."""
    of_team = {name: max(0, i - 5) for i, name in enumerate(bots(8))}
    chosen = balanced_tables(bots(8), 2, 30, Random(1), of_team)
    assert all(of_team[first] != of_team[other] for first, other in chosen)
    played = Counter(bot for table in chosen for bot in table)
    large = [played[bot] for bot in bots(6)]
    assert max(large) - min(large) <= 1


def test_the_hero_joins_the_tables_of_others() -> None:
    tables = HeroTables("bot01", AllTables(["bot00", "bot02", "bot03"], 2))
    picked = [tables.pick(place, 5) for place in range(len(tables))]
    others = [("bot00", "bot02"), ("bot00", "bot03"), ("bot02", "bot03")]
    assert picked == [(tuple(sorted(("bot01", *pair))), 5) for pair in others]


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


Fields = st.lists(st.text(), max_size=4)


def test_the_streams_are_apart() -> None:
    seeds = [
        deal_seed("run", "address"),
        bot_seed("run", "address", 0, 0),
        bot_seed("run", "address", 1, 0),
        bot_seed("run", "address", 0, 1),
        deal_seed("run", "address/0"),
        deal_seed("run2", "address"),
        commitment("run"),
        f"{schedule_rng('run', 'address').getrandbits(128):032x}",
    ]
    assert all(len(seed) == 32 for seed in seeds)
    assert all(a != b for a, b in combinations(seeds, 2))


def test_a_seed_never_changes() -> None:
    """Published runs are repeated by their seed: these are fixed for good."""
    assert deal_seed("run", "lives/2/a+b/0") == "2c6f0cc4acebc7fea97c2dee2ce8800c"
    assert bot_seed("run", "lives/2/a+b/0", 1, 0) == "c5ba867ec19bdcd7833f4e4d18222538"
    assert schedule_rng("run", "seating", "lives/2/a+b/0").getrandbits(32) == 2764972769


@given(Fields, Fields)
def test_fields_are_not_confused_however_they_are_cut(one: list[str], other: list[str]) -> None:
    same = schedule_rng("run", *one).getrandbits(128) == schedule_rng("run", *other).getrandbits(128)
    assert same == (one == other)


def test_a_run_without_a_seed_draws_one() -> None:
    assert make_seed("mine") == "mine"
    assert len({make_seed() for _ in range(10)}) == 10
    assert all(len(bytes.fromhex(make_seed())) == 16 for _ in range(10))


def test_any_text_is_a_seed() -> None:
    assert len({deal_seed(text, "a") for text in ("", " ", "é", "e\u0301", "\udcff", "\0")}) == 6
