"""Hands as at Brag. Sheets B7 and B8."""

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from arena.games import variant

GAMES = ["stop-the-bus", "bastard-brag"]


def rank(cards: str, name: str = "stop-the-bus", **options: Any) -> Any:
    return variant(name, **options).rank(cards)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "order",
    [
        ["KS KH KD", "AS AH AD", "3S 3H 3D"],
        ["9C 8C 7D", "2H 3H 4H", "KH QH JH", "AS KS QS", "3C 2C AC"],
        ["AS QS 9S", "9C 8D 7H", "AS KH QS", "3C 2D AC", "2H 3H 4H", "2S 2H 2D"],
        ["AS KD JC", "TC TD AS", "JC JD 2S", "JC JD 3S"],
        ["5S 4D 2C", "AS KD JC", "2S 2C 3D", "2S 3S 5S", "4S 3D 2C", "4S 3S 2S", "2S 2C 2D"],
    ],
    ids=["B7 test 1", "B7 test 2", "B7 test 3", "B7 test 4", "all categories"],
)
def test_hands_stand_in_this_order(name: str, order: list[str]) -> None:
    ranks = [rank(cards, name) for cards in order]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)


def test_b7_without_the_option_three_threes_are_lowest_but_the_twos() -> None:
    assert rank("2S 2H 2D", s333=False) < rank("3S 3H 3D", s333=False) < rank("4S 4H 4D", s333=False)


def test_b7_without_the_option_the_ace_is_high_only() -> None:
    assert rank("3C 2C AC", a23=False).category == "flush"
    assert rank("3C 2D AC", a23=False).category == "high"
    assert rank("AS KH QS", a23=False).category == "run"


@pytest.mark.parametrize("a23", [True, False])
def test_b7_never_is_two_ace_king_a_run(a23: bool) -> None:
    assert rank("2S AH KS", a23=a23).category == "high"
    assert rank("2S AS KS", a23=a23).category == "flush"


def test_suits_never_count_and_equal_hands_are_a_true_tie() -> None:
    assert rank("9C 8D 7H") == rank("9S 8H 7C")
    assert rank("JC JD 2S") == rank("JS JH 2C")
    assert rank("AS QS 9S") == rank("AH QH 9H")


def test_w2_with_32_cards_there_is_no_low_run_and_with_40_the_knave_follows_the_seven() -> None:
    assert rank("9S 8H 7C", pack=32).category == "run"
    assert rank("7S JH QC", pack=40).category == "run"
    assert rank("AS 2H 3C", pack=40) > rank("AS KH QC", pack=40)


def test_there_are_as_many_hands_of_each_kind_as_can_be_counted() -> None:
    ranking, pack = variant("bastard-brag").ranking, variant("bastard-brag").whole_pack
    counts = Counter(ranking.rank(hand, pack).category for hand in combinations(pack.cards, 3))
    assert counts == {
        "prial": 13 * 4,
        "running-flush": 12 * 4,
        "run": 12 * (4**3 - 4),
        "flush": (286 - 12) * 4,
        "pair": 13 * 6 * 48,
        "high": 16440,
    }
