"""Schwimmen: packets, totals, 31 and Feuer, new widows, swimming. Sheet B4; rulings R7, R8, R10, W22."""

from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidNotation
from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

LOW = ["QS 7H 8D", "JC 8H 7D", "TD 9S 7C"]  # 10, 10 and 10
WIDOW = "KH 9C 8S"
PASSES = ("1:pass", "2:pass", "0:pass")


def dealt(hands: list[str] = LOW, packet: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("schwimmen", hands, packet, **more)


def opened(hands: list[str] = LOW, packet: str = WIDOW, **more: Any) -> ScriptedDeal:
    """The dealer, seat 0, has kept his packet."""
    return dealt(hands, packet, **more).play("0:keep")


def rank(cards: str, **options: Any) -> Any:
    return variant("schwimmen", **options).rank(cards)


# --- what hands are worth ---


@pytest.mark.parametrize(
    ("cards", "category", "value"),
    [
        ("QH TH JD", "points", 20),
        ("AC KC 9C", "points", 30),
        ("7D 7H 7S", "three-alike", 30.5),
        ("AD KD TD", "points", 31),
        ("AH AS AC", "feuer", 33),
        ("AS KH QD", "points", 11),
        ("7S 8H 9D", "points", 9),
    ],
)
def test_b4_test_1_totals(cards: str, category: str, value: float) -> None:
    assert (rank(cards).category, rank(cards).value) == (category, value)


def test_b4_hands_in_their_order() -> None:
    order = ["AS KH QD", "QH TH JD", "AC KC 9C", "7D 7H 7S", "8D 8H 8S", "KD KH KS", "AD KD TD", "AH AS AC"]
    ranks = [rank(cards) for cards in order]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def test_b4_equal_totals_are_a_true_tie_whatever_makes_them() -> None:
    assert rank("KC QC 7H") == rank("JD TD 9S")
    assert not rank("KC QC 7H") < rank("JD TD 9S")
    assert rank("KC QC 7H") != rank("JD 9D 9S")


def test_b4_by_the_option_three_alike_count_30_and_equal_any_30_or_only_their_suit() -> None:
    assert rank("7D 7H 7S", three_alike="30") == rank("8D 8H 8S", three_alike="30")
    assert rank("7D 7H 7S", three_alike="30") == rank("KC QC TC", three_alike="30")
    assert rank("7D 7H 7S", three_alike="30").category == "three-alike"
    assert rank("KD KH KS", three_alike="off").value == 10
    assert rank("AD AH AS", three_alike="off").category == "feuer"


def test_a_hand_has_three_cards() -> None:
    with pytest.raises(InvalidNotation):
        rank("AS KS QS JS")


def test_b4_it_is_for_two_to_nine() -> None:
    assert variant("schwimmen").players == range(2, 10)


# --- the dealer's two packets ---


def test_b4_the_dealer_is_asked_first_and_the_second_packet_is_hidden_from_all() -> None:
    table = dealt(dealer=1)
    assert table.asked == 1
    assert table.legal == ["keep", "take"]
    for seat in range(3):
        view = table.deal.view(seat)
        assert [str(card) for card in view.table] == ["??"] * 3
        assert [str(card) for card in view.hand] == LOW[seat].split()


def test_b4_he_keeps_his_packet_and_the_other_is_turned_up() -> None:
    table = dealt().play("0:keep")
    assert table.hands == LOW
    assert table.deal.view(2).events == ("0:keep", "widow KH 9C 8S")
    assert table.widow == WIDOW
    assert table.asked == 1


def test_b4_or_takes_the_other_unseen_and_his_own_is_turned_up() -> None:
    table = dealt().play("0:take")
    assert table.hands[0] == WIDOW
    assert table.widow == LOW[0]
    for seat in (1, 2):
        view = table.deal.view(seat)
        assert view.events == ("0:take", "widow QS 7H 8D")
        assert [str(card) for card in view.past[0].cards] == ["QS", "7H", "8D", "??", "??", "??"]
        assert view.known == ((), (), ())
    assert [str(card) for card in table.deal.view(0).past[0].cards[3:]] == WIDOW.split()
    assert table.asked == 1


def test_b4_what_a_bot_can_foresee_of_the_second_packet_is_nothing() -> None:
    view = dealt().view
    assert [" ".join(map(str, view.after(action))) for action in view.legal] == [LOW[0], "?? ?? ??"]


# --- turns ---


def test_b4_one_card_or_all_three_but_never_two() -> None:
    table = opened()
    assert table.legal == [f"{mine}>{theirs}" for mine in LOW[1].split() for theirs in WIDOW.split()] + [
        "*", "pass", "knock",
    ]  # fmt: skip
    with pytest.raises(IllegalAction):
        table.view.parse("JC,8H>KH,9C")
    table.play("1:*")
    assert (table.hands[1], table.widow) == (WIDOW, LOW[1])


def test_b4_a_knock_replaces_the_move_and_gives_each_other_player_one_more_turn() -> None:
    table = opened().play("1:knock", "2:9S>8S")
    assert table.asked == 0
    assert "knock" not in table.legal
    table.play("0:pass")
    assert table.asked is None


def test_b4_by_the_option_one_knocks_after_ones_move() -> None:
    table = opened(knock_after_move=True)
    assert "knock" not in table.legal
    table.play("1:8H>8S")
    assert (table.asked, table.legal) == (1, ["knock", "continue"])
    table.play("1:continue", "2:pass", "2:knock", "0:pass", "1:pass")
    assert table.asked is None
    assert table.knocker == 2


def test_b4_by_the_option_nobody_knocks_before_all_have_had_a_turn() -> None:
    table = opened(knock_from_round=2)
    assert "knock" not in table.legal
    table.play("1:8H>8S", *PASSES[1:])
    assert table.asked == 1
    assert "knock" in table.legal


def test_b4_with_both_options_the_question_comes_from_the_second_round_on() -> None:
    table = opened(knock_after_move=True, knock_from_round=2).play("1:8H>8S", *PASSES[1:])
    assert table.asked == 1
    assert table.play("1:pass").legal == ["knock", "continue"]


# --- 31 and Feuer ---

MAKING_31 = ["AC KC 9S", "QH TH JD", "AD JD 7C"]


def test_b4_test_4_a_31_is_shown_at_once_and_the_lowest_loses() -> None:
    """Nobody has a further turn; the others have 20, 30 and 26."""
    hands = ["QH TH JS", "AC KC 9C", "AD JD 7C", "AS 8S 7S"]
    table = ScriptedDeal("schwimmen", hands, "TD 8H 9H").play("0:keep", "1:pass", "2:7C>TD")
    assert table.tokens == [-1, 0, 0, 0]
    events = table.deal.view(0).events
    assert events[events.index("2:7C>TD") + 1] == "show 2 AD JD TD"


def test_r7_a_31_that_was_dealt_is_shown_when_the_dealer_has_chosen_in_seat_order_from_his_left() -> None:
    hands = ["QS 7H 8D", "JC 8H 7D", "AD KD TD", "AS KS TS"]
    table = ScriptedDeal("schwimmen", hands, WIDOW, dealer=2).play("2:keep")
    assert table.deal.view(0).events[2:4] == ("show 3 AS KS TS", "show 2 AD KD TD")
    assert table.tokens == [-1, -1, 0, 0]


def test_r7_a_31_the_dealer_takes_unseen_counts_as_dealt() -> None:
    assert dealt(packet="AH KH TH").play("0:take").tokens == [0, -1, -1]


def test_b4_feuer_costs_all_others_a_life_a_31_too() -> None:
    hands = ["AD KD TD", "JC 8H 7H", "AS AH AC"]
    assert dealt(hands).play("0:keep").tokens == [-1, -1, 0]


def test_b4_by_the_option_feuer_costs_only_the_lowest() -> None:
    hands = ["AC KC 8C", "JC 8H 7H", "AS AH AD"]
    assert dealt(hands, sweep=0).play("0:keep").tokens == [0, -1, 0]


def test_b4_a_31_ends_the_deal_in_the_last_turns_too() -> None:
    hands = ["AC 9D 7C", "QS 7H 8D", "AD JD 7S"]
    table = ScriptedDeal("schwimmen", hands, "TD 8H 9H").play("0:keep", "1:knock", "2:7S>TD")
    assert table.tokens == [0, -1, 0]


def test_b4_with_the_question_for_a_knock_a_31_is_shown_before_it() -> None:
    hands = ["AC 9D 7C", "AD JD 7S", "QS 7H 8D"]
    table = ScriptedDeal("schwimmen", hands, "TD 8H 9H", knock_after_move=True).play("0:keep", "1:7S>TD")
    assert table.asked is None


# --- new widows ---

RENEWALS = "9D TS 8C AS KS QH JD TC 9H AC KC QC AD KD QD AH JH JS"


def test_b4_test_7_when_all_pass_in_succession_there_is_a_new_widow_as_long_as_there_are_three() -> None:
    """Three players leave a stock of twenty: six renewals, and the seventh round of passes ends the deal."""
    table = opened(stock=RENEWALS)
    for laid in range(3, 21, 3):
        table.play(*PASSES)
        assert table.widow == " ".join(RENEWALS.split()[laid - 3 : laid])
        assert table.asked == 1
    assert table.deal.stock.left == 2
    table.play(*PASSES)
    assert table.asked is None


def test_b4_an_exchange_breaks_the_row_of_passes() -> None:
    table = opened(stock="9D TS 8C").play("1:pass", "2:pass", "0:8D>8S", "1:pass", "2:pass")
    assert table.widow == "KH 9C 8D"
    assert table.play("0:pass").widow == "9D TS 8C"
    assert table.asked == 1


def test_b4_the_renewal_is_told_to_all() -> None:
    assert opened(stock="9D TS 8C").play(*PASSES).deal.view(2).events[-1] == "widow 9D TS 8C"


def test_b4_by_the_option_who_faces_7_8_9_may_call_for_a_new_widow_and_then_moves() -> None:
    table = opened(["QS 7H 8D", "JC 8H 9H", "TD 9S 7C"], "7D 9C 8S", stock="9D TS 8C", call_789=True)
    assert table.legal[-1] == "renew"
    table.play("1:renew")
    assert (table.asked, table.widow) == (1, "9D TS 8C")
    assert "renew" not in table.legal
    assert "renew" not in opened().legal


def test_b4_a_call_breaks_the_row_of_passes_and_may_follow_a_knock() -> None:
    hands = ["QS 7H 8D", "JC 8H 9H", "TD 9S 7C"]
    table = opened(hands, "7D 9C 8S", stock="9D TS 8C", call_789=True).play("1:pass", "2:pass", "0:renew")
    assert table.play("0:pass").asked == 1
    last = opened(hands, "7D 9C 8S", stock="9D TS 8C", call_789=True).play("1:knock", "2:renew", "2:pass")
    assert last.asked == 0


def test_b4_nobody_calls_for_cards_that_are_not_there() -> None:
    hands = ["AS KH QD", "AH KD 9S", "KC QS JH", "AC QH TD", "KS JD 9D", "JS TC 8C", "QC 8D TH", "JC TS 9H"]
    table = ScriptedDeal("schwimmen", hands, "7S 8S 9C", call_789=True).play("0:keep")
    assert table.deal.stock.left == 5
    assert "renew" in table.legal
    nine = ScriptedDeal("schwimmen", [*hands, "7C 8H 7D"], "7S 8S 9C", call_789=True).play("0:keep")
    assert nine.deal.stock.left == 2
    assert "renew" not in nine.legal


def test_r8_a_knock_in_the_last_round_still_has_its_last_turns() -> None:
    table = opened(rounds=1).play("1:8H>8S", "2:pass", "0:knock")
    assert table.asked == 1
    ended = opened(rounds=1).play("1:8H>8S", "2:pass", "0:pass")
    assert (ended.asked, ended.knocker) == (None, None)


# --- who loses ---


def knocked(hands: list[str], **more: Any) -> ScriptedDeal:
    """Seat 1 closes at once, nobody moves any more."""
    table = opened(hands, **more).play("1:knock")
    while table.asked is not None:
        table.play(f"{table.asked}:pass")
    return table


def test_b4_test_6_tied_for_lowest_all_lose_or_the_knocker_alone() -> None:
    hands = ["QD TD 7S", "QC TC 7H", "AS TS 9S"]
    assert knocked(hands).tokens == [-1, -1, 0]
    assert knocked(hands, knocker_alone=True).tokens == [0, -1, 0]
    others = ["QD TD 7S", "AS TS 9S", "QC TC 7H"]
    assert knocked(others, knocker_alone=True).tokens == [-1, 0, -1]


def test_b4_by_the_option_nobody_loses_where_several_tie() -> None:
    assert knocked(["QD TD 7S", "QC TC 7H", "AS TS 9S"], ties_lose=False).tokens == [0, 0, 0]


def test_b4_at_no_lives_one_swims_and_the_next_loss_puts_one_out() -> None:
    hands = ["QD 9D 7S", "QC TC 7H", "AS TS 9S"]
    sinking = knocked(hands, start={"tokens": (1, 3, 3)})
    assert sinking.tokens == [-1, 0, 0]
    assert sinking.after.went_out == (None, None, None)
    swimming = knocked(hands, start={"tokens": (0, 3, 3)})
    assert swimming.after.tokens == (-1, 3, 3)
    assert swimming.after.went_out == (0, None, None)


def test_r10_a_double_loss_from_one_ends_at_minus_one_and_so_does_one_while_swimming() -> None:
    hands = ["AS TS 9S", "QD 9D 7S", "QC TC 7H"]
    for held, lost in ((3, -2), (2, -2), (1, -2), (0, -1)):
        table = knocked(hands, knocker_double=True, start={"tokens": (3, held, 3)})
        assert table.tokens == [0, lost, 0]
        assert (table.after.went_out[1] is None) == (held >= 2)


def test_b4_by_the_option_only_one_may_swim() -> None:
    hands = ["QD 9D 7S", "QC TC 7H", "AS TS 9S"]
    assert knocked(hands, one_rider=True, start={"tokens": (1, 3, 0)}).after.tokens == (-1, 3, 0)
    assert knocked(hands, one_rider=True, start={"tokens": (1, 3, 3)}).after.tokens == (0, 3, 3)
    assert knocked(hands, one_rider=True, start={"tokens": (2, 3, 0)}).after.tokens == (1, 3, 0)
    together = ["QD 9D 7S", "QH 9H 7C", "AS TS 9S"]
    assert knocked(together, one_rider=True, start={"tokens": (1, 0, 3)}).after.tokens == (0, -1, 3)


def test_w22_if_nobody_would_be_left_nobody_loses() -> None:
    hands = ["QD 9D 7S", "QH 9H 7C"]
    assert knocked(hands, start={"tokens": (0, 0)}).tokens == [0, 0]
    assert knocked(hands, start={"tokens": (1, 0)}).tokens == [-1, -1]


def test_without_the_free_ride_one_is_out_at_none() -> None:
    hands = ["QD 9D 7S", "QC TC 7H", "AS TS 9S"]
    assert knocked(hands, free_ride=False, start={"tokens": (1, 3, 3)}).after.went_out == (0, None, None)
