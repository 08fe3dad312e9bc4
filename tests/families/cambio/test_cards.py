"""Cambio: its pack and the values of its cards. Sheet B11, ruling R15."""

import pytest

from arena.errors import InvalidNotation, InvalidRules, UnknownOption
from arena.games import variant
from arena.games.notation_writer import format_cards


@pytest.mark.parametrize(
    ("hand", "total"),
    [
        ("KH AS 5C JD", 15),  # sheet B11 test 1
        ("R1 KD 2S 3H", 4),  # sheet B11 test 2
        ("KS", 10),  # sheet B11 test 3
        ("KC", 10),
        ("KD", -1),
        ("KH", -1),
        ("R1 R2", 0),
        ("2C 3C 4C 5C 6C 7C 8C 9C TC", 54),
        ("JS QH", 20),
        ("", 0),
    ],
)
def test_b11_a_hand_is_worth_the_sum_of_its_cards(hand: str, total: int) -> None:
    rank = variant("cambio").rank(hand)
    assert (rank.category, rank.value) == ("sum", total)


def test_b11_the_lowest_sum_is_best() -> None:
    rank = variant("cambio").rank
    assert rank("KH KD R1 R2") > rank("AS AH AC AD") > rank("TS JS QS KS")


def test_b11_equal_sums_are_equal() -> None:
    rank = variant("cambio").rank
    assert rank("AS 2S 3S 4S") == rank("4H AD KH 6S")


@pytest.mark.parametrize(
    ("values", "knave", "queen", "king", "ace"),
    [("10-10-10", 10, 10, 10, 1), ("11-12-13", 11, 12, 13, 1), ("11-12-20", 11, 12, 20, 0)],
)
def test_b11_option_values(values: str, knave: int, queen: int, king: int, ace: int) -> None:
    rank = variant("cambio", values=values).rank
    assert [rank(card).value for card in ("JS", "QS", "KS", "AS")] == [knave, queen, king, ace]
    assert [rank(card).value for card in ("KH", "R1", "9S")] == [-1, 0, 9]


def test_r15_two_jokers_are_in() -> None:
    pack = variant("cambio").whole_pack
    assert len(pack) == 54
    assert format_cards(pack.cards[-2:]) == "R1 R2"


def test_b11_jokers_may_be_left_out() -> None:
    rules = variant("cambio", jokers=False)
    assert len(rules.whole_pack) == 52
    with pytest.raises(InvalidNotation, match="'R1' is no card of the 52-card pack"):
        rules.rank("R1 2S 3S 4S")


def test_other_packs_have_their_jokers_too() -> None:
    assert len(variant("cambio", pack=40).whole_pack) == 42
    assert len(variant("cambio", pack=32, jokers=False).whole_pack) == 32


def test_b11_two_to_eight_play() -> None:
    assert variant("cambio").players == range(2, 9)
    with pytest.raises(InvalidRules, match="at most 8 can play"):
        variant("cambio").match(players=9, seed="nine")


def test_a_small_pack_leaves_the_discard_and_one_card_of_stock() -> None:
    rules = variant("cambio", pack=32, jokers=False)
    assert rules.players == range(2, 8)
    assert rules.match(players=7, seed="seven").deal.stock.left == 3


def test_a_card_twice_in_a_hand_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="a card stands twice in 'R1 R1'"):
        variant("cambio").rank("R1 R1")


def test_options_of_other_games_are_refused() -> None:
    with pytest.raises(UnknownOption, match="no option 'snaps': the nearest is 'snap'"):
        variant("cambio", snaps=True)
