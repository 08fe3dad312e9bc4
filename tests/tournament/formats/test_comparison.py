"""A comparison stops when it is clear, at looks fixed beforehand, and says what is missing when it is not."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.errors import ConfigError
from arena.rating.luck_adjustment import LUCK_FOLDS, Controls
from arena.rating.separation import estimate_required_blocks
from arena.tournament.formats import make_format
from arena.tournament.formats.comparison import Comparison, ComparisonResult
from arena.tournament.formats.paired_design import compare_placings
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult
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


def comparison(bots: int = 2, players: int = 4, **changes: Any) -> Comparison:
    """bot01, which is 1 stronger, is the second; the others are the field."""
    course = make_format(config(bots, players, format="comparison", **changes), SEED)
    assert isinstance(course, Comparison)
    return course


def played(course: Comparison, result: Result = result) -> ComparisonResult:
    for _ in stages(course, result):
        pass
    return course.result()


def test_it_stops_at_a_look_when_the_answer_is_clear() -> None:
    course = comparison()
    decided = played(course)
    assert (decided.resolved, decided.over, decided.blocks_missing) == (True, True, None)
    assert decided.result.blocks in course.terms.looks[:-1]
    assert decided.result.score is not None
    assert decided.result.score + (decided.result.error or 0) < 0.5
    assert decided.matches == 2 * decided.result.blocks


def test_looks_are_after_32_blocks_and_each_time_at_half_as_many_more() -> None:
    course = comparison(max_blocks=200)
    assert course.terms.looks == (32, 48, 72, 108, 162, 200)
    sizes = [len(blocks) for blocks in stages(course, tied)]
    assert sizes == [32, 16, 24, 36, 54, 38]
    assert course.terms.confidence > 0.98


def test_bots_that_always_tie_are_compared_to_the_end_and_nothing_is_made_up() -> None:
    decided = played(comparison(max_blocks=100), tied)
    assert (decided.resolved, decided.over, decided.blocks_missing) == (False, True, None)
    assert (decided.result.score, decided.result.error, decided.result.los) == (0.5, None, None)


def test_who_wins_everything_is_the_stronger_at_the_first_look() -> None:
    decided = played(comparison(), strongest_wins)
    assert (decided.resolved, decided.result.blocks, decided.result.score) == (True, 32, 0)
    assert (decided.result.elo, decided.result.error) == (None, None)


def test_a_small_lead_in_every_block_is_an_answer_once_a_great_loss_would_have_shown() -> None:
    def one_seat_ahead(block: Block) -> BlockResult:
        """In one of the two matches one seat of the first is ahead of all others, which tie."""
        alike = tied(block)
        [first, *others] = alike.matches
        ahead = tuple(1 if seat == block.seatings[0].index("bot00") else 2 for seat in range(8))
        return BlockResult(block.index, (msgspec.structs.replace(first, placings=ahead), *others))

    decided = played(comparison(players=8), one_seat_ahead)
    assert decided.result.error is None
    assert decided.result.score == pytest.approx(0.5 + 1 / 16)
    assert (decided.resolved, decided.result.blocks) == (True, 48)


@pytest.mark.parametrize("blocks", [1, 5])
def test_too_few_blocks_are_no_answer_whatever_they_say(blocks: int) -> None:
    decided = played(comparison(max_blocks=blocks), strongest_wins)
    assert (decided.resolved, decided.over, decided.blocks_missing) == (False, True, None)
    assert decided.result.error is None


def test_what_is_missing_is_what_planning_says() -> None:
    decided = played(comparison(max_blocks=64), lambda block: result(block, luck=40))
    assert not decided.resolved
    assert decided.result.score is not None
    assert decided.result.deviation is not None
    level = (1 + decided.terms.confidence) / 2
    needed = estimate_required_blocks(decided.result.score - 0.5, decided.result.deviation, level)
    assert needed is not None
    assert decided.blocks_missing == needed - 64 > 0


def test_a_fixed_comparison_plays_all_blocks_and_has_the_interval_of_one_look() -> None:
    decided = played(comparison(max_blocks=200, fixed=True), strongest_wins)
    assert (decided.result.blocks, decided.resolved, decided.over) == (200, True, True)
    early = played(comparison(), strongest_wins)
    assert early.result.blocks == 32
    once = comparison(max_blocks=32)
    assert decided.terms.confidence == once.terms.confidence == pytest.approx(0.95)
    fixed = played(comparison(max_blocks=500, fixed=True))
    assert fixed.elo_ends == pytest.approx((fixed.result.elo, fixed.result.low, fixed.result.high))


@pytest.mark.parametrize(("elos", "verdict"), [([-20, 0], "H0"), ([-400, -300], "H1")])
def test_a_test_ends_with_its_verdict(elos: list[float], verdict: str) -> None:
    course = comparison(sprt=elos)
    decided = played(course)
    assert decided.look is not None
    assert (decided.look.verdict, decided.look.blocks) == (verdict, decided.result.blocks)
    assert decided.resolved
    assert course.terms.confidence == 0.95
    assert course.status.startswith(f"LLR {decided.look.llr:+.2f}")


def test_a_test_at_its_end_says_how_much_it_lacks() -> None:
    decided = played(comparison(sprt=[-61, -60], max_blocks=40))
    assert (decided.resolved, decided.over) == (False, True)
    assert decided.look is not None
    assert decided.look.verdict is None
    bound = decided.look.upper if decided.look.llr > 0 else decided.look.lower
    assert decided.blocks_missing == round(40 * (bound / decided.look.llr - 1))


def test_alternate_and_bunched_seats_take_turns() -> None:
    [[first, second, *_]] = stages(comparison(max_blocks=10), tied)
    a, b = "bot00", "bot01"
    assert first.seatings == ((b, a, b, a), (a, b, a, b))
    assert second.seatings == ((a, a, b, b), (b, b, a, a))
    assert (first.bots, first.address) == ((a, a, b, b), f"lives/4/{a}+{a}+{b}+{b}/0")


@pytest.mark.parametrize(("bots", "players"), [(2, 3), (2, 4), (4, 3)])
def test_the_deals_are_the_same_whichever_of_the_two_is_the_first(bots: int, players: int) -> None:
    def blocks(order: slice) -> list[Block]:
        made = config(bots, players, format="comparison", max_blocks=4)
        two = msgspec.structs.replace(made, bots=(*made.bots[:2][order], *made.bots[2:]))
        [stage] = stages(make_format(two, SEED), tied)
        return stage

    first, other = blocks(slice(None)), blocks(slice(None, None, -1))
    assert [block.address for block in first] == [block.address for block in other]
    for there, here in zip(first, other, strict=True):
        assert sorted(there.seatings) == sorted(here.seatings)
        assert set(there.all_bots) == {bot for seating in there.seatings for bot in seating}


def test_alone_means_one_among_copies() -> None:
    [blocks] = stages(comparison(max_blocks=3, alone=True), tied)
    assert all(seating.count("bot00") == 1 for block in blocks for seating in block.seatings)
    assert [seating.index("bot00") for seating in blocks[0].seatings] == [0, 3, 2, 1]


def test_in_a_field_all_others_sit_as_often_and_the_two_meet_the_same() -> None:
    [blocks] = stages(comparison(7, 4, max_blocks=10), tied)
    sat = Counter(bot for block in blocks for bot in block.seatings[0][1:])
    assert sat == dict.fromkeys(["bot02", "bot03", "bot04", "bot05", "bot06"], 6)
    for block in blocks:
        for first, other in zip(block.seatings[::2], block.seatings[1::2], strict=True):
            assert tuple("bot01" if bot == "bot00" else bot for bot in first) == other


def test_a_field_too_small_for_the_table_sits_there_more_than_once() -> None:
    [blocks] = stages(comparison(3, 4, max_blocks=2), tied)
    assert all(seating.count("bot02") == 3 for block in blocks for seating in block.seatings)


def test_in_a_field_the_stronger_is_found_too() -> None:
    decided = played(comparison(5, 3))
    assert decided.resolved
    assert decided.result.score is not None
    assert decided.result.score < 0.5


def test_equals_share_the_first_place() -> None:
    course = comparison(max_blocks=40)
    played(course, tied)
    assert [row.place for row in course.scoreboard().rows] == [1, 1]


def test_the_scoreboard_has_the_better_first() -> None:
    course = comparison()
    decided = played(course)
    board = course.scoreboard()
    assert [row[:2] for row in board.rows] == [(1, "bot01"), (2, "bot00")]
    assert board.rows[1].score == decided.result.score


def test_before_the_first_look_nothing_is_said() -> None:
    course = comparison()
    assert (course.status, course.result().result.score, course.result().over) == ("", None, False)
    assert all(
        cell in ("", "0")
        for row in course.scoreboard().standings.sheets[0].cells
        for cell in (row[0], *row[2:])
    )


def test_an_interrupted_comparison_comes_out_the_same(tmp_path: Path) -> None:
    made = config(2, 4, format="comparison", sprt=[-20, 0])
    whole = played_run(tmp_path / "whole", made)
    assert played_run(tmp_path / "parts", made, [5, 1, 40]) == whole


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sprt": [0, float("inf")]}, "sprt: takes two finite Elo differences, such as 0 and 20"),
        ({"sprt": [5, 5]}, "sprt: the first Elo must be below the second, not 5 and 5"),
        ({"variants": [{"name": "lives", "players": [2, 3]}]}, "variants: a comparison takes one game"),
        ({"sprt": [0, 5], "fixed": True}, "fixed: the test of sprt decides when to stop: remove one"),
        ({"format": "swiss", "fixed": True}, "fixed: is for the format comparison, not for swiss"),
        ({"alone": True}, "alone: takes two bots and no field"),
        ({"format": "swiss", "sprt": [0, 5]}, "sprt: is for the format comparison, not for swiss"),
        ({"until_resolved": True}, "until_resolved: is for the format round-robin or gauntlet, not for comp"),
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^test: {message}"):
        config(3, 3, **{"format": "comparison", **changes})


def controls_of(course: Comparison, result: Result, part: float) -> Controls:
    """Return controls that are so much of what every pair of seats took above a half."""
    rows = []
    for index in range(course.result().result.blocks):
        block = course.block(index)
        for seating, match in zip(block.seatings, result(block).matches, strict=True):
            for first, other in combinations(range(block.players), 2):
                points = compare_placings(match.placings[first], match.placings[other]) - 0.5
                if seating[first] != seating[other]:
                    numbers = [int(seating[seat][3:]) for seat in (first, other)]
                    rows.append((index, *numbers, part * points, index % LUCK_FOLDS))
    return Controls(*map(np.array, zip(*rows, strict=True)))


@pytest.mark.parametrize("setup", [{}, {"players": 3}, {"alone": True}, {"bots": 4}], ids=str)
def test_what_the_cards_alone_decide_is_subtracted(setup: dict[str, Any]) -> None:
    """The control of a block is a part of its score above a half if the cards decide the points."""
    course = comparison(**setup, max_blocks=48)
    decided = played(course)
    adjusted = course.adjusted(controls_of(course, result, part=0.9))
    assert adjusted is not None
    assert adjusted.result.blocks == decided.result.blocks
    scores, leads = [block.score for block in course._blocks], course._leads(controls_of(course, result, 1.0))
    assert leads + 0.5 == pytest.approx(scores)
    assert adjusted.variance_ratio is not None
    assert adjusted.variance_ratio > 1.9


def test_without_controls_nothing_is_adjusted() -> None:
    course = comparison(max_blocks=32)
    played(course)
    none = np.empty(0, np.int64)
    assert course.adjusted(Controls(none, none, none, none.astype(float), none)) is None
