"""The game of the cox family."""

from __future__ import annotations

from typing import Final

from arena.families.cox.rules import CoxRules
from arena.families.cox.scoring import HandScoring, HighestScore

COX: Final = CoxRules(
    name="cox",
    title="Cox's patented eighty-card Commerce of 1925: draw or buy, lay sets, sell out; four hands.",
    source="S000",
    source_players=(2, 4),
    ranking=HandScoring(),
    settlement=HighestScore(),
)
