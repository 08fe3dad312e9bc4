"""The draw family: ranks and settlement. Sheets B5-B7; rulings R10, R12, R13, R29, W22."""

from collections.abc import Sequence
from typing import Any

from arena.games import variant
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
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


DEALS = """
# who loses: sheet B5
b5 test 2 the lowest total loses a token
    thirty-one | TH 8H 3C / AC 7C 6C / KD 9D 4S | table 2S | stock JD 2H
    1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C -> hands TH 8H 2H / AC 7C 6C / KD 9D JD;
        tokens -1 0 0
b5 test 5 a 31 after the knock
    thirty-one knock31=loses | TH 8H 3C / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 -1 0
    thirty-one knock31=exempt | TH 8H 3C / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 0 0
    thirty-one knock31=double | TH 8H 3C / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> tokens -1 -2 0
b5 test 6 all who tie for the lowest lose
    knocked thirty-one | TS 4S 2H / AC 7C 6C / JH 4H 2D | -> tokens -1 0 -1
    shown thirty-one | TS 4S 2H / AC 7C 6C / JH 4H 2D | -> tokens -1 0 -1
b5 a knocker who ties for the lowest is safe
    knocked thirty-one,stop-the-bus-31 | AC 7C 6C / JH 4H 2D / TS 4S 2H | -> tokens 0 0 -1
b7 by the option hands that tie for the lowest lose nothing with the knocker among them
    knocked thirty-one,stop-the-bus-31,trentuno-draw ties_lose=False | AC 7C 6C / JH 4H 2D / KS 4S 2H
    -> tokens 0 0 0
    shown thirty-one,stop-the-bus-31,trentuno-draw ties_lose=False | AC 7C 6C / JH 4H 2D / KS 4S 2H
    -> tokens 0 0 0
    knocked thirty-one,stop-the-bus-31,trentuno-draw ties_lose=False knocker_alone=True
        | AC 7C 6C / JH 4H 2D / KS 4S 2H
    -> tokens 0 -1 0
b6 a knocker who ties for the lowest loses with the others
    knocked trentuno-draw | AC 7C 6C / JH 4H 2D / KS 4S 2H | -> tokens 0 -1 -1
b5 r13 a knocker who alone is lowest loses two
    knocked thirty-one,trentuno-draw,stop-the-bus-31 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> tokens 0 -2 0
    knocked thirty-one,trentuno-draw,stop-the-bus-31 knocker_double=False | AC 7C 6C / JH 2D 3S / KS 4S 2H
    -> tokens 0 -1 0
    shown thirty-one,trentuno-draw,stop-the-bus-31 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> tokens 0 -1 0
r13 b6 test 7 the knocker of trentuno is exempt from a 31
    trentuno-draw dealer=3 | QD 7D 2S / AH KH 2C / 7S 6S 5S / AD KS 6H | table 3C | stock JH
    0:knock, 1:draw stock, 1:discard 2C -> tokens 0 0 -1 -1
b7 three alike are no 31 and are not shown
    stop-the-bus-31 | 2S 2H 2D / KS KH KD / 3C 4D 7H | table 9C | -> asked 1
# the free ride: rulings R10, R13, R29
r10 with a free ride one plays on with nothing and is out below
    shown thirty-one,stop-the-bus-31 start.tokens=3,1,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H
    -> left 3 0 3; out - - -
    shown thirty-one,stop-the-bus-31 start.tokens=3,0,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H
    -> left 3 -1 3; out - 0 -
r10 a double loss ends at one below nothing
    knocked thirty-one start.tokens=3,3,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> left 3 1 3
    knocked thirty-one start.tokens=3,2,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> left 3 0 3
    knocked thirty-one start.tokens=3,1,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> left 3 -1 3
    knocked thirty-one start.tokens=3,0,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> left 3 -1 3
r29 without a free ride nobody loses more than he has
    knocked trentuno-draw,thirty-one start.tokens=3,1,3 free_ride=False | AC 7C 6C / JH 2D 3S / KS 4S 2H
    -> left 3 0 3; out - 0 -
r13 trentuno has no free ride
    shown trentuno-draw start.tokens=3,1,3 | AC 7C 6C / JH 2D 3S / KS 4S 2H | -> out - 0 -
# nobody left: ruling W22, sheet B6
w22 if nobody would be left in nobody loses
    shown thirty-one start.tokens=0,0,-1 | KS 4S 2H / JH 4H 2D / - | -> tokens 0 0 0
    shown thirty-one start.tokens=0,1,-1 | KS 4S 2H / JH 4H 2D / - | -> tokens -1 -1 0
    shown trentuno-draw start.tokens=1,1,0 | KS 4S 2H / JH 4H 2D / - | -> tokens 0 0 0
b6 or all come back with one token
    shown trentuno-draw start.tokens=1,1,0 comeback=True | KS 4S 2H / JH 4H 2D / - | -> left 1 1 1; out - - -
# for a pot: sheet B13
b13 the best hand takes the pot and the lowest pays into the next
    shown thirty-one-pot | AC 7C 6C / KH 8H 4H / QS 9D 8D
    -> now chips -1 -1 -1, pool 3; result chips 2 -1 -2, pool 1
b13 r27 equal best hands share the pot
    shown thirty-one-pot start.pool=1 | KH QH 3C / KD QD 4S / 2S 3S 4H | -> result chips 1 1 -2, pool 1
b13 a 31 takes the pot at once and not even a knocker pays more
    thirty-one-pot | 2H 3D 4H / AC 7C 6C / KD QD 4S | table 2S | stock AD
    1:knock, 2:draw stock, 2:discard 4S -> result chips -1 -1 2, pool 0
b13 several dealt a 31 share the pot
    thirty-one-pot start.pool=1 | AH KH QH / 2D 3S 4H / AS KS QS | table 2C | -> result chips 1 -1 1, pool 0
b13 a knocker among the lowest pays two and the others one
    knocked thirty-one-pot | KH QH 3C / 2S 3S 4H / KD 9D 4S | -> result chips 2 -3 -1, pool 2
    knocked thirty-one-pot | TS 2H 3D / TC 2D 3S / KD QD 4S | -> result chips -2 -3 2, pool 3
    knocked thirty-one-pot knocker_forfeit=1 forfeit=0 | TS 2H 3D / TC 2D 3S / KD QD 4S
    -> result chips -1 -2 2, pool 1
b13 nobody pays if all are equal
    knocked thirty-one-pot | TS 2H 3D / TC 2D 3S / TD 3H 4H | -> result chips 0 0 0, pool 0
b13 the chips of a deal that is drawn are given back
    thirty-one-pot start.pool=3 pack=8 stock_out=drawn | JS QH AS / KS JH QS | table AH | stock KH
    -> now chips -1 -1, pool 5
    1:draw stock, 1:discard KS -> result chips 0 0, pool 3
"""
test_deals = scripted_cases(DEALS, shown=shown, knocked=knocked)


# --- what a hand is worth ---


test_hands = hand_cases("""
b5 test 1 totals
    thirty-one | KH 8H 5H is points 23; QS 9D 8D is points 17; AC 6S 4S is points 11; JC 7H 4S is points 10
    thirty-one | 9S AH 8H is points 19; KC KD KH is points 10
b6 tests 1 to 5 totals
    trentuno-draw | AH KH JH is points 31; KC QC JC is points 30; 2S 2H 2D is three-alike 30.5
    trentuno-draw | AD 7D 6D is points 24; AD AH KS is points 11; 7S 6S 5S is points 18; AC KD 6H is points 11
b7 totals
    stop-the-bus-31 | 2S 2H 2D is three-alike 30; AS AH AD is three-alike 30
b5 three alike count where it is wished
    thirty-one three_alike=30.5 | KC KD KH is three-alike 30.5
    thirty-one three_alike='30' | KC KD KH is three-alike 30
b6 test 2 three alike stand between 30 and 31
    trentuno-draw | AH KH JH > 3S 3H 3D > 2S 2H 2D > KC QC JC
b7 three alike equal any other 30
    stop-the-bus-31 | AH KH TH > 2S 2H 2D = KC QC JC = KS KH KD
b7 a suited 30 is named by its total though three alike equal it
    stop-the-bus-31 | KH QH JH is points; KH QH TH is points; AH KH 9H is points; 2S 2H 2D is three-alike
b6 the cards limit the players of trentuno with every pack
    trentuno-draw | players 2-12
    trentuno-draw,trentuno pack=52 | players 2-16
""")


# --- for a pot: sheet B13 ---


def test_b13_b19_a_match_is_a_deal_for_each_and_nobody_is_out() -> None:
    match = variant("thirty-one-pot").match(players=3, seed="pot")
    while not match.is_over:
        match.apply(match.view(match.seat_to_act or 0).legal[-1])
    assert len(match.finished_deals) == 3
    assert match.holdings.went_out == (None, None, None)
    assert match.holdings.pool == -sum(match.payoffs)
