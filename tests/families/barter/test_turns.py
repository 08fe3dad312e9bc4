"""Trade and barter: turns, answers, ends. Sheets B2, B3, rulings B1-B7, B15-B17, B22, B23."""

from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidNotation
from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ["AH AD 5S", "KH KD 3C", "8S 7S 2D", "QC JC 9C"]
ALL = [
    "ready-money",
    "ready-money-extended",
    "trade-and-barter",
    "trade-and-barter-tokens",
    "trade-and-barter-consent",
]
POINTS = ["AH KH 5S", "KD QD 3C", "8S 7S 2D", "QC JC 9C"]
"""Hands that are something in every game."""


def table(name: str, hands: list[str | None] | list[str] = HANDS, **options: Any) -> ScriptedDeal:
    """Seat 0 deals."""
    return ScriptedDeal(name, hands, **options)


def quiet(told: ScriptedDeal) -> str:
    return told.view.text(told.deal.legal_actions.default)


# --- one's own turn ---


@pytest.mark.parametrize(
    ("name", "word"), [(name, "stand" if name.startswith("ready") else "knock") for name in ALL]
)
def test_b5_a_turn_is_a_trade_a_barter_or_the_word_that_one_is_content(name: str, word: str) -> None:
    told = table(name, POINTS)
    assert told.asked == 1
    cards = ["KD", "QD", "3C"]
    assert told.legal == [*(f"trade {card}" for card in cards), *(f"barter {card}" for card in cards), word]


@pytest.mark.parametrize("name", ALL)
def test_b15_a_trade_takes_the_top_card_and_puts_the_reject_under_the_stock(name: str) -> None:
    told = table(name, stock="7D").play("1:trade 3C")
    assert told.hands[1] == "KH KD 7D"
    assert told.deal.recorded_stock == told.rules.whole_pack.parse("7D")
    assert told.view.stock_left == 40  # type: ignore[attr-defined]


def test_b15_sheet_b2_test_6_any_number_of_trades_leaves_the_stock_as_large_and_no_card_is_lost() -> None:
    match = variant("trade-and-barter").match(4, "conserved")
    deal = match.deal
    for _ in range(79):
        match.apply(match.deal.legal_actions.actions[0])
        assert deal.stock.left == 52 - 3 * 4
    seen = {*deal.recorded_stock, *(card for hand in deal.dealt for card in hand)}
    assert len(seen) == 52


def test_b15_what_was_put_under_the_stock_comes_again_in_its_order() -> None:
    """Sixteen players leave four cards of stock."""
    match = variant("trade-and-barter").match(16, "deep")
    deal = match.deal
    first = deal.hands[deal.opening.order[0]][0]
    for _ in range(4):
        match.apply(deal.legal_actions.actions[0])
    taker = deal.to_act
    match.apply(deal.legal_actions.actions[0])
    assert taker is not None
    assert deal.hands[taker][0] is first


@pytest.mark.parametrize("name", ["trade-and-barter", "trade-and-barter-tokens", "trade-and-barter-consent"])
def test_b17_one_exchange_is_the_whole_turn(name: str) -> None:
    assert table(name, stock="7D").play("1:trade 3C").asked == 2
    assert table(name).play("1:barter 3C", "2:give 2D").asked == 2


@pytest.mark.parametrize("name", ["ready-money", "ready-money-extended"])
@pytest.mark.parametrize("exchange", [["1:trade 3C"], ["1:barter 3C", "2:give 2D"]])
def test_b6_in_ready_money_one_may_stand_right_after_ones_own_exchange(
    name: str, exchange: list[str]
) -> None:
    told = table(name, stock="7D").play(*exchange)
    assert (told.asked, told.legal) == (1, ["stand", "continue"])
    assert told.play("1:continue").asked == 2


@pytest.mark.parametrize("name", ALL)
def test_what_is_traded_or_bartered_keeps_its_place_in_the_hand(name: str) -> None:
    told = table(name).play("1:barter KD", "2:give 8S")
    assert told.hands[1:3] == ["KH 8S 3C", "KD 7S 2D"]


# --- the partner ---


@pytest.mark.parametrize("name", ALL)
def test_b1_one_barters_with_the_next_or_by_the_option_with_the_one_before(name: str) -> None:
    assert table(name).play("1:barter 3C").asked == 2
    assert table(name, barter_dir="right").play("1:barter 3C").asked == 0
    dealers = ["1:trade 3C", "2:trade 2D", "3:trade 9C"]
    if name.startswith("ready"):
        dealers = [action for trade in dealers for action in (trade, f"{trade[0]}:continue")]
    assert table(name, stock="4D 5D 6D").play(*dealers, "0:barter 5S").asked == 1


def test_decision_2_the_neighbour_is_the_next_who_is_still_in() -> None:
    told = table("trade-and-barter-tokens", ["AH AD 5S", "KH QH 3C", None, "QC JC 9C"]).play("1:barter 3C")
    assert told.asked == 3
    assert table("trade-and-barter-tokens", ["AH AD 5S", None, "8S 7S 2D", "QC JC 9C"]).asked == 2


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("ready-money", ["stand"]),
        ("ready-money-extended", ["stand"]),
        ("trade-and-barter", []),
        ("trade-and-barter-tokens", []),
        ("trade-and-barter-consent", ["decline"]),
    ],
)
def test_b2_what_a_partner_may_answer(name: str, word: list[str]) -> None:
    told = table(name).play("1:barter 3C")
    assert told.legal == ["give 8S", "give 7S", "give 2D", *word]


def test_b2_who_was_declined_must_trade_or_knock_and_cannot_ask_again() -> None:
    told = table("trade-and-barter-consent").play("1:barter 3C", "2:decline")
    assert (told.asked, told.legal) == (1, ["trade KH", "trade KD", "trade 3C", "knock"])
    assert told.hands == HANDS


def test_b22_r25_a_partner_who_stands_when_asked_ends_the_deal_without_an_exchange() -> None:
    told = table("ready-money").play("1:barter 3C", "2:stand")
    assert told.asked is None
    assert told.hands == HANDS


def test_b3_the_asker_commits_his_card_before_the_partner_chooses() -> None:
    told = table("trade-and-barter").play("1:barter 3C")
    assert told.view.events == ("1:barter ??",)
    assert told.hands == HANDS


# --- the end ---


def test_b7_a_stand_or_knock_ends_the_deal_at_once() -> None:
    assert table("ready-money").play("1:stand").asked is None
    assert table("trade-and-barter").play("1:knock").asked is None
    told = table("trade-and-barter-consent").play("1:knock")
    assert told.deal.view(3).events == (
        "1:knock", "show 1 KH KD 3C", "show 2 8S 7S 2D", "show 3 QC JC 9C", "show 0 AH AD 5S",
    )  # fmt: skip


def test_b6_in_trade_and_barter_one_knocks_on_ones_own_turn_alone() -> None:
    told = table("trade-and-barter", stock="7D").play("1:trade 3C")
    assert told.asked == 2
    assert "knock" not in told.play("2:barter 2D").kinds


@pytest.mark.parametrize(("hand", "may"), [("7C 7D KH", False), ("7H 6H 5S", True), ("7C 7D 7H", True)])
def test_b6_r17_sheet_b3_test_4_only_for_tokens_a_hand_that_is_nothing_may_not_knock(
    hand: str, may: bool
) -> None:
    hands = ["AH AD 5C", hand, "8S 7S 2D", "QC JC 9C"]
    assert ("knock" in table("trade-and-barter-tokens", hands).kinds) == may
    assert "knock" in table("trade-and-barter", hands).kinds
    assert "knock" in table("trade-and-barter-consent", hands).kinds


@pytest.mark.parametrize("name", ALL)
def test_b16_r31_after_the_last_round_the_hands_are_shown_without_a_stander(name: str) -> None:
    told = table(name, rounds=2, stock="4C 5C 6C 8C TC 2C 4D 6D")
    for _ in range(2):
        for seat in (1, 2, 3, 0):
            assert told.asked == seat
            told.deal.apply(told.deal.legal_actions.actions[2])
            if told.asked == seat:
                told.play(f"{seat}:continue")
    assert told.asked is None


def test_b16_twenty_rounds_are_the_most_there_are() -> None:
    match = variant("trade-and-barter").match(2, "for ever")
    turns = 0
    while not match.finished_deals:
        match.apply(match.deal.legal_actions.actions[0])
        turns += 1
    assert turns == 40


# --- the extended form ---


def test_w26_extended_who_stands_drops_out_and_the_others_go_on_until_all_are_satisfied() -> None:
    told = table("ready-money-extended", stock="7D 8D").play("1:stand", "2:trade 2D", "2:continue", "3:stand")
    assert told.play("0:stand").asked == 2
    assert told.view.satisfied == (1, 3, 0)  # type: ignore[attr-defined]
    assert told.play("2:trade 7S", "2:stand").asked is None


def test_b23_the_satisfied_are_not_asked_and_the_last_can_only_trade_or_stand() -> None:
    told = table("ready-money-extended").play("1:barter 3C", "2:stand")
    assert told.play("1:barter 3C").asked == 3
    told.play("3:stand", "1:barter 3C")
    assert told.asked == 0
    told.play("0:stand")
    assert (told.asked, told.legal) == (1, ["trade KH", "trade KD", "trade 3C", "stand"])


def test_r16_a_partner_who_stands_is_satisfied_and_the_asker_chooses_again() -> None:
    told = table("ready-money-extended").play("1:barter 3C", "2:stand")
    assert told.asked == 1
    assert told.kinds == {"trade", "barter", "stand"}
    assert told.play("1:stand").asked == 3


def test_b23_with_the_neighbour_on_the_other_side_the_satisfied_are_passed_over_too() -> None:
    told = table("ready-money-extended", barter_dir="right").play("1:barter 3C", "0:stand", "1:barter 3C")
    assert told.asked == 3


def test_b16_extended_rounds_go_on_when_the_eldest_is_satisfied() -> None:
    told = table("ready-money-extended", rounds=2, stock="4C 5C").play("1:stand", "2:stand", "3:stand")
    told.play("0:trade 5S", "0:continue")
    assert told.asked == 0
    assert told.play("0:trade 4C", "0:continue").asked is None


# --- what is played for a seat that failed, and notation ---


@pytest.mark.parametrize(
    ("name", "turn", "answer"),
    [
        ("ready-money", "trade KH", "give 8S"),
        ("ready-money-extended", "stand", "stand"),
        ("trade-and-barter", "trade KH", "give 8S"),
        ("trade-and-barter-tokens", "trade KH", "give 8S"),
        ("trade-and-barter-consent", "trade KH", "decline"),
    ],
)
def test_a_seat_that_failed_ends_no_deal_and_asks_nobody(name: str, turn: str, answer: str) -> None:
    assert quiet(table(name)) == turn
    assert quiet(table(name).play("1:barter 3C")) == answer


def test_a_seat_that_failed_after_its_exchange_goes_on() -> None:
    assert quiet(table("ready-money", stock="7D").play("1:trade 3C")) == "continue"


@pytest.mark.parametrize(
    "text", ["", "pass", "trade", "trade 5S", "trade #1", "barter KH KD", "Stand", "buy 3C"]
)
def test_what_is_no_action_here_is_said_to_be_none(text: str) -> None:
    with pytest.raises(InvalidNotation):
        table("ready-money").view.parse(text)


@pytest.mark.parametrize("text", ["give KH", "decline", "knock", "continue"])
def test_what_is_not_legal_now_is_refused(text: str) -> None:
    with pytest.raises(IllegalAction):
        table("ready-money").view.parse(text)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("pack", "most"), [(52, 16), (40, 13), (32, 10)])
def test_w30_as_many_can_play_as_leave_a_card_of_stock(name: str, pack: int, most: int) -> None:
    assert variant(name, pack=pack).players == range(2, most + 1)
