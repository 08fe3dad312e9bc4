"""Cambio: the deal, the turn, the stock and the call. Sheet B11, rulings R8, R15, R31."""

import pytest

from arena.families.cambio.view import CambioView
from arena.games import variant
from tests.games.support.cambio_deals import dealt
from tests.games.support.scripted_cases import scripted_cases

DEALS = """
b11 the player to the dealers left begins and turns go clockwise
    dealt dealer=1 | stock 7D 6S 6H 6C
    2:draw stock, 2:place 1, 0:draw stock, 0:place 1, 1:draw stock, 1:place 1 -> asked 2
b11 a turn is a draw from either or the call
    dealt | -> legal draw stock, draw discard, cambio
b11 a card from the stock is placed or discarded
    dealt | stock 5S | 1:draw stock -> legal place 1, place 2, place 3, place 4, discard
b11 a placed card puts the old one on the discard
    dealt | stock 5S | 1:draw stock, 1:place 2 -> hand 1: AH 5S 3H 4H; view discard 0: 6D 2H
b11 a discarded card lies face up
    dealt | stock 5S | 1:draw stock, 1:discard -> hand 1: AH 2H 3H 4H; view discard 0: 6D 5S; asked 2
b11 the discard must take the place of an own card
    dealt | 1:draw discard -> legal place 1, place 2, place 3, place 4
    -> leaves 6D 2H ?? ?? / AH 6D ?? ?? / AH 2H 6D ?? / AH 2H ?? 6D
    1:place 4 -> hand 1: AH 2H 3H 6D; view discard 0: 4H
b11 what is played for a seat that failed changes nothing
    dealt | stock 7S | -> default draw stock
    1:draw stock -> default discard
    1:discard -> default skip
    1:skip -> hand 1: AH 2H 3H 4H; asked 2
# the call
b11 after the call every other player has one more turn
    dealt | stock 5S 5H 5C | 1:draw stock, 1:place 1, 2:cambio, 0:draw stock, 0:place 1 -> asked 1
    1:draw stock, 1:place 1 -> over; result points 14 14 10
b11 the call may be the first turn of all
    dealt | stock 5S 5H | 1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> over
b11 nobody calls twice
    dealt | 1:cambio -> legal draw stock, draw discard
everybody sees who has called
    dealt | -> view caller 0: -
    1:cambio -> view caller 0: 1
r15 the callers cards may be looked at
    dealt | stock 9S | 1:cambio, 2:draw stock, 2:discard -> may peek 1:3
a power with nothing to work on is not asked about
    dealt | AS 2S 3S 4S / AH 2H 3H 4H | stock JS | 1:cambio, 0:draw stock, 0:discard -> over
a black king may look where it may not swap
    dealt | AS 2S 3S 4S / AH 2H 3H 4H | stock KS
    1:cambio, 0:draw stock, 0:discard, 0:peek 0:3, 0:peek 1:3 -> over
# option call_after
b11 option call after the move
    dealt call_after=True | stock 5S 5H | -> legal draw stock, draw discard
    1:draw stock, 1:discard -> legal cambio, continue
    1:continue, 2:draw discard, 2:place 1, 2:cambio -> view caller 0: 2
option call after comes when the power has been used
    dealt call_after=True | stock 7S
    1:draw stock, 1:discard, 1:peek 1:4 -> legal cambio, continue; default continue
option call after is not asked once somebody has called
    dealt call_after=True | stock 5S 5H 5C
    1:draw stock, 1:discard, 1:cambio, 2:draw stock, 2:discard -> asked 0
    0:draw stock, 0:discard -> over
# the cap of rounds
r31 nobody is the caller then
    dealt rounds=1 caller_penalty=10 | stock 5S 5H 5C
    1:draw stock, 1:discard, 2:draw stock, 2:discard, 0:draw stock, 0:discard -> result points 10 10 10
r8 a call in the last round still has its last turns
    dealt rounds=1 | stock 5S 5H 5C 6S | 1:draw stock, 1:discard, 2:draw stock, 2:discard, 0:cambio -> asked 1
    1:draw stock, 1:discard, 2:draw stock, 2:discard -> over
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


def test_b11_four_cards_each_one_turned_up_and_the_rest_is_stock() -> None:
    deal = variant("cambio").match(players=5, seed="deal").deal
    assert [len(hand) for hand in deal.hands] == [4] * 5
    assert len(deal.table_dealt) == 1
    assert deal.stock.left == 54 - 5 * 4 - 1


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


def test_b11_the_callers_cards_are_frozen_to_swaps() -> None:
    table = dealt("JS").play("1:cambio", "2:draw stock", "2:discard")
    assert {text.split()[-1].split(":")[0] for text in table.legal if text != "skip"} == {"0"}


# --- the cap of rounds ---


def test_r31_twenty_rounds_without_a_call_end_the_deal() -> None:
    match = variant("cambio").match(players=3, seed="long")
    deal = match.deal
    while match.deal is deal:
        match.apply(deal.legal_actions.default)
    turns = [event.seat for event in deal.log if event.action.kind == "draw"]
    assert [turns.count(seat) for seat in range(3)] == [20, 20, 20]


@pytest.mark.parametrize("rounds", [1, 3])
def test_rounds_are_an_option(rounds: int) -> None:
    match = variant("cambio", rounds=rounds).match(players=2, seed="short")
    deal = match.deal
    while match.deal is deal:
        match.apply(deal.legal_actions.default)
    assert [event.action.kind for event in deal.log].count("draw") == 2 * rounds
