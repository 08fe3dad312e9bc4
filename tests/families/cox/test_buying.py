"""Buying a discard at Cox's game: who may, who comes first, and the rest of the buyer's turn."""

from random import Random

import pytest

from arena.families.cox.cards import sort_rack
from arena.families.cox.kind_counts import count_kinds
from arena.families.cox.sets import can_buy as can_buy_for
from arena.families.cox.sets import find_bought_sets, find_closing_discards, find_natural_set
from tests.games.support.cox_deals import COX, PACK, cox, is_wild, kind, laid, rack, view
from tests.games.support.scripted_deal import ScriptedDeal

NOTHING = "a1 s2 p4 a4 s5 f1 g1 i1"
"""A hand that can buy none of the cards thrown here."""


def thrown(card: str, *hands: str, bank_buys: bool = True) -> ScriptedDeal:
    """The Retailer, seat 0, throws this card before the others; the first who can buy it is asked next."""
    left = PACK.without(PACK.parse(" ".join([card, *hands])))
    apart = {kind(str(other)): str(other) for other in left if not is_wild(str(other)) and other.suit != "$"}
    table = cox([" ".join([*apart.values()][:8]), *hands], front=card, bank_buys=bank_buys)
    return table.play("0:draw", f"0:discard {card}")


def can_buy(card: str, hand: str, *, bank_buys: bool = True) -> bool:
    table = thrown(card, hand, bank_buys=bank_buys)
    assert table.asked == 1
    return table.legal == ["buy", "leave"]


# --- what entitles to buy ---


@pytest.mark.parametrize(
    ("card", "hand", "may"),
    [
        ("p3", "p3 p3 a1 a2 s1 s2 f1 g1", True),
        ("p3", "p3 pC a1 a2 s1 s2 f1 g1", False),
        ("p3", "p3 BK a1 a2 s1 s2 f1 g1", True),
        ("pC", "p3 p3 a1 a2 s1 s2 f1 g1", True),
        ("pC", "p3 BK a1 a2 s1 s2 f1 g1", False),
        ("pC", "p3 a4 a1 a2 s1 s2 f1 g1", False),
        ("g3", "g1 g2 a1 a2 s1 s2 f1 s5", True),
        ("g3", "g1 a5 a1 a2 s1 s2 f1 s5", False),
    ],
)
def test_sheet_b12_what_may_be_bought_when_the_hand_is_not_near_its_end(
    card: str, hand: str, may: bool
) -> None:
    assert can_buy(card, hand) == may


@pytest.mark.parametrize(
    ("card", "hand", "may"),
    [
        ("p3", "p4 p4 a1 a2 s1 s2 f1 g1", False),
        ("p3", "s3 s3 a1 a2 s1 s2 f1 g1", False),
        ("g3", "f1 f2 a1 a2 s1 s2 g1 s5", False),
        ("pC", "s3 s3 a1 a2 s1 s2 f1 g1", False),
        ("BK", "p3 p3 f1 f2 s1 s2 a1 g1", False),
        ("p3", "p3 p3 p3 a2 s1 s2 f1 g1", False),
        ("g3", "g1 BK a1 a2 s1 s2 f1 s5", True),
    ],
)
def test_ruling_c11_two_like_cards_of_the_rack_are_needed(card: str, hand: str, may: bool) -> None:
    assert can_buy(card, hand) == may


def test_ruling_c12_the_bank_may_help_to_buy_by_option() -> None:
    hand = "p3 BK a1 a2 s1 s2 f1 g1"
    assert can_buy("p3", hand)
    assert not can_buy("p3", hand, bank_buys=False)
    assert can_buy("p3", "p3 p3 BK a2 s1 s2 f1 g1", bank_buys=False)
    assert can_buy("p3", "a2 a2 a2 s1 s1 s1 BK g1", bank_buys=False), "for the last pair it still does"


def test_ruling_c12_a_card_bought_with_the_bank_is_laid_with_it() -> None:
    table = thrown("p3", "p3 BK a1 a2 s1 s2 f1 g1").play("1:buy")
    assert table.legal == ["lay p3 p3 BK"]
    table.play("1:lay p3 p3 BK")
    assert laid(table, 1) == "[p3 p3 BK]"


def test_ruling_c13_a_captain_goes_to_one_of_the_pairs_of_his_suit() -> None:
    table = thrown("pC", "p3 p3 p4 p4 s1 s2 f1 g1").play("1:buy")
    assert table.legal == ["lay p3 p3 pC", "lay p4 p4 pC"]


def test_ruling_c16_three_alike_are_laid_with_nothing_else() -> None:
    table = thrown("p3", "p3 p3 BK a2 s1 s2 f1 g1").play("1:buy")
    assert table.legal == ["lay p3 p3 p3"]


def test_ruling_c8_money_is_never_thrown() -> None:
    table = cox(["a1 a2 s1 s3 p1 p2 $1 $2", NOTHING], front="$3").play("0:draw")
    assert not any("$" in text for text in table.legal)


# --- the last pair ---

WAITING = "a2 a2 a2 s1 s1 s1"


@pytest.mark.parametrize(
    ("card", "left", "may"),
    [
        ("p3", "p3 g1", True),
        ("g3", "p3 g1", True),
        ("f3", "p3 g1", False),
        ("p4", "p3 g1", False),
        ("pC", "p3 g1", True),
        ("sC", "p3 g1", False),
        ("pC", "g2 g1", False),
        ("p3", "pC g1", True),
        ("s3", "pC g1", False),
        ("p3", "BK g1", True),
        ("g3", "BK p1", True),
        ("pC", "BK g1", False),
        ("BK", "p3 g1", False),
    ],
)
def test_rulings_c19_r22_r24_one_like_card_is_enough_for_the_last_pair(
    card: str, left: str, may: bool
) -> None:
    assert can_buy(card, f"{WAITING} {left}") == may


def test_ruling_c19_it_must_sell_out_at_once() -> None:
    """Five cards in the rack: the other set must be there too, made with a wild card."""
    assert not can_buy("p3", "a2 a2 a2 p3 g1 s1 s1 f1")
    assert can_buy("p3", "a2 a2 a2 p3 g1 s1 s1 sC")
    assert not can_buy("p3", "a2 a2 a2 p3 g1 f1 s1 sC")
    assert can_buy("p3", "a2 a2 aC p3 g1 s1 s1 sC")


def test_ruling_c19_after_it_the_hand_is_sold() -> None:
    table = thrown("p3", f"{WAITING} p3 g1").play("1:buy")
    assert table.legal == ["hold"]
    table.play("1:hold")
    assert table.legal == ["discard g1"]
    table.play("1:discard g1")
    assert table.legal == ["sell"]
    table.play("1:sell")
    assert table.asked is None
    assert rack(table, 1) == "p3 p3"


def test_ruling_r32_the_closing_pair_is_the_buyers_also_before_the_discard() -> None:
    table = thrown("p3", f"{WAITING} p3 g1").play("1:buy", "1:hold")
    assert "(p3 p3)" in table.deal.format_hand(1)
    assert "(" not in table.deal.format_hand(0)
    assert table.deal.rank_hand(0).category == "points"


def test_ruling_c19_only_discards_that_complete_the_hand_are_left() -> None:
    table = thrown("p3", f"{WAITING} p3 BK").play("1:buy", "1:hold")
    assert table.legal == ["discard p3", "discard BK"]
    table = thrown("p3", "a2 a2 a2 p3 g1 s1 s1 sC").play("1:buy", "1:hold")
    assert table.legal == ["discard g1"]


def test_a_card_may_be_bought_for_a_set_or_for_the_last_pair() -> None:
    table = thrown("pC", "a2 a2 a2 p3 p3 s1 s1 sC").play("1:buy")
    assert table.legal == ["lay p3 p3 pC", "hold"]
    assert not can_buy("g4", "a2 a2 a2 p3 p3 s1 s1 sC")


def test_ruling_r24_further_lays_follow_a_buys_own() -> None:
    table = thrown("p3", "p3 p3 a2 a2 aC s2 f1 g1").play("1:buy", "1:lay p3 p3 p3")
    assert table.legal == ["lay a2 a2 aC", "hold"]


def test_ruling_c11_a_card_bought_for_the_last_pair_is_no_fourth() -> None:
    """It is drawn that a fourth must be: the pair counts nothing, the set stays a three."""
    table = thrown("a2", f"{WAITING} aC g1").play("1:buy", "1:hold", "1:discard g1", "1:sell")
    assert table.result["points"][1] == 3 + 3 - 5
    table = thrown("a2", f"{WAITING} BK g1").play("1:buy", "1:hold", "1:discard g1", "1:sell")
    assert table.result["points"][1] == 2 * (3 + 3) - 5


def test_ruling_r32_the_text_of_a_hand_counts_a_bought_card_in_its_pair() -> None:
    table = thrown("f4", "a4 a4 a4 f1 f2 f3 BK p1").play("1:buy", "1:hold", "1:discard p1", "1:sell")
    text = table.deal.format_hand(1)
    assert text == "[a4 a4 a4] [f1 f2 f3] (f4 BK)"
    assert COX.score_text(text).points == table.result["points"][1] == 2 * (3 + 5 + 3)


def test_ruling_r22_the_bank_makes_a_last_pair_that_counts() -> None:
    table = thrown("g3", f"{WAITING} BK p1").play("1:buy", "1:hold", "1:discard p1", "1:sell")
    assert table.result["points"][1] == 2 * (3 + 3 + 3) - 5


# --- who comes first, and what follows ---


def test_ruling_c9_the_nearest_to_the_right_is_asked_first_and_the_next_only_if_he_lets_it_go_by() -> None:
    hands = ("p3 p3 a1 a2 s2 s5 f1 g1", "p4 p4 a1 a4 s2 s4 f2 g2", "p5 p5 a3 a4 s3 s4 f3 a5")
    table = thrown("pC", *hands)
    assert (table.asked, table.legal) == (3, ["buy", "leave"])
    table.play("3:leave")
    assert table.asked == 2
    table.play("2:buy")
    assert table.legal == ["lay p4 p4 pC"]


def test_ruling_c9_a_waiting_hand_contends_with_a_pair() -> None:
    hands = ("p3 p3 a1 a4 s2 s5 f2 g3", f"{WAITING} p3 g2", NOTHING)
    table = thrown("p3", *hands)
    assert table.asked == 2
    table.play("2:leave")
    assert table.asked == 1


def test_ruling_c9_nobody_buys_his_own_discard() -> None:
    table = cox(["p3 p3 a1 a2 s2 s5 f2 g2", NOTHING], front="a5 p4 p3")
    table.play("0:draw", "0:discard a5", "1:draw", "1:discard p4", "0:draw")
    assert laid(table) == "[p3 p3 p3]"
    table = cox(["p3 p3 pC a2 s2 s5 f2 g2", NOTHING], front="a5").play("0:draw", "0:hold", "0:discard pC")
    assert (table.asked, table.legal) == (1, ["draw"])


def test_ruling_c9_only_the_latest_discard_is_for_sale_and_until_the_next_draw() -> None:
    table = thrown("p3", "p3 p3 a1 a2 s1 s2 f1 g1")
    assert str(view(table, 0).discard) == str(view(table, 1).discard) == "p3"
    table.play("1:leave")
    assert table.legal == ["draw"]
    table.play("1:draw")
    assert view(table, 0).discard is view(table, 1).discard is None
    assert "buy" not in table.kinds


def test_ruling_c10_a_buy_is_a_turn_without_a_draw_and_who_sits_between_loses_his() -> None:
    hands = (NOTHING, "p3 p3 a1 a2 s2 s4 f2 g2", "a3 a4 s3 s4 p5 a5 s1 i2")
    table = thrown("p3", *hands)
    left = view(table).stock_left
    assert table.asked == 2
    table.play("2:buy", "2:lay p3 p3 p3", "2:discard g2")
    assert view(table).stock_left == left
    assert (table.asked, table.legal) == (1, ["draw"]), "the next to the buyer's right; seat 3 is passed over"
    assert len(rack(table, 2).split()) == 5


def test_ruling_c10_a_buyers_discard_may_be_bought_by_who_threw_the_first() -> None:
    table = cox(["g1 g3 a1 a2 s1 s3 p1 p2", "p3 p3 g2 a4 a5 s4 s5 f1"], front="p3")
    table.play("0:draw", "0:discard p3", "1:buy", "1:lay p3 p3 p3", "1:discard g2")
    assert (table.asked, table.legal) == (0, ["buy", "leave"])


def test_ruling_c10_on_ones_own_turn_a_buy_stands_in_place_of_the_draw() -> None:
    table = thrown("p3", "p3 p3 a1 a2 s1 s2 f1 g1").play("1:buy", "1:lay p3 p3 p3")
    assert table.kinds == {"discard"}
    assert len(table.legal) == 6


def test_ruling_c18_a_buy_may_complete_the_hand_with_a_set() -> None:
    table = thrown("p3", "a2 a2 a2 p3 p3 g1 g2 s4").play("1:buy", "1:lay p3 p3 p3", "1:discard s4")
    assert table.legal == ["sell"]


@pytest.mark.parametrize("bank_buys", [True, False])
@pytest.mark.parametrize("lacking", [0, 1, 2])
def test_a_seat_may_buy_if_there_is_a_set_to_lay_or_a_discard_that_completes_the_hand(
    lacking: int, bank_buys: bool
) -> None:
    """Racks with many wild cards and pairs, without three alike, against every set and discard there is."""
    cards = PACK.parse("aC sC pC BK a1 a1 a2 a2 s1 s1 s2 s2 p1 p1 f1 f2 g1 g2 i1")
    rng, results = Random(lacking), set()
    for _ in range(600):
        card, *held = rng.sample(cards, 3 + 3 * lacking)
        rack = sort_rack(held)
        if find_natural_set(rack) is None and str(card) != "BK":
            after = sort_rack([*rack, card])
            counts = count_kinds(after)
            sets = find_bought_sets(after, counts, card, bank_buys) if lacking else []
            expected = bool(sets) or bool(find_closing_discards(after, counts, lacking, card))
            assert can_buy_for(rack, count_kinds(rack), card, lacking, bank_buys) == expected
            results.add(expected)
    assert results == {True, False}
