"""Other readings of S002 and S004 on the games with a widow: options, all off by default."""

from collections.abc import Sequence
from typing import Any

import pytest

from arena.families.exchange.kernel.lookup_tables import explain_unserved
from arena.games import variant
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"]
WIDOW = "JS 8D 3C"
UNPLAYED = ["5S 4C 2D", "KS KD 5H", "9H 9C 4D"]


def pool(hands: Sequence[str] = HANDS, table: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("pool", hands, table, stock="7C 7H 7S", **more)


def trentuno(hands: list[str] | None = None, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("trentuno", hands or ["QS 7H 5D", "JC 5H 7D", "KD 6S 7C"], "KH 6C 5S", **more)


DEALS = """
# "a fresh card is added to the widow at the beginning of each [round]": S002, ruling W13
w13 by option a card is added at the beginning of the first round too
    pool | 0:pass -> table JS 8D 3C
    pool first_card=True | -> asked 0; table JS 8D 3C
    0:pass -> table JS 8D 3C 7C
    1:4D>7C, 2:pass, 0:pass -> table JS 8D 3C 4D 7H; heard 2: ... 0:pass, widow 7C ...
# "the game resumes as before the player called Pounce": S003, ruling W24
w24 by option the pouncer has turns again in which he passes or knocks
    pounce plays_on=True | TD 6C 2H / 9H 9C 9D / 9S QS 5H | table JS 8D 3C | stock 2C
    1:pass, 2:9S>8D, 1:pounce, 0:pass -> asked 1; legal pass, knock
    1:knock, 2:pass, 0:pass -> tokens -1 0 0
w14 by that option his passes count for the deadlock
    pounce plays_on=True | TD 6C 2H / 9H 9C 9D / 9S QS 5H | table JS 8D 3C | stock 2C
    1:pass, 2:9S>8D, 1:pounce, 0:pass, 1:pass, 2:pass, 0:pass, 1:pass, 2:pass -> over
s003 his last turn is a pass
    pounce plays_on=True | TD 6C 2H / 9H 9C 9D / 9S QS 5H | table JS 8D 3C | stock 2C
    1:pass, 2:9S>8D, 1:pounce, 0:knock -> asked 1; legal pass
# the pool: S002, rulings W4-W6
w4 by options the best hand receives the stake deposited in the pool
    pool stake=0 ante=3 prize=1000 horse_price=1 | 5S 4C 2D / KS KD 5H / 9H 9C 4D | table JS 9D 3C
    0:pass, 1:knock, 2:knock -> result tokens -1 0 0, chips -3 6 -3, pool 0
w5 by option a counter that goes up is worth chips and goes into the pool
    pool counter_value=2 | 5S 4C 2D / KS KD 5H / 9H 9C 4D | table JS 9D 3C
    0:pass, 1:knock, 2:knock -> result tokens -1 0 0, chips -2 3 0, pool 35
    pool start.tokens=1,1,1 counter_value=2 | 5S 4C 2D / KS KD 5H / 9H 9C 4D | table JS 9D 3C
    0:pass, 1:knock, 2:knock, 0:no-horse -> chips -2 3 0
w5 where nobody goes up nothing is paid
    pool start.tokens=1,1 counter_value=2 no_pair_point=True | 5S 4C 2D / 5D 4H 2C | table JS 9D 3C
    0:pass, 1:knock, 0:knock -> result tokens 0 0, chips 0 0, pool 24
# Trentuno: S002 and S004, sheet B6
s002 by option the first knock ends the deal at once
    trentuno at_once=True | 1:pass, 2:knock -> over; knocker 2
s002 by option the widow grows before each round but the first
    trentuno grows=True | stock 2D | 1:pass, 2:pass, 0:pass -> table KH 6C 5S 2D
s002 by option the dealer may exchange before he looks
    trentuno blind=True | -> asked 0; view hand 0: ?? ?? ??
    0:#1>KH -> hand 0: KH 7H 5D
"""
test_deals = scripted_cases(DEALS, pool=pool, trentuno=trentuno)


# --- "a fresh card is added to the widow at the beginning of each [round]": S002, ruling W13 ---


def test_w13_the_compiled_play_does_not_serve_a_widow_that_grows_before_the_first_round() -> None:
    rules = variant("tokens", first_card=True)
    assert explain_unserved(rules) == f"in {rules} the widow grows before the first round"
    assert explain_unserved(variant("trentuno", first_card=True)) is None  # that widow does not grow


# --- "if he exchanges all three cards at once he cannot do it again": S002, ruling W8 ---


@pytest.mark.parametrize(
    ("after_three", "sizes"),
    [("none", {0}), ("fewer", {0, 1, 2})],
)
def test_w8_by_option_only_a_second_exchange_of_all_three_is_barred(
    after_three: str, sizes: set[int]
) -> None:
    table = pool(after_three=after_three).play("0:pass", "1:*", "2:pass", "0:pass")
    assert {len(action.give) for action in table.view.legal} == sizes
    table.play("1:pass")
    assert {len(action.give) for action in table.view.legal} == {0, 1, 2, 3}  # the others may still


def test_w8_it_holds_for_the_dealers_blind_exchange_too() -> None:
    table = pool(after_three="fewer").play("0:*", "1:pass", "2:pass")
    assert {len(action.give) for action in table.view.legal} == {0, 1, 2}


def test_w8_in_trentuno_it_is_an_option_as_its_sheet_has_no_such_rule() -> None:
    for after_three, kinds in (("any", {0, 1, 3}), ("fewer", {0, 1}), ("none", {0})):
        table = trentuno(after_three=after_three).play("1:*", "2:pass", "0:pass")
        assert {len(action.give) for action in table.view.legal} == kinds


# --- the pool: S002, rulings W4-W6 ---


def shown_pool(**more: Any) -> ScriptedDeal:
    return ScriptedDeal("pool", UNPLAYED, "JS 9D 3C", **more).play("0:pass", "1:knock", "2:knock")


def test_w6_the_price_of_a_horse_is_then_agreed_as_there_is_no_original_stake() -> None:
    assert variant("pool", stake=0, ante=3).settlement.price_of_horse == 0  # type: ignore[attr-defined]
    table = shown_pool(stake=0, ante=3, prize=1000, horse_price=1, start={"tokens": (1, 3, 3)})
    assert table.play("0:horse").result == {"tokens": [0, 0, 0], "chips": [-4, 6, -3], "pool": 1}


# --- Trentuno: S002 and S004, sheet B6 ---


test_hands = hand_cases("""
s004 by option all three cards count and a hand that goes over 31 is nothing
    trentuno unsuited=True | AS KH JD is points 31; AS AH 7D is points 29; QS KH JD is points 30
    trentuno unsuited=True | AS AH KD is nothing 0; 7S 7H 7D is three-alike 30.5; AS AH AD is three-alike 30.5
    trentuno unsuited=True | 7S 6S 5S is points 18
s004 such a hand is worst and three alike stand between 30 and 31
    trentuno unsuited=True | AS KH JD > 2S 2H 2D > QS KH JD > 2S 2H 3D > AS AH KD
""")


def test_s004_such_a_hand_is_worst_and_three_alike_stand_between_30_and_31() -> None:
    rank = variant("trentuno", unsuited=True).rank
    assert rank("AS AH KD") < rank("2S 2H 3D") < rank("QS KH JD") < rank("2S 2H 2D") < rank("AS KH JD")
    table = trentuno(["AD AH 7S", "AS KD JH", "AC QC 2D"], unsuited=True)
    assert table.play("1:knock", "2:pass", "0:pass").tokens == [0, 0, -1]  # 23


# --- Extended: S004, rulings W15, W26 ---


def test_s004_extended_with_rounds_1000_goes_on_long_past_the_cap_of_twenty() -> None:
    match = variant("extended", rounds=1000).match(2, "no cap")
    for _ in range(2 * 100):
        match.apply(match.deal.legal_actions.actions[0])
    assert match.finished_deals == []
    assert variant("extended").rounds == 20  # type: ignore[attr-defined]
