"""Memory of the compiled matches of the draw family, and the tables of a variant."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arena.families.draw.rules import DrawRules
from arena.games.kernel.hand_strengths import fill_strengths, fill_tie_classes
from arena.games.kernel.layout import (
    KNOCK31,
    MAX_PACK,
    MAX_SEATS,
    PENALTY_OPTIONS,
    list_match_fields,
    list_stock_fields,
)
from arena.games.rankings.suit_totals import SuitTotals
from arena.games.settlement.base import TotalPenalties
from arena.games.settlement.shared_pot import KnockerPot

MAX_STRENGTHS: Final = 128
KINDS: Final = ("draw", "knock", "discard")
POT_OPTIONS: Final = ("stake", "forfeit", "knocker_forfeit", "clean_total")

MATCH: Final = np.dtype(
    [
        *list_match_fields(MAX_SEATS),
        ("tokens", "i2", (MAX_SEATS,)),
        ("chips", "i8", (MAX_SEATS,)),
        ("pool", "i8"),
        # the deal
        ("hands", "i1", (MAX_SEATS, 4)),  # in the order of the rules; the fourth card is that taken or drawn
        ("pile", "i1", (MAX_PACK,)),  # its top card last
        ("pile_size", "i8"),
        ("legal", "i8"),  # numbers of actions, as bits
        ("is_discarding", "i8"),
        ("must_keep", "i8"),  # the fourth card
        ("knocker", "i8"),
        ("round_number", "i8"),
        ("actions", "i8"),  # done in the deal
        # what observations tell
        ("held", "i2", (MAX_SEATS,)),  # tokens before the deal
        ("held_chips", "i8", (MAX_SEATS,)),  # chips before the deal is settled
        ("held_pool", "i8"),
        ("known", "i8", (MAX_SEATS,)),  # cards taken from the pile that a seat still has, as bits
        # under the stock: cards of the seats that are out; then discards shuffled anew
        *list_stock_fields(MAX_PACK, MAX_PACK),
        ("refills", "i8"),
    ],
    align=True,
)
"""State of a match between two decisions."""

RULES: Final = np.dtype(
    [
        ("players", "i8"),
        ("step", "i8"),
        ("pack", "i8"),
        ("rounds", "i8"),
        ("min_round", "i8"),
        ("instant_knock", "i8"),
        ("is_drawn", "i8"),  # when the stock is empty
        ("is_pot", "i8"),  # settled in chips
        *[(name, "i8") for name in POT_OPTIONS],
        ("tokens", "i8"),
        ("deals", "i8"),
        *PENALTY_OPTIONS,
        ("strengths", "i2", (MAX_PACK, MAX_PACK, MAX_PACK)),  # of hands; larger is better
        ("tie_class", "i2", (MAX_STRENGTHS,)),
        ("doubled_total", "i2", (MAX_STRENGTHS,)),
    ],
    align=True,
)
"""A variant as it is played: its options as numbers, and tables of a fixed size."""


def explain_unserved(rules: DrawRules) -> str | None:
    """Return why the compiled play does not serve a variant; None where it does."""
    if type(rules.settlement) not in (TotalPenalties, KnockerPot):
        return f"{rules} does not settle in tokens or by a pot"
    if not isinstance(rules.ranking, SuitTotals):
        return f"{rules} does not rank hands by the total of a suit"
    return None


def build_rules(rules: Any, players: int) -> Any:
    """Return a variant as it is played at a table of `players`."""
    record = np.zeros(1, RULES)
    settlement: Any = rules.settlement
    for name in ("rounds", "min_round", "instant_knock", "step"):
        record[name] = getattr(rules, name)
    for name in ("tokens", "deals", *[name for name, _ in PENALTY_OPTIONS], *POT_OPTIONS):
        value = getattr(settlement, name, 0)
        record[name] = KNOCK31.index(value) if name == "knock31" and value else value
    if isinstance(settlement, KnockerPot):
        record["is_pot"], record["deals"] = True, settlement.deals or players
    record["players"], record["pack"] = players, len(rules.whole_pack)
    record["is_drawn"] = rules.stock_out == "drawn"
    ranks = fill_strengths(record, rules)
    fill_tie_classes(record, rules, ranks)
    record["doubled_total"][0, : len(ranks)] = [2 * (rank.value or 0) for rank in ranks]
    return record[0]
