"""Trade and barter: ranks and settlement. Sheets B2, B3; rulings B8-B14, B18-B20, R16-R19."""

from typing import Any

import msgspec
import pytest

from arena.errors import UnknownOption
from arena.games import variant
from arena.games.settlement.holdings import Holdings
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

Told = dict[str, Any]
FOUR = ["AH AD 5S", "KH KD 3C", "8S 7S 2D", "QC JC 9C"]


def played(name: str, hands: list[str], *actions: str, stock: str = "", **options: Any) -> ScriptedDeal:
    """Return a deal by seat 0; if nothing is told seat 1 is content at once."""
    word = "1:stand" if name.startswith("ready") else "1:knock"
    start = options.pop("start", None)
    return ScriptedDeal(name, hands, stock=stock, start=start, **options).play(*actions or [word])


test_deals = scripted_cases("""
# during the deal
b8 the antes are paid when the deal begins the dealers twice in ready money
    ready-money | AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C | -> now chips -2 -1 -1 -1, pool 5
    trade-and-barter dealer=2 stake=3 | AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C
    -> now chips -3 -3 -3 -3, pool 12
b4 a trade is paid to the dealer at once and his own is free
    ready-money | AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C | stock 7D 8D 9D TD
    1:trade 3C -> now chips -1 -2 -1 -1, pool 5
    1:continue, 2:trade 2D, 2:continue, 3:trade 9C, 3:continue, 0:trade 5S -> now chips 1 -2 -2 -2, pool 5
# ready money: the showdown
b9 the dealer pays the winner a stake unless he wins himself
    ready-money | 8S 7S 2D / AH AD 5S / KH KD 3C / QC JD 9C | 1:stand -> chips -3 5 -1 -1
    ready-money dealer_stake=False | 8S 7S 2D / AH AD 5S / KH KD 3C / QC JD 9C | 1:stand -> chips -2 4 -1 -1
b10 a beaten stander pays each better hand the best or none
    ready-money stand_penalty=each | AH AD 5S / 8S 7S 2D / KH KD 3C / QC JC 9C | 1:stand -> chips -2 -4 0 6
    ready-money stand_penalty=best | AH AD 5S / 8S 7S 2D / KH KD 3C / QC JC 9C | 1:stand -> chips -3 -2 -1 6
    ready-money stand_penalty=none | AH AD 5S / 8S 7S 2D / KH KD 3C / QC JC 9C | 1:stand -> chips -3 -1 -1 5
b10 an equal hand is not better
    ready-money | 8S 7S 2D / KH QD 3C / KS QC 3D / 9C 4H 2S | 1:stand -> chips -3 5 -1 -1
b22 the partner who stands when asked carries the risk
    ready-money | 8S 7S 2D / AH AD 5S / KH KD 3C / 9C 4H 2S | 1:barter 5S, 2:stand -> chips -3 6 -2 -1
b16 after the last round nobody pays for having stood
    ready-money rounds=1 | AH AD 5S / 8S 7S 2D | stock 3C 4C
    1:trade 2D, 1:continue, 0:trade 5S, 0:continue -> result chips 2 -2, pool 0
b18 by the option equal hands share odd chips to the first
    ready-money split_pool=True | 9C 4H 2S / KH QD 3C / 8S 7S 2D / KS QC 3D
    1:stand -> result chips -3 2 -1 2, pool 0
    ready-money split_pool=True dealer_stake=False | 9C 4H 2S / KH QD 3C / 8S 7S 2D / KS QC 3D
    1:stand -> result chips -2 2 -1 1, pool 0
b18 a dealer who shares owes no stake
    ready-money split_pool=True | KH QD 3C / 8S 7S 2D / KS QC 3D | 1:stand -> result chips 1 -3 2, pool 0
# the extended form
r16 nobody pays for having stood
    ready-money-extended | AH 9H 5H / KH QD 3C / 8S 7S 2S
    1:stand, 2:stand, 0:stand -> result chips 2 -1 -1, pool 0
r16 if nobody qualifies the pool stays for the next deal and the dealer owes nothing
    ready-money-extended | AH AD 5S / KH QD 3C / 8S 7S 2D
    1:stand, 2:stand, 0:stand -> result chips -2 -1 -1, pool 4
    ready-money-extended start.pool=4 | AH 9H 5H / KH QD 3C / 8S 7S 2D
    1:stand, 2:stand, 0:stand -> result chips 6 -1 -1, pool 0
r16 after the last deal the pool goes back odd chips to the eldest
    ready-money-extended deals=1 | AH AD 5S / KH QD 3C / 8S 7S 2D
    1:stand, 2:stand, 0:stand -> result chips -1 1 0, pool 0
# trade and barter
r17 a beaten knocker pays nothing unless the option says so
    trade-and-barter | 9C 4H 2S / 8S 7S 2D / QC JC TC | 1:knock -> chips -2 -1 3
    trade-and-barter stand_penalty=each | 9C 4H 2S / 8S 7S 2D / QC JC TC | 1:knock -> chips -2 -2 4
b13 b14 of equal hands the dealers is the best
    trade-and-barter | AH KH 2C / AD KD 3C / 8S 7S 2D | 1:knock -> chips 2 -1 -1
    trade-and-barter | 8S 7S 2D / AH KH 2C / AD KD 3C | 1:knock -> chips -2 3 -1
    trade-and-barter | QH JH TH / QD JD TD / 8S 7S 2D | 1:knock -> chips 2 -1 -1
    trade-and-barter | 8S 7S 2D / QH JH TH / QD JD TD | 1:knock -> chips -2 3 -1
w25 r16 if all hands are nothing the pool stays
    trade-and-barter | AH KD 5S / KH QD 3C / 8S 7D 2C | 1:knock -> result chips -1 -1 -1, pool 3
# tokens
b20 the best takes a token from the worst and no chips are needed
    trade-and-barter-tokens | AH KD 5S / KH QH 3C / 8S 7S 2C | stock 4D
    1:trade 3C, 2:knock -> result tokens -1 1 0
b20 w23 each of several worst pays
    trade-and-barter-tokens | AH KD 5S / KH QH 3C / 8S 7D 2C | 1:knock -> result tokens -1 2 -1
b13 r5 the dealer is first among equals and who wins does not lose
    trade-and-barter-tokens | AH KH 5S / AD KD 3C | 1:knock -> result tokens 1 -1
w25 where all are nothing no token moves
    trade-and-barter-tokens rounds=1 | AH KD 5S / KH QD 3C | stock 2S 4C
    1:trade 3C, 0:trade 5S -> result tokens 0 0
r17 trades are free for tokens unless they are given a price
    trade-and-barter-tokens trade_price=2 | AH KD 5S / KH QH 3C / 8S 7S 2C | stock 4D
    1:trade 3C, 2:knock -> result tokens -1 1 0, chips 2 -2 0
# consent
r19 the worst loses a token and trades are paid in chips
    trade-and-barter-consent | AH KD 5S / KH QH 3C / 8S 7S 2C | stock 4D
    1:trade 3C, 2:knock -> result tokens -1 0 0, chips 1 -1 0
w20 all that tie for worst lose by the option in their sum
    trade-and-barter-consent | 9D 7D 5D / AS KS 7H / AH KH QH | 1:knock -> result tokens 0 -1 0, chips 0 0 0
    trade-and-barter-consent bottom_tie=sum | 9D 7D 5D / AS KS 7H / AH KH QH
    1:knock -> result tokens -1 -1 0, chips 0 0 0
w20 by option of hands alike the dealers loses alone
    trade-and-barter-consent | 9D 7S 5H / 8S 6H 4D / AH KH QH | 1:knock -> tokens -1 -1 0
    trade-and-barter-consent bottom_tie=seat | 9D 7S 5H / 8S 6H 4D / AH KH QH | 1:knock -> tokens -1 0 0
w22 nobody loses if nobody would be left
    trade-and-barter-consent start.tokens=1,1 | AH KD 5S / KH QD 3C | 1:knock -> tokens 0 0
""")


# --- what hands are worth ---


test_hands = hand_cases("""
b12 b13 trade and barter ranks tricon sequence and the point of one suit
    # Sheet B3 test 1: 21 with three cards, 21 with two.
    trade-and-barter | 9D 7D 5D > AS KS 7H; 2S 2H 2D > AS KS QS; 4D 3D 2D > AS KS JS; AS KS QS > KS QS JS
    trade-and-barter | AS KS 2S > AH 9H 2H; 7H 6H 5S > 7C 5C AD; 2C 3C AD > 7C 7D KH
b12 sheet b3 what a hand is
    # Tests 3: no sequence; 4: a pair is nothing; 6.
    trade-and-barter | AS KS 2S is point; 7C 7D KH is nothing; 7H 6H 5S is point; KH KD KC is tricon
    trade-and-barter | QH JH TH is sequence
b12 hands that are nothing are all alike
    trade-and-barter | 7C 7D KH = 2C 3D 4H
w16 r18 sheet b3 test 3 the low ace follows the source
    ready-money,ready-money-extended,trade-and-barter | AH 3H 2H is sequence
    ready-money,ready-money-extended alow=False | AH 3H 2H is flush
    trade-and-barter alow=False | AH 3H 2H is point
    trade-and-barter-tokens,trade-and-barter-consent | AH 3H 2H is point
    trade-and-barter-tokens,trade-and-barter-consent alow=True | AH 3H 2H is sequence
b21 king ace two is no sequence
    ready-money | KH AH 2H is flush
w17 in ready money the point decides between flushes
    ready-money | KS QS 9S > AH 4H 2H
    ready-money flush=cards | AH 4H 2H > KS QS 9S
r9 r16 the extended form does not recognise pair and point
    ready-money-extended | AH AD KC is nothing; AH AD KC > 8S 7S 2D
a hand is three cards
    ready-money,trade-and-barter | AH AD is none; AH AD AC AS is none; AH AH AD is none
w30 as many can play as leave a card of stock
    ready-money,ready-money-extended | players 2-16
    trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent | players 2-16
    ready-money,ready-money-extended,trade-and-barter pack=40 | players 2-13
    trade-and-barter-tokens,trade-and-barter-consent pack=40 | players 2-13
    ready-money,ready-money-extended,trade-and-barter pack=32 | players 2-10
    trade-and-barter-tokens,trade-and-barter-consent pack=32 | players 2-10
""")


# --- during the deal ---


@pytest.mark.parametrize(
    ("options", "price"), [({}, 1), ({"trade_price": 2}, 2), ({"trade_price": 0}, 0), ({"stake": 3}, 3)]
)
def test_b4_a_trade_costs_so_many_stakes(options: Told, price: int) -> None:
    before = ScriptedDeal("ready-money", FOUR, **options).view.holdings.chips
    after = ScriptedDeal("ready-money", FOUR, stock="7D", **options).play("1:trade 3C").view.holdings.chips
    assert before is not None
    assert after == (before[0] + price, before[1] - price, *before[2:])


# --- ready money: the showdown ---


@pytest.mark.parametrize(("dealer", "winner"), [(0, 1), (1, 3), (2, 3), (3, 1)])
def test_b18_of_equal_hands_the_first_from_the_dealers_left_wins(dealer: int, winner: int) -> None:
    hands = ["9C 4H 2S", "KH QD 3C", "8S 7S 2D", "KS QC 3D"]
    first = (dealer + 1) % 4
    told = played("ready-money", hands, f"{first}:stand", dealer=dealer).result
    assert told["chips"].index(max(told["chips"])) == winner


# --- the extended form ---


def test_r16_a_carried_pool_is_in_the_next_deals_from_its_beginning() -> None:
    match = variant("ready-money-extended").match(3, "carried")
    while match.deal.opening.number == 0 or not match.holdings.pool:
        match.apply(match.deal.legal_actions.default)
    assert match.view(0).holdings.pool == match.holdings.pool + 4


# --- consent ---


def test_r19_places_go_by_tokens_then_by_the_deal_one_went_out_in_then_by_chips() -> None:
    settlement = variant("trade-and-barter-consent").settlement
    holdings = Holdings(tokens=(2, 0, 0, 0), chips=(-9, 5, 1, 3), went_out=(None, 4, 7, 4))
    begin = settlement.initial_holdings(4)
    assert settlement.placings(holdings, begin) == (1, 3, 2, 4)
    level = msgspec.structs.replace(holdings, chips=(-9, 5, 1, 5))
    assert settlement.placings(level, begin) == (1, 3, 2, 3)


def test_r16_extended_has_no_option_for_a_stander_it_has_not() -> None:
    with pytest.raises(UnknownOption, match="no option 'stand_penalty'"):
        variant("ready-money-extended", stand_penalty="best")
    assert variant("ready-money", stand_penalty="best").overrides


def test_r33_w23_tokens_with_a_price_share_the_place_where_they_are_equal() -> None:
    settlement = variant("trade-and-barter-tokens", trade_price=1).settlement
    begin = settlement.initial_holdings(4)
    assert begin.chips == (0, 0, 0, 0)
    over = msgspec.structs.replace(begin, tokens=(5, 5, 2, 0), chips=(-9, 5, 1, 3))
    assert settlement.placings(over, begin) == (1, 1, 3, 4)


# --- the match ---


@pytest.mark.parametrize("name", ["ready-money", "ready-money-extended", "trade-and-barter"])
def test_b19_r17_a_match_for_money_is_one_deal_for_each_player_and_the_most_chips_win(name: str) -> None:
    match = variant(name).match(5, "ledger")
    while not match.is_over:
        match.apply(match.deal.legal_actions.actions[-1])
    assert [deal.opening.dealer for deal in match.finished_deals] == [
        (match.finished_deals[0].opening.dealer + number) % 5 for number in range(5)
    ]
    assert sum(match.payoffs) == 0
    ordered = sorted(match.payoffs, reverse=True)
    assert match.placings == tuple(ordered.index(won) + 1 for won in match.payoffs)


@pytest.mark.parametrize(("deals", "played"), [(1, 1), (7, 7)])
def test_b19_the_number_of_deals_is_an_option(deals: int, played: int) -> None:
    match = variant("ready-money", deals=deals).match(3, "ledger")
    while not match.is_over:
        match.apply(match.deal.legal_actions.actions[-1])
    assert len(match.finished_deals) == played


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ready-money", {"stake": 0}),
        ("ready-money", {"stand_penalty": "all"}),
        ("trade-and-barter", {"barter_dir": "across"}),
        ("trade-and-barter-tokens", {"stake": 2}),
        ("trade-and-barter-consent", {"split_pool": True}),
    ],
)
def test_options_that_are_not_of_the_game_are_refused(name: str, options: Told) -> None:
    with pytest.raises(UnknownOption):
        variant(name, **options)
