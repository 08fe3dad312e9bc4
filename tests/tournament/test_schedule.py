"""The round robin: every table as often as said, fair seats, and addresses that nothing else moves."""

import tracemalloc
from collections import Counter
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.tournament.schedule import Block, RoundRobin, block_address
from arena.tournament.setup.config import Config, make_config

BOTS = ["stand-pat", "random", "greedy", "prudent", "counter"]


def config(*variants: dict[str, Any], bots: int = 5, **changes: Any) -> Config:
    names = [{"bot": BOTS[i % 5], "name": BOTS[i] if i < 5 else f"bot{i}"} for i in range(bots)]
    table = {"bots": names, "variants": list(variants) or [{"name": "lives"}], "blocks": 3, **changes}
    return make_config(table, base=Path(), where="test")


def addresses(made: Config) -> set[str]:
    return {block.address for block in RoundRobin(made, "run")}


def test_every_table_of_every_variant_and_size_meets_as_often_as_said() -> None:
    schedule = RoundRobin(config({"name": "lives", "players": [2, 4]}, {"name": "pool", "tokens": 5}), "run")
    blocks = list(schedule)
    assert len(blocks) == len(schedule) == 3 * (10 + 5 + 5)
    expected = {
        (variant, table, repetition)
        for variant, size in (("lives", 2), ("lives", 4), ("pool(tokens=5)", 4))
        for table in combinations(sorted(BOTS), size)
        for repetition in range(3)
    }
    assert {(block.variant, block.bots, block.repetition) for block in blocks} == expected
    assert [block.index for block in blocks] == list(range(60))
    assert len({block.address for block in blocks}) == 60


def test_a_game_has_its_own_bots_and_blocks() -> None:
    lives = {"name": "lives", "players": 2, "bots": BOTS[:3], "blocks": 5}
    schedule = RoundRobin(config(lives, {"name": "pool", "players": 4}), "run")
    blocks = list(schedule)
    assert [schedule[i] for i in range(len(schedule))] == blocks
    games = [("lives", BOTS[:3], 2, 5), ("pool", BOTS, 4, 3)]
    expected = {
        (variant, table, repetition)
        for variant, bots, size, number in games
        for table in combinations(sorted(bots), size)
        for repetition in range(number)
    }
    assert {(block.variant, block.bots, block.repetition) for block in blocks} == expected
    assert len(blocks) == len(schedule) == len(expected) == 3 * 5 + 5 * 3
    assert {block.variant for block in blocks[-6:]} == {"lives"}  # of which there are two repetitions more


@pytest.mark.parametrize("few", [{"greedy": 2}, {"greedy": 2, "random": 1}, {"greedy": 7}])
@pytest.mark.parametrize("size", [2, 4])
def test_tables_with_some_bot_have_their_own_number_of_blocks(few: dict[str, int], size: int) -> None:
    made = config({"name": "lives", "players": size, "blocks": 5, "blocks_with": few}, {"name": "pool"})
    blocks = list(RoundRobin(made, "run"))
    expected = {
        ("lives", table, repetition)
        for table in combinations(sorted(BOTS), size)
        for repetition in range(min((few[bot] for bot in table if bot in few), default=5))
    } | {("pool", table, repetition) for table in combinations(sorted(BOTS), 4) for repetition in range(3)}
    assert {(block.variant, block.bots, block.repetition) for block in blocks} == expected
    assert len(blocks) == len(expected)
    everywhere = addresses(config({"name": "lives", "players": size, "blocks": 9}, {"name": "pool"}))
    assert {block.address for block in blocks} <= everywhere


def test_every_table_may_have_some_bot() -> None:
    made = config({"name": "lives", "players": 4, "blocks_with": dict.fromkeys(BOTS, 1)})
    assert len(RoundRobin(made, "run")) == 5


def test_a_game_has_the_same_blocks_whatever_the_others_have() -> None:
    lives = {"name": "lives", "bots": BOTS[:4]}
    few = addresses(config(lives, {"name": "pool", "blocks": 1}))
    many = addresses(config(lives, {"name": "pool", "blocks": 9}))
    assert few < many


def test_a_block_is_the_same_by_index_and_in_turn() -> None:
    schedule = RoundRobin(config(), "run")
    assert [schedule[i] for i in range(len(schedule))] == list(schedule)
    with pytest.raises(IndexError, match="block 15 of 15"):
        schedule[15]
    with pytest.raises(IndexError, match="block -1 of 15"):
        schedule[-1]


def test_the_seatings_are_the_rotations_of_one_order() -> None:
    for block in RoundRobin(config(), "run"):
        first = block.seatings[0]
        assert sorted(first) == list(block.bots)
        assert list(block.seatings) == [first[turn:] + first[:turn] for turn in range(4)]


def test_who_sits_behind_whom_is_drawn_anew_for_each_block() -> None:
    blocks = list(RoundRobin(config(blocks=200), "run"))
    followers = Counter(
        pair for block in blocks for pair in zip(block.seatings[0], block.seatings[1], strict=True)
    )
    assert len(followers) == 5 * 4
    assert all(150 < times < 250 for times in followers.values())  # 200 on average


def test_a_repetition_is_finished_before_the_next_begins() -> None:
    blocks = list(RoundRobin(config({"name": "lives", "players": [2, 3]}), "run"))
    assert [block.repetition for block in blocks] == [0] * 20 + [1] * 20 + [2] * 20


def test_any_stretch_of_the_schedule_covers_bots_and_variants_evenly() -> None:
    made = config({"name": "lives", "players": 4}, {"name": "pool", "players": 3}, bots=12, blocks=1)
    blocks = list(RoundRobin(made, "run"))  # 495 and 220 tables
    for start in range(0, len(blocks) - 50, 50):
        stretch = blocks[start : start + 50]
        bots = Counter(bot for block in stretch for bot in block.bots)
        variants = Counter(block.variant for block in stretch)
        assert len(bots) == 12
        assert min(bots.values()) > 8  # 15 on average
        assert 33 <= variants["lives"] <= 36


def test_one_bot_more_leaves_the_blocks_of_the_others_alone() -> None:
    assert addresses(config()) < addresses(config(bots=6))
    few = {block.address: block.seatings for block in RoundRobin(config(), "run")}
    many = {block.address: block.seatings for block in RoundRobin(config(bots=6), "run")}
    assert {address: many[address] for address in few} == few


def test_the_order_in_which_bots_are_listed_means_nothing() -> None:
    made = config()
    turned = make_config(
        {"bots": BOTS[::-1], "variants": [{"name": "lives"}], "blocks": 3}, base=Path(), where=""
    )
    assert list(RoundRobin(made, "run")) == list(RoundRobin(turned, "run"))


def test_more_blocks_only_add() -> None:
    assert list(RoundRobin(config(blocks=2), "run")) == list(RoundRobin(config(blocks=4), "run"))[:10]


def test_another_seed_seats_otherwise_at_the_same_addresses() -> None:
    first, other = RoundRobin(config(), "one"), RoundRobin(config(), "other")
    assert [block.address for block in first] == [block.address for block in other]
    assert [block.seatings for block in first] != [block.seatings for block in other]


@pytest.mark.parametrize(
    ("bots", "tables", "expected"),
    [(12, None, 495), (16, None, 1000), (16, "all", 1820), (16, 100, 100), (5, 100, 5)],
)
def test_tables_are_all_while_they_are_few_and_else_chosen(bots: int, tables: Any, expected: int) -> None:
    given = {} if tables is None else {"tables": tables}
    made = config(bots=bots, blocks=2, **given)
    schedule = RoundRobin(made, "run", tables=made.keys.tables)
    assert len(schedule) == 2 * expected
    assert len({block.address for block in schedule}) == 2 * expected
    played = Counter(bot for block in schedule for bot in block.bots)
    assert max(played.values()) - min(played.values()) <= 2


def test_a_million_blocks_cost_no_memory() -> None:
    schedule = RoundRobin(config(blocks=200_000), "run")
    assert len(schedule) == 1_000_000
    tracemalloc.start()
    for _ in islice(schedule, 2_000):
        pass
    schedule[999_999]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("lives", ["a", "b+c"]), ("lives", ["a+b", "c"])),
        (("lives", ["a", "b/c"]), ("lives", ["a", "b%2Fc"])),
        (("lives/2", ["a", "b"]), ("lives", ["2/a", "b"])),
        (("lives", ["a", "b"]), ("lives", ["a", "b", ""])),
    ],
)
def test_no_two_blocks_share_an_address(one: tuple[str, list[str]], other: tuple[str, list[str]]) -> None:
    assert block_address(*one, 0) != block_address(*other, 0)


def test_an_address_can_be_read() -> None:
    block = Block(7, "lives(tokens=5)", 2, ("greedy", "mine/bot.py:Bot"), 3, ())
    assert block.address == "lives(tokens=5)/2/greedy+mine%2Fbot.py:Bot/3"


@pytest.mark.parametrize("tables", ["all", 100_001])
def test_tables_without_end_are_refused(tables: object) -> None:
    many = config({"name": "lives", "players": 8}, bots=100, tables=tables)
    with pytest.raises(ConfigError, match="tables: "):
        RoundRobin(many, "run", tables=many.keys.tables)
