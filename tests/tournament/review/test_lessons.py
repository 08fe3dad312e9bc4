"""Situations in which others decided otherwise."""

import pytest

from arena.tournament.review.differences import MAX_EXAMPLES, MIN_DEALS, DifferentDeal, find_lessons


def deal(
    block: int, lead: float, hand: str = "pair", actions: tuple[str, str] = ("knock", "exchange")
) -> DifferentDeal:
    """Return a deal of a block."""
    return DifferentDeal(
        block=f"block {block}",
        seat=0,
        rotations=(0, 1),
        deal=0,
        game="lives, 3 players",
        phase="first decision",
        hand=hand,
        actions=("knock", "exchange"),
        lead=lead,
        texts=("knock", "4D>9D"),
    )


def test_costly_situations_are_found_with_an_error_by_blocks() -> None:
    blocks = [[deal(number, -1.0 - number % 2), deal(number, 0.0)] for number in range(10)]
    [lesson] = find_lessons(blocks)
    assert (lesson.deals, lesson.lead.blocks, lesson.lead.value) == (20, 10, -0.75)
    assert lesson.is_clear
    assert [example.lead for example in lesson.examples] == [-2.0] * MAX_EXAMPLES
    assert len({example.block for example in lesson.examples}) == MAX_EXAMPLES


def test_alike_deals_of_one_block_are_one_observation() -> None:
    many = find_lessons([[deal(number, -(number % 2))] * 50 for number in range(8)])
    few = find_lessons([[deal(number, -(number % 2))] for number in range(8)])
    assert many[0].lead == few[0].lead


@pytest.mark.parametrize(("blocks", "deals"), [(MIN_DEALS - 1, 1), (5, 3)])
def test_nothing_is_said_of_few_deals_or_blocks(blocks: int, deals: int) -> None:
    assert find_lessons([[deal(number, -1.0 - number)] * deals for number in range(blocks)]) == []


def test_what_gains_is_no_lesson() -> None:
    assert find_lessons([[deal(number, 1.0 + number)] for number in range(20)]) == []


def test_more_situations_widen_the_interval_of_each() -> None:
    alone = [[deal(number, -(number % 3))] for number in range(12)]
    others = [[deal(number, number, hand)] for hand in ("flush", "point", "tricon") for number in range(12)]
    [lesson], [among] = find_lessons(alone), find_lessons([*alone, *others])
    assert lesson.lead.value == among.lead.value
    assert (among.lead.error or 0) > 1.2 * (lesson.lead.error or 0)


def test_a_mirrored_deal_is_the_others() -> None:
    [first] = find_lessons([[deal(number, -1.0 - number)] for number in range(9)])
    [second] = find_lessons([[deal(number, 1.0 + number).mirrored()] for number in range(9)])
    assert first.situation.actions == second.situation.actions[::-1]
    assert first.lead == second.lead
    assert second.examples[0].rotations == (1, 0)
