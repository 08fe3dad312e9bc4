"""The strengths of hands as tables on arrays, made from the ranking of a variant."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.games.hand_lookup import compute_strengths
from arena.games.rankings.base import HandRank
from arena.games.rules import Rules


def fill_strengths(record: Any, rules: Rules) -> list[HandRank]:
    """Write the strengths of hands by places of cards in the pack; return the ranks by strength."""
    cards = rules.whole_pack.cards
    by_number, ranks = compute_strengths(rules.ranking, rules.whole_pack)
    pack = len(cards)
    record["strengths"][0, :pack, :pack, :pack] = [
        [[by_number[a.number][b.number][c.number] for c in cards] for b in cards] for a in cards
    ]
    return ranks


def fill_tie_classes(record: Any, rules: Rules, ranks: list[HandRank]) -> None:
    """Write by strength the class of hands that tie for worst, where those without a rank may tie by sum."""
    tie_class = np.arange(len(ranks))
    if getattr(rules.settlement, "bottom_tie", "exact") == "sum":
        first: dict[object, int] = {}
        for strength, rank in enumerate(ranks):
            if rank.category in ("point", "nothing"):
                tie_class[strength] = first.setdefault((rank.grade, rank.keys[0]), strength)
    record["tie_class"][0, : len(ranks)] = tie_class
