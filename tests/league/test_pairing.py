"""The choice of opponents."""

from collections import Counter

import numpy as np
import pytest

from arena.league.pairing import PLACEMENT_BLOCKS, Entrant, TablePlan, plan_tables, wanted_blocks


def entrant(number: int, **changes: object) -> Entrant:
    known = Entrant(number, f"bot {number}", 1500.0 + 10 * number, 20.0, 100, 1000, True)
    return known._replace(**changes)  # type: ignore[arg-type]


def plan(entrants: list[Entrant], size: int = 4, precision: float = 25.0, seed: int = 1) -> list[TablePlan]:
    return plan_tables(entrants, size, precision, np.random.default_rng(seed))


def blocks_of(tables: list[TablePlan]) -> Counter[int]:
    return Counter(bot for bots, blocks in tables for bot in bots for _ in range(blocks))


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"error": 24.9}, 0),
        ({"error": 50.0, "asks": False}, 0),
        ({"blocks": 0, "error": None}, PLACEMENT_BLOCKS),
        ({"blocks": 20, "error": None}, 4),
        ({"blocks": 150, "error": None}, 0),
        ({"blocks": 10, "error": 100.0}, 10),
        ({"blocks": 40, "error": 30.0}, 9),
        ({"blocks": 40, "error": 100.0}, 32),
        ({"blocks": 40, "error": 100.0, "budget": 3}, 3),
    ],
    ids=str,
)
def test_a_bot_asks_for_half_of_what_it_needs(changes: dict[str, object], wanted: int) -> None:
    assert wanted_blocks(entrant(1, **changes), 25.0) == wanted


def test_nothing_is_played_when_all_are_precise() -> None:
    assert plan([entrant(number) for number in range(10)]) == []


def test_too_few_bots_play_nothing() -> None:
    assert plan([entrant(number, blocks=0, error=None) for number in range(3)]) == []
    assert plan([]) == []


def test_each_new_bot_gets_its_first_blocks() -> None:
    tables = plan([entrant(number, blocks=0, error=None, elo=1500.0) for number in range(13)])
    counts = blocks_of(tables)
    assert min(counts.values()) >= PLACEMENT_BLOCKS
    assert sum(blocks for _, blocks in tables) <= 13 * PLACEMENT_BLOCKS / 4 + PLACEMENT_BLOCKS


def test_a_new_bot_meets_the_whole_range() -> None:
    field = [entrant(number) for number in range(30)] + [entrant(99, blocks=0, error=None)]
    for bots, blocks in plan(field):
        low, middle, high = sorted(set(bots) - {99})
        assert (low < 10, 10 <= middle < 20, high >= 20, blocks) == (True, True, True, 1)


def test_a_placed_bot_meets_its_neighbours() -> None:
    field = [entrant(number, elo=1000.0 + 50 * number) for number in range(40)]
    field[20] = field[20]._replace(error=60.0)
    met = {bot for bots, _ in plan(field) for bot in bots}
    assert 20 in met
    assert max(abs(bot - 20) for bot in met) <= 8


def test_those_that_ask_meet_each_other_first() -> None:
    field = [entrant(number, elo=1500.0, error=60.0 if number < 8 else 20.0) for number in range(80)]
    counts = blocks_of(plan(field))
    assert sum(counts[number] for number in range(8)) / counts.total() > 0.4  # a quarter at least, as anchors


def test_no_bot_plays_more_than_its_budget() -> None:
    field = [entrant(number, blocks=10, error=90.0, budget=5 + number) for number in range(9)]
    counts = blocks_of(plan(field))
    assert all(counts[number] <= 5 + number for number in range(9))


def test_team_mates_never_meet() -> None:
    field = [entrant(number, team=f"team {number % 5}", blocks=10, error=90.0) for number in range(20)]
    tables = plan(field)
    assert tables
    assert all(len({bot % 5 for bot in bots}) == 4 for bots, _ in tables)


def test_ghosts_are_met_but_ask_for_nothing() -> None:
    field = [entrant(number, asks=False, error=None, blocks=9) for number in range(6)]
    assert plan(field) == []
    field.append(entrant(6, error=60.0))
    assert all(6 in bots for bots, _ in plan(field))


def test_the_same_draws_give_the_same_tables() -> None:
    field = [entrant(number, blocks=number, error=50.0 if number > 6 else None) for number in range(25)]
    assert plan(field) == plan(field)
    assert plan(field) != plan(field, seed=2)
