"""Cambio: the powers of cards discarded straight from the stock. Sheet B11, ruling R28."""

from typing import Any

import pytest

from tests.games.support.cambio_deals import dealt

OWN = [f"peek 1:{slot}" for slot in range(1, 5)]
OTHERS = [f"peek {seat}:{slot}" for seat in (0, 2) for slot in range(1, 5)]
SWAPS = [f"swap 1:{own} {seat}:{slot}" for own in range(1, 5) for seat in (0, 2) for slot in range(1, 5)]


def after_discarding(card: str, **options: Any) -> list[str]:
    """Return the actions that a card's power gives seat 1; nothing if the next seat is asked already."""
    table = dealt(card, **options).play("1:draw stock", "1:discard")
    return table.legal if table.asked == 1 else []


@pytest.mark.parametrize("card", ["7S", "8D"])
def test_b11_a_seven_or_eight_looks_at_an_own_card(card: str) -> None:
    assert after_discarding(card) == [*OWN, "skip"]


@pytest.mark.parametrize("card", ["9H", "TC"])
def test_b11_a_nine_or_ten_looks_at_anothers_card(card: str) -> None:
    assert after_discarding(card) == [*OTHERS, "skip"]


@pytest.mark.parametrize("card", ["JH", "QC"])
def test_b11_a_knave_or_queen_swaps_an_own_card_with_anothers(card: str) -> None:
    assert after_discarding(card) == [*SWAPS, "skip"]


@pytest.mark.parametrize("card", ["JH", "QC"])
def test_b11_option_swaps_of_any_two_cards_of_different_owners(card: str) -> None:
    legal = after_discarding(card, swaps="any")
    between_others = [f"swap 0:{slot} 2:{place}" for slot in range(1, 5) for place in range(1, 5)]
    assert set(legal) == {*SWAPS, *between_others, "skip"}
    assert len(legal) == len(set(legal))


@pytest.mark.parametrize("card", ["5S", "6H", "KH", "KD", "R1", "R2"])
def test_b11_other_cards_have_no_power_nor_has_a_red_king(card: str) -> None:
    assert after_discarding(card) == []


@pytest.mark.parametrize("king", ["KS", "KC"])
def test_r28_a_black_king_looks_at_an_own_card_then_at_anothers_then_may_swap(king: str) -> None:
    table = dealt(king).play("1:draw stock", "1:discard")
    assert table.legal == [*OWN, "skip"]
    table.play("1:peek 1:3")
    assert table.legal == [*OTHERS, "skip"]
    table.play("1:peek 0:4")
    assert table.legal == [*SWAPS, "skip"]
    table.play("1:swap 1:3 0:4")
    assert table.hands == ["AS 2S 3S 3H", "AH 2H 4S 4H", "AC 2C 3C 4C"]
    assert table.asked == 2


def test_r28_each_look_may_be_skipped_and_the_swap_need_not_be_of_what_was_seen() -> None:
    table = dealt("KS").play("1:draw stock", "1:discard", "1:skip", "1:skip", "1:swap 1:1 2:2")
    assert table.hands[1:] == ["2C 2H 3H 4H", "AC AH 3C 4C"]


def test_r28_all_of_it_may_be_skipped() -> None:
    table = dealt("KS").play("1:draw stock", "1:discard", "1:skip", "1:skip", "1:skip")
    assert table.asked == 2


def test_b11_option_king_of_any_two_cards() -> None:
    table = dealt("KS", king="any").play("1:draw stock", "1:discard")
    assert set(table.legal) == {*OWN, *OTHERS, "skip"}
    table.play("1:peek 0:1")
    assert set(table.legal) == {*OWN, *OTHERS, "skip"}
    table.play("1:peek 2:1", "1:swap 0:1 2:1")
    assert table.hands == ["AC 2S 3S 4S", "AH 2H 3H 4H", "AS 2C 3C 4C"]


def test_b11_test_5_a_seven_peeks_when_discarded_and_not_when_placed() -> None:
    table = dealt("7S 7H").play("1:draw stock", "1:discard", "1:peek 1:2")
    assert table.asked == 2
    table.play("2:draw stock", "2:place 3")
    assert table.asked == 0


def test_b11_test_6_an_eight_from_the_discard_must_be_placed_and_gives_no_peek() -> None:
    table = dealt(top="8D").play("1:draw discard")
    assert table.kinds == {"place"}
    table.play("1:place 1")
    assert table.asked == 2


def test_b11_a_power_card_that_is_replaced_has_no_power() -> None:
    table = dealt("5S", hands=("AS 2S 3S 4S", "9H 2H 3H 4H")).play("1:draw stock", "1:place 1")
    assert table.asked == 0


def test_b11_no_power_must_be_used() -> None:
    table = dealt("QS").play("1:draw stock", "1:discard", "1:skip")
    assert table.hands == ["AS 2S 3S 4S", "AH 2H 3H 4H", "AC 2C 3C 4C"]
