"""Swiss: those meet who stand close together, nobody twice while that can be helped, nobody out twice."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import pytest

from arena.tournament.formats import make_format
from tests.tournament.fake_formats import (
    SEED,
    config,
    course,
    names,
    stages,
    standings,
    strongest_wins,
    tables,
    tied,
)

Pairs = set[frozenset[str]]
Costs = tuple[int, int]


def pairs(tables: set[tuple[str, ...]]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def can_avoid(bots: set[str], size: int, met: Pairs) -> bool:
    """True if these bots fill tables at which nobody has met: all ways are tried."""

    def tables(seated: tuple[str, ...], others: list[str]) -> Iterator[tuple[str, ...]]:
        if len(seated) == size:
            yield seated
            return
        for place, bot in enumerate(others):
            if not any(frozenset((bot, mate)) in met for mate in seated):
                yield from tables((*seated, bot), others[place + 1 :])

    if not bots:
        return True
    free = {bot: [mate for mate in sorted(bots - {bot}) if frozenset((bot, mate)) not in met] for bot in bots}
    bot = min(sorted(bots), key=lambda bot: len(free[bot]))
    return any(can_avoid(bots - set(table), size, met) for table in tables((bot,), free[bot]))


@pytest.mark.parametrize("bots", [24, 23])
@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_nobody_meets_again_and_nobody_sits_out_while_that_can_be_helped(bots: int, size: int) -> None:
    met: Pairs = set()
    played: Counter[str] = Counter()
    for blocks in stages(course(bots, size, format="swiss", blocks=2)):
        round_tables = tables(blocks)
        seated = {bot for table in round_tables for bot in table}
        assert len(round_tables) == bots // size
        assert len(seated) == bots // size * size
        again = pairs(round_tables).keys() & met
        assert not again or not can_avoid(seated, size, met)
        met |= pairs(round_tables).keys()
        played.update(seated)
    assert sum(played.values()) == 7 * (bots // size) * size
    assert max(played.values()) - min(played[name] for name in names(bots)) <= 1


def test_a_table_plays_its_blocks_of_every_game_and_all_tables_side_by_side() -> None:
    games = [{"name": "lives", "players": 3}, {"name": "pool", "players": 3}]
    swiss = course(9, 3, format="swiss", blocks=4, rounds=3, variants=games)
    assert swiss.total == 3 * 3 * 4 * 2
    for number, blocks in enumerate(stages(swiss)):
        assert len(blocks) == 3 * 4 * 2
        assert {block.repetition for block in blocks} == set(range(4 * number, 4 * number + 4))
        for start in range(0, len(blocks), 6):
            assert tables(blocks[start : start + 6]) == tables(blocks)
            assert Counter(block.variant for block in blocks[start : start + 6]) == {"lives": 3, "pool": 3}


def test_a_table_that_meets_again_has_other_deals() -> None:
    blocks = [block for stage in stages(course(4, 2, format="swiss", blocks=3)) for block in stage]
    assert len({block.bots for block in blocks}) == 6  # of 14 sittings
    assert len({block.address for block in blocks}) == len(blocks) == 7 * 2 * 3


def test_in_the_second_round_winners_meet_winners() -> None:
    swiss = course(24, 2, format="swiss", blocks=5)
    rounds = [tables(blocks) for blocks in stages(swiss, strongest_wins)]
    winners = {max(table) for table in rounds[0]}
    assert sorted(len(winners & set(table)) for table in rounds[1]) == [0] * 6 + [2] * 6
    assert standings(swiss)[:3] == ["bot23", "bot22", "bot21"]


def test_points_rank_and_the_rating_does_not() -> None:
    swiss = course(24, 3, format="swiss", blocks=4)
    assert len(list(stages(swiss))) == 7
    board = swiss.scoreboard()
    assert board is not None
    merits = [(row.score, row.buchholz, row.sonneborn_berger, row.payoff) for row in board.rows]
    assert merits == sorted(merits, reverse=True)
    assert "elo" not in [column.name for column in board.columns]
    assert board.stretches_elo


def cost(tables: Iterable[tuple[str, ...]], met: Counter[frozenset[str]], score: dict[str, int]) -> Costs:
    """The number of times those at one table have met before, and how far apart they stand."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    squares = sum((score[first] - score[other]) ** 2 for first, other in pairs)
    return sum(met[frozenset(pair)] for pair in pairs), squares


@pytest.mark.parametrize("size", [2, 4])
def test_no_exchange_of_two_bots_avoids_more_or_brings_them_closer(size: int) -> None:
    swiss = course(16, size, format="swiss", blocks=2)
    met: Counter[frozenset[str]] = Counter()
    for number, blocks in enumerate(stages(swiss)):
        board = swiss.scoreboard()
        assert board is not None
        assigned = tables(blocks)
        if number:
            score = {row.bot: round(1000 * row.score) for row in board.rows}
            for first, other in combinations(names(16), 2):
                swap = {first: other, other: first}
                exchanged = [tuple(swap.get(bot, bot) for bot in table) for table in assigned]
                assert cost(exchanged, met, score) >= cost(assigned, met, score)
        met += pairs(assigned)


def test_who_sat_out_loses_nothing_by_it() -> None:
    swiss = course(5, 4, format="swiss", blocks=2, rounds=5)
    out = [set(names(5)) - set(*tables(blocks)) for blocks in stages(swiss, strongest_wins)]
    assert set.union(*out) == set(names(5))  # each once
    assert standings(swiss) == names(5)[::-1]


def test_the_last_sits_out_of_those_who_have_not_yet() -> None:
    swiss = course(5, 4, format="swiss", blocks=2, rounds=5)
    sat_out: list[str] = []
    for blocks in stages(swiss):
        [out] = set(names(5)) - set(*tables(blocks))
        if sat_out:
            assert out == next(bot for bot in reversed(standings(swiss)) if bot not in sat_out)
        sat_out.append(out)
    assert sorted(sat_out) == names(5)


def test_a_bot_withdrawn_plays_what_was_begun_and_stands_last() -> None:
    """24 bots play 12 tables of two blocks in each round; bot23, the best, leaves after the third."""
    swiss = course(24, 2, format="swiss", blocks=2, withdrawn={"bot23": 3 * 24})
    rounds = list(stages(swiss, strongest_wins))
    there = [any("bot23" in block.bots for block in blocks) for blocks in rounds]
    assert there == [True] * 3 + [False] * 4
    assert [len(blocks) for blocks in rounds] == [24] * 3 + [22] * 4  # of 23, one sits out
    out = Counter(
        bot for blocks in rounds[3:] for bot in set(names(23)) - {b for t in tables(blocks) for b in t}
    )
    assert set(out.values()) == {1}
    assert standings(swiss)[0] == "bot22"
    assert standings(swiss)[-1] == "bot23"


def test_it_ends_when_those_left_fill_no_table() -> None:
    swiss = course(4, 3, format="swiss", blocks=2, withdrawn={"bot01": 4, "bot03": 4})
    assert [len(blocks) for blocks in stages(swiss)] == [2, 2]
    board = swiss.scoreboard()
    assert board is not None
    assert board.title == "Swiss after 2 of 7 rounds"


def test_bots_of_one_team_never_meet() -> None:
    swiss = course(23, 4, teams=5, same_team=False, format="swiss", blocks=1)
    rounds = [tables(blocks) for blocks in stages(swiss)]
    assert all(
        len({int(bot[3:]) % 5 for bot in table}) == 4
        for tables_of_round in rounds
        for table in tables_of_round
    )
    assert [len(tables_of_round) for tables_of_round in rounds] == [5] * 7


def test_equals_stand_in_the_order_of_the_config() -> None:
    swiss = course(9, 3, format="swiss", blocks=1)
    for _ in stages(swiss, tied):
        assert standings(swiss) == names(9)


def test_before_the_first_round_nobody_has_shown_anything() -> None:
    board = course(9, 3, format="swiss").scoreboard()
    assert board is not None
    assert board.title == "Swiss after 0 of 7 rounds"
    assert board.standings.sheets[0].cells[0] == ["", "bot00", "0", "", "", "", ""]


def test_merits_as_counted_by_hand() -> None:
    """Each meets each, and the later in the alphabet wins."""
    swiss = course(3, 2, format="swiss", blocks=2, rounds=3)
    assert len(list(stages(swiss, strongest_wins))) == 3
    board = swiss.scoreboard()
    assert board is not None
    [sheet] = board.standings.sheets
    shown = [dict(zip(sheet.headings, cells, strict=True)) for cells in sheet.cells]
    assert [(row["bot"], row["rounds"], row["score"], row["payoff"]) for row in shown] == [
        ("bot02", "2", "100.0%", "1.00"),
        ("bot01", "2", "50.0%", "0.50"),
        ("bot00", "2", "0.0%", "0.00"),
    ]
    means = [(row["buchholz"], row["sonneborn-berger"]) for row in shown]
    assert means == [("25.0%", "25.0%"), ("50.0%", "0.0%"), ("75.0%", "0.0%")]


def test_the_rounds_hang_on_seed_and_results_alone() -> None:
    made = config(11, 3, format="swiss", blocks=2)
    first, again, other = (list(stages(make_format(made, seed))) for seed in ("run", "run", "other"))
    assert first == again
    assert tables(first[0]) != tables(other[0])
    tied_rounds = list(stages(make_format(made, "run"), tied))
    assert tied_rounds[0] == first[0]
    assert tables(tied_rounds[1]) != tables(first[1])


@pytest.mark.parametrize(
    ("changes", "drawn"),
    [
        ({}, False),
        ({"tables": 9}, True),
        ({"format": "gauntlet"}, False),
        ({"format": "gauntlet", "tables": 5}, True),
        ({"format": "swiss"}, True),
        ({"format": "ladder"}, True),
        ({"format": "knockout"}, True),
    ],
)
def test_a_format_says_whether_its_tables_are_a_sample(changes: dict[str, Any], drawn: bool) -> None:
    assert make_format(config(6, 3, **changes), SEED).draws_tables(("lives", 3)) is drawn
