"""The games of the package."""

from __future__ import annotations

from typing import Final

from golf_six.rules import Deck, GridRules, HighestBegins
from golf_six.scoring import ColumnRanking, GolfRanking, SkyjoPoints, Strokes

GOLF_SIX: Final = GridRules(
    name="golf-six",
    title="Golf with six cards: two of a rank in a column cancel; the lowest sum over nine deals wins.",
    source="traditional, as the rule page says",
    source_players=(2, 4),
    ranking=GolfRanking(rows=2),
    settlement=Strokes(),
)

SKYJO: Final = GridRules(
    name="skyjo",
    title="Twelve cards from -2 to 12: three equal in a column go; a closer who is not lowest counts double.",
    source="the game by A. Bernhardt (Magilano), as the rule page says",
    source_players=(2, 8),
    hand_size=12,
    max_players=8,
    deck=Deck(copies=((-2, 5), (-1, 10), (0, 15), *[(number, 10) for number in range(1, 13)])),
    ranking=ColumnRanking(rows=3),
    removes=True,
    first_turn=HighestBegins(),
    turning="must",
    settlement=SkyjoPoints(),
)
