"""Interface for authors of games: the bases to derive from, and the values that they are made of.

A game is three classes and a constant. The deal derives from `Deal`: it asks one seat after the other,
and says what each may know. The view derives from `View`, with fields of its own. The rules derive from
`Rules`, whose fields are what variants differ in. The constant is such rules, with a name and a settlement.
"""

from arena.games.action import Action, Event, LegalActions, action, format_cards
from arena.games.cards import HIDDEN, Card, Hand, Pack, Pool, card, french_pack
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization, ReplayedDeals
from arena.games.opening import Opening
from arena.games.option_fields import option
from arena.games.rankings.base import NO_HAND, HandRank, Ranking
from arena.games.rankings.combinations import BragRanking, CommerceRanking, PokerRanking
from arena.games.rankings.suit_totals import SuitTotals
from arena.games.registry import Family
from arena.games.rules import Rules
from arena.games.seat_calculations import (
    add_at,
    compute_placings,
    find_best,
    find_better,
    find_worst,
    share,
    subtract_each,
    transfer,
)
from arena.games.settlement.base import (
    ChipSettlement,
    PointsOverDeals,
    PointsSettlement,
    Settlement,
    TokenSettlement,
)
from arena.games.settlement.holdings import Changes, Holdings, Showdown
from arena.games.stock import KnownRefillStock, Shuffler, Stock
from arena.games.view import View

PlainDeal = Deal
"""The name of `Deal` before version 0.3, for games that were written then."""

__all__ = [
    "HIDDEN",
    "NO_HAND",
    "Action",
    "Assignment",
    "BragRanking",
    "Card",
    "Changes",
    "ChipSettlement",
    "CommerceRanking",
    "Deal",
    "Determinization",
    "Event",
    "Family",
    "Hand",
    "HandRank",
    "Holdings",
    "KnownRefillStock",
    "LegalActions",
    "Opening",
    "Pack",
    "PlainDeal",
    "PointsOverDeals",
    "PointsSettlement",
    "PokerRanking",
    "Pool",
    "Ranking",
    "ReplayedDeals",
    "Rules",
    "Settlement",
    "Showdown",
    "Shuffler",
    "Stock",
    "SuitTotals",
    "TokenSettlement",
    "View",
    "action",
    "add_at",
    "card",
    "compute_placings",
    "find_best",
    "find_better",
    "find_worst",
    "format_cards",
    "french_pack",
    "option",
    "share",
    "subtract_each",
    "transfer",
]
