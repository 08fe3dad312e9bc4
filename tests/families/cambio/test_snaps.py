"""Cambio: cards of the discard's rank thrown on it out of turn. Sheet B11."""

from typing import Any

from tests.games.support.cambio_deals import dealt, known, seen_by
from tests.games.support.scripted_deal import ScriptedDeal

SIXES = ("6S 2S 3S 4S", "AH 6H 3H 4H", "AC 2C 3C 6C")


def six_discarded(stock: str = "", **options: Any) -> ScriptedDeal:
    """Seat 1 has discarded the six of diamonds straight from the stock."""
    table = dealt(f"6D {stock}", top="9D", hands=SIXES, snap=True, **options)
    return table.play("1:draw stock", "1:discard")


def test_b11_there_are_no_snaps_by_default() -> None:
    table = dealt("6D", top="9D", hands=SIXES).play("1:draw stock", "1:discard")
    assert table.kinds == {"draw", "cambio"}


def test_b11_after_a_discard_any_card_on_the_table_may_be_thrown() -> None:
    table = six_discarded()
    assert table.legal == [f"snap {seat}:{slot}" for seat in range(3) for slot in range(1, 5)] + ["leave"]


def test_b11_the_seat_after_the_discarder_is_asked_first_and_the_discarder_last() -> None:
    table = six_discarded()
    asked = []
    while table.kinds == {"snap", "leave"}:
        asked.append(table.asked)
        table.play(f"{table.asked}:leave")
    assert asked == [2, 0, 1]
    assert table.asked == 2
    assert table.kinds == {"draw", "cambio"}


def test_a_card_replaced_from_the_hand_may_be_snapped_too() -> None:
    table = dealt("5D", hands=SIXES, snap=True).play("1:draw stock", "1:place 2", "2:snap 2:4")
    assert table.hands[2] == "AC 2C 3C"


def test_b11_who_throws_his_own_has_a_card_fewer_and_the_others_move_up() -> None:
    table = six_discarded().play("2:leave", "0:snap 0:1")
    assert table.hands == ["2S 3S 4S", "AH 6H 3H 4H", "AC 2C 3C 6C"]
    assert [str(card) for card in seen_by(table, 1).discard] == ["9D", "6D", "6S"]
    assert known(table, 0)[0] == "2S ?? ??"


def test_b11_one_succeeds_and_the_others_are_not_asked() -> None:
    table = six_discarded().play("2:snap 2:4")
    assert table.asked == 2
    assert table.kinds == {"draw", "cambio"}


def test_b11_who_throws_anothers_gives_him_one_of_his_own_in_its_place() -> None:
    table = six_discarded().play("2:snap 1:2")
    assert table.asked == 2
    assert table.legal == ["give 1", "give 2", "give 3", "give 4"]
    table.play("2:give 1")
    assert table.hands == ["6S 2S 3S 4S", "AH AC 3H 4H", "2C 3C 6C"]
    assert table.asked == 2
    assert table.kinds == {"draw", "cambio"}


def test_what_is_known_of_a_given_card_goes_with_it() -> None:
    table = six_discarded().play("2:snap 1:2", "2:give 1")
    assert known(table, 2) == ["?? ?? ?? ??", "?? AC ?? ??", "2C ?? ??"]
    assert known(table, 1) == ["?? ?? ?? ??", "AH ?? ?? ??", "?? ?? ??"]


def test_a_card_may_be_given_for_the_last_one_of_a_hand() -> None:
    table = six_discarded().play("2:leave", "0:snap 2:4", "0:give 2")
    assert table.hands == ["6S 3S 4S", "AH 6H 3H 4H", "AC 2C 3C 2S"]


def test_b11_a_wrong_card_is_seen_by_all_and_costs_a_card_nobody_has_seen() -> None:
    table = six_discarded("KS").play("2:snap 0:2")
    assert table.hands == ["6S 2S 3S 4S", "AH 6H 3H 4H", "AC 2C 3C 6C KS"]
    assert [known(table, seat)[0] for seat in range(3)] == ["6S 2S ?? ??", "?? 2S ?? ??", "?? 2S ?? ??"]
    assert [known(table, seat)[2] for seat in range(3)] == ["?? ?? ?? ?? ??"] * 2 + ["AC 2C ?? ?? ??"]
    assert seen_by(table, 1).events[-3:] == ("2:snap 0:2", "seen 0:2 2S", "penalty 2:5")


def test_a_wrong_card_leaves_the_chance_to_the_next() -> None:
    table = six_discarded("KS").play("2:snap 0:2")
    assert table.asked == 0
    table.play("0:snap 0:1")
    assert table.hands[0] == "2S 3S 4S"


def test_a_declined_snap_is_not_public() -> None:
    table = six_discarded().play("2:leave")
    assert seen_by(table, 2).events[-1] == "2:leave"
    assert seen_by(table, 0).events[-1] == seen_by(table, 1).events[-1] == "discard 6D"
    assert [event.action.kind for event in table.deal.log] == ["draw", "discard", "leave"]


def test_what_is_played_for_a_seat_that_failed_is_to_let_it_go_by() -> None:
    table = six_discarded()
    assert table.view.text(table.deal.legal_actions.default) == "leave"


def test_b11_the_power_is_used_after_the_snap() -> None:
    table = dealt("7D", hands=("7S 2S 3S 4S", *SIXES[1:]), snap=True)
    table.play("1:draw stock", "1:discard", "2:leave", "0:snap 0:1")
    assert table.asked == 1
    assert table.kinds == {"peek", "skip"}


def test_a_thrown_card_has_no_power_and_is_not_snapped_on() -> None:
    table = dealt("5D", hands=("7S 2S 3S 4S", "7H AH 2H 3H", "7C AC 2C 3C"), snap=True)
    table.play("1:draw stock", "1:place 1", "2:snap 2:1")
    assert table.asked == 2
    assert table.kinds == {"draw", "cambio"}


def test_b11_the_callers_cards_are_frozen_and_he_is_not_asked() -> None:
    table = dealt("6D", top="9D", hands=SIXES, snap=True).play("1:cambio", "2:draw stock", "2:discard")
    assert table.asked == 0
    assert {action.split(":")[0] for action in table.legal} == {"snap 0", "snap 2", "leave"}
    table.play("0:leave")
    assert table.asked == 2


def test_two_jokers_are_of_one_rank() -> None:
    table = dealt("R1", hands=("R2 2S 3S 4S", *SIXES[1:]), snap=True)
    table.play("1:draw stock", "1:discard", "2:leave", "0:snap 0:1")
    assert table.hands[0] == "2S 3S 4S"


def test_after_the_move_come_the_snaps_and_then_the_call() -> None:
    table = six_discarded(call_after=True).play("2:leave", "0:leave", "1:leave")
    assert table.legal == ["cambio", "continue"]


def without_cards() -> ScriptedDeal:
    """Seat 1 has thrown all it had."""
    table = dealt(
        "6D 5D 4D 3D 2D TD", top="KC", hands=("AS 9S 8S 7S", "6H 5H 4H 3H", "AC 9C 8C 7C"), snap=True
    )
    for slot, seat in enumerate((1, 2, 0, 1)):
        table.play(f"{seat}:draw stock", f"{seat}:discard")
        while table.asked != 1 or table.kinds != {"snap", "leave"}:
            table.play(f"{table.asked}:leave")
        table.play("1:snap 1:1")
        assert len(table.hands[1].split()) == 3 - slot
    return table


def test_b11_no_cards_left_count_nothing() -> None:
    table = without_cards()
    table.play("2:cambio", "0:draw stock", "0:discard", "1:leave", "0:leave")
    table.play("1:draw stock", "1:discard", "0:leave", "1:leave", "1:skip")
    assert table.result == {"points": [25, 0, 25]}
    assert "show 1" in seen_by(table, 0).events


def test_a_player_without_cards_may_draw_and_discard_or_call() -> None:
    table = without_cards()
    table.play("2:draw stock", "2:discard", "0:leave", "1:leave", "2:leave")
    table.play("0:draw stock", "0:discard", "1:leave", "2:leave", "0:leave", "0:skip")
    assert table.asked == 1
    assert table.legal == ["draw stock", "cambio"]
