"""A selection plays ever fewer candidates on the same cards, until the best or the order is known."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.tournament.formats import make_format
from arena.tournament.formats.selection import Selection
from arena.tournament.schedule import Block
from tests.tournament.fake_formats import (
    SEED,
    Result,
    config,
    played_run,
    result,
    stages,
    strongest_wins,
    tied,
)


def selection(bots: int = 5, players: int = 4, **changes: Any) -> Selection:
    """The last candidate is the best."""
    course = make_format(config(bots, players, format="selection", **changes), SEED)
    assert isinstance(course, Selection)
    return course


def played(course: Selection, result: Result = result) -> list[list[Block]]:
    return list(stages(course, result))


def seated(block: Block) -> set[str]:
    return {bot for seating in block.seatings for bot in seating}


def test_it_ends_with_the_best_and_who_is_out_plays_no_more() -> None:
    course = selection()
    blocks = played(course)
    assert course.names(course.test.active) == ("bot04",)
    assert [len(seated(stage[0])) for stage in blocks] == sorted(
        (len(seated(stage[0])) for stage in blocks), reverse=True
    )
    first, *_, last = course.results()
    assert (first.bot, first.place, first.behind, first.worse_than) == ("bot04", 1, None, None)
    assert last.blocks < first.blocks == course.test.blocks
    assert last.behind is not None
    assert last.behind < 0
    assert course.matches == sum(len(block.seatings) for stage in blocks for block in stage)


def test_the_order_of_all_is_found() -> None:
    course = selection(goal="rank")
    played(course)
    assert course.is_over
    assert [row.bot for row in course.results()] == [f"bot{i:02}" for i in reversed(range(5))]
    assert [row.place for row in course.results()] == [1, 2, 3, 4, 5]


def test_candidates_share_tables_in_pairs_on_the_same_deal() -> None:
    [blocks] = played(selection(6, max_blocks=10), tied)
    for block in blocks:
        assert len(block.seatings) == 6
        pairs = [set(seating) for seating in block.seatings]
        assert all(len(pair) == 2 for pair in pairs)
        assert pairs[::2] == pairs[1::2]
        assert set.union(*pairs) == {f"bot{i:02}" for i in range(6)}
    assert len({frozenset(seating) for block in blocks for seating in block.seatings}) > 6


def test_in_a_field_candidates_sit_in_the_same_place_among_the_same_others() -> None:
    course = selection(7, candidates=3, max_blocks=8)
    assert (course.terms.candidates, course.terms.field) == (
        ("bot00", "bot01", "bot02"),
        ("bot03", "bot04", "bot05", "bot06"),
    )
    [blocks] = played(course, tied)
    for block in blocks:
        assert len(block.seatings) == 3 * 4
        for first, same, too in zip(*(block.seatings[i::3] for i in range(3)), strict=True):
            others = {
                tuple("x" if bot in course.terms.candidates else bot for bot in seating)
                for seating in (first, same, too)
            }
            assert [seating.count("x") for seating in others] == [1]


@pytest.mark.parametrize("changes", [{}, {"candidates": 3}])
def test_deals_depend_neither_on_who_is_left_nor_on_who_is_named_first(changes: dict[str, Any]) -> None:
    made = config(5, 4, format="selection", max_blocks=48, **changes)
    candidates = changes.get("candidates", 5)
    bots = (*made.bots[:candidates][::-1], *made.bots[candidates:])
    [first, other] = [
        [block for stage in stages(make_format(it, SEED), outcome) for block in stage]
        for it, outcome in ((made, strongest_wins), (msgspec.structs.replace(made, bots=bots), tied))
    ]
    assert [block.address for block in first] == [block.address for block in other][: len(first)]
    assert sorted(first[0].seatings) == sorted(other[0].seatings)


def test_deals_are_those_of_a_comparison_of_the_first_two() -> None:
    [blocks] = played(selection(4, max_blocks=4), tied)
    two = make_format(config(2, 4, format="comparison", max_blocks=4), SEED)
    [compared] = stages(two, tied)
    assert [block.address for block in blocks] == [block.address for block in compared]


def test_candidates_that_always_tie_are_all_left_and_nothing_is_made_up() -> None:
    course = selection(3, max_blocks=50)
    played(course, tied)
    assert (course.is_over, course.test.is_resolved) == (True, False)
    assert [(row.place, row.behind, row.error) for row in course.results()][1:] == [(1, 0, None)] * 2
    assert course.status == "3 of 3 left"


def test_before_the_first_look_the_scoreboard_is_empty() -> None:
    course = selection()
    assert course.status == ""
    assert {row["worse_than"] for row in course.scoreboard().standings.dicts} == {""}
    assert all(
        cell in ("", "0")
        for row in course.scoreboard().standings.sheets[0].cells
        for cell in (row[0], *row[2:])
    )


@pytest.mark.parametrize("changes", [{}, {"goal": "rank", "candidates": 4}])
def test_an_interrupted_selection_comes_out_the_same(tmp_path: Path, changes: dict[str, Any]) -> None:
    made = config(5, 3, format="selection", max_blocks=80, **changes)
    whole = played_run(tmp_path / "whole", made)
    assert played_run(tmp_path / "parts", made, [5, 30, 20]) == whole
