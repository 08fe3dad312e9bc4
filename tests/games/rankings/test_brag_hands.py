"""Hands as at Brag. Sheets B7 and B8."""

from collections import Counter
from itertools import combinations
from typing import Any

from arena.games import variant
from tests.games.support.hand_cases import hand_cases


def rank(cards: str, name: str = "stop-the-bus", **options: Any) -> Any:
    return variant(name, **options).rank(cards)


test_hands = hand_cases("""
b7 test 1
    stop-the-bus,bastard-brag | 3S 3H 3D > AS AH AD > KS KH KD
b7 test 2
    stop-the-bus,bastard-brag | 3C 2C AC > AS KS QS > KH QH JH > 2H 3H 4H > 9C 8C 7D
b7 test 3
    stop-the-bus,bastard-brag | 2S 2H 2D > 2H 3H 4H > 3C 2D AC > AS KH QS > 9C 8D 7H > AS QS 9S
b7 test 4
    stop-the-bus,bastard-brag | JC JD 3S > JC JD 2S > TC TD AS > AS KD JC
all categories stand in order
    stop-the-bus,bastard-brag | 2S 2C 2D > 4S 3S 2S > 4S 3D 2C > 2S 3S 5S > 2S 2C 3D > AS KD JC > 5S 4D 2C
b7 without the option three threes are lowest but the twos
    stop-the-bus s333=False | 4S 4H 4D > 3S 3H 3D > 2S 2H 2D
b7 without the option the ace is high only
    stop-the-bus a23=False | 3C 2C AC is flush; 3C 2D AC is high; AS KH QS is run
b7 never is two ace king a run
    stop-the-bus a23=True | 2S AH KS is high; 2S AS KS is flush
    stop-the-bus a23=False | 2S AH KS is high; 2S AS KS is flush
suits never count and equal hands are a true tie
    stop-the-bus | 9C 8D 7H = 9S 8H 7C; JC JD 2S = JS JH 2C; AS QS 9S = AH QH 9H
w2 with 32 cards there is no low run and with 40 the knave follows the seven
    stop-the-bus pack=32 | 9S 8H 7C is run
    stop-the-bus pack=40 | 7S JH QC is run; AS 2H 3C > AS KH QC
""")


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
