"""Offers between a deal and the next: the first to lose all counters may buy a horse. S002, ruling W6."""

from __future__ import annotations

from typing import Any, Final

from arena.games.action import Action, LegalActions, action
from arena.games.settlement.holdings import Changes

HORSE: Final = LegalActions((action("horse"), action("no-horse")), default=action("no-horse"))


def close_deal(deal: Any, changes: Changes) -> None:
    """End a deal with these changes when all offers of its settlement are answered.

    Args:
        deal: A deal with an attribute `offered`, the seats still to be offered a horse.
        changes: What its hands change.
    """
    opening, settlement = deal.opening, deal.rules.settlement
    deal.changes = changes
    deal.offered = settlement.find_offers(opening.holdings, changes, opening.order)
    offer_next(deal)


def offer_next(deal: Any) -> None:
    """Offer the next seat a horse, or end the deal when none is left to ask."""
    opening, settlement = deal.opening, deal.rules.settlement
    if deal.offered:
        deal.holdings = settlement.apply_changes(opening.holdings, deal.changes, opening.number)
        deal.phase = answer_offer
        deal.ask(deal.offered[0], HORSE)
    else:
        deal.end(settlement.close_deal(opening.holdings, deal.changes, opening.number))


def answer_offer(deal: Any, seat: int, done: Action) -> None:
    """Buy a horse, or none."""
    deal.record(seat, done)
    if done is not HORSE.default:
        deal.changes = deal.rules.settlement.accept_offer(deal.changes, seat)
    deal.offered = deal.offered[1:]
    offer_next(deal)
