"""The draw family: turns, and the end of a deal. Sheets B5-B7; rulings R8, R12, R14, R30, R31."""

from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidNotation
from arena.families.draw.view import DrawView
from arena.games import variant
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


def tight(**options: Any) -> ScriptedDeal:
    """Ten players and 32 cards: AC is turned up, KC is the whole stock."""
    cards = [str(card) for card in variant("thirty-one", pack=32).whole_pack.cards]
    hands = [" ".join(cards[seat:30:10]) for seat in range(10)]
    assert cards[30:] == ["KC", "AC"]
    return thirty_one(hands, "AC", "KC AC", pack=32, **options)


# --- a turn: sheet B5 ---


@pytest.mark.parametrize("name", ["thirty-one", "scat", "blitz", "trentuno-draw", "stop-the-bus-31"])
def test_b5_a_turn_is_a_draw_or_a_knock(name: str) -> None:
    table = ScriptedDeal(name, ["KH QH 3C", "AC 7C 6C", "KD JD 4S"], "2S")
    assert table.asked == 1
    assert table.legal == ["draw stock", "draw discard", "knock"]


def test_b5_a_card_from_the_stock_may_be_thrown_at_once() -> None:
    table = thirty_one(stock="JD").play("1:draw stock")
    assert table.asked == 1
    assert table.legal == ["discard AC", "discard 7C", "discard 6C", "discard JD"]
    table.play("1:discard JD")
    assert (table.asked, table.hands[1], table.widow) == (2, "AC 7C 6C", "JD")


def test_b5_a_card_from_the_discard_may_not_be_thrown_back() -> None:
    table = thirty_one().play("1:draw discard")
    assert table.legal == ["discard AC", "discard 7C", "discard 6C"]
    with pytest.raises(IllegalAction):
        table.play("1:discard 2S")
    table.play("1:discard 7C")
    assert (table.hands[1], table.widow) == ("AC 6C 2S", "7C")


def test_b5_the_next_may_take_it_though() -> None:
    table = thirty_one().play("1:draw discard", "1:discard 7C", "2:draw discard", "2:discard 4S")
    assert table.hands[2] == "KD 9D 7C"


def test_b5_a_seat_that_failed_draws_from_the_stock_and_throws_what_it_drew() -> None:
    table = thirty_one(stock="JD")
    for quiet in ("draw stock", "discard JD"):
        assert table.view.text(table.deal.legal_actions.default) == quiet
        table.deal.apply(table.deal.legal_actions.default)
    table.play("2:draw discard")
    assert table.deal.legal_actions.default in table.view.legal


@pytest.mark.parametrize(
    "text", ["draw", "draw 4D", "discard", "discard 9S", "discard ??", "pass", "4D>2S", ""]
)
def test_what_is_no_action_here_is_said_to_be_none(text: str) -> None:
    for table in (thirty_one(), thirty_one().play("1:draw discard")):
        with pytest.raises(InvalidNotation):
            table.view.parse(text)


def test_r14_the_turn_goes_to_the_left() -> None:
    assert thirty_one(dealer=1).play("2:draw discard", "2:discard 4S").asked == 0


def test_r30_trentuno_goes_to_the_right_where_it_is_wished() -> None:
    hands = ["KH QH 3C", "AC 7C 6C", "KD JD 4S"]
    table = ScriptedDeal("trentuno-draw", hands, "2S", direction="right")
    assert table.play("2:draw discard", "2:discard 4S").asked == 1


# --- the stock: sheet B5 ---


def test_b5_an_empty_stock_is_the_discard_but_its_top_card_shuffled() -> None:
    table = tight().play("1:draw stock", "1:discard KC")
    assert seen(table).stock_left == 0
    assert "draw stock" in table.legal
    table.play("2:draw stock")
    assert table.hands[2].endswith("AC")
    assert (table.widow, seen(table).stock_left) == ("KC", 0)


def test_b5_an_empty_stock_may_end_the_deal_with_nobody_losing() -> None:
    table = tight(stock_out="drawn").play("1:draw stock", "1:discard KC")
    assert table.tokens == [0] * 10


def test_b5_that_holds_for_the_last_turns_too() -> None:
    table = tight(stock_out="drawn").play("1:knock", "2:draw stock", "2:discard KC")
    assert table.tokens == [0] * 10


# --- knocking: sheet B5 ---


def test_b5_a_knock_gives_every_other_player_one_more_turn_without_a_knock() -> None:
    table = thirty_one(stock="2C 2D").play("1:knock")
    assert (table.asked, table.legal) == (2, ["draw stock", "draw discard"])
    table.play("2:draw stock", "2:discard 2C")
    assert (table.asked, table.legal) == (0, ["draw stock", "draw discard"])
    table.play("0:draw stock", "0:discard 2D")
    assert table.asked is None
    assert table.deal.view(0).events[-3:] == ("show 1 AC 7C 6C", "show 2 KD 9D 4S", "show 0 TH 8H 3C")


def test_b5_one_may_have_to_wait_with_a_knock() -> None:
    table = thirty_one(LOW, "2C", min_round=2)
    for seat, card in ((1, "2H"), (2, "2D"), (0, "2S")):
        assert (table.asked, table.legal) == (seat, ["draw stock", "draw discard"])
        table.play(f"{seat}:draw discard", f"{seat}:discard {card}")
    assert (table.asked, table.legal) == (1, ["draw stock", "draw discard", "knock"])


def test_b5_a_knock_before_anybody_has_drawn_may_end_the_deal() -> None:
    assert thirty_one(instant_knock=True).play("1:knock").tokens == [-1, 0, 0]
    later = thirty_one(instant_knock=True).play("1:draw discard", "1:discard 6C", "2:knock")
    assert later.asked == 0


# --- 31: sheet B5, ruling R12 ---


def test_b5_a_31_that_is_dealt_is_shown_and_ends_the_deal() -> None:
    table = thirty_one(["TH 8H 3C", "AC 7C 6C", "AD KD TD"])
    assert table.asked is None
    assert table.deal.view(0).events == ("show 2 AD KD TD",)
    assert table.tokens == [-1, -1, 0]


def test_r12_if_several_are_dealt_a_31_every_other_player_loses() -> None:
    table = thirty_one(["AH QH JH", "AC 7C 6C", "AD KD TD"])
    assert table.deal.view(1).events == ("show 2 AD KD TD", "show 0 AH QH JH")
    assert table.tokens == [0, -1, 0]


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


def test_r8_a_knock_in_the_last_round_has_its_last_turns() -> None:
    table = thirty_one(LOW, "2C", stock="5C 5D", rounds=1)
    table.play("1:draw discard", "1:discard 2H", "2:draw discard", "2:discard 2D", "0:knock")
    assert (table.asked, table.legal) == (1, ["draw stock", "draw discard"])
    table.play("1:draw stock", "1:discard 5C", "2:draw stock", "2:discard 5D")
    assert table.asked is None
