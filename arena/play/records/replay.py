"""A finished deal dealt again, to be gone through from its first action."""

from __future__ import annotations

from arena.games import Deal
from arena.games.stock import RecordedStock


def restart_deal(deal: Deal) -> Deal:
    """The same deal before its first action; its `codes` lead through it."""
    rules = deal.opening.rules
    left = rules.whole_pack.without([card for hand in (*deal.dealt, deal.table_dealt) for card in hand])
    stock = RecordedStock(left, deal.recorded_stock)
    return rules.deal(deal.opening, deal.dealt, deal.table_dealt, stock)
