"""The draw family: cards from the stock or the discard, one thrown for each, until somebody knocks."""

from arena.games.draw.variants import DRAW_VARIANTS

__all__ = ["DRAW_VARIANTS"]
