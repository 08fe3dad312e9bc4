"""Cambio: the powers of cards discarded straight from the stock. Sheet B11, ruling R28."""

from typing import Any

import pytest

from tests.games.support.cambio_deals import dealt
from tests.games.support.scripted_cases import scripted_cases

OWN = [f"peek 1:{slot}" for slot in range(1, 5)]
OTHERS = [f"peek {seat}:{slot}" for seat in (0, 2) for slot in range(1, 5)]
SWAPS = [f"swap 1:{own} {seat}:{slot}" for own in range(1, 5) for seat in (0, 2) for slot in range(1, 5)]


def after_discarding(card: str, **options: Any) -> list[str]:
    """Return the actions that a card's power gives seat 1; nothing if the next seat is asked already."""
    table = dealt(card, **options).play("1:draw stock", "1:discard")
    return table.legal if table.asked == 1 else []


DEALS = """
r28 each look may be skipped and the swap need not be of what was seen
    dealt | stock KS
    1:draw stock, 1:discard, 1:skip, 1:skip, 1:swap 1:1 2:2 -> hand 1: 2C 2H 3H 4H; hand 2: AC AH 3C 4C
r28 all of it may be skipped
    dealt | stock KS | 1:draw stock, 1:discard, 1:skip, 1:skip, 1:skip -> asked 2
b11 option king of any two cards
    dealt king=any | stock KS
    1:draw stock, 1:discard -> legal peek 0:1, peek 0:2, peek 0:3, peek 0:4, peek 1:1, peek 1:2, peek 1:3,
        peek 1:4, peek 2:1, peek 2:2, peek 2:3, peek 2:4, skip
    1:peek 0:1 -> legal peek 0:1, peek 0:2, peek 0:3, peek 0:4, peek 1:1, peek 1:2, peek 1:3, peek 1:4,
        peek 2:1, peek 2:2, peek 2:3, peek 2:4, skip
    1:peek 2:1, 1:swap 0:1 2:1 -> hands AC 2S 3S 4S / AH 2H 3H 4H / AS 2C 3C 4C
b11 test 5 a seven peeks when discarded and not when placed
    dealt | stock 7S 7H | 1:draw stock, 1:discard, 1:peek 1:2 -> asked 2
    2:draw stock, 2:place 3 -> asked 0
b11 test 6 an eight from the discard must be placed and gives no peek
    dealt | top 8D | 1:draw discard -> kinds place
    1:place 1 -> asked 2
b11 a power card that is replaced has no power
    dealt | AS 2S 3S 4S / 9H 2H 3H 4H | stock 5S | 1:draw stock, 1:place 1 -> asked 0
b11 no power must be used
    dealt | stock QS | 1:draw stock, 1:discard, 1:skip -> hands AS 2S 3S 4S / AH 2H 3H 4H / AC 2C 3C 4C
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


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
