"""Upper bounds on the length of a match, which OpenSpiel asks for: none of them is ever reached in play."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.games import Rules
from arena.games.options import list_options

CARDS_IN_A_RANK = 4
MAX_POWER_STEPS = 3
"""Largest number of steps of a card's power in Cambio: look, look, swap."""


class DealLimits(NamedTuple):
    """The most there can be in one deal.

    Attributes:
        decisions: actions of all seats.
        cards: cards dealt and drawn.
        numbers: numbers that describe what a seat knows at the end.
    """

    decisions: int
    cards: int
    numbers: int


def max_deals(rules: Rules, players: int) -> int:
    """Return the most deals of a match; where its rules set no limit, twice those that cost all tokens.

    A match without a limit goes on while hands tie for worst, or tokens change hands: it can always be
    longer.
    """
    options = {one.name: value for one, value in list_options(rules)}
    holdings = rules.settlement.initial_holdings(players)
    if options.get("deals"):
        return int(options["deals"])
    if holdings.tokens is not None:
        return 2 * players * (max(holdings.tokens) + 1)
    return max(players, int(options.get("until", 0)))


def deal_limits(rules: Rules, players: int) -> DealLimits:
    """Return the limits of one deal."""
    count = {"exchange": _exchange, "barter": _barter, "draw": _draw, "cuckoo": _cuckoo}
    count |= {"cambio": _cambio, "cox": _cox}
    decisions, numbers_each = count[rules.family](rules, players)
    pack = len(rules.whole_pack)
    return DealLimits(
        decisions=decisions,
        cards=pack + decisions,
        numbers=decisions * numbers_each + 8 * pack + 32 * players + 64,
    )


def _exchange(rules: Any, players: int) -> tuple[int, int]:
    """Count rounds, one more after a knock, and one after passes in a row; interrupts; horses."""
    closing, widow = rules.closing, rules.widow
    rounds = (rules.rounds or players) + closing.knocks + closing.deadlock_final_turn
    renewals = len(rules.whole_pack) // max(1, rules.table_size)
    interrupts = CARDS_IN_A_RANK * rules.interrupts.extra_cards
    turns = rounds * players + renewals + players
    most = max(rules.exchange.sizes(rules.hand_size))
    numbers = 2 * most + 4 + (rules.hand_size + players + 4) * (widow.private_take or bool(widow.down(1)))
    return turns * (1 + closing.knock_after_move + interrupts) + 2 * players + 2, numbers + 4 * interrupts + 2


def _barter(rules: Any, players: int) -> tuple[int, int]:
    """Count for each turn an offer, its refusal, another choice, and whether one stands then."""
    return 4 * rules.rounds * players + 3 * players, 8


def _draw(rules: Any, players: int) -> tuple[int, int]:
    return 2 * (rules.rounds + 1) * players, 6


def _cuckoo(rules: Any, players: int) -> tuple[int, int]:
    """Count a turn each; a swap may show a king and all queens."""
    return players, 4 + 4 * (CARDS_IN_A_RANK + 1)


def _cambio(rules: Any, players: int) -> tuple[int, int]:
    """Count for each turn a draw, what becomes of the card, its power, a call, and snaps by all."""
    moves = 3 + MAX_POWER_STEPS + rules.snap * (2 * players + 1)
    return (rules.rounds + 1) * players * moves, 16


def _cox(rules: Any, players: int) -> tuple[int, int]:
    """Count a turn for each card of the pack and each set bought: draw, lay, discard, sell, and offers."""
    turns = len(rules.whole_pack) + 4 * players
    return turns * (8 + players), 8


def max_chance_nodes(rules: Rules, players: int, deals: int) -> int:
    """Return the most chance nodes of a match: cards, the first dealer, and roles."""
    return 1 + deals * (deal_limits(rules, players).cards + 1)
