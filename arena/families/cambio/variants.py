"""The game of the cambio family."""

from __future__ import annotations

from typing import Final

from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import CambioSettlement, SumRanking

CAMBIO_GAME: Final = CambioRules(
    name="cambio",
    title="Four cards face down, to be remembered, peeked at and swapped; the lowest sum is best.",
    source="S004, sheet B11",
    source_players=(2, 8),
    ranking=SumRanking(),
    settlement=CambioSettlement(),
)
