"""The names of `lookup_tables` that bots import from here."""

from arena.families.exchange.kernel.lookup_tables import *  # noqa: F403
