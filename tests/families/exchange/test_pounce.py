"""Pounce: the fourth card of a tricon, taken from the widow. Rulings W24, R2, R3, R26."""

from typing import Any

import pytest

from arena.errors import IllegalAction
from arena.games import variant
from arena.games.cards import PACKS
from arena.play.records.record_check import check_record
from tests.games.support.scripted_deal import ScriptedDeal

NINES = "9H 9C 9D"
OFFER = ["pounce", "leave"]


def three(middle: str = NINES, widow: str = "JS 4D 3C", **more: Any) -> ScriptedDeal:
    """Seat 1 has three nines; seat 2, whose turn is after his, the fourth."""
    return ScriptedDeal("pounce", ["TD 6C 2H", middle, "9S QS 5H"], widow, **{"stock": "2C"} | more)


# --- when it is offered: W24, R2 ---


def test_w24_the_fourth_that_another_lays_down_is_offered_before_the_next_turn() -> None:
    table = three().play("1:pass", "2:9S>4D")
    assert (table.asked, table.legal) == (1, OFFER)
    table.play("1:pounce")
    assert table.asked == 0  # whose turn it is anyway
    assert table.hands[1] == "9H 9C 9D 9S"


def test_w24_the_fourth_may_have_lain_there_when_the_tricon_is_completed() -> None:
    table = ScriptedDeal("pounce", ["TD 6C 2H", "9H 9C 4H", "KS QS 5H"], "9D 9S 3C").play("1:4H>9D")
    assert (table.asked, table.legal) == (1, OFFER)


def test_w24_a_tricon_dealt_may_take_the_fourth_that_is_dealt_to_the_widow() -> None:
    table = ScriptedDeal("pounce", ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C", stock="2C")
    assert (table.asked, table.legal) == (1, OFFER)
    assert table.play("1:pounce").asked == 2  # eldest was to begin, and is out of the trading


def test_r2_in_pool_the_first_offer_comes_when_the_dealer_has_looked() -> None:
    hands, widow = ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C"
    table = ScriptedDeal("pool", hands, widow, pounce=True)
    assert (table.asked, table.kinds) == (0, {"exchange", "pass"})
    assert table.play("0:pass").legal == OFFER
    taken = ScriptedDeal("pool", hands, widow, pounce=True).play("0:#1>9S")
    assert (taken.asked, taken.kinds) == (1, {"exchange", "pass", "knock"})


def test_w24_the_fourth_that_the_stock_adds_is_offered_before_the_round() -> None:
    table = ScriptedDeal("pool", ["TD 6C 2H", NINES, "KS QS 5H"], "JS 4D 3C", stock="9S 2C", pounce=True)
    table.play("0:pass", "1:pass", "2:pass", "0:pass")
    assert (table.asked, table.legal) == (1, OFFER)
    assert table.play("1:pounce").asked == 2
    assert table.widow == "JS 4D 3C 2C"


def test_w24_after_a_knock_and_for_the_knocker_until_the_hands_are_shown() -> None:
    table = three().play("1:knock", "2:9S>4D")
    assert (table.asked, table.legal) == (1, OFFER)
    assert table.play("1:pounce", "0:pass").asked is None
    last = ScriptedDeal("pounce", [NINES, "TD 6C 2H", "9S QS 5H"], "JS 4D 3C", stock="2C", dealer=2)
    last.play("0:pass", "1:knock", "2:9S>4D")
    assert last.asked == 0  # his own last turn is still to come, the offer is before it
    assert last.play("0:pounce").asked is None


def test_w24_it_is_offered_after_the_very_last_exchange() -> None:
    table = ScriptedDeal("pounce", [NINES, "TD 6C 2H", "9S QS 5H"], "JS 4D 3C", stock="2C", dealer=1)
    table.play("2:pass", "0:knock", "1:pass", "2:9S>4D")
    assert (table.asked, table.legal) == (0, OFFER)
    assert table.play("0:pounce").tokens == [0, -1, 0]


def test_w24_it_is_no_rule_of_the_games_without_it() -> None:
    for name in ("lives", "pool", "tokens", "extended"):
        table = ScriptedDeal(name, ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C")
        assert "pounce" not in table.kinds
        assert variant(name, pounce=True).overrides == {"pounce": True}


# --- what it does ---


def test_w24_the_stock_refills_the_widow_in_the_same_place() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:pounce")
    assert table.widow == "JS 2C 3C"
    assert table.view.events[-2:] == ("1:pounce", "widow 2C")
    assert {len(action.take) for action in table.view.legal} == {0, 1}


def test_w24_an_empty_stock_refills_nothing() -> None:
    sevens, sixes = ["7H 7C 7D", "6H 6C 6D"], "7S 6S"
    rest = [str(card) for card in PACKS[40].cards if card.rank not in "67"]
    hands = [*sevens, *(" ".join(rest[at : at + 3]) for at in range(0, 30, 3))]
    table = ScriptedDeal("pounce", hands, f"{sixes} {rest[30]}", dealer=11, stock=rest[31], pack=40)
    table.play("0:pounce")
    assert table.widow == f"{rest[31]} 6S {rest[30]}"
    table.play("1:pounce")
    assert table.widow == f"{rest[31]} {rest[30]}"
    assert table.asked == 2
    assert len(table.view.legal) == 3 * 2 + 2
    assert len(table.play(f"2:{table.legal[-3]}").view.table) == 2


def test_w24_a_widow_of_one_card_can_be_exchanged_with() -> None:
    """Three cards were taken from it, and the stock had one."""
    rest = [str(card) for card in PACKS[40].cards if card.rank not in "567"]
    tricons = [f"{rank}H {rank}C {rank}D" for rank in "765"]
    hands = [*tricons, *(" ".join(rest[at : at + 3]) for at in range(0, 27, 3))]
    table = ScriptedDeal("pounce", hands, "7S 6S 5S", dealer=11, stock=rest[27], pack=40)
    table.play("0:pounce", "1:pounce", "2:pounce")
    assert (table.widow, table.asked) == (rest[27], 3)
    table.play(f"3:{rest[0]}>{rest[27]}")
    assert table.widow == rest[0]
    assert table.hands[3] == f"{rest[27]} {rest[1]} {rest[2]}"
    assert table.view.table == PACKS[40].parse(rest[0])


def test_w24_four_beat_every_three_and_the_higher_four_the_lower() -> None:
    """Sheet B1, test 6."""
    rules = variant("pounce")
    assert rules.rank("2H 2C 2D 2S") > rules.rank("AS AH AD")
    assert rules.rank("9H 9C 9D 9S") > rules.rank("8H 8C 8D 8S")


def test_w24_the_four_count_at_the_showdown() -> None:
    table = ScriptedDeal("pool", ["AS AH AD", NINES, "KS QS 5H"], "JS 9S 3C", pounce=True, stock="2C 2D 2H")
    table.play("0:pass", "1:pounce", "2:knock", "0:knock")
    assert table.result["chips"] == [0, 3, 0]


# --- who has pounced: R3, R26 ---


def test_r3_who_has_pounced_is_not_asked_again() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:pounce", "0:pass")
    assert table.asked == 2
    assert table.play("2:JS>3C" if "JS" in table.hands[2] else "2:QS>3C", "0:pass").asked == 2


def test_w24_pouncing_is_standing_and_no_knock() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:pounce")
    assert "knock" in table.legal
    assert table.deal.view(0).knocker is None  # type: ignore[attr-defined]
    pool = ScriptedDeal("pool", ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C", pounce=True, stock="2C")
    assert pool.play("0:pass", "1:pounce", "2:knock").asked == 0  # one knock so far, not two


def test_r3_the_deadlock_is_of_the_others() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:pounce", "0:pass", "2:pass", "0:pass")
    assert table.play("2:pass").asked is None


def test_r3_a_pounce_begins_the_count_of_passes_anew() -> None:
    table = ScriptedDeal("pounce", ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C", stock="2C")
    table.play("1:pounce", "2:pass", "0:pass", "2:pass")
    assert table.asked == 0


def test_r26_who_has_pounced_still_counts_for_the_rounds() -> None:
    table = ScriptedDeal("pool", ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C", pounce=True, stock="2C 2D 3D")
    table.play("0:pass", "1:pounce")
    rounds = 0
    while table.asked is not None:
        table.play("2:pass", "0:pass")
        rounds += 1
    assert rounds == 3


def test_if_all_have_pounced_the_hands_are_shown() -> None:
    table = ScriptedDeal("pounce", ["8H 8C 8D", NINES], "JS 9S 8S", dealer=1, stock="2C 3D")
    assert table.play("0:pounce", "1:pounce").tokens == [-1, 0]


# --- who leaves it: R3 ---


def test_r3_who_leaves_it_is_not_asked_again_while_it_lies_there() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:leave", "0:2H>JS")
    assert table.asked == 1
    assert table.kinds == {"exchange", "pass", "knock"}


def test_r3_but_when_it_has_gone_and_come_again() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:leave", "0:2H>9S", "1:pass", "2:pass", "0:9S>JS")
    assert (table.asked, table.legal) == (1, OFFER)


def test_r3_and_when_he_has_broken_his_tricon_and_made_it_again() -> None:
    table = three().play("1:pass", "2:9S>4D", "1:leave", "0:pass")
    table.play("1:9H>9S", "2:pass", "0:pass")  # still three nines, and now the other lies there
    assert table.kinds == {"exchange", "pass", "knock"}
    table.play("1:9C>3C", "2:pass", "0:pass", "1:3C>9C")
    assert (table.asked, table.legal) == (1, OFFER)


def test_nobody_else_hears_that_it_was_left() -> None:
    """A declined offer would betray the tricon."""
    table = three().play("1:pass", "2:9S>4D", "1:leave")
    heard = ("1:pass", "2:9S>4D")
    assert [table.deal.view(seat).events for seat in range(3)] == [heard, (*heard, "1:leave"), heard]
    assert [event.text for event in table.deal.log] == [*heard, "1:leave"]


def test_nobody_else_can_tell_that_somebody_is_asked() -> None:
    table = three().play("1:pass", "2:9S>4D")
    for seat in (0, 2):
        assert table.deal.view(seat).legal == ()
    with pytest.raises(IllegalAction):
        table.view.parse("0:pass"[2:])


def test_a_record_tells_what_was_left_and_what_was_taken() -> None:
    record = {
        "v": 1,
        "variant": "pounce",
        "options": {},
        "players": 3,
        "deals": [
            {
                "dealer": 0,
                "hands": ["TD 6C 2H", NINES, "9S QS 5H"],
                "table": "JS 4D 3C",
                "stock": "2C",
                "actions": [
                    *("1:pass", "2:9S>4D", "1:leave", "0:2H>9S", "1:pass", "2:pass", "0:9S>JS", "1:pounce"),
                    *("2:knock", "0:pass"),
                ],
                "result": {"tokens": [0, 0, -1]},
            }
        ],
    }
    assert check_record(record).actions == 10
