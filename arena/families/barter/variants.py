"""The games of the barter family."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from arena.families.barter.actions import DECLINE, STAND
from arena.families.barter.options import SuitedPointRanking
from arena.families.barter.rules import BarterRules
from arena.games.rankings.combinations import CommerceRanking
from arena.games.settlement.paid_trades import LivesMarket, Money, PoolMarket, StanderMoney, TransferMarket

READY_MONEY: Final = BarterRules(
    name="ready-money",
    title="Buy from the dealer or barter with the next; the first to stand ends it, the best has the pool.",
    source="S001",
    source_players=(3, 12),
    ranking=CommerceRanking(alow=True, flush="point"),
    settlement=StanderMoney(dealer_antes=2),
    stop=STAND,
    refusal=STAND,
    stand_afterwards=True,
)

READY_MONEY_EXTENDED: Final = replace(
    READY_MONEY,
    name="ready-money-extended",
    title="Ready money until all are satisfied; tricon, sequence and flush alone.",
    source="S002",
    source_players=(3, 10),
    ranking=CommerceRanking(alow=True, flush="point", no_pair_point=True),
    settlement=Money(dealer_antes=2),
    until_all=True,
)

TRADE_AND_BARTER: Final = BarterRules(
    name="trade-and-barter",
    title="A stake a trade, no refusing a barter; a knock ends the deal, the best suited hand has the pool.",
    source="S002",
    source_players=(3, 10),
    ranking=SuitedPointRanking(alow=True),
    settlement=StanderMoney(stand_penalty="none", dealer_first=True),
    other_settlement=PoolMarket(),
)

TRADE_AND_BARTER_TOKENS: Final = replace(
    TRADE_AND_BARTER,
    name="trade-and-barter-tokens",
    title="Trade and barter, trades free; the best hand takes a token from the worst.",
    source="S003",
    source_players=None,
    ranking=SuitedPointRanking(),
    settlement=TransferMarket(trade_price=0),
    other_settlement=None,
    needs_rank_to_knock=True,
)

TRADE_AND_BARTER_CONSENT: Final = replace(
    TRADE_AND_BARTER,
    name="trade-and-barter-consent",
    title="Trade and barter where the neighbour may decline; the worst hand loses a token.",
    source="S004",
    source_players=(3, 12),
    ranking=SuitedPointRanking(),
    settlement=LivesMarket(),
    other_settlement=None,
    refusal=DECLINE,
)
