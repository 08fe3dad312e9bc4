"""The choice of opponents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from arena.league.update import (
    FIRST_BLOCKS,
    MAX_SHARE_BLOCKS,
    Entrant,
    GamePairing,
    TablePlan,
    count_equal_blocks,
    wanted_blocks,
)
from arena.rating.elo_fit import fit_elo
from arena.rating.overall import RatingInformation
from arena.rating.pair_counts import PairCounter
from arena.rating.two_bots import ELO_PER_UNIT


def entrant(number: int, **changes: object) -> Entrant:
    known = Entrant(number, f"bot {number}", 20.0, 100, True)
    return known._replace(**changes)  # type: ignore[arg-type]


def information(strength: Sequence[float], blocks: Mapping[Any, int]) -> RatingInformation:
    """Return what is known of bots of some Elo after blocks of tables, drawn at random."""
    rng = np.random.default_rng(1)
    tables = [table for table, times in blocks.items() for _ in range(times)]
    size = len(tables[0]) if tables else 4
    counter = PairCounter([f"bot{number}" for number in range(len(strength))], size)
    for cluster, table in enumerate(tables):
        seatings = np.array([np.roll(table, turn) for turn in range(size)])
        luck = np.array(strength)[seatings] / ELO_PER_UNIT + rng.gumbel(size=seatings.shape)
        placings = 1 + (luck[:, None, :] > luck[:, :, None]).sum(axis=2)
        counter.add(np.full(size, cluster), seatings, placings)
    counts = counter.counts()
    return RatingInformation(counts, fit_elo(counts), range(len(strength)))


def pair(
    entrants: list[Entrant],
    size: int = 4,
    known: RatingInformation | None = None,
    budget: int = 1000,
    played: Mapping[Any, int] | None = None,
) -> tuple[GamePairing, list[TablePlan]]:
    """Return the pairing at precision 25, and its tables."""
    known = known or information([0.0] * len(entrants), {})
    pairing = GamePairing(entrants, size, 25.0, known, played or {}, np.random.default_rng(1))
    pairing.set_budget([budget] * len(entrants))
    left, plans = {bot.number: budget for bot in entrants}, []
    while pairing.asking:
        if plan := pairing.choose(left):
            plans.append(plan)
            left |= {bot: left[bot] - plan.blocks for bot in plan.bots}
    return pairing, plans


def plan(entrants: list[Entrant], size: int = 4, known: RatingInformation | None = None) -> list[TablePlan]:
    return pair(entrants, size, known)[1]


def blocks_of(tables: list[TablePlan]) -> Counter[int]:
    return Counter(bot for bots, blocks in tables for bot in bots for _ in range(blocks))


@pytest.mark.parametrize(
    ("changes", "missing", "wanted"),
    [
        ({"error": 24.9}, 0, 0),
        ({"error": 50.0, "asks": False}, 100, 0),
        ({"blocks": 0, "error": None}, 0, FIRST_BLOCKS),
        ({"blocks": 20, "error": None}, 0, 4),
        ({"blocks": MAX_SHARE_BLOCKS, "error": None}, 0, 0),
        ({"blocks": 10, "error": 100.0}, 150, 10),
        ({"blocks": 40, "error": 30.0}, 18, 9),
        ({"blocks": 40, "error": 100.0}, 600, 32),
        ({"blocks": 14, "error": 329.0}, 50_000, 14),  # it has had no share yet
        ({"blocks": 400, "error": 27.0}, 500, 32),
        ({"blocks": 400, "error": 80.0}, 800, 0),  # more than 1190 in all
        ({"blocks": 5892, "error": 26.2}, 580, 0),
    ],
    ids=str,
)
def test_a_bot_asks_for_half_of_what_it_needs(
    changes: dict[str, object], missing: float, wanted: int
) -> None:
    assert wanted_blocks(entrant(1, **changes), missing, 4, 25.0) == wanted


def test_more_seats_rate_a_bot_in_fewer_blocks() -> None:
    assert [count_equal_blocks(size, 25.0) for size in (2, 4)] == [475, 238]
    assert count_equal_blocks(4, 50.0) == 60


def test_nothing_is_played_when_all_are_precise() -> None:
    assert plan([entrant(number) for number in range(10)]) == []


def test_too_few_bots_play_nothing() -> None:
    assert plan([entrant(number, blocks=0, error=None) for number in range(3)]) == []
    assert plan([entrant(number, team=f"{number % 3}", error=60.0) for number in range(9)]) == []


def test_each_new_bot_gets_its_first_blocks() -> None:
    tables = plan([entrant(number, blocks=0, error=None) for number in range(13)])
    counts = blocks_of(tables)
    assert min(counts.values()) >= FIRST_BLOCKS
    assert sum(blocks for _, blocks in tables) <= 13 * FIRST_BLOCKS / 4 + FIRST_BLOCKS
    assert {blocks for _, blocks in tables} == {1}


def test_a_lopsided_pair_tells_hardly_anything() -> None:
    known = information([0.0, 0.0, 20.0, 900.0], dict.fromkeys(combinations(range(4), 2), 60))
    gains = known.gains(np.array([0]), 0, np.array([1, 2, 3]))[0]
    assert gains[2] < 0.1 * gains[:2].min()
    field = [entrant(number, error=60.0 if number == 0 else 20.0) for number in range(4)]
    assert all(3 not in bots for bots, _ in plan(field, 2, known))


def test_blocks_go_to_the_weak_link() -> None:
    """Bots 0 and 1 are known well from each other, and to the field 2 to 5 they have one link."""
    blocks = {(0, 1): 200, (1, 2): 8, **dict.fromkeys(combinations(range(2, 6), 2), 40)}
    known = information([0.0] * 6, blocks)
    gains = known.gains(np.array([0]), 0, np.arange(1, 6))[0]
    assert gains[0] < 0.01 * gains[1:].min()
    field = [entrant(number, error=20.0, blocks=200) for number in range(6)]
    field[0] = field[0]._replace(error=60.0)
    assert all(1 not in bots for bots, _ in plan(field, 2, known))


def test_an_opponent_of_which_nothing_is_known_tells_less() -> None:
    blocks = dict.fromkeys(combinations(range(4), 2), 40)
    gains = information([0.0] * 5, blocks).gains(np.array([1]), 1, np.array([2, 4]))[0]
    assert gains[1] < 0.2 * gains[0]


def test_a_bot_without_comparable_opponents_rests() -> None:
    known = information([0.0] * 6 + [900.0], dict.fromkeys(combinations(range(7), 4), 10))
    field = [entrant(number, error=150.0 if number == 6 else 40.0, blocks=200) for number in range(7)]
    pairing, _ = pair(field, known=known)
    needed = pairing.missing.tolist()
    assert max(needed[:6]) < 5 * 238 - 200 < needed[6]
    field = [bot._replace(asks=bot.number == 6) for bot in field]
    assert plan(field, known=known) == []


def test_a_table_that_has_played_makes_room_for_others() -> None:
    field = [entrant(number, error=60.0 if number == 0 else 20.0) for number in range(6)]
    known = information([0.0] * 6, dict.fromkeys(combinations(range(6), 2), 6))
    played = {(0, other): 40 for other in range(1, 5)}
    _, tables = pair(field, 2, known, played=played)
    assert tables[0].bots == (0, 5)


def test_those_that_ask_meet_each_other_first() -> None:
    field = [entrant(number, error=60.0 if number < 8 else 20.0) for number in range(30)]
    known = information([0.0] * 30, {tuple(range(first, first + 4)): 20 for first in range(27)})
    counts = blocks_of(plan(field, known=known))
    assert sum(counts[number] for number in range(8)) / counts.total() > 0.4  # a quarter at least, as anchors


def test_no_bot_plays_more_than_its_budget() -> None:
    field = [entrant(number, blocks=10, error=90.0) for number in range(9)]
    assert max(blocks_of(pair(field, budget=7)[1]).values()) == 7


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
