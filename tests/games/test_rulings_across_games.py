"""Rulings that bind several games, or part one from another: W31, R7, R14, R18, R31."""

import pytest

from arena.games import VARIANTS, variant
from tests.games.support.scripted_cases import scripted_cases

test_deals = scripted_cases("""
w31 barter is with the next player who may decline where s004 says so
    trade-and-barter-consent | TD 7C 2H / 9H 8C 4D / KS QS 5H | stock 3C | 1:barter 9H -> asked 2; may decline
    2:decline -> asked 1; hand 1: 9H 8C 4D
    1:trade 9H -> asked 2; hand 1: 3C 8C 4D
w31 elsewhere the next player may not decline
    trade-and-barter,trade-and-barter-tokens | TD 7C 2H / 9H 8C 4D / KS QS 5H
    1:barter 9H -> asked 2; legal give KS, give QS, give 5H
r7 in trentuno 31 ends nothing by itself
    trentuno | JD 7C 2H / AH KH JH / KS QS 5H | table AS 7D 3C | -> asked 1; kinds exchange, knock, pass
    1:knock, 2:pass, 0:pass -> tokens -1 0 0
r7 in schwimmen the dealer chooses before 31 is shown
    schwimmen | TD 7C 8H / AH KH JH / KS QS 7H | table AS 9D 8C | -> asked 0; legal keep, take
    0:keep -> over; result tokens -1 0 0
r7 they are shown from the dealers left
    # 10 against 17: he has turned 31 up himself.
    schwimmen dealer=1 | TD 7C 8H / AH KH JH / AS KS QS | table 9C 9D 8C
    1:take -> heard 0: 1:take, widow AH KH JH, show 2 AS KS QS ...; tokens -1 0 0
""")


def test_r14_the_next_seat_is_the_next_number_but_in_cox() -> None:
    step = {rules.name: rules.step for rules in VARIANTS}
    assert step.pop("cox") == -1
    assert set(step.values()) == {1}


def test_r30_the_direction_is_an_option_where_it_differs_from_country_to_country() -> None:
    for name in ("cuccu", "trentuno", "trentuno-draw"):
        assert variant(name, direction="right").step == -1
        match = variant(name, direction="right").match(4, "r30")
        assert match.deal.opening.order[0] == (match.deal.opening.dealer - 1) % 4


S001_S002 = ("pool", "ready-money", "ready-money-extended", "trade-and-barter")
S003_S004 = ("lives", "tokens", "extended", "trade-and-barter-tokens", "trade-and-barter-consent")


def test_r18_the_ace_is_low_in_the_games_of_s001_and_s002_alone() -> None:
    assert {variant(name).rank("AS 2S 3S").category for name in S001_S002} == {"sequence"}
    assert "sequence" not in {variant(name).rank("AS 2S 3S").category for name in S003_S004}


FOR_EVER = [
    "lives",
    "extended",
    "trentuno",
    "schwimmen",
    "trade-and-barter",
    "ready-money",
    "thirty-one",
    "cambio",
]


@pytest.mark.parametrize("name", FOR_EVER)
def test_r31_no_deal_goes_on_for_more_than_twenty_rounds(name: str) -> None:
    match = variant(name).match(3, "r31")
    dealer_asked = 1  # Schwimmen's dealer chooses before the first round
    while not match.finished_deals:
        match.apply(match.deal.legal_actions.actions[0])
    turns = [
        event
        for event in match.finished_deals[0].log
        if event.action.kind in ("exchange", "trade", "draw", "pass")
    ]
    assert 0 < len(turns) <= 20 * 3 + dealer_asked
