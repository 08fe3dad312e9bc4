"""The barter family: answers to a barter, the end of the trading, a ranking of hands, and the variants."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

from arena.errors import InvalidNotation
from arena.families.barter.deal import (
    DECLINE,
    GIVE_ACTIONS,
    KNOCK,
    OFFER_ACTIONS,
    STAND,
    WORD_ACTIONS,
    BarterDeal,
)
from arena.families.barter.determinization import BarterDeterminization
from arena.families.barter.view import HAND_SIZE
from arena.games.action import Action, LegalActions
from arena.games.cards import Hand, Pack
from arena.games.option_fields import option
from arena.games.rankings.base import HandRank, Ranking, one_suit, point, rank_indices, run_top
from arena.games.rankings.combinations import CommerceRanking
from arena.games.rules import Rules
from arena.games.settlement.paid_trades import LivesMarket, Money, PoolMarket, StanderMoney, TransferMarket
from arena.games.view import View


@dataclass(frozen=True, kw_only=True)
class SuitedPointRanking(Ranking):
    """Hands of Trade and Barter: tricon, sequence, and the point of two or three cards of one suit.

    Source: S002, S003, ruling B12.
    """

    alow: bool = option(False, "the ace may be low in a sequence: A-2-3, the lowest of them")

    def rank(self, hand: Hand, pack: Pack) -> HandRank:
        high_to_low = rank_indices(hand, pack)
        if high_to_low[0] == high_to_low[-1]:
            return HandRank(5, (high_to_low[0],), "tricon")
        top = run_top(high_to_low, pack, self.alow) if one_suit(hand) else None
        if top is not None:
            return HandRank(4, (top,), "sequence")
        suits = [c.suit for c in hand]
        suited = tuple([c for c in hand if suits.count(c.suit) > 1])
        if suited:
            return HandRank(1, (point(suited), len(suited)), "point")
        return HandRank(0, (0,), "nothing")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BarterRules(Rules):
    """The rules of a game of the barter family, and the legal actions that follow from them."""

    family: ClassVar[str] = "barter"
    deal_type: ClassVar = BarterDeal
    determinization: ClassVar = BarterDeterminization
    makes_offers: ClassVar[bool] = True
    version: ClassVar[int] = 1
    hand_size: int = HAND_SIZE
    stop: Action = KNOCK
    """The action with which a seat ends the trading, or its own part in it."""
    refusal: Action | None = None
    """The answer of a partner that gives no card; None: it must give one. Source: ruling B2."""
    stand_afterwards: bool = False
    """True if a seat may stand right after its own exchange. Source: S001, ruling B6."""
    until_all: bool = False
    """True if the trading goes on until all seats stand. Source: S002, ruling W26."""
    needs_rank_to_knock: bool = False
    """True if a hand of the category `nothing` may not knock. Source: S003, rulings B6, R17."""
    rounds: int = option(20, "rounds of turns after which the hands are shown", low=1)
    barter_dir: str = option("left", "the side of the neighbour one barters with", choices=("left", "right"))
    open_hands: bool = option(False, "all hands lie face up")

    @cached_property
    def partner_step(self) -> int:
        """The distance to the partner in the order of turns, 1 or -1. Source: ruling B1."""
        return 1 if self.barter_dir == "left" else -1

    @cached_property
    def turns(self) -> dict[tuple[bool, bool], LegalActions]:
        """The actions of a turn, by whether the seat may barter and whether it may stop.

        There is no passing. Source: S001, ruling B5.
        """
        trades, barters = GIVE_ACTIONS["trade"], GIVE_ACTIONS["barter"]
        return {
            (may_barter, may_stop): LegalActions(
                (*trades, *(barters if may_barter else ()), *((self.stop,) if may_stop else ())),
                default=self.stop if may_stop and self.until_all else trades[0],
            )
            for may_barter in (True, False)
            for may_stop in (True, False)
        }

    @cached_property
    def answers(self) -> LegalActions:
        """The answers of a partner that was asked for a barter."""
        gives = GIVE_ACTIONS["give"]
        if self.refusal is None:
            return LegalActions(gives, default=gives[0])
        costs_nothing = self.refusal is not STAND or self.until_all
        return LegalActions((*gives, self.refusal), default=self.refusal if costs_nothing else gives[0])

    def parse_action(self, text: str, view: View) -> Action:
        if text in WORD_ACTIONS:
            return WORD_ACTIONS[text]
        if text in OFFER_ACTIONS:
            return OFFER_ACTIONS[text]
        kind, _, name = text.partition(" ")
        if kind not in GIVE_ACTIONS:
            raise InvalidNotation(
                f"{text!r} is not an action: it is one of {', '.join([*GIVE_ACTIONS, *WORD_ACTIONS])}"
            )
        card = self.whole_pack.card(name.strip())
        if card not in view.hand:
            raise InvalidNotation(f"{card} is not in the hand ({' '.join(map(str, view.hand))})")
        return GIVE_ACTIONS[kind][view.hand.index(card)]


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
