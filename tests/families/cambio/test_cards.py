"""Cambio: its pack and the values of its cards. Sheet B11, ruling R15."""

import pytest

from arena.errors import InvalidNotation, InvalidRules, UnknownOption
from arena.games import variant
from arena.games.notation_writer import format_cards
from tests.games.support.hand_cases import hand_cases

test_hands = hand_cases("""
b11 a hand is worth the sum of its cards
    # Sheet B11, tests 1 to 3.
    cambio | KH AS 5C JD is sum 15; R1 KD 2S 3H is sum 4; KS is sum 10; KC is sum 10; KD is sum -1;
        KH is sum -1
    cambio | R1 R2 is sum 0; 2C 3C 4C 5C 6C 7C 8C 9C TC is sum 54; JS QH is sum 20; '' is sum 0
b11 the lowest sum is best
    cambio | KH KD R1 R2 > AS AH AC AD > TS JS QS KS
b11 equal sums are equal
    cambio | AS 2S 3S 4S = 4H AD KH 6S
b11 option values
    cambio values=10-10-10 | JS is sum 10; QS is sum 10; KS is sum 10; AS is sum 1
    cambio values=11-12-13 | JS is sum 11; QS is sum 12; KS is sum 13; AS is sum 1
    cambio values=11-12-20 | JS is sum 11; QS is sum 12; KS is sum 20; AS is sum 0
    cambio values=11-12-20 | KH is sum -1; R1 is sum 0; 9S is sum 9
""")


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
