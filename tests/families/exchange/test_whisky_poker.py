"""Whisky Poker: the hidden widow, passing, the pool. Sheet B9; rulings R8, R11, R27."""

from random import Random
from typing import Any

from arena.families.exchange.view import ExchangeView
from arena.games import variant
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ["TD 6C 2H 8S 9C", "9H JD 5D 4C 2S", "KS QS 5H 3D 7C", "AS 7D 3S TC 8H"]
WIDOW = "JS 9D 3C KH 6D"


def dealt(hands: list[str] = HANDS, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("whisky-poker", hands, widow, **more)


def opened(**more: Any) -> ScriptedDeal:
    """All have passed and the dealer has turned the widow up; it is seat 1's turn."""
    return dealt(**more).play("1:pass", "2:pass", "3:pass", "0:turn")


def view(table: ScriptedDeal, seat: int) -> ExchangeView:
    seen = table.deal.view(seat)
    assert isinstance(seen, ExchangeView)
    return seen


def shown(hands: list[str], **more: Any) -> ScriptedDeal:
    """These hands, of which the first is the dealer's, after a knock."""
    table = dealt(hands, REST, **more).play("1:knock")
    while table.asked != 0:
        table.play(f"{table.asked}:pass")
    return table.play("0:turn")


DEALS = """
# the hidden widow
b9 the widow is hidden and may be taken passed or knocked on
    dealt
    -> legal *, pass, knock; view widow 0 1 2 3: ?? ?? ?? ?? ??; view widow_dealt 0 1 2 3: ?? ?? ?? ?? ??;
        view down 0 1 2 3: 0 1 2 3 4
b9 test 5 the dealer must take it or turn it up
    dealt | 1:pass, 2:pass, 3:pass -> legal *, turn; illegal pass, knock
r11 turning it up is the dealers whole turn
    opened | -> asked 1; heard 3: ... 0:turn, widow JS 9D 3C KH 6D; view widow_dealt 3: JS 9D 3C KH 6D
r27 after a knock too the dealer takes it or turns it up
    dealt | 1:pass, 2:knock -> legal *, pass
    3:pass -> legal *, turn
    0:turn -> asked 1; may not knock; may pass
    1:pass -> over; knocker 2
b9 the eldest may knock at once and the deal ends with the dealers turn
    dealt | 1:knock, 2:pass, 3:*, 0:pass -> over
# the open widow
b9 one card or all five or by the option any number
    opened | -> count 28
    opened any_k=True | -> count 253
    1:9H,JD>JS,9D -> hand 1: JS 9D 5D 4C 2S
b9 test 6 one may not pass on two turns running
    opened | 1:pass, 2:KS>JS, 3:pass, 0:pass -> asked 1; kinds exchange, knock
    1:9H>9D, 2:pass -> kinds exchange, knock
    3:AS>KS, 0:TD>AS -> may pass
r11 a pass at the hidden widow does not count
    opened | -> may pass
r11 a last turn may always be a pass
    opened | 1:pass, 2:pass, 3:knock, 0:pass, 1:pass, 2:pass -> over
r8 twenty rounds are the end
    opened rounds=2 | 1:pass, 2:pass, 3:pass, 0:pass -> over; knocker -
# the pool
b9 antes are in the pool while the deal is played
    dealt start.chips=5,0,0,-7 start.pool=2 | -> now chips 4 -1 -1 -8, pool 6
b9 the forfeits of the last deal are won in this one
    shown start.chips=0,0,0,-2 start.pool=2 | KC KD 9H 9S 3C / QC QD 9D 9C AC / AH 8H 7C 4H 2H
        / TS 8S 6S 4S 2C
    -> result chips 5 -1 -1 -2, pool 1
b9 stake and forfeit are options
    shown stake=3 forfeit=5 | KC KD 9H 9S 3C / QC QD 9D 9C AC / AH 8H 7C 4H 2H / TS 8S 6S 4S 2C
    -> result chips 9 -3 -3 -8, pool 5
r27 ties for best share the pool the odd chip to the dealers left
    shown | KC KD 9H 9S 3C / KS KH 9D 9C 3D / AH 8H 7C 4H 2H | -> result chips 0 1 -2, pool 1
b9 all who tie for lowest pay unless all are best
    shown | KC KD 9H 9S 3C / AS 8S 7D 4C 2C / AH 8H 7C 4H 2H | -> result chips 2 -2 -2, pool 2
    shown | KC QC 9H 7S 3C / KS QS 9D 7C 3D | -> result chips 0 0, pool 0
b9 who takes it lays his hand face up and alone knows what he took
    dealt
    1:pass, 2:* -> hand 2: JS 9D 3C KH 6D; table KS QS 5H 3D 7C;
        heard 0 1 2 3: 1:pass, 2:*, widow KS QS 5H 3D 7C; knows 0 1 3: - / - / - / -
    -> view widow_dealt 0 1 3: ?? ?? ?? ?? ??; cards 0 1 3: - / KS QS 5H 3D 7C ?? ?? ?? ?? ??
        / KS QS 5H 3D 7C; cards 2: - / KS QS 5H 3D 7C JS 9D 3C KH 6D / KS QS 5H 3D 7C; count 28
b9 the best takes the antes and the lowest pays a forfeit into the next pool
    shown | KC KD 9H 9S 3C / QC QD 9D 9C AC / AH 8H 7C 4H 2H / TS 8S 6S 4S 2C
    -> result chips 3 -1 -1 -2, pool 1; held chips 3 -1 -1 -2, pool 1
"""
test_deals = scripted_cases(DEALS, dealt=dealt, opened=opened, shown=shown)


# --- the hidden widow ---


def test_b9_all_five_may_be_spelled_out_when_nobody_knows_them() -> None:
    view = dealt().view
    assert view.parse("9H,JD,5D,4C,2S>??,??,??,??,??") is view.parse("*")


# --- the pool ---

REST = "JS JH 6H 5D 5S"


def test_r11_a_match_is_one_deal_for_each_player_and_r27_the_last_forfeits_stay() -> None:
    match, rng = variant("whisky-poker").match(5, "x"), Random(1)
    while not match.is_over:
        match.apply(rng.choice(match.view(match.seat_to_act or 0).legal))
    assert len(match.finished_deals) == 5
    assert sum(match.payoffs) == -(match.holdings.pool or 0) < 0
    assert match.finished_deals[-1].changes
    assert match.finished_deals[-1].changes.pool == match.holdings.pool


def test_the_option_deals_makes_it_longer() -> None:
    settlement = variant("whisky-poker", deals=7).settlement
    begin = settlement.initial_holdings(3)
    assert [settlement.is_over(begin, dealt) for dealt in (3, 6, 7)] == [False, False, True]


# --- what is imagined ---


def test_what_was_taken_from_the_hidden_widow_is_imagined_until_it_is_seen() -> None:
    table = dealt().play("1:*", "2:KS>9H", "3:AS>KS", "0:TD>AS", "1:9D>TD")
    rng, lying = Random(2), set()
    for _ in range(40):
        deal: Any = table.deal.view(2).sample(rng).deal
        assert str(deal.table_dealt[1]) == "9D"
        lying.add(str(deal.table_dealt[0]))
    assert len(lying) > 10


test_hands = hand_cases("""
b9 it is for two to nine
    whisky-poker | players 2-9
""")
