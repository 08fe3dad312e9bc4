"""Cambio: its pack and the values of its cards. Sheet B11, ruling R15."""

import pytest

from arena.errors import InvalidRules, UnknownOption
from arena.games import variant
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
r15 two jokers are in
    cambio | pack 54; R1 R2 is sum
b11 jokers may be left out
    cambio jokers=False | pack 52; R1 2S 3S 4S is none
other packs have their jokers too
    cambio pack=40 | pack 42
    cambio pack=32 jokers=False | pack 32; players 2-7
a card twice in a hand is refused
    cambio | R1 R1 is none
""")


def test_b11_two_to_eight_play() -> None:
    assert variant("cambio").players == range(2, 9)
    with pytest.raises(InvalidRules, match="at most 8 can play"):
        variant("cambio").match(players=9, seed="nine")


def test_a_small_pack_leaves_the_discard_and_one_card_of_stock() -> None:
    rules = variant("cambio", pack=32, jokers=False)
    assert rules.players == range(2, 8)
    assert rules.match(players=7, seed="seven").deal.stock.left == 3


def test_options_of_other_games_are_refused() -> None:
    with pytest.raises(UnknownOption, match="no option 'snaps': the nearest is 'snap'"):
        variant("cambio", snaps=True)
