"""Schwimmen: packets, totals, 31 and Feuer, new widows, swimming. Sheet B4; rulings R7, R8, R10, W22."""

from typing import Any

from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

LOW = ["QS 7H 8D", "JC 8H 7D", "TD 9S 7C"]  # 10, 10 and 10
WIDOW = "KH 9C 8S"


def dealt(hands: list[str] = LOW, packet: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("schwimmen", hands, packet, **more)


def opened(hands: list[str] = LOW, packet: str = WIDOW, **more: Any) -> ScriptedDeal:
    """The dealer, seat 0, has kept his packet."""
    return dealt(hands, packet, **more).play("0:keep")


def knocked(hands: list[str], **more: Any) -> ScriptedDeal:
    """Seat 1 closes at once, nobody moves any more."""
    table = opened(hands, **more).play("1:knock")
    while table.asked is not None:
        table.play(f"{table.asked}:pass")
    return table


DEALS = """
# the dealer's two packets
b4 the dealer is asked first and the second packet is hidden from all
    dealt dealer=1
    -> asked 1; legal keep, take; view table 0 1 2: ?? ?? ??; view hand 0: QS 7H 8D; view hand 1: JC 8H 7D;
        view hand 2: TD 9S 7C
b4 he keeps his packet and the other is turned up
    dealt
    0:keep -> hands QS 7H 8D / JC 8H 7D / TD 9S 7C; heard 2: 0:keep, widow KH 9C 8S; table KH 9C 8S; asked 1
# turns
b4 one card or all three but never two
    opened
    -> legal JC>KH, JC>9C, JC>8S, 8H>KH, 8H>9C, 8H>8S, 7D>KH, 7D>9C, 7D>8S, *, pass, knock;
        illegal JC,8H>KH,9C
    1:* -> hand 1: KH 9C 8S; table JC 8H 7D
b4 a knock replaces the move and gives each other player one more turn
    opened | 1:knock, 2:9S>8S -> asked 0; may not knock
    0:pass -> over
b4 by the option one knocks after ones move
    opened knock_after_move=True | -> may not knock
    1:8H>8S -> asked 1; legal knock, continue
    1:continue, 2:pass, 2:knock, 0:pass, 1:pass -> over; knocker 2
b4 by the option nobody knocks before all have had a turn
    opened knock_from_round=2 | -> may not knock
    1:8H>8S, 2:pass, 0:pass -> asked 1; may knock
b4 with both options the question comes from the second round on
    opened knock_after_move=True knock_from_round=2 | 1:8H>8S, 2:pass, 0:pass -> asked 1
    1:pass -> legal knock, continue
# 31 and Feuer
r7 a 31 that was dealt is shown when the dealer has chosen in seat order from his left
    schwimmen dealer=2 | QS 7H 8D / JC 8H 7D / AD KD TD / AS KS TS | table KH 9C 8S
    2:keep -> heard 0: ... show 3 AS KS TS, show 2 AD KD TD ...; tokens -1 -1 0 0
r7 a 31 the dealer takes unseen counts as dealt
    dealt | packet AH KH TH | 0:take -> tokens 0 -1 -1
b4 feuer costs all others a life a 31 too
    dealt | AD KD TD / JC 8H 7H / AS AH AC | 0:keep -> tokens -1 -1 0
b4 by the option feuer costs only the lowest
    dealt sweep=0 | AC KC 8C / JC 8H 7H / AS AH AD | 0:keep -> tokens 0 -1 0
b4 a 31 ends the deal in the last turns too
    schwimmen | AC 9D 7C / QS 7H 8D / AD JD 7S | table TD 8H 9H | 0:keep, 1:knock, 2:7S>TD -> tokens 0 -1 0
b4 with the question for a knock a 31 is shown before it
    schwimmen knock_after_move=True | AC 9D 7C / AD JD 7S / QS 7H 8D | table TD 8H 9H
    0:keep, 1:7S>TD -> over
# new widows
b4 test 7 when all pass in succession there is a new widow as long as there are three
    # Three players leave a stock of twenty: six renewals, and the seventh round of passes ends the deal.
    opened | stock 9D TS 8C AS KS QH JD TC 9H AC KC QC AD KD QD AH JH JS
    1:pass, 2:pass, 0:pass -> table 9D TS 8C; asked 1
    1:pass, 2:pass, 0:pass -> table AS KS QH; asked 1
    1:pass, 2:pass, 0:pass -> table JD TC 9H; asked 1
    1:pass, 2:pass, 0:pass -> table AC KC QC; asked 1
    1:pass, 2:pass, 0:pass -> table AD KD QD; asked 1
    1:pass, 2:pass, 0:pass -> table AH JH JS; asked 1; stock 2
    1:pass, 2:pass, 0:pass -> over
b4 an exchange breaks the row of passes
    opened | stock 9D TS 8C | 1:pass, 2:pass, 0:8D>8S, 1:pass, 2:pass -> table KH 9C 8D
    0:pass -> table 9D TS 8C; asked 1
b4 the renewal is told to all
    opened | stock 9D TS 8C | 1:pass, 2:pass, 0:pass -> heard 2: ... widow 9D TS 8C
b4 by the option who faces 7 8 9 may call for a new widow and then moves
    opened call_789=True | QS 7H 8D / JC 8H 9H / TD 9S 7C | packet 7D 9C 8S | stock 9D TS 8C
    -> legal JC>7D, JC>9C, JC>8S, 8H>7D, 8H>9C, 8H>8S, 9H>7D, 9H>9C, 9H>8S, *, pass, knock, renew
    1:renew -> asked 1; table 9D TS 8C; may not renew
    opened | -> may not renew
b4 a call breaks the row of passes and may follow a knock
    opened call_789=True | QS 7H 8D / JC 8H 9H / TD 9S 7C | packet 7D 9C 8S | stock 9D TS 8C
    1:pass, 2:pass, 0:renew, 0:pass -> asked 1
    opened call_789=True | QS 7H 8D / JC 8H 9H / TD 9S 7C | packet 7D 9C 8S | stock 9D TS 8C
    1:knock, 2:renew, 2:pass -> asked 0
b4 nobody calls for cards that are not there
    schwimmen call_789=True | AS KH QD / AH KD 9S / KC QS JH / AC QH TD / KS JD 9D / JS TC 8C / QC 8D TH
        / JC TS 9H | table 7S 8S 9C
    0:keep -> stock 5; may renew
    schwimmen call_789=True | AS KH QD / AH KD 9S / KC QS JH / AC QH TD / KS JD 9D / JS TC 8C / QC 8D TH
        / JC TS 9H / 7C 8H 7D | table 7S 8S 9C
    0:keep -> stock 2; may not renew
# who loses
b4 test 6 tied for lowest all lose or the knocker alone
    knocked | QD TD 7S / QC TC 7H / AS TS 9S | -> tokens -1 -1 0
    knocked knocker_alone=True | QD TD 7S / QC TC 7H / AS TS 9S | -> tokens 0 -1 0
    knocked knocker_alone=True | QD TD 7S / AS TS 9S / QC TC 7H | -> tokens -1 0 -1
b4 by the option nobody loses where several tie
    knocked ties_lose=False | QD TD 7S / QC TC 7H / AS TS 9S | -> tokens 0 0 0
b4 at no lives one swims and the next loss puts one out
    knocked start.tokens=1,3,3 | QD 9D 7S / QC TC 7H / AS TS 9S | -> tokens -1 0 0; out - - -
    knocked start.tokens=0,3,3 | QD 9D 7S / QC TC 7H / AS TS 9S | -> left -1 3 3; out 0 - -
b4 by the option only one may swim
    knocked one_rider=True start.tokens=1,3,0 | QD 9D 7S / QC TC 7H / AS TS 9S | -> left -1 3 0
    knocked one_rider=True start.tokens=1,3,3 | QD 9D 7S / QC TC 7H / AS TS 9S | -> left 0 3 3
    knocked one_rider=True start.tokens=2,3,0 | QD 9D 7S / QC TC 7H / AS TS 9S | -> left 1 3 0
    knocked one_rider=True start.tokens=1,0,3 | QD 9D 7S / QH 9H 7C / AS TS 9S | -> left 0 -1 3
b4 or takes the other unseen and his own is turned up
    dealt
    0:take -> hand 0: KH 9C 8S; table QS 7H 8D; heard 1 2: 0:take, widow QS 7H 8D;
        cards 0: QS 7H 8D KH 9C 8S / QS 7H 8D; cards 1 2: QS 7H 8D ?? ?? ?? / QS 7H 8D;
        knows 1 2: - / - / -; asked 1
b4 what a bot can foresee of the second packet is nothing
    dealt | -> leaves QS 7H 8D / ?? ?? ??
b4 test 4 a 31 is shown at once and the lowest loses
    # Nobody has a further turn; the others have 20, 30 and 26.
    schwimmen | QH TH JS / AC KC 9C / AD JD 7C / AS 8S 7S | table TD 8H 9H
    0:keep, 1:pass, 2:7C>TD -> tokens -1 0 0 0; heard 0: ... 2:7C>TD, show 2 AD JD TD ...
w22 if nobody would be left nobody loses
    knocked start.tokens=0,0 | QD 9D 7S / QH 9H 7C | -> tokens 0 0
    knocked start.tokens=1,0 | QD 9D 7S / QH 9H 7C | -> tokens -1 -1
without the free ride one is out at none
    knocked free_ride=False start.tokens=1,3,3 | QD 9D 7S / QC TC 7H / AS TS 9S | -> out 0 - -
# the last round
r8 a knock in the last round still has its last turns
    opened rounds=1 | 1:8H>8S, 2:pass, 0:knock -> asked 1
    opened rounds=1 | 1:8H>8S, 2:pass, 0:pass -> over; knocker -
"""
test_deals = scripted_cases(DEALS, dealt=dealt, opened=opened, knocked=knocked)


# --- what hands are worth ---


test_hands = hand_cases("""
b4 test 1 totals
    schwimmen | QH TH JD is points 20; AC KC 9C is points 30; 7D 7H 7S is three-alike 30.5;
        AD KD TD is points 31
    schwimmen | AH AS AC is feuer 33; AS KH QD is points 11; 7S 8H 9D is points 9
b4 hands in their order
    schwimmen | AH AS AC > AD KD TD > KD KH KS > 8D 8H 8S > 7D 7H 7S > AC KC 9C > QH TH JD > AS KH QD
b4 equal totals are a true tie whatever makes them
    schwimmen | KC QC 7H = JD TD 9S > JD 9D 9S
b4 by the option three alike count 30 and equal any 30 or only their suit
    schwimmen three_alike='30' | 7D 7H 7S = 8D 8H 8S = KC QC TC; 7D 7H 7S is three-alike
    schwimmen three_alike=off | KD KH KS is points 10; AD AH AS is feuer
a hand has three cards
    schwimmen | AS KS QS JS is none
b4 it is for two to nine
    schwimmen | players 2-9
""")


# --- who loses ---


def test_r10_a_double_loss_from_one_ends_at_minus_one_and_so_does_one_while_swimming() -> None:
    hands = ["AS TS 9S", "QD 9D 7S", "QC TC 7H"]
    for held, lost in ((3, -2), (2, -2), (1, -2), (0, -1)):
        table = knocked(hands, knocker_double=True, start={"tokens": (3, held, 3)})
        assert table.tokens == [0, lost, 0]
        assert (table.after.went_out[1] is None) == (held >= 2)
