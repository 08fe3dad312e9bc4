"""Any settlement goes with the deals of any family, or is refused when the rules are made."""

from dataclasses import replace
from random import Random

import pytest

from arena.errors import InvalidRules
from arena.games import Match, Rules, variant
from arena.games.settlement.base import Lives, Penalties, Settlement, TotalPenalties, Transfer
from arena.games.settlement.paid_trades import LivesMarket, Money, PoolMarket, StanderMoney, TransferMarket
from arena.games.settlement.prize_pool import PrizePool
from arena.games.settlement.shared_pot import KnockerPot, SharedPot

GAMES = ("lives", "trade-and-barter", "thirty-one", "cuccu", "cambio")
"""One of each family with hands that compare."""
SETTLEMENTS: tuple[Settlement, ...] = (
    *(Lives(), Transfer(), Penalties(), TotalPenalties(free_ride=True)),
    *(PrizePool(), PrizePool(horse=False, ante=2, counter_value=1), PoolMarket(horse=False)),
    *(Money(), StanderMoney(stake=2), SharedPot(), KnockerPot(stake=3), LivesMarket(), TransferMarket()),
)


def with_settlement(name: str, settlement: Settlement) -> Rules:
    return replace(variant(name), settlement=settlement)


def play_at_random(rules: Rules, seed: str) -> Match:
    """A match whose chips and pool are counted after each deal."""
    match, rng = rules.match(players=3, seed=seed), Random(seed)
    counted = 0
    while not match.is_over:
        seat = match.seat_to_act
        assert seat is not None
        match.apply(rng.choice(match.view(seat).legal))
        if len(match.finished_deals) > counted:
            counted = len(match.finished_deals)
            holdings = match.holdings
            assert holdings.chips is None or sum(holdings.chips) + (holdings.pool or 0) == 0, counted
    return match


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("settlement", SETTLEMENTS, ids=lambda settlement: type(settlement).__name__)
def test_a_settlement_and_a_family_play_together_or_are_refused(name: str, settlement: Settlement) -> None:
    if settlement.has_offers and not variant(name).makes_offers:
        with pytest.raises(InvalidRules, match=r"offer no horse; set horse = false"):
            with_settlement(name, settlement)
        return
    rules = with_settlement(name, settlement)
    for number in range(3):
        match = play_at_random(rules, f"{name}/{number}")
        assert len(match.placings) == 3
        assert 1 in match.placings


@pytest.mark.parametrize("name", GAMES)
def test_antes_are_paid_in_every_family(name: str) -> None:
    match = with_settlement(name, SharedPot(stake=3)).match(players=3, seed="antes")
    view = match.view(match.seat_to_act or 0)
    assert (view.holdings.chips, view.holdings.pool) == ((-3, -3, -3), 9)


def test_a_pool_that_nobody_has_won_is_given_back_with_the_last_deal() -> None:
    rules = replace(variant("extended"), settlement=Money(deals=1))
    for number in range(40):
        match = rules.match(players=3, seed=f"back/{number}")
        while not match.is_over:
            match.apply(match.parse("pass"))
        ranks = {rank.category for rank in match.deal.hand_ranks()}
        assert match.holdings.pool == 0
        if ranks == {"nothing"}:
            assert match.payoffs == (0, 0, 0)
            return
    raise AssertionError("every deal had a hand that qualifies")


def test_a_trade_is_free_where_the_settlement_has_no_price() -> None:
    match = with_settlement("trade-and-barter", PrizePool(horse=False)).match(players=3, seed="free")
    before = match.view(0).holdings.chips
    match.apply(match.view(match.seat_to_act or 0).legal[0])
    assert match.view(0).holdings.chips == before
