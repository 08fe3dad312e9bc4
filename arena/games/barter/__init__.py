"""The barter family: cards bought from the dealer, or exchanged unseen with a neighbour."""

from arena.games.barter.variants import BARTER_VARIANTS

__all__ = ["BARTER_VARIANTS"]
