"""The cuckoo family: one card each, and one demand to change it with the next player's."""

from arena.games.cuckoo.variants import CUCKOO_VARIANTS

__all__ = ["CUCKOO_VARIANTS"]
