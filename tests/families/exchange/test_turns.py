"""Commerce with a widow: turns, and what ends them. Rulings W7-W15, W26-W28, R1, R6, R8, R31; sheet B1."""

from random import Random
from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidNotation
from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

THREE = ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"]
FOUR = [*THREE, "AS 7D 3S"]
WIDOW = "JS 9D 3C"
PASSES = ("1:pass", "2:pass", "0:pass")  # three seats, once round


def lives(seats: int = 3, **options: Any) -> ScriptedDeal:
    return ScriptedDeal("lives", FOUR[:seats], WIDOW, **options)


def pool(seats: int = 4, stock: str = "2C 2S 2D", **options: Any) -> ScriptedDeal:
    return ScriptedDeal("pool", FOUR[:seats], WIDOW, stock=stock, **options)


# --- the dealer's exchange before he looks: W7, W8, R1 ---


@pytest.mark.parametrize("name", ["pool", "tokens", "no-pair-or-point"])
def test_w7_the_dealer_is_asked_first_and_does_not_see_his_hand(name: str) -> None:
    table = ScriptedDeal(name, FOUR, WIDOW, dealer=2)
    assert table.asked == 2
    assert [str(card) for card in table.view.hand] == ["??"] * 3
    table.play("2:pass")
    assert table.asked == 3
    assert [str(card) for card in table.deal.view(2).hand] == ["KS", "QS", "5H"]


@pytest.mark.parametrize("name", ["lives", "pounce", "extended"])
def test_w7_there_is_no_such_exchange_in_the_games_of_s004(name: str) -> None:
    assert ScriptedDeal(name, FOUR, WIDOW, dealer=2).asked == 3


def test_r1_the_dealer_names_places_of_his_hand_and_cards_of_the_widow() -> None:
    legal = pool().legal
    assert legal[0] == "#1>JS"
    assert "#1,#2>9D,3C" in legal
    assert legal[-2:] == ["*", "pass"]
    assert len(legal) == 9 + 9 + 1 + 1
    table = pool().play("0:#1,#3>JS,3C")
    assert table.hands[0] == "JS 6C 3C"
    assert table.widow == "TD 9D 2H"


def test_r1_what_names_no_place_of_the_hand_is_no_action() -> None:
    for text in ("#4>JS", "#0>JS", "#>JS", "#1,#1>JS,9D", f"#{'9' * 5000}>JS", "TD>JS"):
        with pytest.raises(InvalidNotation):
            pool().view.parse(text)


def test_w8_who_has_exchanged_all_three_has_no_more_exchanges_but_may_pass_or_knock() -> None:
    table = pool().play("0:*", "1:pass", "2:pass", "3:pass")
    assert table.hands[0] == WIDOW
    assert (table.asked, table.kinds) == (0, {"pass", "knock"})


def test_w8_holds_for_every_player_and_for_three_of_a_larger_widow() -> None:
    table = pool().play("0:pass", "1:*", "2:pass", "3:pass", "0:pass")
    assert (table.asked, table.legal) == (1, ["pass", "knock"])
    table.play("1:pass", "2:KS,QS,5H>9H,9C,2C", "3:pass", "0:pass", "1:pass")
    assert (table.asked, table.legal) == (2, ["pass", "knock"])


def test_w8_two_cards_lock_nobody() -> None:
    table = pool().play("0:#1,#2>9D,3C", "1:9H,9C>JS,6C", "2:pass", "3:pass", "0:pass")
    assert (table.asked, table.kinds) == (1, {"exchange", "pass", "knock"})


def test_r6_lives_with_three_exchanges_locks_nobody() -> None:
    table = lives(max_exchange=3).play("1:*", "2:pass", "0:pass")
    assert (table.asked, table.kinds) == (1, {"exchange", "pass", "knock"})


# --- a turn: W9, W10, W12 ---


def test_w9_one_card_in_lives_up_to_three_in_pool_and_tokens() -> None:
    def sizes(table: ScriptedDeal) -> set[int]:
        return {len(action.give) for action in table.view.legal if action.kind == "exchange"}

    assert sizes(lives()) == {1}
    assert sizes(lives(max_exchange=2)) == {1, 2}
    assert sizes(pool().play("0:pass")) == {1, 2, 3}
    assert sizes(ScriptedDeal("tokens", FOUR, WIDOW).play("0:pass")) == {1, 2, 3}


def test_w9_what_is_taken_keeps_the_place_of_what_was_given() -> None:
    table = pool().play("0:pass", "1:9H,4D>9D,3C")
    assert (table.hands[1], table.widow) == ("9D 9C 3C", "JS 9H 4D")
    table.play("2:QS>JS")
    assert (table.hands[2], table.widow) == ("KS JS 5H", "QS 9H 4D")


def test_w9_a_card_cannot_be_given_or_taken_twice() -> None:
    view = pool().play("0:pass").view
    for text in ("9H,9H>JS,9D", "9H,9C>JS,JS", "9H,9H>JS,JS", "9H>JS,9D", "9H>", ">JS", "9H>9D>3C", ","):
        with pytest.raises(InvalidNotation):
            view.parse(text)


def test_w10_who_passes_may_exchange_later() -> None:
    for table in (lives().play("1:pass", "2:pass", "0:pass"), pool(3).play("0:pass", *PASSES)):
        assert (table.asked, table.kinds) == (1, {"exchange", "pass", "knock"})


def test_w12_a_knock_is_the_whole_turn_and_may_be_the_first() -> None:
    assert lives().play("1:knock").asked == 2
    assert pool().play("0:pass", "1:knock").asked == 2


def test_w12_in_the_last_turns_nobody_can_knock() -> None:
    table = lives().play("1:knock")
    assert table.kinds == {"exchange", "pass"}
    with pytest.raises(IllegalAction):
        table.play("2:knock")


# --- the knock: W11, W28; sheet B1 test 9 ---


def test_w11_in_pool_two_knocks_end_it_at_once_in_the_middle_of_a_round() -> None:
    """Sheet B1, test 9."""
    table = pool(stock="").play("0:pass", "1:knock", "2:KS>9D", "3:knock")
    assert table.asked is None


def test_w11_the_first_knocker_has_no_more_turns() -> None:
    table = pool().play("0:pass", "1:knock", "2:pass", "3:pass", "0:pass")
    assert table.asked == 2


def test_w11_in_lives_one_knock_gives_each_other_one_more_turn() -> None:
    table = lives(4).play("1:pass", "2:knock", "3:AS>JS", "0:pass")
    assert table.asked == 1
    assert table.play("1:pass").asked is None


def test_b1_example_nine_is_impossible_in_lives() -> None:
    with pytest.raises(IllegalAction):
        lives(4).play("1:knock", "2:KS>9D", "3:knock")


def test_w28_the_knocker_gains_and_loses_nothing_by_it() -> None:
    assert lives().play("1:knock", "2:pass", "0:pass").tokens == [-1, 0, 0]
    assert lives().play("1:pass", "2:pass", "0:knock", "1:pass", "2:pass").tokens == [-1, 0, 0]


# --- rounds and the widow: W13, W15, R8, R31 ---


def test_w13_there_are_as_many_rounds_as_players_and_a_card_before_each_but_the_first() -> None:
    """Sheet B1, test 10."""
    table = pool().play("0:pass")
    sizes = []
    while table.asked is not None:
        sizes.append(len(table.widow.split()))
        table.play(f"{table.asked}:pass")
    assert sizes == [3] * 4 + [4] * 4 + [5] * 4 + [6] * 4


def test_w13_the_rounds_are_those_of_the_players_dealt_in() -> None:
    table = ScriptedDeal("pool", [FOUR[0], None, FOUR[2], None], WIDOW, stock="2C").play("0:pass")
    for told in ("2:pass", "0:pass", "2:pass", "0:pass"):
        table.play(told)
    assert table.asked is None


def test_w13_the_fresh_card_is_told_and_can_be_taken_at_once() -> None:
    table = pool().play("0:pass", "1:pass", "2:pass", "3:pass", "0:pass")
    assert table.view.events[-1] == "widow 2C"
    assert table.widow == "JS 9D 3C 2C"
    assert "4D>2C" in table.legal
    assert "*" not in table.legal  # the widow is larger than the hand


def test_w13_in_lives_the_widow_is_always_of_three() -> None:
    table = lives()
    for turn in range(30):
        view = table.view
        assert len(view.table) == 3
        table.play(f"{table.asked}:{view.text(view.legal[turn % 9])}")


def test_w15_r31_after_twenty_rounds_the_hands_are_shown() -> None:
    table = lives()
    turns = 0
    while table.asked is not None:
        table.play(f"{table.asked}:{table.legal[0]}")
        turns += 1
    assert turns == 20 * 3
    assert lives(rounds=2).play(*exchanges(lives(), 6)).asked is None


def exchanges(table: ScriptedDeal, count: int) -> list[str]:
    """So many first exchanges in turn."""
    done = []
    for _ in range(count):
        done.append(f"{table.asked}:{table.legal[0]}")
        table.play(done[-1])
    return done


def test_r8_a_knock_in_the_last_round_still_has_its_last_turns() -> None:
    first = exchanges(lives(), 5)
    table = lives(rounds=2).play(*first, "0:knock", "1:pass")
    assert table.asked == 2
    assert table.play("2:pass").asked is None


# --- a deadlock: W14; sheet B1 test 10 ---


@pytest.mark.parametrize("name", ["lives", "pounce", "extended", "trentuno"])
def test_s004_w14_by_the_option_a_deadlock_gives_everybody_a_last_turn_as_a_knock_would(name: str) -> None:
    hands = ["KS 6D 4C", "QH 5C 2D", "JC 7D 3S"]
    table = ScriptedDeal(name, hands, "KH 6S 2C", deadlock_final_turn=True)
    while table.asked is not None and "knock" in table.legal:
        table.play(f"{table.asked}:pass")
    assert table.asked == 1, "the eldest, all having passed as often"
    assert "pass" in table.legal
    table.play("1:QH>KH", "2:pass")
    assert table.asked == 0
    assert "knock" not in table.legal
    assert table.play("0:pass").asked is None
    assert table.knocker is None


def test_w14_the_last_turns_after_a_deadlock_begin_with_the_next_player_wherever_it_came() -> None:
    table = ScriptedDeal("lives", ["KS 6D 4C", "QH 5C 2D", "JC 7D 3S"], "KH 6S 2C", deadlock_final_turn=True)
    table.play("1:QH>KH", *("2:pass", "0:pass", "1:pass") * 2)
    assert (table.asked, "knock" in table.legal) == (2, False)
    assert table.play("2:pass", "0:pass", "1:pass").asked is None


def test_r8_a_deadlock_in_the_last_round_has_its_last_turns() -> None:
    table = ScriptedDeal("lives", ["KS 6D 4C", "QH 5C 2D"], "KH 6S 2C", rounds=2, deadlock_final_turn=True)
    assert table.play(*("1:pass", "0:pass") * 3).asked is None


def test_w14_r3_who_has_pounced_has_no_last_turn_after_a_deadlock() -> None:
    table = ScriptedDeal(
        "pounce", ["KS 6D 4C", "QH QC QD", "JC 7D 3S"], "QS 6S 2C", stock="4H", deadlock_final_turn=True
    )
    table.play("1:pounce", *("2:pass", "0:pass") * 2)
    assert (table.asked, "knock" in table.legal) == (2, False)
    assert table.play("2:pass", "0:pass").asked is None


def test_w14_all_passing_twice_in_a_row_ends_it_with_no_last_turn() -> None:
    table = lives().play(*PASSES, *PASSES)
    assert table.asked is None


def test_w14_an_exchange_begins_the_count_anew() -> None:
    table = lives().play(*PASSES, "1:4D>9D", "2:pass", "0:pass", *PASSES)
    assert table.asked == 1
    assert table.play("1:pass").asked is None


def test_w14_a_knock_breaks_the_row_so_nobody_loses_his_last_turn() -> None:
    table = lives().play(*PASSES, "1:pass", "2:pass", "0:knock", "1:pass")
    assert table.asked == 2
    assert table.play("2:pass").asked is None


def test_w14_the_count_is_of_those_still_in() -> None:
    table = ScriptedDeal("lives", [FOUR[0], None, FOUR[2], None], WIDOW)
    assert table.play("2:pass", "0:pass", "2:pass", "0:pass").asked is None


def test_w14_is_no_rule_of_pool() -> None:
    table = pool().play("0:pass", *("1:pass", "2:pass", "3:pass", "0:pass") * 3)
    assert table.asked == 1


# --- extended: W26 ---


def test_w26_in_extended_all_declining_in_turn_end_it_at_once() -> None:
    table = ScriptedDeal("extended", THREE, WIDOW).play("1:pass", "2:pass", "0:2H>3C", "1:pass", "2:pass")
    assert table.asked == 0
    assert table.play("0:pass").asked is None


def test_w26_in_extended_a_knock_still_gives_the_others_their_last_turn() -> None:
    table = ScriptedDeal("extended", THREE, WIDOW).play("1:pass", "2:pass", "0:knock", "1:pass")
    assert table.asked == 2
    assert table.play("2:KS>9D").asked is None


# --- what is seen: W27 ---


def test_w27_both_cards_of_an_exchange_are_seen_by_all() -> None:
    table = lives(4).play("1:4D>9D", "2:5H>JS")
    for seat in range(4):
        assert table.deal.view(seat).events == ("1:4D>9D", "2:5H>JS")


def test_s004_w27_by_the_option_the_card_taken_is_named_to_its_taker_alone() -> None:
    table = lives(3, private_take=True).play("1:4D>9D")
    lies = "widow JS 4D 3C"
    assert table.deal.view(1).events == ("1:4D>9D", lies)
    for seat in (0, 2):
        assert table.deal.view(seat).events == ("1:4D>??", lies)
        assert table.deal.view(seat).known == ((), (), ())
    assert [event.text for event in table.deal.log] == ["1:4D>9D"]


def test_s004_w27_who_watches_the_widow_can_tell_what_was_taken_and_sampling_does() -> None:
    view = lives(3, private_take=True).play("1:4D>9D", "2:5H>4D").view
    for number in range(5):
        deal = view.sample(Random(number)).deal
        assert {str(card) for card in deal.hands[1]} >= {"9D"}
        assert {str(card) for card in deal.hands[2]} >= {"4D"}


def test_w27_with_open_hands_nothing_taken_is_private() -> None:
    table = lives(3, private_take=True, open_hands=True).play("1:4D>9D")
    assert table.deal.view(0).events == ("1:4D>9D",)


def test_w27_what_was_taken_is_known_until_it_is_given_away() -> None:
    table = pool().play("0:pass", "1:9H,4D>9D,3C", "2:pass", "3:pass", "0:pass", "1:3C>9H")
    assert [str(card) for card in table.deal.view(2).known[1]] == ["9D", "9H"]
    assert table.deal.view(1).known == ((), (), (), ())


def test_w27_what_the_dealer_takes_unseen_is_seen_by_all_and_his_other_cards_by_nobody() -> None:
    table = pool()
    before = table.deal.view(0)
    assert [str(card) for card in before.hand] == ["??", "??", "??"]
    table.play("0:#2>9D")
    assert table.widow == "JS 6C 3C"
    for seat in range(1, 4):
        assert table.deal.view(seat).events == ("0:#2>9D",)
        assert [str(card) for card in table.deal.view(seat).known[0]] == ["9D"]


def test_r3_who_pounces_is_known_to_hold_all_of_the_rank() -> None:
    table = ScriptedDeal("pounce", ["TD 6C 2H", "9H 9C 9D", "9S QS 5H"], "JS 4D 3C", stock="2C")
    table.play("1:pass", "2:9S>4D", "1:pounce")
    for seat in (0, 2):
        assert sorted(map(str, table.deal.view(seat).known[1])) == ["9C", "9D", "9H", "9S"]


def test_a_hand_that_was_shown_is_known() -> None:
    match = variant("pool").match(2, "h0")
    rng = Random(0)
    while all(action.kind != "horse" for action in match.view(match.seat_to_act or 0).legal):
        match.apply(rng.choice(match.view(match.seat_to_act or 0).legal))
    for seat, other in ((0, 1), (1, 0)):
        assert match.view(seat).known[other] == match.deal.hands[other]


def test_with_open_hands_everybody_sees_all() -> None:
    """S004, "For young children"."""
    table = lives(open_hands=True).play("1:4D>9D")
    assert [[str(card) for card in hand] for hand in table.deal.view(2).known] == [
        ["TD", "6C", "2H"],
        ["9H", "9C", "9D"],
        [],
    ]
    assert all(not hand for hand in lives().deal.view(2).known)
