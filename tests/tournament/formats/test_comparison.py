"""A comparison stops when it is clear, at looks fixed beforehand, and says what is missing when it is not."""

from collections import Counter
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.rating.luck_adjustment import LUCK_FOLDS, Controls
from arena.rating.separation import estimate_required_blocks
from arena.tournament.formats import make_format
from arena.tournament.formats.comparison import Comparison, ComparisonResult
from arena.tournament.paired_blocks import compare_placings
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult
from tests.tournament.fake_formats import (
    SEED,
    Result,
    config,
    played_run,
    result,
    run_of,
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


def one_seat_ahead(block: Block) -> BlockResult:
    """In one of the two matches one seat of the first is ahead of all others, which tie."""
    alike = tied(block)
    [first, *others] = alike.matches
    ahead = tuple(1 if seat == block.seatings[0].index("bot00") else 2 for seat in range(8))
    return BlockResult(block.index, (msgspec.structs.replace(first, placings=ahead), *others))


lucky = partial(result, luck=40.0)
FIRST = "A test has its first look after 32 blocks"
Case = tuple[Result, dict[str, Any], int | None, str]
"""Results, keys of the config, the blocks played if they are known, and what is said."""
ANSWERS: dict[str, Case] = {
    "clear": (result, {}, None, "bot01 is the stronger.\n± holds at all 16 looks together in 95 of 100 "),
    "wins all": (strongest_wins, {}, 32, "Elo     unbounded: one of them won every point\n"),
    "no error": (strongest_wins, {}, 32, "\n\nbot01 is the stronger.\n\nIts seed"),
    "little": (one_seat_ahead, {"players": 8}, 48, "score   56.2% ± unknown: the blocks do not differ, or"),
    "fixed": (strongest_wins, {"max_blocks": 200, "fixed": True}, 200, "bot01 is the stronger."),
    "fixed ±": (result, {"max_blocks": 500, "fixed": True}, 500, "± and LOS are valid for a number of"),
    "H0": (result, {"sprt": [-20, 0]}, None, "\n\nH0: a lead of -20 Elo fits better than one of 0.\n"),
    "a stop": (result, {"sprt": [-20, 0]}, None, "its interval are corrected for that; ± and LOS are not."),
    "H1": (result, {"sprt": [-400, -300]}, None, "H1: a lead of -300 Elo fits better than one of -400.\n"),
    "field": (result, {"bots": 4, "players": 3}, None, "in each other's place at tables of bot02, bot03\n\n"),
    "lead": (result, {"bots": 4, "players": 3}, None, "bot03\n\nlead in score  -"),
    "alone": (result, {"alone": True}, None, "4 players: bot00 alone against copies of bot01\n"),
    "odd": (result, {"players": 3}, None, "each in turn with one seat more than the other, all round the"),
    "even": (result, {}, None, "bot00 against bot01 at lives, 4 players: each in half of the seats"),
}  # fmt: skip
NO_ANSWERS: dict[str, Case] = {
    "ties": (tied, {"max_blocks": 50}, 50, "Both had the same result in every block: they seem to play al"),
    "alike": (tied, {"alike_blocks": 200}, 243, "stopped early. Both had the same result in every block: "),
    "hint": (tied, {"alike_blocks": 32}, 32, "they seem to play alike. --fixed plays all blocks.\n"),
    "all": (tied, {"alike_blocks": 9, "max_blocks": 50, "fixed": True}, 50, "they seem to play alike.\n"),
    "no LOS": (tied, {"max_blocks": 50}, 50, "do not differ, or are fewer than six\nElo     +0.0\npayoff"),
    "one": (strongest_wins, {"max_blocks": 1}, 1, "No number of blocks is known to separate them."),
    "five": (strongest_wins, {"max_blocks": 5}, 5, "at the maximum of blocks. No number of blocks is known"),
    "luck": (lucky, {"max_blocks": 64}, 64, "blocks more separate them with a chance of 80 %."),
    "test": (result, {"max_blocks": 40, "sprt": [-61, -60]}, 40, "At this rate the test needs about "),
    "no look": (strongest_wins, {"max_blocks": 20, "sprt": [-20, 0]}, 20, f"{FIRST}.\n"),
    "20": (result, {"max_blocks": 20, "sprt": [-400, 400]}, 20, f"{FIRST}, and at this rate needs 12 blocks"),
    "31": (result, {"max_blocks": 31, "sprt": [-400, 400]}, 31, f"{FIRST}, and at this rate needs 1 block "),
}  # fmt: skip


@pytest.mark.parametrize("case", [*ANSWERS, *NO_ANSWERS])
def test_the_decision_the_words_and_the_fields_agree(case: str) -> None:
    is_resolved = case in ANSWERS
    outcome, keys, blocks, said = {**ANSWERS, **NO_ANSWERS}[case]
    run = run_of(config(**{"bots": 2, "players": 4, "format": "comparison", **keys}), outcome)
    format = Comparison.of(run.stages)
    decided, text, fields = format.result(), format.answer(run), format.fields(run)
    played = decided.result.blocks
    assert (decided.resolved, format.is_over, played) == (is_resolved, True, blocks or played)
    assert played in decided.terms.ends
    assert said in text
    assert text.endswith("\n\nIts seed is a seed")
    assert ("Not resolved: stopped " in text) == (not is_resolved)
    assert ("\nLOS  " in text) == (decided.result.los is not None)
    for nonsense in ("nan", "None", "± 0.0%", "inf"):
        assert nonsense not in text
    assert (fields["resolved"], fields["blocks"], fields["seed"]) == (is_resolved, played, "a seed")
    assert fields["score"] == pytest.approx(100 * (decided.result.score or 0))
    assert fields["alike"] == (outcome is tied)
    if decided.look:
        assert fields["verdict"] == decided.look.verdict
        assert f"SPRT    LLR {fields['llr']:+.2f}" in text
        assert format.status.startswith(f"LLR {fields['llr']:+.2f}")


def test_looks_are_after_32_blocks_and_each_time_at_half_as_many_more() -> None:
    course = comparison(max_blocks=200)
    assert course.terms.looks == (32, 48, 72, 108, 162, 200)
    sizes = [len(blocks) for blocks in stages(course, tied)]
    assert sizes == [32, 16, 24, 36, 54, 38]
    assert course.terms.confidence > 0.98


def test_what_is_missing_is_what_planning_says() -> None:
    decided = played(comparison(max_blocks=64), lucky)
    assert decided.result.score is not None
    assert decided.result.deviation is not None
    level = (1 + decided.terms.confidence) / 2
    needed = estimate_required_blocks(decided.result.score - 0.5, decided.result.deviation, level)
    assert needed is not None
    assert decided.blocks_missing == needed - 64 > 0
    look = (tested := played(comparison(sprt=[-61, -60], max_blocks=40))).look
    assert look is not None
    bound = look.upper if look.llr > 0 else look.lower
    assert tested.blocks_missing == round(40 * (bound / look.llr - 1))


def test_a_fixed_comparison_and_a_test_have_the_interval_of_one_look() -> None:
    for keys in ({"max_blocks": 500, "fixed": True}, {"max_blocks": 32}, {"sprt": [-20, 0]}):
        assert comparison(**keys).terms.confidence == pytest.approx(0.95)
    fixed = played(comparison(max_blocks=500, fixed=True))
    assert fixed.elo_ends == pytest.approx((fixed.result.elo, fixed.result.low, fixed.result.high))


def test_the_elo_after_a_stop_is_nearer_to_zero_than_that_of_the_score() -> None:
    late = played(comparison(), partial(result, luck=20.0))
    elo, low, high = late.elo_ends
    assert late.result.blocks > 32
    assert (late.result.elo or 0) < (elo or 0) < 0
    assert (low or 0) < (elo or 0) < (high or 0) < 0
    first = played(comparison(), partial(result, luck=2.0))
    assert first.result.blocks == 32
    assert first.elo_ends[0] == pytest.approx(first.result.elo, abs=0.01)


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


@pytest.mark.parametrize(
    ("outcome", "places"), [(tied, [(1, "bot01"), (1, "bot00")]), (result, [(1, "bot01"), (2, "bot00")])]
)
def test_the_scoreboard_has_the_better_first(outcome: Result, places: list[tuple[int, str]]) -> None:
    course = comparison(max_blocks=40)
    played(course, outcome)
    assert sorted(row[:2] for row in course.scoreboard().rows) == sorted(places)
    assert course.scoreboard().rows[0].score >= 0.5


def test_before_the_first_look_nothing_is_said() -> None:
    run = run_of(config(2, 4, format="comparison", seed=""), result=None, blocks=5)
    course = Comparison.of(run.stages)
    assert (course.status, course.result().result.score, course.result().over) == ("", None, False)
    cells = [cell for row in course.scoreboard().standings.sheets[0].cells for cell in (row[0], *row[2:])]
    assert set(cells) <= {"", "0"}
    assert course.answer(run) == (
        "Stopped before the first look, after 32 blocks: no result yet. Played so far: 5 blocks."
    )
    assert (course.fields(run)["seed"], course.fields(run)["score"]) == (None, None)


def test_blocks_after_the_last_look_are_said_not_to_count() -> None:
    made = config(2, 4, format="comparison")
    run = run_of(made, tied, stages_played=2, blocks=45)  # the second stage is not played
    assert (
        Comparison.of(run.stages)
        .answer(run)
        .endswith(
            "\n\nNot counted: 13 blocks, played since the last look after 32. "
            "The interval holds at looks alone, which are fixed in advance."
        )
    )
    assert Comparison.of(run.stages).fields(run)["blocks_not_counted"] == 13


def test_it_is_announced_with_the_most_it_will_take() -> None:
    run = run_of(config(2, 4, format="comparison", seed="a seed", max_blocks=500), result=None)
    playing, same = run.stages.format.announcement(run, "2 jobs", None).splitlines()
    assert playing == "Playing at most 500 blocks: 2 jobs, 2 bots inline."
    assert same.startswith("bot00 and bot01 are the same bot, content ")
    fixed = run_of(config(2, 4, format="comparison", fixed=True, max_blocks=64), result=None)
    assert fixed.stages.format.announcement(fixed, "1 job", None).startswith("Playing 64 blocks: 1 job, ")
    secret = run_of(config(2, 4, format="comparison"), result=None)
    assert secret.stages.format.announcement(secret, "1 job", Path("kept")).startswith(
        "Playing at most 10,000 blocks into kept: 1 job, 2 bots inline.\n"
        "Random seed, revealed at the end; its hash is "
    )


def test_an_interrupted_comparison_comes_out_the_same(tmp_path: Path) -> None:
    made = config(2, 4, format="comparison", sprt=[-20, 0])
    whole = played_run(tmp_path / "whole", made)
    assert played_run(tmp_path / "parts", made, [5, 1, 40]) == whole


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
