"""The cox family: the patented eighty-card Commerce of 1925, with racks, supply bases and a bank."""

from arena.games.cox.variants import COX_VARIANTS

__all__ = ["COX_VARIANTS"]
