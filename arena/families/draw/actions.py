"""An action of the draw family, which bots import from here."""

from arena.families.draw.deal import DRAW_STOCK

__all__ = ["DRAW_STOCK"]
