"""Trentuno against a widow: forty cards, one or all three. Sheet B6; rulings R7, R14, R30, W14."""

from typing import Any

import pytest

from arena.games import Match, variant
from tests.games.support.scripted_deal import ScriptedDeal

LOW = ["QS 7H 5D", "JC 5H 7D", "KD 6S 7C"]
WIDOW = "KH 6C 5S"


def dealt(hands: list[str] = LOW, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("trentuno", hands, widow, **more)


@pytest.mark.parametrize(
    ("cards", "category", "value"),
    [
        ("AH KH JH", "points", 31),
        ("KC QC JC", "points", 30),
        ("2S 2H 2D", "three-alike", 30.5),
        ("AD 7D 6D", "points", 24),
        ("AD AH KS", "points", 11),
        ("7S 6S 5S", "points", 18),
        ("AC KD 6H", "points", 11),
        ("AH AS AD", "three-alike", 30.5),
    ],
)
def test_b6_tests_1_to_5_totals(cards: str, category: str, value: float) -> None:
    rank = variant("trentuno").rank(cards)
    assert (rank.category, rank.value) == (category, value)


def test_b6_test_2_three_alike_stand_between_30_and_31_the_higher_rank_better() -> None:
    rank = variant("trentuno").rank
    assert rank("KC QC JC") < rank("2S 2H 2D") < rank("7S 7H 7D") < rank("AS AC AD") < rank("AH KH JH")


def test_b6_it_is_for_two_to_twelve_with_forty_cards() -> None:
    rules = variant("trentuno")
    assert (len(rules.whole_pack), rules.players) == (40, range(2, 13))


def test_b6_the_widow_lies_open_and_one_exchanges_one_card_or_three() -> None:
    table = dealt()
    assert (table.asked, table.widow) == (1, WIDOW)
    assert len(table.legal) == 9 + len(["*", "pass", "knock"])
    assert table.play("1:*").hands[1] == WIDOW


def test_r7_a_31_does_not_end_the_deal_its_holder_knocks_like_anybody() -> None:
    table = dealt(["AH QH 2C", "JC 5H 7D", "KD 6S 7C"]).play("1:pass", "2:pass", "0:2C>KH")
    assert table.asked == 1
    table.play("1:pass", "2:pass", "0:knock", "1:7D>6C", "2:pass")
    assert table.tokens == [0, 0, -1]


def test_b6_one_knock_and_a_last_turn_each_then_the_worst_loses_a_life() -> None:
    table = dealt().play("1:knock", "2:6S>KH", "0:QS>5S")
    assert table.asked is None
    assert table.tokens == [-1, 0, 0]


def test_b6_all_who_tie_for_lowest_lose() -> None:
    table = dealt(["QS 7H 5D", "JC 5H 7D", "KD 6S 7S"]).play("1:knock", "2:pass", "0:pass")
    assert table.tokens == [-1, -1, 0]


def test_w14_twice_as_many_passes_on_end_as_there_are_players_end_the_deal() -> None:
    table = dealt().play(*("1:pass", "2:pass", "0:pass") * 2)
    assert (table.asked, table.knocker) == (None, None)


def test_r30_by_the_option_turns_and_deal_go_to_the_right() -> None:
    table = dealt(dealer=0, direction="right")
    assert table.deal.opening.order == (2, 1, 0)
    assert table.play("2:pass").asked == 1


def test_r14_the_deal_goes_the_same_way() -> None:
    for way, step in (("left", 1), ("right", -1)):
        match: Match = variant("trentuno", direction=way).match(4, "x")
        first = match.deal.opening.dealer
        while match.deal.opening.number == 0:
            match.apply(match.view(match.seat_to_act or 0).parse("pass"))
        assert match.deal.opening.dealer == (first + step) % 4


@pytest.mark.parametrize(("most", "ways"), [(1, 9), (2, 9 + 9), (3, 9 + 9 + 1)])
def test_s002_by_the_option_up_to_so_many_cards_are_exchanged(most: int, ways: int) -> None:
    assert len(dealt(max_exchange=most).legal) == ways + len(["pass", "knock"])


def test_s002_by_the_option_the_second_knock_ends_the_deal_at_once() -> None:
    table = dealt(knocks=2).play("1:knock", "2:pass", "0:pass")
    assert table.asked == 2, "who has knocked has no more turns"
    assert "knock" in table.legal
    assert table.play("2:knock").asked is None
    assert table.knocker == 1


def test_w14_with_two_knocks_who_has_knocked_is_not_counted_among_those_who_pass() -> None:
    table = dealt(knocks=2).play("1:knock", *("2:pass", "0:pass") * 2)
    assert table.asked is None


FINAL = {"tokens": (1, 1, 0)}


def finalists(**options: Any) -> ScriptedDeal:
    """Two with one life each and an equal score; seat 2 is out."""
    table = ScriptedDeal("trentuno", ["QS 7H 5D", "JC 5H 7D", None], WIDOW, start=FINAL, **options)
    return table.play("1:knock", "0:pass")


def test_b6_two_finalists_with_an_equal_score_play_again() -> None:
    assert finalists().tokens == [0, 0, 0]


def test_b6_by_the_option_all_come_back_with_one_life() -> None:
    table = finalists(comeback=True)
    assert table.tokens == [0, 0, 1]
    assert table.after.tokens == (1, 1, 1)
    assert table.after.went_out == (None, None, None)
    assert not table.rules.settlement.is_over(table.after, 1)
