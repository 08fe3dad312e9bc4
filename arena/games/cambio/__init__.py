"""The cambio family: cards face down, known to those who have seen them."""

from arena.games.cambio.variants import CAMBIO_VARIANTS

__all__ = ["CAMBIO_VARIANTS"]
