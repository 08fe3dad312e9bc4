"""Cambio: the deal, the turn, the stock and the call. Sheet B11, rulings R8, R15, R31."""

import pytest

from arena.families.cambio.view import CambioView
from arena.games import variant
from tests.games.support.cambio_deals import dealt, seen_by

TURN = ["draw stock", "draw discard", "cambio"]
PLACES = ["place 1", "place 2", "place 3", "place 4"]


def test_b11_four_cards_each_one_turned_up_and_the_rest_is_stock() -> None:
    deal = variant("cambio").match(players=5, seed="deal").deal
    assert [len(hand) for hand in deal.hands] == [4] * 5
    assert len(deal.table_dealt) == 1
    assert deal.stock.left == 54 - 5 * 4 - 1


def test_b11_the_player_to_the_dealers_left_begins_and_turns_go_clockwise() -> None:
    table = dealt("7D 6S 6H 6C", dealer=1)
    table.play("2:draw stock", "2:place 1", "0:draw stock", "0:place 1", "1:draw stock", "1:place 1")
    assert table.asked == 2


def test_b11_a_turn_is_a_draw_from_either_or_the_call() -> None:
    assert dealt().legal == TURN


def test_b11_a_card_from_the_stock_is_placed_or_discarded() -> None:
    assert dealt("5S").play("1:draw stock").legal == [*PLACES, "discard"]


def test_b11_a_placed_card_puts_the_old_one_on_the_discard() -> None:
    table = dealt("5S").play("1:draw stock", "1:place 2")
    assert table.hands[1] == "AH 5S 3H 4H"
    assert [str(card) for card in seen_by(table, 0).discard] == ["6D", "2H"]


def test_b11_a_discarded_card_lies_face_up() -> None:
    table = dealt("5S").play("1:draw stock", "1:discard")
    assert table.hands[1] == "AH 2H 3H 4H"
    assert [str(card) for card in seen_by(table, 0).discard] == ["6D", "5S"]
    assert table.asked == 2


def test_b11_the_discard_must_take_the_place_of_an_own_card() -> None:
    table = dealt().play("1:draw discard")
    assert table.legal == PLACES
    table.play("1:place 4")
    assert table.hands[1] == "AH 2H 3H 6D"
    assert [str(card) for card in seen_by(table, 0).discard] == ["4H"]


def test_b11_what_is_played_for_a_seat_that_failed_changes_nothing() -> None:
    table = dealt("7S")
    for quiet in ("draw stock", "discard", "skip"):
        assert table.view.text(table.deal.legal_actions.default) == quiet
        table.play(f"1:{quiet}")
    assert table.hands[1] == "AH 2H 3H 4H"
    assert table.asked == 2


# --- the stock runs out ---


def test_b11_an_empty_stock_is_made_of_all_discards_but_the_top() -> None:
    match = variant("cambio").match(players=8, seed="dry")
    deal = match.deal
    while deal.stock.left or deal.to_act is None or deal.legal_actions.actions[0].kind != "draw":
        match.apply(deal.legal_actions.default)
    before = match.view(deal.to_act)
    assert isinstance(before, CambioView)
    assert len(before.discard) == 22
    match.apply(match.parse("draw stock"))
    after = match.view(deal.to_act)
    assert isinstance(after, CambioView)
    assert after.discard == before.discard[-1:]
    assert after.stock_left == 20
    assert after.drawn in before.discard[:-1]
    assert after.events[-3:] == ("reshuffle", f"{deal.to_act}:draw stock", f"drawn {after.drawn}")


def test_b11_the_shuffled_discards_come_in_an_order_of_their_own() -> None:
    orders = set()
    for seed in ("a", "b"):
        match = variant("cambio").match(players=4, seed=seed)
        deal = match.deal
        while match.deal is deal:
            match.apply(deal.legal_actions.default)
        whole, again = deal.recorded_stock[:37], deal.recorded_stock[37:74]
        as_they_lay = (*deal.table_dealt, *whole[:-1])
        assert set(again) == set(as_they_lay)
        assert again != as_they_lay
        orders.add(tuple([as_they_lay.index(card) for card in again]))
    assert len(orders) == 2


# --- the call ---


def test_b11_after_the_call_every_other_player_has_one_more_turn() -> None:
    table = dealt("5S 5H 5C")
    table.play("1:draw stock", "1:place 1", "2:cambio", "0:draw stock", "0:place 1")
    assert table.asked == 1
    table.play("1:draw stock", "1:place 1")
    assert table.asked is None
    assert table.result == {"points": [14, 14, 10]}


def test_b11_the_call_may_be_the_first_turn_of_all() -> None:
    table = dealt("5S 5H").play("1:cambio", "2:draw stock", "2:discard", "0:draw stock", "0:discard")
    assert table.asked is None


def test_b11_nobody_calls_twice() -> None:
    assert dealt().play("1:cambio").legal == ["draw stock", "draw discard"]


def test_everybody_sees_who_has_called() -> None:
    table = dealt()
    assert seen_by(table, 0).caller is None
    table.play("1:cambio")
    assert seen_by(table, 0).caller == 1


def test_b11_the_callers_cards_are_frozen_to_swaps() -> None:
    table = dealt("JS").play("1:cambio", "2:draw stock", "2:discard")
    assert {text.split()[-1].split(":")[0] for text in table.legal if text != "skip"} == {"0"}


def test_r15_the_callers_cards_may_be_looked_at() -> None:
    table = dealt("9S").play("1:cambio", "2:draw stock", "2:discard")
    assert "peek 1:3" in table.legal


def test_a_power_with_nothing_to_work_on_is_not_asked_about() -> None:
    table = dealt("JS", hands=("AS 2S 3S 4S", "AH 2H 3H 4H"))
    table.play("1:cambio", "0:draw stock", "0:discard")
    assert table.asked is None


def test_a_black_king_may_look_where_it_may_not_swap() -> None:
    table = dealt("KS", hands=("AS 2S 3S 4S", "AH 2H 3H 4H"))
    table.play("1:cambio", "0:draw stock", "0:discard", "0:peek 0:3", "0:peek 1:3")
    assert table.asked is None


# --- option call_after ---


def test_b11_option_call_after_the_move() -> None:
    table = dealt("5S 5H", call_after=True)
    assert table.legal == ["draw stock", "draw discard"]
    table.play("1:draw stock", "1:discard")
    assert table.legal == ["cambio", "continue"]
    table.play("1:continue", "2:draw discard", "2:place 1", "2:cambio")
    assert seen_by(table, 0).caller == 2


def test_option_call_after_comes_when_the_power_has_been_used() -> None:
    table = dealt("7S", call_after=True).play("1:draw stock", "1:discard", "1:peek 1:4")
    assert table.legal == ["cambio", "continue"]
    assert table.view.text(table.deal.legal_actions.default) == "continue"


def test_option_call_after_is_not_asked_once_somebody_has_called() -> None:
    table = dealt("5S 5H 5C", call_after=True)
    table.play("1:draw stock", "1:discard", "1:cambio", "2:draw stock", "2:discard")
    assert table.asked == 0
    table.play("0:draw stock", "0:discard")
    assert table.asked is None


# --- the cap of rounds ---


def test_r31_twenty_rounds_without_a_call_end_the_deal() -> None:
    match = variant("cambio").match(players=3, seed="long")
    deal = match.deal
    while match.deal is deal:
        match.apply(deal.legal_actions.default)
    turns = [event.seat for event in deal.log if event.action.kind == "draw"]
    assert [turns.count(seat) for seat in range(3)] == [20, 20, 20]


def test_r31_nobody_is_the_caller_then() -> None:
    table = dealt("5S 5H 5C", rounds=1, caller_penalty=10)
    for seat in (1, 2, 0):
        table.play(f"{seat}:draw stock", f"{seat}:discard")
    assert table.result == {"points": [10, 10, 10]}


def test_r8_a_call_in_the_last_round_still_has_its_last_turns() -> None:
    table = dealt("5S 5H 5C 6S", rounds=1)
    table.play("1:draw stock", "1:discard", "2:draw stock", "2:discard", "0:cambio")
    assert table.asked == 1
    table.play("1:draw stock", "1:discard", "2:draw stock", "2:discard")
    assert table.asked is None


@pytest.mark.parametrize("rounds", [1, 3])
def test_rounds_are_an_option(rounds: int) -> None:
    match = variant("cambio", rounds=rounds).match(players=2, seed="short")
    deal = match.deal
    while match.deal is deal:
        match.apply(deal.legal_actions.default)
    assert [event.action.kind for event in deal.log].count("draw") == 2 * rounds
