"""The exchange family: Commerce with a widow, and its descendants."""

from arena.games.exchange.variants import EXCHANGE_VARIANTS

__all__ = ["EXCHANGE_VARIANTS"]
