"""Commerce with a widow: players, packs and how hands rank. Rulings W1, W2, W16-W19, W29, W30; sheet B1."""

from collections import Counter

import pytest

from arena.errors import InvalidNotation, InvalidRules
from arena.games import variant
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_deal import ScriptedDeal

# --- players and packs ---


def test_w1_twelve_play_twelve_rounds_and_leave_two_cards_in_the_stock() -> None:
    match = variant("pool").match(players=12, seed="w1")
    while not match.finished_deals:
        match.apply(match.deal.legal_actions.default)
    deal = match.finished_deals[0]
    eldest = deal.opening.order[0]
    assert [event.seat for event in deal.log].count(eldest) == 12
    assert len(deal.recorded_stock) == 11
    assert deal.stock.left == 2


def test_w1_an_empty_stock_adds_nothing_to_the_widow() -> None:
    match = variant("pool").match(players=16, seed="w1")
    sizes = Counter[int]()
    while not match.finished_deals:
        assert match.seat_to_act is not None
        sizes[len(match.view(match.seat_to_act).table)] += 1
        match.apply(match.deal.legal_actions.default)
    assert sizes == {3: 1 + 16, 4: 15 * 16}  # the dealer's question, a round, and fifteen more


def test_w2_the_pack_is_of_52_cards_40_or_32() -> None:
    assert len(variant("lives").whole_pack) == 52
    assert set(variant("lives", pack=40).whole_pack.ranks) == set("234567JQKA")
    assert set(variant("lives", pack=32).whole_pack.ranks) == set("789TJQKA")
    with pytest.raises(InvalidNotation, match="'9S' is no card of the 40-card pack"):
        variant("lives", pack=40).rank("9S 9H 9D")


test_hands = hand_cases("""
w2 with 40 cards the knave follows the seven
    lives pack=40 | AS KS QS > QS JS 7S > JS 7S 6S > 7S 6S 5S; JS 7S 6S is sequence
    lives | JS 7S 6S is flush
    lives pack=40 alow=True | AS 2S 3S is sequence
w2 with 32 cards the ace is never low
    lives pack=32 alow=True | AS 7S 8S is flush; 9S 7S 8S is sequence
the five categories stand in order
    # Source: S002, S003, S004. Four is there by Pounce alone.
    lives | 2S 2H 2D > 4S 3S 2S > 5S 3S 2S > 2S 2H 3D > AS KH JD; 2S 2H 2D is tricon; 4S 3S 2S is sequence
    lives | 5S 3S 2S is flush; 2S 2H 3D is pair; AS KH JD is point
w16 the ace is low in the games of s002
    pool | AS 2S 3S is sequence; AS KS QS > 4S 3S 2S > 3S 2S AS; KS AS 2S is flush
w16 r18 the ace is high alone in the games of s003 and s004
    lives,tokens,pounce,no-pair-or-point,extended | AS 2S 3S is flush
    lives,tokens,pounce,no-pair-or-point,extended alow=True | AS 2S 3S is sequence
w17 flushes compare by point in s002 and card by card in s003 and s004
    pool | KS QS 9S > AH 4H 2H
    lives,tokens,no-pair-or-point,extended | AH 4H 2H > KS QS 9S
    lives flush=point | KS QS 9S > AH 4H 2H
w17 equal points of flushes are settled card by card
    pool | AH 7H 2H > KS 8S 2S = KD 8D 2D
w18 equal pairs are settled by the third card and then tie
    lives | 7C 7D AS = 7H 7S AD > 7H 7S KD > 6H 6S AD > 6C 6D KC
w19 points are all three cards whatever their suits then card by card
    lives,pool,tokens | AS KH JD > AS 9H 8D > KS 9H 8D = KH 9D 8S > QS 9H 8D > JS 9H 8D > TS 9H 8D
b1 examples one to six
    pounce alow=True flush=point | 2S 2H 2D > AS KS QS; 4D 3D 2D > 3C 2C AC; KS QS 9S > AH 4H 2H
    pounce alow=True flush=point | 7C 7D AS > 7H 7S KD; 2C 2D AS > AS KH JD; 9H 9C 9D 9S > AS AH AD
    pounce alow=True flush=point | 9H 9C 9D 9S is four
    lives | 3C 2C AC is flush; AC 4C 2C > 3C 2C AC > KS QS 9S
a hand of another size or with a card twice is none
    lives | AS KS is none; AS KS QS JS is none; 9H 9C 9D 8S is none; AS KS QS JS TS is none; AS AS KD is none
    lives | AS KS XX is none; '' is none
w1 two to sixteen can play
    lives,pool,tokens,pounce,no-pair-or-point,extended | players 2-16
w30 as many play as leave the widow and a card of stock
    lives pack=32 | players 2-9
    lives pack=40 | players 2-12
""")


def test_w30_as_many_play_as_leave_the_widow_and_a_card_of_stock() -> None:
    assert variant("lives", pack=32).players == range(2, 10)
    assert variant("lives", pack=40).players == range(2, 13)
    with pytest.raises(InvalidRules, match=r"10 players need 30 cards, the table 3 .* the pack has 32"):
        variant("lives", pack=32).match(players=10, seed="")


# --- the first dealer, and the next ---


def test_w29_the_first_dealer_is_left_to_chance_and_eldest_is_on_his_left() -> None:
    rules = variant("lives")
    matches = [rules.match(players=4, seed=str(seed)) for seed in range(200)]
    dealers = Counter(match.deal.opening.dealer for match in matches)
    assert sorted(dealers) == [0, 1, 2, 3]
    assert min(dealers.values()) > 25  # of 50, standard deviation 6
    assert all(match.seat_to_act == (match.deal.opening.dealer + 1) % 4 for match in matches)


def test_w29_the_deal_goes_to_the_left_and_passes_over_who_is_out() -> None:
    match = variant("lives").match(players=4, seed="w29")
    while not match.is_over:
        match.apply(match.deal.legal_actions.default)
    for before, after in zip(match.finished_deals, match.finished_deals[1:], strict=False):
        order = before.opening.order
        left_in = [seat for seat in order if after.opening.holdings.went_out[seat] is None]
        assert after.opening.dealer == left_in[0]
        assert set(after.opening.order) == set(left_in)
    assert any(len(deal.opening.order) == 3 for deal in match.finished_deals)


def test_r14_the_next_seat_is_the_next_number() -> None:
    table = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D", "KS QS 5H", "AS AH 7C"], "JS 9D 3C", dealer=2)
    asked = []
    for _ in range(8):
        asked.append(table.asked)
        table.play(f"{table.asked}:pass")
    assert asked == [3, 0, 1, 2, 3, 0, 1, 2]
