"""Whisky Poker: the hidden widow, passing, the pool. Sheet B9; rulings R8, R11, R27."""

from random import Random
from typing import Any

import pytest

from arena.errors import IllegalAction
from arena.families.exchange.view import ExchangeView
from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ["TD 6C 2H 8S 9C", "9H JD 5D 4C 2S", "KS QS 5H 3D 7C", "AS 7D 3S TC 8H"]
WIDOW = "JS 9D 3C KH 6D"


def dealt(hands: list[str] = HANDS, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("whisky-poker", hands, widow, **more)


def opened(**more: Any) -> ScriptedDeal:
    """All have passed and the dealer has turned the widow up; it is seat 1's turn."""
    return dealt(**more).play("1:pass", "2:pass", "3:pass", "0:turn")


def view(table: ScriptedDeal, seat: int) -> ExchangeView:
    seen = table.deal.view(seat)
    assert isinstance(seen, ExchangeView)
    return seen


def text(cards: Any) -> str:
    return " ".join(map(str, cards))


# --- the hidden widow ---


def test_b9_the_widow_is_hidden_and_may_be_taken_passed_or_knocked_on() -> None:
    table = dealt()
    assert table.legal == ["*", "pass", "knock"]
    for seat in range(4):
        seen = view(table, seat)
        assert text(seen.widow) == text(seen.widow_dealt) == "?? ?? ?? ?? ??"
        assert seen.down == (0, 1, 2, 3, 4)


def test_b9_who_takes_it_lays_his_hand_face_up_and_alone_knows_what_he_took() -> None:
    table = dealt().play("1:pass", "2:*")
    assert (table.hands[2], table.widow) == (WIDOW, HANDS[2])
    for seat in (0, 1, 3):
        seen = view(table, seat)
        assert seen.events == ("1:pass", "2:*", f"widow {HANDS[2]}")
        assert text(seen.past[1].cards) == f"{HANDS[2]} ?? ?? ?? ?? ??"
        assert seen.known == ((), (), (), ())
        assert text(seen.widow_dealt) == "?? ?? ?? ?? ??"
    assert text(view(table, 2).past[1].cards) == f"{HANDS[2]} {WIDOW}"
    assert len(table.legal) == 25 + len(["*", "pass", "knock"])


def test_b9_test_5_the_dealer_must_take_it_or_turn_it_up() -> None:
    table = dealt().play("1:pass", "2:pass", "3:pass")
    assert table.legal == ["*", "turn"]
    for refused in ("pass", "knock"):
        with pytest.raises(IllegalAction):
            table.view.parse(refused)


def test_r11_turning_it_up_is_the_dealers_whole_turn() -> None:
    table = opened()
    assert table.asked == 1
    assert view(table, 3).events[-2:] == ("0:turn", f"widow {WIDOW}")
    assert text(view(table, 3).widow_dealt) == WIDOW


def test_r27_after_a_knock_too_the_dealer_takes_it_or_turns_it_up() -> None:
    table = dealt().play("1:pass", "2:knock")
    assert table.legal == ["*", "pass"]
    table.play("3:pass")
    assert table.legal == ["*", "turn"]
    table.play("0:turn")
    assert (table.asked, "knock" in table.legal, "pass" in table.legal) == (1, False, True)
    table.play("1:pass")
    assert (table.asked, table.knocker) == (None, 2)


def test_b9_the_eldest_may_knock_at_once_and_the_deal_ends_with_the_dealers_turn() -> None:
    table = dealt().play("1:knock", "2:pass", "3:*", "0:pass")
    assert table.asked is None


def test_b9_all_five_may_be_spelled_out_when_nobody_knows_them() -> None:
    view = dealt().view
    assert view.parse("9H,JD,5D,4C,2S>??,??,??,??,??") is view.parse("*")


# --- the open widow ---


def test_b9_one_card_or_all_five_or_by_the_option_any_number() -> None:
    assert len(opened().legal) == 25 + len(["*", "pass", "knock"])
    table = opened(any_k=True)
    assert len(table.legal) == 25 + 10 * 10 + 10 * 10 + 25 + len(["*", "pass", "knock"])
    table.play("1:9H,JD>JS,9D")
    assert table.hands[1] == "JS 9D 5D 4C 2S"


def test_b9_test_6_one_may_not_pass_on_two_turns_running() -> None:
    table = opened().play("1:pass", "2:KS>JS", "3:pass", "0:pass")
    assert (table.asked, table.kinds) == (1, {"exchange", "knock"})
    table.play("1:9H>9D", "2:pass")
    assert table.kinds == {"exchange", "knock"}
    table.play("3:AS>KS", "0:TD>AS")
    assert "pass" in table.legal


def test_r11_a_pass_at_the_hidden_widow_does_not_count() -> None:
    assert "pass" in opened().legal


def test_r11_a_last_turn_may_always_be_a_pass() -> None:
    table = opened().play("1:pass", "2:pass", "3:knock", "0:pass", "1:pass", "2:pass")
    assert table.asked is None


def test_r8_twenty_rounds_are_the_end() -> None:
    table = opened(rounds=2)
    for seat in (1, 2, 3, 0):
        table.play(f"{seat}:pass")
    assert (table.asked, table.knocker) == (None, None)


# --- the pool ---

SHOWN = ["KC KD 9H 9S 3C", "QC QD 9D 9C AC", "AH 8H 7C 4H 2H", "TS 8S 6S 4S 2C"]
REST = "JS JH 6H 5D 5S"


def shown(hands: list[str], **more: Any) -> ScriptedDeal:
    """These hands, of which the first is the dealer's, after a knock."""
    table = dealt(hands, REST, **more).play("1:knock")
    while table.asked != 0:
        table.play(f"{table.asked}:pass")
    return table.play("0:turn")


def test_b9_the_best_takes_the_antes_and_the_lowest_pays_a_forfeit_into_the_next_pool() -> None:
    table = shown(SHOWN)
    assert table.result == {"chips": [3, -1, -1, -2], "pool": 1}
    assert table.after.pool == 1


def test_b9_antes_are_in_the_pool_while_the_deal_is_played() -> None:
    held = dealt(start={"chips": (5, 0, 0, -7), "pool": 2}).view.holdings
    assert (held.chips, held.pool) == ((4, -1, -1, -8), 6)


def test_b9_the_forfeits_of_the_last_deal_are_won_in_this_one() -> None:
    table = shown(SHOWN, start={"chips": (0, 0, 0, -2), "pool": 2})
    assert table.result == {"chips": [5, -1, -1, -2], "pool": 1}


def test_b9_stake_and_forfeit_are_options() -> None:
    assert shown(SHOWN, stake=3, forfeit=5).result == {"chips": [9, -3, -3, -8], "pool": 5}


def test_r27_ties_for_best_share_the_pool_the_odd_chip_to_the_dealers_left() -> None:
    hands = ["KC KD 9H 9S 3C", "KS KH 9D 9C 3D", "AH 8H 7C 4H 2H"]
    table = shown(hands)
    assert table.result == {"chips": [0, 1, -2], "pool": 1}


def test_b9_all_who_tie_for_lowest_pay_unless_all_are_best() -> None:
    hands = ["KC KD 9H 9S 3C", "AS 8S 7D 4C 2C", "AH 8H 7C 4H 2H"]
    assert shown(hands).result == {"chips": [2, -2, -2], "pool": 2}
    assert shown(["KC QC 9H 7S 3C", "KS QS 9D 7C 3D"]).result == {"chips": [0, 0], "pool": 0}


def test_r11_a_match_is_one_deal_for_each_player_and_r27_the_last_forfeits_stay() -> None:
    match, rng = variant("whisky-poker").match(5, "x"), Random(1)
    while not match.is_over:
        match.apply(rng.choice(match.view(match.seat_to_act or 0).legal))
    assert len(match.finished_deals) == 5
    assert sum(match.payoffs) == -(match.holdings.pool or 0) < 0
    assert match.finished_deals[-1].changes
    assert match.finished_deals[-1].changes.pool == match.holdings.pool


def test_the_option_deals_makes_it_longer() -> None:
    settlement = variant("whisky-poker", deals=7).settlement
    begin = settlement.initial_holdings(3)
    assert [settlement.is_over(begin, dealt) for dealt in (3, 6, 7)] == [False, False, True]


# --- what is imagined ---


def test_what_was_taken_from_the_hidden_widow_is_imagined_until_it_is_seen() -> None:
    table = dealt().play("1:*", "2:KS>9H", "3:AS>KS", "0:TD>AS", "1:9D>TD")
    rng, lying = Random(2), set()
    for _ in range(40):
        deal: Any = table.deal.view(2).sample(rng).deal
        assert str(deal.table_dealt[1]) == "9D"
        lying.add(str(deal.table_dealt[0]))
    assert len(lying) > 10


def test_b9_it_is_for_two_to_nine() -> None:
    assert variant("whisky-poker").players == range(2, 10)
