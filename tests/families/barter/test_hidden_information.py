"""Views after trades and barters. Rulings B3, B15; decision 9."""

from itertools import chain
from typing import Any

import pytest

from arena.families.barter import FAMILY
from arena.families.barter.view import BarterView
from arena.games import Rules, View, variant
from arena.play import play_match
from tests.games.support.scripted_deal import ScriptedDeal
from tests.play.simple_bots import Listening

HANDS = ["AH AD 5S", "KH KD 3C", "8S 7S 2D", "QC JC 9C"]


def table(name: str = "trade-and-barter", hands: list[str] = HANDS, **options: Any) -> ScriptedDeal:
    """Seat 0 deals."""
    return ScriptedDeal(name, hands, **options)


def events(told: ScriptedDeal, seat: int) -> list[str]:
    return list(told.deal.view(seat).events)


def known(told: ScriptedDeal, seat: int) -> list[str]:
    """Return by seat the cards of others that a seat knows."""
    return [" ".join(map(str, hand)) for hand in told.deal.view(seat).known]


def facts(view: View) -> tuple[Any, ...]:
    """All that a view tells, and what its events hold inside."""
    assert isinstance(view, BarterView)
    inside = [(event.number, event.seat, event.action, event.cards) for event in view.past]
    public = (view.stock_left, view.asker, view.satisfied, view.open_hands, view.holdings, view.order)
    return (view.hand, view.dealt, view.legal, view.events, view.known, inside, public)


# --- each action ---


def test_a_trade_is_public_and_its_card_is_known_to_the_trader_alone() -> None:
    told = table(stock="7D").play("1:trade 3C")
    assert events(told, 1) == ["1:trade 3C"]
    for seat in (0, 2, 3):
        assert events(told, seat) == ["1:trade ??"]
        assert known(told, seat) == ["", "", "", ""]


def test_an_offered_card_is_known_to_the_asker_alone_until_the_partner_has_given_his() -> None:
    told = table().play("1:barter 3C")
    assert [events(told, seat) for seat in range(4)] == [
        ["1:barter ??"], ["1:barter 3C"], ["1:barter ??"], ["1:barter ??"],
    ]  # fmt: skip
    assert [told.deal.view(seat).asker for seat in range(4)] == [1, 1, 1, 1]  # type: ignore[attr-defined]


def test_both_partners_know_both_cards_of_a_barter_and_the_others_neither() -> None:
    told = table().play("1:barter 3C", "2:give 8S")
    assert events(told, 1) == ["1:barter 3C", "2:give 8S"]
    assert events(told, 2) == ["1:barter ??", "2:give 8S", "show 1 3C"]
    for seat in (0, 3):
        assert events(told, seat) == ["1:barter ??", "2:give ??"]
    assert [known(told, seat) for seat in range(4)] == [
        ["", "", "", ""], ["", "", "3C", ""], ["", "8S", "", ""], ["", "", "", ""],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "answer"), [("trade-and-barter-consent", "decline"), ("ready-money-extended", "stand")]
)
def test_an_offered_card_that_is_not_taken_stays_unknown(name: str, answer: str) -> None:
    told = table(name).play("1:barter 3C", f"2:{answer}")
    assert events(told, 2) == ["1:barter ??", f"2:{answer}"]
    assert events(told, 1) == ["1:barter 3C", f"2:{answer}"]
    assert known(told, 2) == ["", "", "", ""]


def test_no_other_seat_learns_from_which_slot_a_card_came() -> None:
    told = table().play("1:barter 3C", "2:give 8S")
    slots = [[event.action.give for event in told.deal.view(seat).past] for seat in range(4)]
    assert slots == [[(), ()], [(2,), ()], [(), (0,), ()], [(), ()]]


@pytest.mark.parametrize("rules", FAMILY.rules, ids=str)
def test_observed_events_are_those_of_the_view(rules: Rules) -> None:
    """The bots themselves compare, at every decision."""
    told = play_match(rules, [Listening] * 4, seed="heard")
    assert told["faults"] == []


# --- how long it is known ---


def test_a_partners_card_is_known_until_he_gives_one_that_is_not_seen() -> None:
    told = table(stock="4D").play("1:barter 3C", "2:give 8S")
    assert known(told.play("2:trade 2D"), 1) == ["", "", "", ""]


def test_a_partners_card_stays_known_when_he_gives_another_to_this_seat() -> None:
    hands = ["AH AD 5S", "KH KD 3C"]
    told = table(hands=hands).play("1:barter 3C", "0:give 5S", "0:barter AD", "1:give KD")
    assert known(told, 0) == ["", "5S AD"]
    assert known(told, 1) == ["3C KD", ""]


def test_a_partners_card_that_comes_back_is_no_longer_his() -> None:
    told = table(hands=["AH AD 5S", "KH KD 3C"]).play("1:barter 3C", "0:give 5S", "0:barter 3C", "1:give KD")
    assert known(told, 1) == ["KD", ""]


def sixteen(stock: list[int]) -> ScriptedDeal:
    """Sixteen players, who leave four cards: seat 0 has the first three of the pack, seat 1 the next."""
    pack = variant("trade-and-barter").whole_pack.cards
    hands = [" ".join(map(str, pack[start : start + 3])) for start in range(0, 48, 3)]
    return table(hands=hands, stock=" ".join([str(pack[place]) for place in stock]))


def test_who_draws_what_this_seat_has_put_under_the_stock_is_known_to_hold_it() -> None:
    """The fifth trade takes the first one's reject."""
    told = sixteen([48, 49, 50, 51, 3])
    for _ in range(5):
        told.deal.apply(told.deal.legal_actions.actions[0])
    assert known(told, 1)[5] == told.hands[5].split()[0] == "5S"
    assert [known(told, seat) for seat in (0, 2, 5)] == [[""] * 16] * 3


def test_who_draws_what_a_partner_has_put_under_the_stock_knows_what_he_kept() -> None:
    """Seat 2 has a card of seat 1's and then trades another, which seat 1 draws in its next turn."""
    told = sixteen([48, 49, 50, 51, 7])
    told.deal.apply(told.deal.legal_actions.actions[3])
    told.deal.apply(told.deal.legal_actions.actions[0])
    assert known(told, 1)[2] == "5S"
    for slot in (1, 0, 0, 0):
        told.deal.apply(told.deal.legal_actions.actions[slot])
    assert known(told, 1)[2] == ""
    for seat in (*range(6, 16), 0):
        assert told.asked == seat
        told.deal.apply(told.deal.legal_actions.actions[3])
        told.deal.apply(told.deal.legal_actions.actions[0])
    told.deal.apply(told.deal.legal_actions.actions[0])
    assert known(told, 1)[2] == "5S"


# --- nothing else differs ---


def test_a_view_contains_no_card_that_it_does_not_show() -> None:
    """The same play with other cards in the hidden places is the same to seat 1."""
    first = table(hands=HANDS, stock="7D 4D")
    other = table(hands=["QH TD 5S", "KH KD 3C", "8S 9H 4C", "6C JC 9C"], stock="7D 2S")
    first.play("1:trade 3C", "2:barter 2D", "3:give QC", "3:trade JC", "0:barter AH", "1:give KH")
    other.play("1:trade 3C", "2:barter 9H", "3:give 9C", "3:trade 6C", "0:barter QH", "1:give KH")
    told, same = (facts(played.deal.view(1)) for played in (first, other))
    assert told[0] != same[0]  # the card that came from seat 0
    assert [str(card) for card in chain(told[0])] == ["AH", "KD", "7D"]
    assert told[2] == same[2]
    assert told[3][1:4] == same[3][1:4] == ("2:barter ??", "3:give ??", "3:trade ??")
    assert told[5][:4] == same[5][:4]
    assert told[6] == same[6]


def test_to_those_who_take_no_part_all_barters_look_alike() -> None:
    game = table(stock="7D").play("1:barter 3C", "2:give 8S", "2:trade 7S")
    other = table(stock="4D").play("1:barter KH", "2:give 2D", "2:trade KH")
    for seat in (0, 3):
        assert facts(game.deal.view(seat))[:6] == facts(other.deal.view(seat))[:6]


def test_open_hands_hide_nothing_but_the_stock() -> None:
    told = table("trade-and-barter-consent", open_hands=True, stock="7D")
    told.play("1:barter 3C", "2:decline", "1:trade 3C", "2:barter 2D", "3:give 9C")
    for seat in range(4):
        assert events(told, seat) == ["1:barter 3C", "2:decline", "1:trade 3C", "2:barter 2D", "3:give 9C"]
        assert known(told, seat) == [hand if seat != holder else "" for holder, hand in enumerate(told.hands)]
