"""Ladder: bots join in order, meet everybody evenly and then those as strong as they are."""

from collections import Counter
from itertools import combinations
from statistics import fmean

import pytest

from arena.tournament.formats import make_format
from arena.tournament.schedule import Block
from tests.tournament.fake_formats import config, course, names, stages, tables


def mean_gap(blocks: list[Block]) -> float:
    pairs = [pair for block in blocks for pair in combinations(block.bots, 2)]
    return fmean(abs(int(first[3:]) - int(other[3:])) for first, other in pairs)


@pytest.mark.parametrize(("bots", "size"), [(9, 2), (9, 4), (5, 5)])
def test_bots_join_in_the_order_of_the_config(bots: int, size: int) -> None:
    seen = [tables(blocks) for blocks in stages(course(bots, size, format="ladder", blocks=6))]
    newest = [max(bot for table in tables_of_stage for bot in table) for tables_of_stage in seen]
    assert newest == [name for name in names(bots)[size - 1 :] for _ in range(2)]


def test_a_new_bot_plays_every_round_until_it_has_played_its_blocks() -> None:
    played: Counter[str] = Counter()
    for number, blocks in enumerate(stages(course(11, 4, format="ladder", blocks=7))):
        newest = names(11)[3 + number // 2]
        played.update(bot for block in blocks for bot in block.bots)
        assert played[newest] == (4, 7)[number % 2]
        assert min(played.values()) == played[newest]


def test_rounds_are_as_many_as_blocks_and_at_least_half_of_them_balanced() -> None:
    ladder = course(12, 4, format="ladder", blocks=5)
    rounds = [len({block.repetition for block in blocks}) for blocks in stages(ladder)]
    assert rounds == [3, 2] * 9
    assert ladder.total == 5 * sum(joined // 4 for joined in range(4, 13))


def test_one_block_a_bot_is_a_balanced_one() -> None:
    assert [len(blocks) for blocks in stages(course(4, 2, format="ladder", blocks=1))] == [1, 1, 2]


def test_in_balanced_rounds_all_pairs_meet_equally_often() -> None:
    *_, balanced, _ = stages(course(12, 2, format="ladder", blocks=44))
    met = Counter(block.bots for block in balanced)
    assert len(met) == 66
    assert set(met.values()) == {2}


def test_then_those_meet_who_are_about_as_strong() -> None:
    *_, balanced, rated = stages(course(24, 2, format="ladder", blocks=20))
    assert mean_gap(rated) < 0.8 * mean_gap(balanced)


def test_each_block_has_its_own_address_and_each_table_plays_every_game() -> None:
    games = [{"name": "lives", "players": 3}, {"name": "pool", "players": 3}]
    ladder = course(7, 3, format="ladder", blocks=4, variants=games)
    blocks = [block for stage in stages(ladder) for block in stage]
    assert len({block.address for block in blocks}) == len(blocks) == ladder.total
    sittings = Counter((block.bots, block.repetition) for block in blocks)
    assert set(sittings.values()) == {2}


def test_it_ends_before_a_round_that_would_be_too_much() -> None:
    ladder = course(5, 2, format="ladder", blocks=10, max_blocks=55)
    assert ladder.total == 55
    sizes = [len(blocks) for blocks in stages(ladder)]
    assert sizes == [5, 5, 5, 5, 10, 10, 10, 4]  # two blocks a round: the last one would be one too many


def test_a_bot_withdrawn_plays_no_more() -> None:
    ladder = course(8, 3, format="ladder", blocks=4, withdrawn={"bot01": 8})
    seen = [{bot for block in blocks for bot in block.bots} for blocks in stages(ladder)]
    assert "bot01" in set.union(*seen[:2])
    assert "bot01" not in set.union(*seen[4:])
    assert set.union(*seen) == set(names(8))


def test_bots_of_one_team_never_meet() -> None:
    ladder = course(13, 3, teams=4, same_team=False, format="ladder", blocks=6)
    all_tables = set.union(*(tables(blocks) for blocks in stages(ladder)))
    assert all_tables
    assert all(len({int(bot[3:]) % 4 for bot in table}) == 3 for table in all_tables)


def test_the_rounds_hang_on_seed_and_results_alone() -> None:
    made = config(7, 2, format="ladder", blocks=6)
    first, again, other = (list(stages(make_format(made, seed))) for seed in ("run", "run", "other"))
    assert first == again
    assert first != other
    assert make_format(made, "run").scoreboard() is None  # the ratings are the standings
