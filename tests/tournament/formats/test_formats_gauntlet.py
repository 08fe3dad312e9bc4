"""Gauntlet: the hero is at every table, with every set of the others or a fair choice of them."""

from collections import Counter
from itertools import combinations

import pytest

from tests.tournament.fake_formats import course, names, stages, tables


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_hero_meets_every_set_of_the_others_in_every_seat(size: int) -> None:
    [blocks] = stages(course(7, size, format="gauntlet", hero="bot03", blocks=2))
    others = [name for name in names(7) if name != "bot03"]
    expected = {tuple(sorted(("bot03", *some))) for some in combinations(others, size - 1)}
    assert Counter(block.bots for block in blocks) == dict.fromkeys(expected, 2)
    for block in blocks:
        assert sorted(seating.index("bot03") for seating in block.seatings) == list(range(size))


def test_the_hero_is_the_first_bot_unless_it_is_said() -> None:
    [blocks] = stages(course(4, 2, format="gauntlet", blocks=1))
    assert tables(blocks) == {("bot00", "bot01"), ("bot00", "bot02"), ("bot00", "bot03")}


def test_of_very_many_tables_a_fair_choice_is_played() -> None:
    gauntlet = course(30, 4, format="gauntlet", tables=58, blocks=3)
    assert gauntlet.total == 174
    [blocks] = stages(gauntlet)
    played = Counter(bot for block in blocks for bot in block.bots)
    assert played["bot00"] == 174
    times = {played[name] for name in names(30)[1:]}
    assert times <= {15, 18, 21}  # three blocks at each of about 58 x 3 / 29 tables
    assert len({block.address for block in blocks}) == 174


def test_the_hero_meets_nobody_of_its_team() -> None:
    [blocks] = stages(course(9, 3, teams=3, same_team=False, format="gauntlet", blocks=1))
    others = [("bot01", "bot04", "bot07"), ("bot02", "bot05", "bot08")]
    assert tables(blocks) == {
        ("bot00", *sorted((first, other))) for first in others[0] for other in others[1]
    }


def test_a_round_robin_keeps_teams_apart_too() -> None:
    [blocks] = stages(course(9, 3, teams=4, same_team=False, blocks=1))
    expected = {table for table in combinations(names(9), 3) if len({int(bot[3:]) % 4 for bot in table}) == 3}
    assert tables(blocks) == expected
    [chosen] = stages(course(9, 3, teams=4, same_team=False, blocks=1, tables=20))
    assert tables(chosen) < expected
