"""Trentuno against a widow: forty cards, one or all three. Sheet B6; rulings R7, R14, R30, W14."""

from typing import Any

from arena.games import Match, variant
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

LOW = ["QS 7H 5D", "JC 5H 7D", "KD 6S 7C"]
WIDOW = "KH 6C 5S"


def dealt(hands: list[str] = LOW, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("trentuno", hands, widow, **more)


DEALS = """
b6 the widow lies open and one exchanges one card or three
    dealt | -> asked 1; table KH 6C 5S; count 12
    1:* -> hand 1: KH 6C 5S
r7 a 31 does not end the deal its holder knocks like anybody
    dealt | AH QH 2C / JC 5H 7D / KD 6S 7C | 1:pass, 2:pass, 0:2C>KH -> asked 1
    1:pass, 2:pass, 0:knock, 1:7D>6C, 2:pass -> tokens 0 0 -1
b6 one knock and a last turn each then the worst loses a life
    dealt | 1:knock, 2:6S>KH, 0:QS>5S -> over; tokens -1 0 0
b6 all who tie for lowest lose
    dealt | QS 7H 5D / JC 5H 7D / KD 6S 7S | 1:knock, 2:pass, 0:pass -> tokens -1 -1 0
w14 twice as many passes on end as there are players end the deal
    dealt | 1:pass, 2:pass, 0:pass, 1:pass, 2:pass, 0:pass -> over; knocker -
s002 by the option up to so many cards are exchanged
    dealt max_exchange=1 | -> count 11
    dealt max_exchange=2 | -> count 20
    dealt max_exchange=3 | -> count 21
s002 by the option the second knock ends the deal at once
    dealt knocks=2 | 1:knock, 2:pass, 0:pass -> asked 2; may knock
    2:knock -> over; knocker 1
w14 with two knocks who has knocked is not counted among those who pass
    dealt knocks=2 | 1:knock, 2:pass, 0:pass, 2:pass, 0:pass -> over
b6 two finalists with an equal score play again
    trentuno start.tokens=1,1,0 | QS 7H 5D / JC 5H 7D / - | table KH 6C 5S | 1:knock, 0:pass -> tokens 0 0 0
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


test_hands = hand_cases("""
b6 tests 1 to 5 totals
    trentuno | AH KH JH is points 31; KC QC JC is points 30; 2S 2H 2D is three-alike 30.5;
        AD 7D 6D is points 24
    trentuno | AD AH KS is points 11; 7S 6S 5S is points 18; AC KD 6H is points 11;
        AH AS AD is three-alike 30.5
b6 test 2 three alike stand between 30 and 31 the higher rank better
    trentuno | AH KH JH > AS AC AD > 7S 7H 7D > 2S 2H 2D > KC QC JC
b6 it is for two to twelve with forty cards
    trentuno | pack 40; players 2-12
""")


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


FINAL = {"tokens": (1, 1, 0)}


def finalists(**options: Any) -> ScriptedDeal:
    """Two with one life each and an equal score; seat 2 is out."""
    table = ScriptedDeal("trentuno", ["QS 7H 5D", "JC 5H 7D", None], WIDOW, start=FINAL, **options)
    return table.play("1:knock", "0:pass")


def test_b6_by_the_option_all_come_back_with_one_life() -> None:
    table = finalists(comeback=True)
    assert table.tokens == [0, 0, 1]
    assert table.after.tokens == (1, 1, 1)
    assert table.after.went_out == (None, None, None)
    assert not table.rules.settlement.is_over(table.after, 1)
