"""The game of the cambio family."""

from __future__ import annotations

from typing import Final

from arena.games.cambio.ranking import SumRanking
from arena.games.cambio.rules import CambioRules
from arena.games.cambio.settlement import CambioSettlement

CAMBIO_GAME: Final = CambioRules(
    name="cambio",
    title="Four cards face down, to be remembered, peeked at and swapped; the lowest sum is best.",
    source="S004, sheet B11",
    ranking=SumRanking(),
    settlement=CambioSettlement(),
)

CAMBIO_VARIANTS: Final = (CAMBIO_GAME,)
