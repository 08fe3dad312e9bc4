"""The draw family: ranks and settlement. Sheets B5-B7; rulings R10, R12, R13, R29, W22."""

from collections.abc import Sequence
from typing import Any

import pytest

from arena.games import variant
from tests.games.support.scripted_deal import ScriptedDeal

DRAWN = ("5S", "5H", "5D")


def drawing(*seats: int) -> list[str]:
    """These seats draw one after the other and throw what they drew."""
    return [
        f"{seat}:{done}"
        for seat, card in zip(seats, DRAWN, strict=False)
        for done in ("draw stock", f"discard {card}")
    ]


def shown(name: str, hands: Sequence[str | None], **options: Any) -> ScriptedDeal:
    """These hands against each other without a knocker."""
    table = ScriptedDeal(name, hands, "2C", stock=" ".join(DRAWN), rounds=1, **options)
    return table.play(*drawing(*table.deal.opening.order))


def knocked(name: str, hands: Sequence[str | None], **options: Any) -> ScriptedDeal:
    """These hands against each other, the first in turn having knocked."""
    table = ScriptedDeal(name, hands, "2C", stock=" ".join(DRAWN), **options)
    knocker, *others = table.deal.opening.order
    return table.play(f"{knocker}:knock", *drawing(*others))


# --- what a hand is worth ---


@pytest.mark.parametrize(
    ("name", "cards", "value"),
    [
        ("thirty-one", "KH 8H 5H", 23),
        ("thirty-one", "QS 9D 8D", 17),
        ("thirty-one", "AC 6S 4S", 11),
        ("thirty-one", "JC 7H 4S", 10),
        ("thirty-one", "9S AH 8H", 19),
        ("thirty-one", "KC KD KH", 10),
        ("trentuno-draw", "AH KH JH", 31),
        ("trentuno-draw", "KC QC JC", 30),
        ("trentuno-draw", "2S 2H 2D", 30.5),
        ("trentuno-draw", "AD 7D 6D", 24),
        ("trentuno-draw", "AD AH KS", 11),
        ("trentuno-draw", "7S 6S 5S", 18),
        ("trentuno-draw", "AC KD 6H", 11),
        ("stop-the-bus-31", "2S 2H 2D", 30),
        ("stop-the-bus-31", "AS AH AD", 30),
    ],
)
def test_b5_test_1_b6_tests_1_to_5_b7_totals(name: str, cards: str, value: float) -> None:
    assert variant(name).rank(cards).value == value


def test_b5_three_alike_count_where_it_is_wished() -> None:
    assert variant("thirty-one", three_alike="30.5").rank("KC KD KH").value == 30.5
    assert variant("thirty-one", three_alike="30").rank("KC KD KH").value == 30


def test_b6_test_2_three_alike_stand_between_30_and_31() -> None:
    rank = variant("trentuno-draw").rank
    assert rank("KC QC JC") < rank("2S 2H 2D") < rank("3S 3H 3D") < rank("AH KH JH")


def test_b7_three_alike_equal_any_other_30() -> None:
    rank = variant("stop-the-bus-31").rank
    assert rank("2S 2H 2D") == rank("KC QC JC") == rank("KS KH KD") < rank("AH KH TH")


def test_b7_a_suited_30_is_named_by_its_total_though_three_alike_equal_it() -> None:
    rank = variant("stop-the-bus-31").rank
    assert [rank(cards).category for cards in ("KH QH JH", "KH QH TH", "AH KH 9H", "2S 2H 2D")] == [
        "points",
        "points",
        "points",
        "three-alike",
    ]


def test_b6_the_cards_limit_the_players_of_trentuno_with_every_pack() -> None:
    assert variant("trentuno-draw").players == range(2, 13)
    assert variant("trentuno-draw", pack=52).players == variant("trentuno", pack=52).players == range(2, 17)


# --- who loses: sheet B5 ---


def test_b5_test_2_the_lowest_total_loses_a_token() -> None:
    table = ScriptedDeal("thirty-one", ["TH 8H 3C", "AC 7C 6C", "KD 9D 4S"], "2S", stock="JD 2H")
    table.play("1:knock", "2:draw stock", "2:discard 4S", "0:draw stock", "0:discard 3C")
    assert table.hands == ["TH 8H 2H", "AC 7C 6C", "KD 9D JD"]
    assert table.tokens == [-1, 0, 0]


@pytest.mark.parametrize(("knock31", "lost"), [("loses", -1), ("exempt", 0), ("double", -2)])
def test_b5_test_5_a_31_after_the_knock(knock31: str, lost: int) -> None:
    table = ScriptedDeal(
        "thirty-one", ["TH 8H 3C", "AC 7C 6C", "KD QD 4S"], "2S", stock="AD", knock31=knock31
    )
    table.play("1:knock", "2:draw stock", "2:discard 4S")
    assert table.tokens == [-1, lost, 0]


def test_b5_test_6_all_who_tie_for_the_lowest_lose() -> None:
    hands = ["TS 4S 2H", "AC 7C 6C", "JH 4H 2D"]
    assert knocked("thirty-one", hands).tokens == [-1, 0, -1]
    assert shown("thirty-one", hands).tokens == [-1, 0, -1]


@pytest.mark.parametrize("name", ["thirty-one", "stop-the-bus-31"])
def test_b5_a_knocker_who_ties_for_the_lowest_is_safe(name: str) -> None:
    assert knocked(name, ["AC 7C 6C", "JH 4H 2D", "TS 4S 2H"]).tokens == [0, 0, -1]


@pytest.mark.parametrize("name", ["thirty-one", "stop-the-bus-31", "trentuno-draw"])
def test_b7_by_the_option_hands_that_tie_for_the_lowest_lose_nothing_with_the_knocker_among_them(
    name: str,
) -> None:
    hands = ["AC 7C 6C", "JH 4H 2D", "KS 4S 2H"]
    assert knocked(name, hands, ties_lose=False).tokens == [0, 0, 0]
    assert shown(name, hands, ties_lose=False).tokens == [0, 0, 0]
    assert knocked(name, hands, ties_lose=False, knocker_alone=True).tokens == [0, -1, 0]


def test_b6_a_knocker_who_ties_for_the_lowest_loses_with_the_others() -> None:
    assert knocked("trentuno-draw", ["AC 7C 6C", "JH 4H 2D", "KS 4S 2H"]).tokens == [0, -1, -1]


@pytest.mark.parametrize("name", ["thirty-one", "trentuno-draw", "stop-the-bus-31"])
def test_b5_r13_a_knocker_who_alone_is_lowest_loses_two(name: str) -> None:
    hands = ["AC 7C 6C", "JH 2D 3S", "KS 4S 2H"]
    assert knocked(name, hands).tokens == [0, -2, 0]
    assert knocked(name, hands, knocker_double=False).tokens == [0, -1, 0]
    assert shown(name, hands).tokens == [0, -1, 0]


def test_r13_b6_test_7_the_knocker_of_trentuno_is_exempt_from_a_31() -> None:
    hands = ["QD 7D 2S", "AH KH 2C", "7S 6S 5S", "AD KS 6H"]
    table = ScriptedDeal("trentuno-draw", hands, "3C", stock="JH", dealer=3)
    table.play("0:knock", "1:draw stock", "1:discard 2C")
    assert table.tokens == [0, 0, -1, -1]


def test_b7_three_alike_are_no_31_and_are_not_shown() -> None:
    assert ScriptedDeal("stop-the-bus-31", ["2S 2H 2D", "KS KH KD", "3C 4D 7H"], "9C").asked == 1


# --- the free ride: rulings R10, R13, R29 ---


@pytest.mark.parametrize("name", ["thirty-one", "stop-the-bus-31"])
def test_r10_with_a_free_ride_one_plays_on_with_nothing_and_is_out_below(name: str) -> None:
    hands = ["AC 7C 6C", "JH 2D 3S", "KS 4S 2H"]
    riding = shown(name, hands, start={"tokens": (3, 1, 3)}).after
    assert (riding.tokens, riding.went_out) == ((3, 0, 3), (None, None, None))
    out = shown(name, hands, start={"tokens": (3, 0, 3)}).after
    assert (out.tokens, out.went_out) == ((3, -1, 3), (None, 0, None))


@pytest.mark.parametrize(("held", "left"), [(3, 1), (2, 0), (1, -1), (0, -1)])
def test_r10_a_double_loss_ends_at_one_below_nothing(held: int, left: int) -> None:
    hands = ["AC 7C 6C", "JH 2D 3S", "KS 4S 2H"]
    assert knocked("thirty-one", hands, start={"tokens": (3, held, 3)}).after.tokens == (3, left, 3)


@pytest.mark.parametrize("name", ["trentuno-draw", "thirty-one"])
def test_r29_without_a_free_ride_nobody_loses_more_than_he_has(name: str) -> None:
    hands = ["AC 7C 6C", "JH 2D 3S", "KS 4S 2H"]
    after = knocked(name, hands, start={"tokens": (3, 1, 3)}, free_ride=False).after
    assert (after.tokens, after.went_out) == ((3, 0, 3), (None, 0, None))


def test_r13_trentuno_has_no_free_ride() -> None:
    hands = ["AC 7C 6C", "JH 2D 3S", "KS 4S 2H"]
    assert shown("trentuno-draw", hands, start={"tokens": (3, 1, 3)}).after.went_out == (None, 0, None)


# --- nobody left: ruling W22, sheet B6 ---


def test_w22_if_nobody_would_be_left_in_nobody_loses() -> None:
    hands: list[str | None] = ["KS 4S 2H", "JH 4H 2D", None]
    assert shown("thirty-one", hands, start={"tokens": (0, 0, -1)}).tokens == [0, 0, 0]
    assert shown("thirty-one", hands, start={"tokens": (0, 1, -1)}).tokens == [-1, -1, 0]
    assert shown("trentuno-draw", hands, start={"tokens": (1, 1, 0)}).tokens == [0, 0, 0]


def test_b6_or_all_come_back_with_one_token() -> None:
    hands: list[str | None] = ["KS 4S 2H", "JH 4H 2D", None]
    after = shown("trentuno-draw", hands, start={"tokens": (1, 1, 0)}, comeback=True).after
    assert (after.tokens, after.went_out) == ((1, 1, 1), (None, None, None))


# --- for a pot: sheet B13 ---


def test_b13_the_best_hand_takes_the_pot_and_the_lowest_pays_into_the_next() -> None:
    table = shown("thirty-one-pot", ["AC 7C 6C", "KH 8H 4H", "QS 9D 8D"])
    assert table.deal.holdings.chips == (-1, -1, -1)
    assert table.result == {"chips": [2, -1, -2], "pool": 1}


def test_b13_r27_equal_best_hands_share_the_pot() -> None:
    table = shown("thirty-one-pot", ["KH QH 3C", "KD QD 4S", "2S 3S 4H"], start={"pool": 1})
    assert table.result == {"chips": [1, 1, -2], "pool": 1}


def test_b13_a_31_takes_the_pot_at_once_and_not_even_a_knocker_pays_more() -> None:
    table = ScriptedDeal("thirty-one-pot", ["2H 3D 4H", "AC 7C 6C", "KD QD 4S"], "2S", stock="AD")
    table.play("1:knock", "2:draw stock", "2:discard 4S")
    assert table.result == {"chips": [-1, -1, 2], "pool": 0}


def test_b13_several_dealt_a_31_share_the_pot() -> None:
    dealt = ScriptedDeal("thirty-one-pot", ["AH KH QH", "2D 3S 4H", "AS KS QS"], "2C", start={"pool": 1})
    assert dealt.result == {"chips": [1, -1, 1], "pool": 0}


def test_b13_a_knocker_among_the_lowest_pays_two_and_the_others_one() -> None:
    alone = knocked("thirty-one-pot", ["KH QH 3C", "2S 3S 4H", "KD 9D 4S"])
    assert alone.result == {"chips": [2, -3, -1], "pool": 2}
    tied = knocked("thirty-one-pot", ["TS 2H 3D", "TC 2D 3S", "KD QD 4S"])
    assert tied.result == {"chips": [-2, -3, 2], "pool": 3}
    less = knocked("thirty-one-pot", ["TS 2H 3D", "TC 2D 3S", "KD QD 4S"], knocker_forfeit=1, forfeit=0)
    assert less.result == {"chips": [-1, -2, 2], "pool": 1}


def test_b13_nobody_pays_if_all_are_equal() -> None:
    table = knocked("thirty-one-pot", ["TS 2H 3D", "TC 2D 3S", "TD 3H 4H"])
    assert table.result == {"chips": [0, 0, 0], "pool": 0}


def test_b13_the_chips_of_a_deal_that_is_drawn_are_given_back() -> None:
    options: dict[str, Any] = {"pack": 8, "stock_out": "drawn"}
    table = ScriptedDeal(
        "thirty-one-pot", ["JS QH AS", "KS JH QS"], "AH", stock="KH", start={"pool": 3}, **options
    )
    assert table.deal.holdings.pool == 5
    table.play("1:draw stock", "1:discard KS")
    assert table.result == {"chips": [0, 0], "pool": 3}


def test_b13_b19_a_match_is_a_deal_for_each_and_nobody_is_out() -> None:
    match = variant("thirty-one-pot").match(players=3, seed="pot")
    while not match.is_over:
        match.apply(match.view(match.seat_to_act or 0).legal[-1])
    assert len(match.finished_deals) == 3
    assert match.holdings.went_out == (None, None, None)
    assert match.holdings.pool == -sum(match.payoffs)
