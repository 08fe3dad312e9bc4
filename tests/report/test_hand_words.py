"""Hands in words that can be compared."""

import pytest

from arena.games import variant
from arena.report.hand_text import explain_hand


@pytest.mark.parametrize(
    ("name", "hand", "words"),
    [
        ("lives", "KC 9S KD", "pair of kings"),
        ("lives", "TC TS TD", "tricon of tens"),
        ("lives", "6H 7C QS", "point 23"),
        ("schwimmen", "AH KH TH", "31 in hearts"),
        ("whisky-poker", "9C 2H 2C 2D 2S", "four of twos"),
    ],
)
def test_hands_say_what_they_are_made_of(name: str, hand: str, words: str) -> None:
    rules = variant(name)
    assert explain_hand(rules, rules.whole_pack.parse(hand)) == words
