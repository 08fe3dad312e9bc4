"""Interface for authors of games: the bases to derive from, and the values that they are made of.

A game is three classes and a constant. The deal derives from `PlainDeal`: it asks one seat after the other,
and says what each may know. The view derives from `View`, with fields of its own. The rules derive from
`Rules`, whose fields are what variants differ in. The constant is such rules, with a name and a settlement.
"""

from arena.games.action import Action, action
from arena.games.cards import HIDDEN, Card, Hand, Pack, card, french_pack
from arena.games.deal import Deal
from arena.games.determinization import Determinization, ReplayedDeals
from arena.games.family import Family
from arena.games.hands import NO_HAND, HandRank, Ranking
from arena.games.legal_actions import LegalActions
from arena.games.options import option
from arena.games.plain_deal import PlainDeal
from arena.games.rules import Rules
from arena.games.seat_counts import compute_placings
from arena.games.settlement.base import (
    Changes,
    ChipSettlement,
    Holdings,
    Settlement,
    Showdown,
    TokenSettlement,
)
from arena.games.settlement.points import PointsOverDeals, PointsSettlement
from arena.games.view import Opening, View

__all__ = [
    "HIDDEN",
    "NO_HAND",
    "Action",
    "Card",
    "Changes",
    "ChipSettlement",
    "Deal",
    "Determinization",
    "Family",
    "Hand",
    "HandRank",
    "Holdings",
    "LegalActions",
    "Opening",
    "Pack",
    "PlainDeal",
    "PointsOverDeals",
    "PointsSettlement",
    "Ranking",
    "ReplayedDeals",
    "Rules",
    "Settlement",
    "Showdown",
    "TokenSettlement",
    "View",
    "action",
    "card",
    "compute_placings",
    "french_pack",
    "option",
]
