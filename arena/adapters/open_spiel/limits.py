"""Upper bounds on the length of a match, which OpenSpiel asks for: none of them is ever reached in play."""

from __future__ import annotations

from typing import NamedTuple

from arena.adapters.family_encoding import get_encoding
from arena.games import Rules
from arena.games.option_fields import list_options


class DealLimits(NamedTuple):
    """The most there can be in one deal.

    Attributes:
        decisions: Actions of all seats.
        cards: Cards dealt and drawn.
        numbers: Numbers that describe what a seat knows at the end.
    """

    decisions: int
    cards: int
    numbers: int


def max_deals(rules: Rules, players: int) -> int:
    """Return the most deals of a match; where its rules set no limit, twice those that cost all tokens.

    A match without a limit goes on while hands tie for worst, or tokens change hands: it can always be
    longer.
    """
    options = {option.name: value for option, value in list_options(rules)}
    holdings = rules.settlement.initial_holdings(players)
    most = getattr(rules.settlement, "max_deals", None)
    if most:
        return int(most)
    if options.get("deals"):
        return int(options["deals"])
    if holdings.tokens is not None:
        return 2 * players * (max(holdings.tokens) + 1)
    return max(players, int(options.get("until", 0)))


def deal_limits(rules: Rules, players: int) -> DealLimits:
    """Return the limits of one deal."""
    decisions, numbers_each = get_encoding(rules).deal_limits(rules, players)
    pack = len(rules.whole_pack)
    return DealLimits(
        decisions=decisions,
        cards=pack + decisions,
        numbers=decisions * numbers_each + 8 * pack + 32 * players + 64,
    )


def max_chance_nodes(rules: Rules, players: int, deals: int) -> int:
    """Return the most chance nodes of a match: cards, the first dealer, and roles."""
    return 1 + deals * (deal_limits(rules, players).cards + 1)
