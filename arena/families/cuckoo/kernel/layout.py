"""Memory of the compiled matches of the cuckoo family, and the tables of a variant."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.cuckoo.rules import CuckooRules, LowestCard
from arena.games.kernel.layout import MAX_PACK, list_match_fields, list_stock_fields

MAX_SEATS: Final = 20
MAX_FURTHER: Final = 2
KINDS: Final = ("keep", "swap")
"""Kinds of actions, which are also the actions by their numbers."""

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        # the deal
        ("hands", "i1", (MAX_SEATS,)),
        ("further", "i1", (MAX_FURTHER,)),  # the dealer's other cards
        ("revealed", "i8"),  # seats that have shown a card that refuses every swap, as bits
        ("legal", "i8"),  # numbers of actions, as bits
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal
        ("seen", "i8", (MAX_SEATS,)),  # cards that a seat has held or got, as bits
        ("shown", "i8"),  # cards shown to all, as bits
        # under the stock: cards of the seats that are out
        *list_stock_fields(MAX_PACK, MAX_SEATS),
    ],
    align=True,
)
"""State of a match between two decisions."""

OPTIONS: Final = ("expose_kings", "stock_king_ok", "table_size", "step")
RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("pack", "i8"),
        *[(name, "i8") for name in OPTIONS],
        ("min_tokens", "i8"),
        ("tokens", "i8"),
        ("deals", "i8"),
        ("first_alone", "i8"),  # of several lowest cards the first in turn loses
        ("equal_lose", "i8"),  # where all cards are equal
        ("pairs_safe", "i8"),
        ("heights", "i1", (MAX_PACK,)),  # by card
        ("refuses", "i1", (MAX_PACK,)),  # such a card refuses a swap
        ("passes", "i1", (MAX_PACK,)),  # such a card passes it on
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: CuckooRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    return None if type(rules.settlement) is LowestCard else f"in {rules} not just the lowest card loses"


def build_rules(rules: Any, players: int) -> Any:
    """Return a variant as it is played at a table of `players`."""
    record = np.zeros(1, RULES)
    settlement: Any = rules.settlement
    for name in OPTIONS:
        record[name] = getattr(rules, name)
    for name in ("min_tokens", "tokens", "deals", "pairs_safe"):
        record[name] = getattr(settlement, name)
    record["first_alone"], record["equal_lose"] = settlement.tie == "first", settlement.tie_all == "lose"
    cards = rules.whole_pack.cards
    record["players"], record["pack"] = players, len(cards)
    record["heights"][0, : len(cards)] = [rules.ranking.height(c, rules.whole_pack) for c in cards]
    record["refuses"][0, : len(cards)] = [c.rank == rules.refusing for c in cards]
    record["passes"][0, : len(cards)] = [c.rank == rules.passing for c in cards]
    return record[0]
