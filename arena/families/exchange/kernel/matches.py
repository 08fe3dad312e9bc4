"""The names of `arena.families.exchange.kernel` that bots import from here."""

from arena.families.exchange.kernel import *  # noqa: F403
