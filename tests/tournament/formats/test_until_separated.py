"""A round robin goes on until each bot is told from the next, and no longer."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.tournament.files import RunFolder
from arena.tournament.formats import make_format
from arena.tournament.formats.round_robin import COLUMNS, SeparationRow, UntilSeparated
from arena.tournament.run import Run
from arena.tournament.schedule import Block, RoundRobin
from tests.tournament.fake_formats import SEED, config, played_run, stages, strongest_wins, tied


def resolving(bots: int, players: int, **changes: Any) -> UntilSeparated:
    course = make_format(config(bots, players, until_resolved=True, **changes), SEED)
    assert isinstance(course, UntilSeparated)
    return course


def resolved(course: UntilSeparated) -> list[str]:
    return [row.resolved for row in course.scoreboard().rows]


def test_it_ends_at_a_look_when_all_neighbours_are_told_apart() -> None:
    course = resolving(4, 3, blocks=12)
    sizes = [len(blocks) for blocks in stages(course)]
    assert sizes[:3] == [12 * 4, 6 * 4, 9 * 4]
    assert sum(sizes) < 10_000 - 4
    assert resolved(course) == ["yes"] * 3
    assert [(row.better, row.worse) for row in course.scoreboard().rows] == [
        ("bot03", "bot02"),
        ("bot02", "bot01"),
        ("bot01", "bot00"),
    ]
    assert course.scoreboard().title == f"Resolved after {sum(sizes) // 4} blocks a table"


def test_los_is_a_bound_for_people_and_a_number_for_programs() -> None:
    [los] = [column for column in COLUMNS if column.name == "los"]
    row = SeparationRow("lives", 3, "bot01", "bot00", 9.0, 1.0, None, "no")
    rows = [row._replace(los=los) for los in (0.99999, 0.975, 0.0, None)]
    assert [los.text_cell(row) for row in rows] == ["> 99.9%", "97.5%", "< 0.1%", ""]
    assert [los.number(row) for row in rows] == [100.0, 97.5, 0.0, None]


def test_its_blocks_are_those_of_the_round_robin_as_far_as_it_goes() -> None:
    played = [block for blocks in stages(resolving(4, 2, blocks=12)) for block in blocks]
    plain = RoundRobin(config(4, 2, blocks=len(played) // 6), SEED)
    assert played == list(plain)


def test_equals_are_played_to_the_end_and_said_not_to_be_resolved() -> None:
    course = resolving(3, 2, max_blocks=100)
    assert sum(len(blocks) for blocks in stages(course, tied)) == 99
    assert resolved(course) == ["no", "no"]
    assert course.scoreboard().title == "Not resolved after 33 blocks a table"


def test_a_table_is_played_once_even_if_that_is_too_much() -> None:
    assert [len(blocks) for blocks in stages(resolving(5, 2, max_blocks=3), tied)] == [10]


def test_every_game_must_be_resolved() -> None:
    games = [{"name": "lives", "players": 2}, {"name": "pool", "players": 2}]

    def luck_in_pool(block: Block) -> Any:
        return tied(block) if block.variant == "pool" else strongest_wins(block)

    course = resolving(2, 2, variants=games, max_blocks=300)
    for _ in stages(course, luck_in_pool):
        pass
    assert resolved(course) == ["yes", "no"]


def test_in_a_gauntlet_the_hero_is_told_from_each_of_the_others() -> None:
    course = resolving(4, 2, format="gauntlet", hero="bot01", blocks=20)
    for _ in stages(course):
        pass
    assert [(row.better, row.worse) for row in course.scoreboard().rows] == [
        ("bot03", "bot01"),
        ("bot02", "bot01"),
        ("bot01", "bot00"),
    ]
    assert resolved(course) == ["yes"] * 3


def test_who_beats_everybody_always_is_resolved_after_32_blocks() -> None:
    course = resolving(3, 3, blocks=10)
    assert sum(len(blocks) for blocks in stages(course, strongest_wins)) == 32


@pytest.mark.parametrize(
    ("bots", "players", "blocks", "first"), [(2, 2, 8, 32), (4, 3, 8, 11), (4, 3, 20, 20)]
)
def test_it_first_looks_when_each_bot_has_32_blocks(bots: int, players: int, blocks: int, first: int) -> None:
    course = resolving(bots, players, blocks=blocks)
    tables = len(list(combinations(range(bots), players)))
    assert len(next(stages(course))) == first * tables


def test_an_interrupted_run_comes_out_the_same(tmp_path: Path) -> None:
    made = config(3, 2, until_resolved=True, blocks=10)
    whole = played_run(tmp_path / "whole", made)
    assert len(whole) > 30
    assert played_run(tmp_path / "parts", made, [3, 30, 1]) == whole


def test_tables_with_disconnected_groups_are_refused_with_their_names() -> None:
    said = r"^until_resolved: at lives, 2 players, the chosen tables leave bots that never meet, "
    with pytest.raises(
        ConfigError,
        match=said + r"directly or through others: bot\d\d, bot\d\d.* – bot.*; "
        r"set tables above 3 or to \"all\", or use another seed$",
    ):
        resolving(6, 2, tables=3)
    assert resolving(6, 2, tables=15).status == "at most 9,990"
    with pytest.raises(ConfigError, match=r"others: bot01, bot\d\d – bot\d\d – bot\d\d; set tables above 1 "):
        resolving(4, 2, tables=1, format="gauntlet", hero="bot01")


def test_a_refused_run_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="never meet"):
        Run.create(config(6, 2, until_resolved=True, tables=3), RunFolder.create(tmp_path / "run"))
    assert list(tmp_path.iterdir()) == []


def test_a_sample_of_tables_too_small_for_errors_is_refused() -> None:
    said = r"bot\d\d sits at 5 of the tables, which are a sample; errors take at least 6 for each bot: "
    with pytest.raises(ConfigError, match=said + r"set tables above 10 or to \"all\"$"):
        resolving(8, 4, tables=10)
    course = resolving(8, 4, tables=40)
    assert course.draws_tables(("lives", 4))
    assert not resolving(8, 4).draws_tables(("lives", 4))
