"""The cuckoo family: turns, refusals and settlement. Sheet B10; rulings R14, R30, W22."""

from typing import Any

import pytest

from arena.errors import InvalidNotation
from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

FOUR = ["9S", "4D", "2H", "7C"]


def cuccu(*hands: str | None, stock: str = "", further: str = "", **options: Any) -> ScriptedDeal:
    """Cards by seat; seat 0 deals."""
    return ScriptedDeal("cuccu", hands or FOUR, further, stock=stock, **options)


def held(table: ScriptedDeal) -> str:
    return " ".join(table.hands)


# --- a turn ---


@pytest.mark.parametrize("name", ["cuccu", "ranter-go-round"])
def test_b10_each_in_turn_keeps_or_swaps_the_dealer_last(name: str) -> None:
    table = ScriptedDeal(name, FOUR)
    for seat in (1, 2, 3, 0):
        assert (table.asked, table.legal) == (seat, ["keep", "swap"])
        table.play(f"{seat}:keep")
    assert table.asked is None
    assert table.deal.view(0).events[4:] == ("show 1 4D", "show 2 2H", "show 3 7C", "show 0 9S")


def test_b10_the_next_player_must_swap() -> None:
    table = cuccu().play("1:swap")
    assert held(table) == "9S 2H 4D 7C"
    assert table.play("2:swap").hands[2:] == ["7C", "4D"]


def test_b10_test_6_a_swap_cannot_be_undone() -> None:
    table = cuccu().play("1:swap", "2:keep", "3:keep", "0:keep")
    assert table.hands[1] == "2H"
    assert table.tokens == [0, -1, 0, 0]


def test_b10_a_seat_that_failed_keeps() -> None:
    table = cuccu()
    assert table.view.text(table.deal.legal_actions.default) == "keep"


@pytest.mark.parametrize("text", ["", "pass", "swap 1", "keep 4D", "KEEP"])
def test_what_is_no_action_here_is_said_to_be_none(text: str) -> None:
    with pytest.raises(InvalidNotation):
        cuccu().view.parse(text)


def test_r14_r30_turns_go_to_the_left_or_to_the_right() -> None:
    assert held(cuccu(dealer=1).play("2:swap")) == "9S 4D 7C 2H"
    right = cuccu(dealer=1, direction="right").play("0:swap")
    assert held(right) == "7C 4D 2H 9S"
    assert right.play("3:keep").asked == 2


# --- kings ---


def test_b10_a_king_refuses_is_shown_and_ends_its_holders_turn() -> None:
    table = cuccu("9S", "4D", "KH", "7C").play("1:swap")
    assert held(table) == "9S 4D KH 7C"
    assert table.deal.view(0).events == ("1:swap", "show 2 KH")
    assert table.asked == 3


def test_b10_a_king_refused_by_the_dealer_ends_the_deal() -> None:
    table = cuccu("KS", "4D", "2H", "7C").play("1:keep", "2:keep", "3:swap")
    assert table.asked is None
    assert table.tokens == [0, 0, -1, 0]


def test_b10_a_king_may_be_given_away() -> None:
    assert held(cuccu("9S", "KD", "2H", "7C").play("1:swap")) == "9S 2H KD 7C"


def test_b10_before_a_king_that_was_shown_one_can_only_keep() -> None:
    """Seat 1's demand was passed on by the horse of seat 2 to the king of seat 3."""
    table = cuccu("9S", "4D", "QH", "KC", horse_passes=True).play("1:swap")
    assert (table.asked, table.legal) == (2, ["keep"])


def test_b10_kings_may_be_shown_as_soon_as_they_are_dealt() -> None:
    table = cuccu("KS", "4D", "KH", "7C", expose_kings=True)
    assert table.deal.view(3).events == ("show 2 KH", "show 0 KS")
    assert (table.asked, table.legal) == (1, ["keep"])
    table.play("1:keep")
    assert (table.asked, table.legal) == (3, ["keep"])
    assert table.play("3:keep").tokens == [0, -1, 0, 0]


def test_b10_where_all_have_kings_there_are_no_turns() -> None:
    assert cuccu("KS", "KD", expose_kings=True).tokens == [-1, -1]


def test_b10_with_the_ace_high_it_is_the_ace_that_refuses() -> None:
    table = cuccu("9S", "KD", "AH", "2C", ace_high=True).play("1:swap")
    assert table.deal.view(0).events == ("1:swap", "show 2 AH")
    assert table.play("3:keep", "0:keep").tokens == [0, 0, 0, -1]
    assert held(cuccu("9S", "4D", "KH", "7C", ace_high=True).play("1:swap")) == "9S KH 4D 7C"


# --- the dealer and the stock ---


def test_b10_the_dealer_takes_the_top_card_of_the_stock() -> None:
    table = cuccu(stock="5D").play("1:keep", "2:keep", "3:keep", "0:swap")
    assert table.hands[0] == "5D"
    assert table.deal.view(1).events[3:] == ("0:swap", "show 1 4D", "show 2 2H", "show 3 7C", "show 0 5D")


def test_b10_a_king_from_the_stock_is_void() -> None:
    table = cuccu(stock="KD").play("1:keep", "2:keep", "3:keep", "0:swap")
    assert table.hands[0] == "9S"
    assert table.deal.view(1).events[3:6] == ("0:swap", "show 0 KD", "show 1 4D")


def test_b10_or_is_kept() -> None:
    table = cuccu(stock="KD", stock_king_ok=True).play("1:keep", "2:keep", "3:keep", "0:swap")
    assert table.hands[0] == "KD"


def test_b10_the_dealer_may_be_dealt_three_cards_and_keep_the_best() -> None:
    table = cuccu("9S", "4D", "2H", "7C", further="JD AC", dealer_three=True)
    assert table.hands[0] == "JD"
    assert variant("cuccu", dealer_three=True, pack=32).players[-1] == 20


# --- horses ---


def test_b10_a_horse_may_pass_the_swap_on() -> None:
    table = cuccu("9S", "4D", "QH", "7C", horse_passes=True).play("1:swap")
    assert held(table) == "9S 7C QH 4D"
    assert table.deal.view(0).events == ("1:swap", "show 2 QH")
    assert (table.asked, table.legal) == (2, ["keep", "swap"])
    assert held(cuccu("9S", "4D", "QH", "7C").play("1:swap")) == "9S QH 4D 7C"


def test_b10_several_horses_pass_it_on_from_the_dealer_to_the_stock() -> None:
    table = cuccu("QD", "4D", "QH", "QC", stock="5H 6H", horse_passes=True).play("1:swap")
    assert held(table) == "QD 5H QH QC"
    assert table.deal.view(0).events == ("1:swap", "show 2 QH", "show 3 QC", "show 0 QD")
    refused = cuccu("QD", "7C", stock="KH", horse_passes=True).play("1:swap")
    assert refused.deal.view(0).events == ("1:swap", "show 0 QD", "show 1 KH")
    assert (held(refused), refused.asked) == ("QD 7C", 0)


@pytest.mark.parametrize("pack", [8, 12, 40])
def test_the_stock_has_a_card_for_everyone_who_comes_to_draw_where_horses_pass(pack: int) -> None:
    """The last before a row of horses draws, then their holders, each behind the others' horses."""
    rules = variant("cuccu", pack=pack, horse_passes=True)
    horses = sum(card.rank == "Q" for card in rules.whole_pack.cards)
    assert horses > 0
    assert rules.players[-1] == min(20, pack - horses - 1)
    assert variant("cuccu", pack=pack).players[-1] == min(20, pack - 1)
    for seed in range(60):
        match = rules.match(rules.players[-1], str(seed))
        while not match.is_over and len(match.finished_deals) < 30:
            match.apply(match.deal.legal_actions.actions[-1])


# --- who loses ---


@pytest.mark.parametrize(("card", "place"), [("AS", 0), ("2S", 1), ("TD", 9), ("JD", 10), ("KC", 12)])
def test_b10_the_ace_is_low_and_the_king_high(card: str, place: int) -> None:
    rank = variant("cuccu").rank
    order = [rank(f"{letter}H") for letter in "A23456789TJQK"]
    assert order == sorted(order)
    assert rank(card) == order[place]
    assert rank(card).category == "card"


def test_b10_a_hand_is_one_card() -> None:
    with pytest.raises(InvalidNotation):
        variant("cuccu").rank("4D 5D")


def kept(*hands: str | None, **options: Any) -> ScriptedDeal:
    """The deal when everybody keeps."""
    table = cuccu(*hands, **options)
    return table.play(*[f"{seat}:keep" for seat in table.deal.opening.order])


def test_b10_test_4_two_aces_both_lose() -> None:
    assert kept("AS", "4D", "AH", "7C").tokens == [-1, 0, -1, 0]


def test_b10_or_only_the_first_of_them_in_turn() -> None:
    assert kept("AS", "4D", "AH", "7C", tie="first").tokens == [0, 0, -1, 0]
    assert kept("AS", "4D", "AH", "7C", tie="first", dealer=2).tokens == [-1, 0, 0, 0]


def test_b10_test_5_where_all_are_equal_all_lose_or_none() -> None:
    sevens = ("7S", "7D", "7H", "7C")
    assert kept(*sevens).tokens == [-1, -1, -1, -1]
    assert kept(*sevens, tie_all="none").tokens == [0, 0, 0, 0]
    assert kept("7S", "7D", "7H", "8C", tie_all="none").tokens == [-1, -1, -1, 0]


def test_b10_a_card_equal_to_anothers_may_be_safe() -> None:
    assert kept("AS", "4D", "AH", "7C", pairs_safe=True).tokens == [0, -1, 0, 0]
    assert kept("AS", "4D", "AH", "4C", pairs_safe=True).tokens == [0, 0, 0, 0]


def test_w22_if_nobody_would_be_left_in_nobody_loses() -> None:
    assert kept("AS", "AD", None, start={"tokens": (1, 1, 0)}).tokens == [0, 0, 0]
    assert kept("AS", "AD", None, start={"tokens": (1, 2, 0)}).tokens == [-1, -1, 0]


def test_b10_who_has_lost_all_tokens_is_out() -> None:
    after = kept("9S", "4D", "2H", "7C", start={"tokens": (3, 3, 1, 3)}).after
    assert (after.tokens, after.went_out) == ((3, 3, 0, 3), (None, None, 0, None))


def test_b10_twenty_can_play() -> None:
    assert variant("cuccu").players[-1] == 20
