"""The draw family: turns, and the end of a deal. Sheets B5-B7; rulings R8, R12, R14, R30, R31."""

from typing import Any

import pytest

from arena.families.draw.view import DrawView
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

THREE = ["TH 8H 3C", "AC 7C 6C", "KD 9D 4S"]
LOW = ["2S 3H 4D", "2H 3D 4C", "2D 3C 4S"]  # whoever gets which of these, nobody comes near 31


def thirty_one(hands: list[str] = THREE, upcard: str = "2S", stock: str = "", **options: Any) -> ScriptedDeal:
    return ScriptedDeal("thirty-one", hands, upcard, stock=stock, **options)


def seen(table: ScriptedDeal) -> DrawView:
    """Return the dealer's view."""
    view = table.deal.view(table.deal.opening.dealer)
    assert isinstance(view, DrawView)
    return view


DEALS = """
# a turn: sheet B5
b5 a turn is a draw or a knock
    thirty-one,scat,blitz,trentuno-draw,stop-the-bus-31 | KH QH 3C / AC 7C 6C / KD JD 4S | table 2S
    -> asked 1; legal draw stock, draw discard, knock
b5 a card from the stock may be thrown at once
    thirty_one | stock JD | 1:draw stock -> asked 1; legal discard AC, discard 7C, discard 6C, discard JD
    1:discard JD -> asked 2; hand 1: AC 7C 6C; table JD
b5 a card from the discard may not be thrown back
    thirty_one | 1:draw discard -> legal discard AC, discard 7C, discard 6C; illegal discard 2S
    1:discard 7C -> hand 1: AC 6C 2S; table 7C
b5 the next may take it though
    thirty_one | 1:draw discard, 1:discard 7C, 2:draw discard, 2:discard 4S -> hand 2: KD 9D 7C
texts that are not actions here are refused
    thirty_one | -> unread draw, draw 4D, discard, discard 9S, discard ??, pass, 4D>2S, ''
    thirty_one | 1:draw discard -> unread draw, draw 4D, discard, discard 9S, discard ??, pass, 4D>2S, ''
r14 the turn goes to the left
    thirty_one dealer=1 | 2:draw discard, 2:discard 4S -> asked 0
r30 trentuno goes to the right where it is wished
    trentuno-draw direction=right | KH QH 3C / AC 7C 6C / KD JD 4S | table 2S
    2:draw discard, 2:discard 4S -> asked 1
# the stock: sheet B5
b5 an empty stock is the discard but its top card shuffled
    thirty_one pack=32 | 7S 9H JD / 8S TH QD / 9S JH KD / TS QH AD / JS KH 7C / QS AH 8C / KS 7D 9C
        / AS 8D TC / 7H 9D JC / 8H TD QC | upcard AC | stock KC AC
    1:draw stock, 1:discard KC -> view stock_left 0: 0; may draw stock
    2:draw stock -> hand 2: 9S JH KD AC; table KC; view stock_left 0: 0
b5 an empty stock may end the deal with nobody losing
    thirty_one pack=32 stock_out=drawn | 7S 9H JD / 8S TH QD / 9S JH KD / TS QH AD / JS KH 7C / QS AH 8C
        / KS 7D 9C / AS 8D TC / 7H 9D JC / 8H TD QC | upcard AC | stock KC AC
    1:draw stock, 1:discard KC -> tokens 0 0 0 0 0 0 0 0 0 0
b5 that holds for the last turns too
    thirty_one pack=32 stock_out=drawn | 7S 9H JD / 8S TH QD / 9S JH KD / TS QH AD / JS KH 7C / QS AH 8C
        / KS 7D 9C / AS 8D TC / 7H 9D JC / 8H TD QC | upcard AC | stock KC AC
    1:knock, 2:draw stock, 2:discard KC -> tokens 0 0 0 0 0 0 0 0 0 0
# knocking: sheet B5
b5 a knock gives every other player one more turn without a knock
    thirty_one | stock 2C 2D | 1:knock -> asked 2; legal draw stock, draw discard
    2:draw stock, 2:discard 2C -> asked 0; legal draw stock, draw discard
    0:draw stock, 0:discard 2D -> over; heard 0: ... show 1 AC 7C 6C, show 2 KD 9D 4S, show 0 TH 8H 3C
b5 one may have to wait with a knock
    thirty_one min_round=2 | 2S 3H 4D / 2H 3D 4C / 2D 3C 4S | upcard 2C
    -> asked 1; legal draw stock, draw discard
    1:draw discard, 1:discard 2H -> asked 2; legal draw stock, draw discard
    2:draw discard, 2:discard 2D -> asked 0; legal draw stock, draw discard
    0:draw discard, 0:discard 2S -> asked 1; legal draw stock, draw discard, knock
b5 a knock before anybody has drawn may end the deal
    thirty_one instant_knock=True | 1:knock -> tokens -1 0 0
    thirty_one instant_knock=True | 1:draw discard, 1:discard 6C, 2:knock -> asked 0
# 31: sheet B5, ruling R12
b5 a 31 that is dealt is shown and ends the deal
    thirty_one | TH 8H 3C / AC 7C 6C / AD KD TD | -> over; heard 0: show 2 AD KD TD; tokens -1 -1 0
r12 if several are dealt a 31 every other player loses
    thirty_one | AH QH JH / AC 7C 6C / AD KD TD | -> heard 1: show 2 AD KD TD, show 0 AH QH JH; tokens 0 -1 0
# the cap of 20 rounds: rulings R8, R31
r8 a knock in the last round has its last turns
    thirty_one rounds=1 | 2S 3H 4D / 2H 3D 4C / 2D 3C 4S | upcard 2C | stock 5C 5D
    1:draw discard, 1:discard 2H, 2:draw discard, 2:discard 2D, 0:knock -> asked 1;
        legal draw stock, draw discard
    1:draw stock, 1:discard 5C, 2:draw stock, 2:discard 5D -> over
"""
test_deals = scripted_cases(DEALS, thirty_one=thirty_one)


# --- a turn: sheet B5 ---


def test_b5_a_seat_that_failed_draws_from_the_stock_and_throws_what_it_drew() -> None:
    table = thirty_one(stock="JD")
    for quiet in ("draw stock", "discard JD"):
        assert table.view.text(table.deal.legal_actions.default) == quiet
        table.deal.apply(table.deal.legal_actions.default)
    table.play("2:draw discard")
    assert table.deal.legal_actions.default in table.view.legal


# --- 31: sheet B5, ruling R12 ---


def test_r12_a_31_that_is_made_is_shown_after_the_discard() -> None:
    table = thirty_one(["TH 8H 3C", "AD KD 4S", "AC 7C 6C"], stock="QD").play("1:draw stock")
    assert table.asked == 1
    kept = table.deal.copy()
    table.play("1:discard 4S")
    assert table.deal.view(2).events == ("1:draw stock", "1:discard 4S", "show 1 AD KD QD")
    assert table.tokens == [-1, 0, -1]
    kept.apply(kept.view(1).parse("discard AD"))
    assert kept.to_act == 2


# --- the cap of 20 rounds: rulings R8, R31 ---


@pytest.mark.parametrize(("options", "rounds"), [({"rounds": 1}, 1), ({}, 20)])
def test_r31_after_the_last_round_the_hands_are_shown(options: dict[str, Any], rounds: int) -> None:
    table = thirty_one(LOW, "2C", **options)
    turns = 0
    while table.asked is not None:
        seat = table.asked
        table.play(f"{seat}:draw discard")
        table.play(f"{seat}:{table.legal[0]}")
        turns += 1
    assert turns == 3 * rounds
    assert seen(table).knocker is None
