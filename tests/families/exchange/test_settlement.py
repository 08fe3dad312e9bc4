"""Commerce with a widow: who pays whom. Rulings W3-W6, W20-W23, W25, W32, R4, R5, R9, R23, R29."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from arena.errors import RecordError
from arena.games import variant
from arena.play import play_match
from arena.play.records.record_check import check_record
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal
from tests.play.simple_bots import Anything

WIDOW = "JS 9D 3C"
PAIR_KINGS, PAIR_NINES, HIGH, LOW = "KS KD 5H", "9H 9C 4D", "TD 6C 2H", "5S 4C 2D"
SAME_AS_LOW, SAME_SUM_AS_LOW = "5D 4H 2C", "6S 3H 2C"  # 5 4 2 again, and 11 otherwise


def shown(name: str, hands: Sequence[str | None], widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    """A deal that is shown down as it was dealt: nobody exchanges."""
    table = ScriptedDeal(name, hands, widow, **more)
    while table.asked is not None and "pass" in table.legal:
        table.play(f"{table.asked}:{'knock' if 'knock' in table.legal else 'pass'}")
    return table


def tokens(*held: int) -> dict[str, Any]:
    return {"tokens": held}


DEALS = """
# three economies: W3
w3 in lives the worst loses a token and the best gets nothing
    shown lives | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> result tokens -1 0 0
w3 in tokens the best takes a token from the worst
    shown tokens | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> result tokens -1 0 1
w3 in pool the best draws a prize and the worst goes up one
    shown pool | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> result tokens -1 0 0, chips 0 0 3, pool 33
# the pool: W4, W5, R4
w4 the prize can be agreed and is never more than the pool holds
    shown pool prize=5 | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> chips 0 0 5
    shown pool start.pool=2 | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> result tokens -1 0 0, chips 0 0 2, pool 0
w4 with an empty pool it is played on for lives
    shown pool start.pool=0 | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> result tokens -1 0 0, chips 0 0 0, pool 0
r4 the prize is one for each player at the start of the match
    shown pool | TD 6C 2H / - / KS KD 5H / 9H 9C 4D / - | -> chips 0 0 5 0 0
w5 a counter gone up adds nothing to the pool
    shown pool | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> result tokens -1 0 0, chips 0 0 3, pool 33
# buying a horse: W6
w6 the first to lose all counters may buy one more for a third of the stake
    shown pool start.tokens=1,3,3 start.horse=True | TD 6C 2H / 9H 9C 4D / KS KD 5H
    -> asked 0; legal horse, no-horse
    0:horse -> result tokens 0 0 0, chips -4 0 3, pool 37
w6 the third is rounded up
    shown pool stake=10 start.tokens=1,3,3 start.horse=True | TD 6C 2H / 9H 9C 4D / KS KD 5H
    0:horse -> chips -4 0 3
w6 the price of a horse may be agreed
    shown pool horse_price=7 start.tokens=1,3,3 start.horse=True | TD 6C 2H / 9H 9C 4D / KS KD 5H
    0:horse -> result tokens 0 0 0, chips -7 0 3, pool 40
w4 by the option each player in a deal pays an ante
    pool ante=2 | TD 6C 2H / 9H 9C 4D / KS KD 5H / - | table JS 9D 3C
    -> now tokens 3 3 3 3, chips -14 -14 -14 -12, pool 54
    shown pool ante=2 | TD 6C 2H / 9H 9C 4D / KS KD 5H / -
    -> result tokens -1 0 0 0, chips -2 -2 2 0, pool 50
w4 antes can take the place of the stake and the winner of the prize draws all
    shown pool stake=0 ante=2 prize=1000 | TD 6C 2H / 9H 9C 4D / KS KD 5H
    -> result tokens -1 0 0, chips -2 -2 4, pool 0
w4 r4 the pool is formed once of twelve chips from each
    pool | TD 6C 2H / 9H 9C 4D / KS KD 5H / 5S 4C 2D | table JS 9D 3C
    -> now tokens 3 3 3 3, chips -12 -12 -12 -12, pool 48
    pool stake=20 | TD 6C 2H / 9H 9C 4D / KS KD 5H / 5S 4C 2D | table JS 9D 3C
    -> now tokens 3 3 3 3, chips -20 -20 -20 -20, pool 80
w6 who declines is out
    shown pool start.tokens=1,3,3 start.horse=True | TD 6C 2H / 9H 9C 4D / KS KD 5H
    0:no-horse -> result tokens -1 0 0, chips 0 0 3, pool 33
w6 who has counters left is not asked
    shown pool start.tokens=2,1,1 start.horse=True | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> over
w6 the right is the first players alone
    shown pool start.tokens=1,3,3 start.horse=False | TD 6C 2H / 9H 9C 4D / KS KD 5H | -> tokens -1 0 0
w6 several who reach nought in one deal are asked from the dealers left
    shown pool dealer=1 start.tokens=1,3,1 start.horse=True | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> asked 2
    2:horse -> asked 0
    0:no-horse -> result tokens -1 0 0, chips 0 3 -4, pool 37
# ties: W20, W21, W22, W32
w20 hands alike in every card lose together
    shown lives | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 -1
w20 points of one sum are settled by their cards
    shown lives | 5S 4C 2D / KS KD 5H / 6S 3H 2C | -> tokens -1 0 0
w20 by option points of one sum lose together
    shown lives bottom_tie=sum | 5S 4C 2D / KS KD 5H / 6S 3H 2C | -> tokens -1 0 -1
    shown lives bottom_tie=sum | 9H 9C 4D / KS KD 5H / 9S 9D 5C | widow JS 8D 3C | -> tokens -1 0 0
w20 by option of hands alike the last in turn loses alone
    # S004: "if still tied, the player to the left of the dealer wins".
    shown lives dealer=0 bottom_tie=seat | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 0
    shown lives bottom_tie=seat | 5S 4C 2D / KS KD 5H / 6S 3H 2C | -> tokens -1 0 0
    shown lives dealer=1 bottom_tie=seat | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 0
    shown lives dealer=2 bottom_tie=seat | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens 0 0 -1
w20 seat order never saves anybody from the loss
    shown lives dealer=0 | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 -1
    shown lives dealer=1 | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 -1
    shown lives dealer=2 | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 -1
w21 of equal best hands the nearest to the dealers left wins
    shown pool dealer=0 | TD 6C 2H / KS 9H 8C / KH 9C 8S | widow JS 9D 3C | -> chips 0 3 0
    shown pool dealer=1 | TD 6C 2H / KS 9H 8C / KH 9C 8S | widow JS 9D 3C | -> chips 0 0 3
    shown pool dealer=2 | TD 6C 2H / KS 9H 8C / KH 9C 8S | widow JS 9D 3C | -> chips 0 3 0
w22 if nobody would be left nobody loses
    shown lives start.tokens=1,0,1 | 5S 4C 2D / - / 5D 4H 2C | -> tokens 0 0 0
    shown lives start.tokens=1,0,2 | 5S 4C 2D / - / 5D 4H 2C | -> tokens -1 0 -1
    shown lives start.tokens=1,1,1 | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 0 -1
r29 nobody loses more than he has
    shown lives start.tokens=1,1,1 | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> left 0 1 0; out 0 - 0
w32 the widow is no hand of its own
    shown lives | TD 6C 2H / 9H 9C 4C / KS KD 5H | widow AS AH AD | -> result tokens -1 0 0
    shown pool | TD 6C 2H / 9H 9C 4C / KS KD 5H | widow AS AH AD | -> chips 0 0 3
    shown lives | TD 6C 2H / 9H 9C 4C / KS KD 5H | widow 2S 3H 4D | -> result tokens -1 0 0
    shown pool | TD 6C 2H / 9H 9C 4C / KS KD 5H | widow 2S 3H 4D | -> chips 0 0 3
# tokens: W23, R5
w23 each of several worst pays the winner
    shown tokens | 5S 4C 2D / KS KD 5H / 5D 4H 2C | -> tokens -1 2 -1
r5 the single winner is never among the losers
    shown tokens | 5S 4C 2D / 5D 4H 2C | -> tokens -1 1
    shown pool | 5S 4C 2D / 5D 4H 2C | -> tokens -1 0
# no pair or point: W25, R9
w25 a hand that does not qualify never wins
    shown no-pair-or-point | 2S 3S 6S / KS KD 5H / 5S 4C 2D | -> tokens 1 0 -1
    shown no-pair-or-point | TD 6C 2H / KS KD 5H / 9H 9C 4D | -> tokens 0 0 0
w25 in pool the pool stays if nobody qualifies
    shown pool no_pair_point=True | TD 6C 2H / KS KD 5H / 9H 9C 4D
    -> result tokens -1 0 0, chips 0 0 0, pool 36
w25 in extended the least point loses whatever pairs there are
    # A pair of fours (10) is less than 5 4 2 (11): pairs are not looked at.
    shown extended | 4S 4H 2C / 5S 6C 2D / KS KD 5H | -> tokens -1 0 0
"""
test_deals = scripted_cases(DEALS, shown=shown)


# --- three economies: W3 ---


def test_w3_r23_the_plain_game_is_lives() -> None:
    assert variant("commerce") is variant("lives")


# --- buying a horse: W6 ---


def test_w6_by_the_option_there_is_no_horse() -> None:
    assert not variant("pool", horse=False).settlement.initial_holdings(3).horse
    match = variant("pool", horse=False, tokens=1).match(3, "x")
    while not match.is_over:
        assert "horse" not in [match.text(action) for action in match.view(match.seat_to_act or 0).legal]
        match.apply(match.deal.legal_actions.default)


@pytest.mark.parametrize(
    "options", [{}, {"ante": 1}, {"ante": 3, "stake": 0, "horse_price": 2}, {"horse": False}]
)
def test_decision_8_chips_with_an_ante_come_to_the_same_and_all_are_paid_out(options: dict[str, Any]) -> None:
    for seed in range(5):
        record = play_match(variant("pool", tokens=2, **options), [Anything] * 4, str(seed))
        assert sum(record["payoffs"]) == 0
        assert check_record(record).matches == 1


def pool_record(*answers: str) -> dict[str, Any]:
    """Two players; the first loses his last counter, and nobody exchanges."""
    bought = answers[0] == "0:horse"
    first = {
        "dealer": 1,
        "hands": [HIGH, PAIR_KINGS],
        "table": WIDOW,
        "stock": "",
        "actions": ["1:pass", "0:knock", "1:knock", *answers],
        "result": {"tokens": [-1 + bought, 0], "chips": [-4, 2] if bought else [0, 24], "pool": 26 * bought},
    }
    return {
        "v": 1,
        "variant": "pool",
        "options": {},
        "players": 2,
        "start": {"tokens": [1, 2]},
        "deals": [first],
    }


def test_w6_whether_one_is_left_is_looked_at_after_the_offer() -> None:
    record = pool_record("0:horse") | {"payoffs": [-16, -10], "placings": [2, 1]}
    record["deals"].append(
        record["deals"][0]
        | {
            "dealer": 0,
            "actions": ["0:pass", "1:knock", "0:knock"],
            "result": {"tokens": [-1, 0], "chips": [0, 26], "pool": 0},
        }
    )
    record |= {"payoffs": [-16, 16]}
    assert check_record(record).deals == 2  # the horse went too: nobody is asked again, the pool is swept


def test_w6_s002_the_last_one_in_sweeps_the_pool() -> None:
    record = pool_record("0:no-horse")
    assert check_record(record | {"payoffs": [-12, 12], "placings": [2, 1]}).deals == 1


def test_r4_places_go_by_payoff_not_by_counters() -> None:
    rules = variant("pool")
    match = rules.match(players=3, seed="r4")
    while not match.is_over:
        match.apply(match.deal.legal_actions.default)
    by_payoff = sorted(range(3), key=lambda seat: -match.payoffs[seat])
    assert [match.placings[seat] for seat in by_payoff] == sorted(match.placings)
    assert sum(match.payoffs) == 0


# --- tokens: W23, R5 ---


def test_w23_it_lasts_until_one_owns_all() -> None:
    settlement = variant("tokens").settlement
    after = shown("tokens", [LOW, PAIR_KINGS], start=tokens(1, 5)).after
    assert after.tokens == (0, 6)
    assert settlement.is_over(after, 1)


def test_w23_or_fifteen_deals_and_then_most_tokens_win_and_equal_share() -> None:
    settlement = variant("tokens").settlement
    begin = settlement.initial_holdings(3)
    assert not settlement.is_over(begin, 14)
    assert settlement.is_over(begin, 15)
    assert settlement.placings(begin, begin) == (1, 1, 1)
    assert variant("tokens", deals=2).settlement.is_over(begin, 2)
    assert not variant("tokens", deals=0).settlement.is_over(begin, 999)


# --- no pair or point: W25, R9 ---


test_hands = hand_cases("""
w25 r9 pair and point are nothing and rank below every flush by their point
    no-pair-or-point,extended | 2S 3S 5S > AS KH JD = AH KD JS > 9H 9C 4D > 5S 4C 2D; 2S 3S 5S is flush
    no-pair-or-point,extended | AS AH KD is nothing; AS KH JD is nothing; 5S 4C 2D is nothing
""")


# --- the match ---


def test_s004_places_go_by_tokens_and_then_by_who_went_out_later() -> None:
    settlement = variant("lives").settlement
    holdings = variant("lives").settlement.initial_holdings(4)
    over = msgspec.structs.replace(holdings, tokens=(0, 2, 0, 0), went_out=(3, None, 9, 9))
    assert settlement.is_over(over, 10)
    assert settlement.placings(over, holdings) == (4, 1, 2, 2)
    assert settlement.payoffs(over, holdings) == (-3, -1, -3, -3)


def test_a_record_that_goes_on_after_the_last_one_is_left_is_refused() -> None:
    record = pool_record("0:no-horse")
    record["deals"].append(record["deals"][0])
    with pytest.raises(RecordError, match="deal 2: the match was over before it"):
        check_record(record)
