"""Stop the Bus with a widow: compulsory exchanges and the stop after one. Sheet B7 (a); ruling R8."""

from typing import Any

from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

FOUR = ["TD 6C 2H", "9H 9C 4D", "KS QS 5H", "AS 7D 3S"]
WIDOW = "JS 9D 3C"


def dealt(hands: list[str] = FOUR, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("stop-the-bus", hands, widow, **more)


DEALS = """
b7 one must exchange one card or three and cannot pass or knock instead
    dealt | -> count 10; kinds exchange; illegal pass, knock, 9H,9C>JS,9D
b7 after the exchange one is asked whether to stop
    dealt | 1:4D>9D -> asked 1; legal knock, continue
    1:continue -> asked 2; heard 3: ... 1:continue
b7 test 6 after a stop each other player exchanges once more
    # The first player stops right after his first exchange, and does not act again.
    dealt | 1:4D>9D, 1:knock, 2:5H>JS, 3:AS>5H, 0:* -> over; knocker 1
b7 in the last turns nobody is asked again and nobody can stand still
    dealt | 1:4D>9D, 1:knock -> kinds exchange
    2:5H>JS -> asked 3
r8 after the last round the hands are shown
    dealt rounds=1 | 1:*, 1:continue, 2:*, 2:continue, 3:*, 3:continue, 0:*, 0:continue -> over; knocker -
b7 the weakest loses a token and the stopper no more than others
    dealt
    1:4D>9D, 1:knock, 2:5H>4D, 3:3S>5H, 0:TD>3S -> hands 3S 6C 2H / 9H 9C 9D / KS QS 4D / AS 7D 5H;
        tokens -1 0 0 0
    dealt
    1:9H>3C, 1:knock, 2:5H>JS, 3:3S>9D, 0:2H>3S -> hands TD 6C 3S / 3C 9C 4D / KS QS JS / AS 7D 9D;
        tokens 0 -1 0 0
b7 who tie for weakest all lose or by the option none
    stop-the-bus ties_lose=True | TD 6C 3H / TS 6H 4D / KS QS 5H | table 2S 2C 9D
    1:4D>2C, 1:knock, 2:5H>9D, 0:3H>2S -> hands TD 6C 2S / TS 6H 2C / KS QS 9D; tokens -1 -1 0
    stop-the-bus ties_lose=False | TD 6C 3H / TS 6H 4D / KS QS 5H | table 2S 2C 9D
    1:4D>2C, 1:knock, 2:5H>9D, 0:3H>2S -> hands TD 6C 2S / TS 6H 2C / KS QS 9D; tokens 0 0 0
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


def test_b7_what_is_played_for_a_seat_that_failed_is_an_exchange() -> None:
    assert str(dealt().deal.legal_actions.default.kind) == "exchange"


test_hands = hand_cases("""
b7 the ranks are those of brag
    stop-the-bus | 3S 3H 3D is prial; players 2-16
""")
